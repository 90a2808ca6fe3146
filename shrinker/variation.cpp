#include "shrinker/variation.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/draft.h"
#include "engine/parallel.h"
#include "engine/search.h"
#include "shrinker/oracle.h"

namespace pothole {
namespace {

class Varying {
 public:
  Varying(const Program& program, const RunSettings& settings, const Witness& witness, const VariationLimits& limits)
      : draft_(draft_of(program)),
        settings_(settings),
        witness_(witness),
        limits_(limits),
        oracle_({settings, {}, limits.steps_max, limits.stop}) {}

  // Draft tensors and steps are numbered as the program's are.
  void find(VariedValue& v, const std::function<void(Draft&, std::int64_t)>& set) const {
    const auto judged = [&](std::int64_t value, const std::function<Judgement(const Program&)>& judge) {
      Draft draft = draft_;
      set(draft, value);
      const std::optional<Program> program = program_of(draft);
      return program ? judge(*program) : Judgement::fails;  // too large
    };
    v.same_budgets = outward(
        v.value, [&](std::int64_t value) { return judged(value, [&](const Program& p) { return shows_witness(p); }); });
    v.any_hole = outward(
        v.value, [&](std::int64_t value) { return judged(value, [&](const Program& p) { return has_hole(p); }); });
  }

 private:
  enum class Judgement : std::uint8_t { holds, fails, unknown };

  VariationRange outward(std::int64_t value, const std::function<Judgement(std::int64_t)>& judge) const {
    VariationRange range{value, value, true, true};
    const auto go = [&](std::int64_t& end, std::int64_t step, bool& open) {
      for (std::int64_t tried = 0; tried < limits_.span; ++tried) {
        // Nothing is less than 0.
        const Judgement beyond = end + step < 0 ? Judgement::fails : judge(end + step);
        if (beyond == Judgement::fails) open = false;
        if (beyond != Judgement::holds) return;
        end += step;
      }
    };
    go(range.least, -1, range.least_is_open);
    if (range.least == 0) range.least_is_open = false;
    go(range.most, 1, range.most_is_open);
    return range;
  }

  Judgement has_hole(const Program& program) const {
    const Answer::Kind kind = oracle_.ask(program, witness_).kind;
    if (kind == Answer::Kind::hole) return Judgement::holds;
    return kind == Answer::Kind::no_hole ? Judgement::fails : Judgement::unknown;
  }

  Judgement shows_witness(const Program& program) const {
    RunOptions options;
    options.steps_max = limits_.steps_max;
    options.stop = limits_.stop;
    Judgement judgement = Judgement::holds;
    const auto expect = [&](Bytes budget, Outcome wanted) {
      const Outcome outcome = run(program, settings_, budget, options).outcome;
      if (outcome == wanted || judgement == Judgement::fails) return;
      judgement = is_evidence(outcome) ? Judgement::fails : Judgement::unknown;
    };
    expect(witness_.ok, Outcome::ok);
    expect(witness_.oom, Outcome::oom);
    expect(witness_.ok_above, Outcome::ok);
    return judgement;
  }

  const Draft draft_;
  const RunSettings& settings_;
  const Witness& witness_;
  const VariationLimits& limits_;
  const Oracle oracle_;
};

}  // namespace

Variation variation_of(const Program& program, const RunSettings& settings, const Witness& witness,
                       const VariationLimits& limits) {
  Variation variation;
  const Bytes to = std::max(peak_of(program), witness.ok_above) + 1;
  SearchControl control;
  control.limits.steps = limits.steps_max;
  control.stop = limits.stop;
  const FeasibilityMap map = why_not_certifiable(settings).empty()
                                 ? map_by_sweep(program, settings, {1, to}, control)
                                 : map_by_bisection(program, settings, {1, to}, control);
  const std::vector<Segment> segments = segments_of(map);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    // An end is known if what lies beyond it is; budgets begin at 1.
    const bool least_known =
        s.from == 1 || (i > 0 && segments[i - 1].to == s.from && is_evidence(segments[i - 1].outcome));
    const bool most_known =
        i + 1 < segments.size() && segments[i + 1].from == s.to && is_evidence(segments[i + 1].outcome);
    const auto note = [&](Bytes budget, VariationRange& range) {
      if (s.from <= budget && budget < s.to) range = {s.from, s.to - 1, !least_known, !most_known};
    };
    note(witness.ok, variation.ok);
    note(witness.oom, variation.oom);
    note(witness.ok_above, variation.ok_above);
  }

  std::vector<VariedValue>& values = variation.values;
  for (const Storage& s : program.storages()) values.push_back({Quantity::size, s.root, s.size, {}, {}});
  for (OperatorId op = 0; op < program.operators().size(); ++op)
    if (!program.operators()[op].constant) values.push_back({Quantity::cost, op, program.operators()[op].cost, {}, {}});
  const Varying varying(program, settings, witness, limits);
  const std::vector<std::size_t> steps = makers(draft_of(program));
  parallel_for(values.size(), [&](std::size_t i) {
    VariedValue& v = values[i];
    if (v.quantity == Quantity::size)
      varying.find(v, [&](Draft& draft, std::int64_t value) { draft.tensors[v.of].size = value; });
    else
      varying.find(v, [&](Draft& draft, std::int64_t value) { draft.steps[steps[v.of]].cost = value; });
  });
  return variation;
}

}  // namespace pothole
