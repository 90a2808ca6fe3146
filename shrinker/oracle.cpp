#include "shrinker/oracle.h"

#include <algorithm>
#include <tuple>

#include "engine/search.h"
#include "properties/hole_signature.h"

namespace pothole {
namespace {

constexpr std::int64_t kRunsOfOpaque = 256;
constexpr double kStrideGrowth = 1.3;

// Runs outwards from a budget, each where the certificates so far end.
class Neighbourhood {
 public:
  Neighbourhood(const Program& program, const RunSettings& settings, const RunOptions& options, Bytes peak)
      : program_(program), settings_(settings), options_(options), map_{1, peak + 1, {}, kStepLimit, {}} {}

  bool covers(Bytes budget) const {
    return std::any_of(map_.executions.begin(), map_.executions.end(),
                       [&](const Execution& e) { return e.from <= budget && budget < e.to; });
  }

  void look_at(Bytes budget) {
    budget = std::clamp(budget, map_.from, map_.to - 1);
    if (covers(budget)) return;
    const RunResult result = run(program_, settings_, budget, options_);
    const Execution execution{std::max(result.certificate.lo, map_.from),
                              std::min(result.certificate.hi, map_.to),
                              result.outcome,
                              result.why_unresolved,
                              0,
                              0,
                              {}};
    const auto after = std::find_if(map_.executions.begin(), map_.executions.end(),
                                    [&](const Execution& e) { return e.from > budget; });
    map_.executions.insert(after, execution);
  }

  // Of neighbouring outcomes, whatever lies between them. Budgets from the peak up complete.
  std::vector<Witness> witnesses() const {
    std::vector<Witness> found;
    std::optional<Bytes> ok, oom;
    for (const Execution& e : map_.executions) {
      if (e.outcome == Outcome::oom && ok && !oom) oom = e.from;
      if (e.outcome != Outcome::ok) continue;
      if (oom) found.push_back({*ok, *oom, e.from});
      oom.reset();
      ok = e.to - 1;
    }
    return found;
  }

 private:
  const Program& program_;
  const RunSettings& settings_;
  const RunOptions& options_;
  FeasibilityMap map_;
};

}  // namespace

std::string_view name_of(Answer::Kind kind) {
  switch (kind) {
    case Answer::Kind::hole:
      return "hole";
    case Answer::Kind::no_hole:
      return "no hole";
    case Answer::Kind::none_found:
      return "no hole near the old budgets";
    case Answer::Kind::unresolved:
      return "unresolved";
    case Answer::Kind::slipped:
      return "a hole of another signature";
    case Answer::Kind::stopped:
      return "stopped";
  }
  return "";
}

Answer Oracle::ask(const Program& program, const Witness& near) const {
  Answer answer = program.operators().size() <= kExactOperators ? ask_map(program) : ask_near(program, near);
  if (stopped()) answer.kind = Answer::Kind::stopped;
  return answer;
}

FeasibilityMap Oracle::map_of(const Program& program) const {
  SearchControl control;
  control.stop = settings_.stop;
  control.limits.steps = settings_.steps_max;
  const BudgetRange range{1, peak_of(program) + 1};
  if (why_not_certifiable(settings_.run).empty()) return map_by_sweep(program, settings_.run, range, control);
  if (range.to <= kSmallPeak) return map_by_executions(program, settings_.run, range, control);
  control.limits.runs = kRunsOfOpaque;
  return map_by_bisection(program, settings_.run, range, control);
}

Answer Oracle::ask_map(const Program& program) const {
  const FeasibilityMap map = map_of(program);
  const std::vector<Segment> segments = segments_of(map);
  const bool whole = std::all_of(segments.begin(), segments.end(), [](const Segment& s) {
    return s.outcome != Outcome::unresolved && s.outcome != Outcome::policy_error;
  });
  return judged(program, witnesses_of(segments), whole ? Answer::Kind::no_hole : Answer::Kind::unresolved);
}

Answer Oracle::ask_near(const Program& program, const Witness& near) const {
  const Bytes peak = peak_of(program);
  RunOptions options;
  options.stop = settings_.stop;
  options.steps_max = settings_.steps_max;
  Neighbourhood around(program, settings_.run, options, peak);
  for (const Bytes budget : {near.ok, near.oom, near.ok_above, peak}) around.look_at(budget);
  // Then away from them on both sides, by growing strides: what is removed moves a hole, and mostly does not make it
  // narrower. The smaller the program, the further.
  const std::size_t looks = 10 + 20'000 / program.operators().size();
  double stride = static_cast<double>(near.ok_above - near.ok) / 2;
  double distance = 0;
  for (std::size_t i = 0; i < looks && around.witnesses().empty() && !stopped(); ++i) {
    if (i % 2 == 0) distance += std::max(1.0, stride), stride *= kStrideGrowth;
    if (distance > static_cast<double>(peak)) break;
    around.look_at(i % 2 == 0 ? near.oom - static_cast<Bytes>(distance) : near.oom + static_cast<Bytes>(distance));
  }
  return judged(program, around.witnesses(), Answer::Kind::none_found);
}

Answer Oracle::judged(const Program& program, std::vector<Witness> witnesses, Answer::Kind otherwise) const {
  Answer answer;
  answer.kind = otherwise;
  std::sort(witnesses.begin(), witnesses.end(), [](const Witness& a, const Witness& b) {
    return std::tuple(a.ok_above - a.ok, a) < std::tuple(b.ok_above - b.ok, b);
  });
  for (const Witness& witness : witnesses) {
    if (settings_.signature) {
      std::string signature = text_of(hole_signature(program, settings_.run, witness.ok, witness.oom));
      if (signature != *settings_.signature) {
        answer.kind = Answer::Kind::slipped;
        answer.others.push_back({witness, std::move(signature)});
        continue;
      }
    }
    answer.kind = Answer::Kind::hole;
    answer.witness = witness;
    break;
  }
  return answer;
}

OperatorId Oracle::failing_operator(const Program& program, const Witness& witness) const {
  RunOptions options;
  options.record_decisions = true;
  const RunResult fails = run(program, settings_.run, witness.oom, options);
  return operator_at(program, fails.decisions, fails.decisions.size());
}

}  // namespace pothole
