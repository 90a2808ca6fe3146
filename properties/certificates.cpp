// certificates: the interval of budgets that a run is said to stand for is exactly that of its execution.
//
// Three ways to look: the interval is computed again from the decisions alone, by the thresholds that they must
// have passed; runs at its ends make the same decisions, and one beyond its end makes others; and the maps that
// are made of such intervals, by the merged sweep too, have the run where it belongs.
#include <fmt/format.h>

#include <algorithm>

#include "properties/compare.h"
#include "properties/ledger.h"
#include "properties/registry.h"

namespace pothole {
namespace {

constexpr std::string_view kOwnBudget = "own-budget", kThresholds = "thresholds", kEnds = "ends",
                           kTooShort = "too-short", kMap = "map";
constexpr std::string_view kKinds[] = {kOwnBudget, kThresholds, kEnds, kTooShort, kMap};

// What the requests for room say of the budget: each that was met fitted, and before each eviction of the
// policy the one that it served did not.
Certificate certificate_from(const Program& program, const RunResult& result) {
  constexpr Bytes kNone = Certificate::kUnbounded;
  Certificate certificate;
  Ledger ledger(program);
  Bytes refused = kNone;  // the least resident when the request under way was refused
  const auto refuse = [&](Bytes request) {
    if (refused != kNone) certificate.hi = std::min(certificate.hi, refused + request);
    refused = kNone;
  };
  for (const Decision& d : result.decisions) {
    if (d.kind == Decision::Kind::evicted) refused = std::min(refused, ledger.resident());
    if (d.kind == Decision::Kind::computed) {
      const Bytes request = program.operators()[program.tensors()[d.tensor].op].total_size;
      certificate.lo = std::max(certificate.lo, ledger.resident() + request);
      refuse(request);
    }
    ledger.book(d);
  }
  if (result.failure) {
    refused = std::min(refused, ledger.resident());
    refuse(result.failure->request);
  }
  return certificate;
}

Verdict broken(std::string_view kind, const CheckedRun& run, std::string text) {
  const auto [lo, hi] = run.result.certificate;
  const std::string end = hi == Certificate::kUnbounded ? "without end" : fmt::format("to {}", hi - 1);
  return violated(kind, {}, {run.budget}, {},
                  fmt::format("the certificate of {}, from {} {}, {}", run.budget, lo, end, text));
}

Verdict check_thresholds(const Subject& subject, const CheckedRun& run) {
  const Certificate own = run.result.certificate;
  if (own.lo > run.budget || own.hi <= run.budget) return broken(kOwnBudget, run, "does not hold its own budget");
  const Certificate asked = certificate_from(subject.program(), run.result);
  // A policy that asks about the budget itself narrows the interval further.
  const Features needs = subject.settings().policy.policy->needs;
  const bool asks = needs.has(Feature::budget) || needs.has(Feature::opaque);
  const bool right = asks ? own.lo >= asked.lo && own.hi <= asked.hi : own == asked;
  if (right) return {};
  return broken(kThresholds, run,
                fmt::format("is not what its decisions say: at least {}, below {}", asked.lo, asked.hi));
}

Verdict check_ends(const Subject& subject, const CheckedRun& run) {
  const Certificate own = run.result.certificate;
  for (const Bytes budget : {own.lo, own.hi - 1}) {
    if (budget == run.budget) continue;
    const RunResult there = subject.run(budget);
    if (!is_evidence(there.outcome)) return unresolved(there);
    const bool same = there.outcome == run.result.outcome && there.decisions == run.result.decisions &&
                      there.certificate == own && there.measures == run.result.measures;
    if (!same) return broken(kEnds, run, fmt::format("holds {}, where another execution takes place", budget));
  }
  // An opaque policy may well do the same at another budget: its run could not know.
  const bool opaque = subject.settings().policy.policy->needs.has(Feature::opaque);
  if (own.hi == Certificate::kUnbounded || opaque) return {};
  const RunResult beyond = subject.run(own.hi);
  if (!is_evidence(beyond.outcome)) return unresolved(beyond);
  const bool same = beyond.outcome == run.result.outcome && beyond.decisions == run.result.decisions;
  const bool asks = subject.settings().policy.policy->needs.has(Feature::budget);
  return same && !asks ? broken(kTooShort, run, "ends where the execution goes on") : Verdict();
}

Verdict check_in_map(const FeasibilityMap& map, std::string_view name, const CheckedRun& run) {
  const auto after = [](Bytes budget, const Execution& e) { return budget < e.to; };
  const auto found = std::upper_bound(map.executions.begin(), map.executions.end(), run.budget, after);
  if (found == map.executions.end() || found->from > run.budget) return {};  // not reached
  if (!is_evidence(found->outcome) || *found == execution_of(run)) return {};
  return broken(kMap, run,
                fmt::format("is not that of the {}: from {} to {}, {}, rematerializing {}", name, found->from,
                            found->to - 1, name_of(found->outcome), found->remat_compute));
}

Verdict check(const Subject& subject) {
  // The runs of a small program are its map, unless another was given: the sweep is a second opinion.
  FeasibilityMap swept;
  if (subject.is_small() && why_not_certifiable(subject.settings()).empty())
    swept = map_by_sweep(subject.program(), subject.settings(), subject.range(), subject.search_control());
  return verdict_of_runs(subject, [&](const CheckedRun& run) {
    Verdict verdict = check_thresholds(subject, run);
    if (verdict.ruling == Ruling::holds) verdict = check_ends(subject, run);
    if (verdict.ruling == Ruling::holds) verdict = check_in_map(subject.map(), "map", run);
    if (verdict.ruling == Ruling::holds) verdict = check_in_map(swept, "merged sweep", run);
    return verdict;
  });
}

}  // namespace

Property certificates_property() {
  return {.name = "certificates",
          .sentence = "a certificate is the interval of budgets that share the run's execution, no more and no less",
          .reason = "everything that is said of budgets that were not run rests on it",
          .breach = Breach::contract,
          .trusts_policy = true,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
