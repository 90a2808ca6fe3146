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
    const auto holds = [&](std::int64_t value, const std::function<bool(const Program&)>& property) {
      Draft draft = draft_;
      set(draft, value);
      const std::optional<Program> program = program_of(draft);
      return program && property(*program);
    };
    v.same_budgets = outward(
        v.value, [&](std::int64_t value) { return holds(value, [&](const Program& p) { return shows_witness(p); }); });
    v.any_hole = outward(v.value, [&](std::int64_t value) {
      return holds(value, [&](const Program& p) { return oracle_.ask(p, witness_).kind == Answer::Kind::hole; });
    });
  }

 private:
  bool stopped() const { return limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed); }

  VariationRange outward(std::int64_t value, const std::function<bool(std::int64_t)>& holds) const {
    VariationRange range{value, value, true};
    // Down to where nothing smaller has a meaning: sizes and costs of 0 do.
    while (range.least > 0 && value - range.least < limits_.span && !stopped() && holds(range.least - 1)) --range.least;
    while (range.most - value < limits_.span && !stopped()) {
      if (!holds(range.most + 1)) {
        range.most_is_open = false;
        break;
      }
      ++range.most;
    }
    return range;
  }

  bool shows_witness(const Program& program) const {
    RunOptions options;
    options.steps_max = limits_.steps_max;
    options.stop = limits_.stop;
    const auto outcome = [&](Bytes budget) { return run(program, settings_, budget, options).outcome; };
    return outcome(witness_.ok) == Outcome::ok && outcome(witness_.oom) == Outcome::oom &&
           outcome(witness_.ok_above) == Outcome::ok;
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
  for (const Segment& s : segments_of(map)) {
    const auto note = [&](Bytes budget, VariationRange& range) {
      if (s.from <= budget && budget < s.to) range = {s.from, s.to - 1, false};
    };
    note(witness.ok, variation.ok);
    note(witness.oom, variation.oom);
    note(witness.ok_above, variation.ok_above);
  }
  // Above the peak nothing is ever refused.
  if (variation.ok_above.most == to - 1) variation.ok_above.most_is_open = true;

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
