// witness-replay: the evictions of a run that completes are possible, and complete, with any more memory.
//
// A schedule decides everything, so its run asks nothing of the budget but whether what it holds fits: replayed
// with unlimited memory its certificate begins at the most it ever holds, which is a proof for every budget
// from there on.
#include <fmt/format.h>

#include "properties/compare.h"
#include "properties/registry.h"

namespace pothole {
namespace {

constexpr std::string_view kOther = "other-execution", kNeedsMore = "needs-more";
constexpr std::string_view kKinds[] = {kOther, kNeedsMore};
constexpr std::string_view kNoneCompletes = "no run completes";

Verdict check_run(const Subject& subject, const CheckedRun& run) {
  if (run.result.outcome != Outcome::ok) return not_applicable(kNoneCompletes);
  const Schedule schedule = schedule_of(run.result.decisions);
  const RunResult replay = subject.run(Certificate::kUnbounded - 1, &schedule);
  if (replay.why_unresolved == kScheduleNotFollowed) {
    const OperatorId place = operator_at(subject.program(), replay.decisions, replay.decisions.size());
    return violated(kOther, place, {run.budget}, {},
                    fmt::format("the evictions with {} cannot be repeated at {}", run.budget,
                                place_text(subject.program(), place)));
  }
  const Certificate from_peak{run.result.measures.peak_resident, Certificate::kUnbounded};
  const Verdict verdict = verdict_of_same(subject, run, replay,
                                          {kOther, "its evictions replayed", replay.certificate, run.result.measures});
  if (verdict.ruling != Ruling::holds) return verdict;
  if (replay.certificate.lo <= run.budget && replay.certificate == from_peak) return {};
  return violated(kNeedsMore, {}, {run.budget, replay.certificate.lo}, {},
                  fmt::format("the evictions with {} need {} when replayed", run.budget, replay.certificate.lo));
}

Verdict check(const Subject& subject) {
  return verdict_of_runs(subject, [&](const CheckedRun& run) { return check_run(subject, run); });
}

}  // namespace

Property witness_replay_property() {
  return {.name = "witness-replay",
          .sentence = "the evictions of a budget that completes, replayed at any larger budget, complete",
          .reason =
              "so a hole is always the policy's fault, never the trace's: there was a way, and the policy took "
              "another",
          .breach = Breach::contract,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
