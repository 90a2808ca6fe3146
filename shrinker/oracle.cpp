#include "shrinker/oracle.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/search.h"
#include "properties/hole_signature.h"

namespace pothole {
namespace {

constexpr std::int64_t kRunsOfOpaque = 256;
constexpr double kStrideGrowth = 1.3;
constexpr std::size_t kLooks = 16;
constexpr Bytes kStridesToPeak = 256;

// Single runs here and there, each with what it certifies.
class Neighbourhood {
 public:
  Neighbourhood(const Program& program, const RunSettings& settings, const RunOptions& options)
      : program_(program), settings_(settings), options_(options), peak_(peak_of(program)) {}

  Bytes peak() const { return peak_; }

  void look_at(Bytes budget) {
    budget = std::clamp<Bytes>(budget, 1, std::max<Bytes>(1, peak_));
    const auto after =
        std::find_if(executions_.begin(), executions_.end(), [&](const Execution& e) { return e.from > budget; });
    if (after != executions_.begin() && budget < std::prev(after)->to) return;
    const RunResult result = run(program_, settings_, budget, options_);
    executions_.insert(after, {std::max<Bytes>(result.certificate.lo, 1),
                               std::min(result.certificate.hi, peak_ + 1),
                               result.outcome,
                               result.why_unresolved,
                               0,
                               0,
                               {}});
  }

  // On both sides in turn, by growing strides, until a hole is seen.
  void look_away_from(Bytes budget, Bytes stride, std::size_t looks) {
    double step = std::max(1.0, static_cast<double>(stride)), distance = 0;
    for (std::size_t i = 0; i < looks && witnesses().empty() && distance < static_cast<double>(peak_); ++i) {
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) return;
      if (i % 2 == 0) distance += std::exchange(step, step * kStrideGrowth);
      look_at(i % 2 == 0 ? budget - static_cast<Bytes>(distance) : budget + static_cast<Bytes>(distance));
    }
  }

  // Of neighbouring outcomes, whatever lies between them.
  std::vector<Witness> witnesses() const {
    std::vector<Witness> found;
    const Execution *completes = nullptr, *fails = nullptr;
    for (const Execution& e : executions_) {
      if (e.outcome == Outcome::oom && completes != nullptr && fails == nullptr) fails = &e;
      if (e.outcome != Outcome::ok) continue;
      if (fails != nullptr) found.push_back({completes->to - 1, fails->from, e.from});
      completes = &e;
      fails = nullptr;
    }
    return found;
  }

 private:
  const Program& program_;
  const RunSettings& settings_;
  const RunOptions& options_;
  const Bytes peak_;
  std::vector<Execution> executions_;  // in budget order
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
  const std::size_t operators = program.operators().size();
  Answer answer = operators <= kExactOperators ? ask_map(program) : ask_near(program, near);
  if (answer.kind == Answer::Kind::none_found && operators <= kSearchedOperators) answer = ask_map(program);
  if (stopped()) answer.kind = Answer::Kind::stopped;
  return answer;
}

RunOptions Oracle::run_options() const {
  RunOptions options;
  options.stop = settings_.stop;
  options.steps_max = settings_.steps_max;
  return options;
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
  const RunOptions options = run_options();
  Neighbourhood around(program, settings_.run, options);
  for (const Bytes budget : {near.ok, near.oom, near.ok_above}) around.look_at(budget);
  // What is removed moves a hole, and mostly does not make it narrower.
  around.look_away_from(near.oom, std::min((near.ok_above - near.ok) / 2, around.peak() / kStridesToPeak), kLooks);
  around.look_at(around.peak());
  return judged(program, around.witnesses(), Answer::Kind::none_found);
}

std::optional<Witness> Oracle::hole_around(const Program& program, Bytes oom) const {
  constexpr std::size_t kManyLooks = 200;
  std::vector<Witness> witnesses;
  if (program.operators().size() <= kExactOperators) {
    witnesses = witnesses_of(segments_of(map_of(program)));
  } else {
    const RunOptions options = run_options();
    const Certificate fails = run(program, settings_.run, oom, options).certificate;
    Neighbourhood around(program, settings_.run, options);
    for (const Bytes budget : {oom, fails.lo - 1, fails.hi}) around.look_at(budget);
    around.look_away_from(oom, std::min(fails.hi, around.peak()) - fails.lo, kManyLooks);
    around.look_at(around.peak());
    witnesses = around.witnesses();
  }
  for (const Witness& witness : witnesses)
    if (witness.ok < oom && oom < witness.ok_above) return witness;
  return std::nullopt;
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

std::string Oracle::why_not_deterministic(const Program& program, const Witness& witness) const {
  for (const Bytes budget : {witness.ok, witness.oom, witness.ok_above}) {
    const RunResult first = run(program, settings_.run, budget), second = run(program, settings_.run, budget);
    if (first.outcome != second.outcome || first.decision_digest != second.decision_digest)
      return "two runs at budget " + std::to_string(budget) + " decide differently";
  }
  return {};
}

OperatorId Oracle::failing_operator(const Program& program, const Witness& witness) const {
  RunOptions options;
  options.record_decisions = true;
  const RunResult fails = run(program, settings_.run, witness.oom, options);
  return operator_at(program, fails.decisions, fails.decisions.size());
}

}  // namespace pothole
