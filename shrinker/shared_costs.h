// All costs of a program at once: which of them give it a hole, for given sizes.
//
// What an execution does depends on costs through the victims alone. So one execution stands for all costs for which
// the policy has chosen the same victims so far, and is carried on by the engine with powers of 256 as costs: whatever
// the engine adds up of costs (the clock, last accesses, sums over neighbourhoods) is then a number whose digits say
// how often each operator's cost is in it. Before a choice the sums are formed anew for each assignment of costs, the
// policy is asked, and the assignments part by victim. Costs of operators that were not issued yet are in no sum, and
// are left open until they are.
//
// Budgets go together likewise, as a range, until a request fits some and not others. Where no choices could lead to a
// hole any more, nothing is carried on (shrinker/possibilities.h).
#pragma once

#include <map>
#include <memory>
#include <span>

#include "engine/stepper.h"
#include "shrinker/cost_table.h"
#include "shrinker/possibilities.h"
#include "shrinker/size_table.h"

namespace pothole {

class SharedCosts {
 public:
  // Can costs be shared under these settings? Not where a policy reads costs that are no such sums, or knows the rest
  // of the trace by more than its uses, or may keep something of its own.
  static bool apply_to(const RunSettings& settings);
  // Does the policy read the budget? Then each budget is to be a class of its own, and nothing is common to two.
  static bool read_budget(const RunSettings& settings) {
    const Features needs = settings.policy.policy->needs;
    return needs.has(Feature::budget) || needs.has(Feature::opaque);
  }

  SharedCosts(const RunSettings& settings, const CostTable& costs, Possibilities& possibilities);

  // The skeleton that `possibilities` is about. The program outlives the rest, and gets its sizes before, and
  // symbolic_costs() for good.
  void begin(const Program& program);
  std::vector<Cost> symbolic_costs() const;

  // Costs, of at most `distinct_most` values, for which some budget of the classes completes and a larger one fails.
  // Beginnings stand for all that goes on from them. Runs are not stopped by the overhead limit.
  CostSet holes(const SizeAssignment& sizes, std::int64_t distinct_most);

  // The policy did what no policy may, at some time.
  bool misbehaved() const { return misbehaved_; }

 private:
  enum class Aim { hole, failure, completion };
  struct Node {
    State state;
    Moment moment;
  };
  struct Range {
    std::size_t from = 0, to = 0;  // budget classes
  };
  // A sum of costs.
  using Form = std::array<std::int16_t, Shape::kOperatorsMost>;
  struct Forms {
    Form clock{};
    std::array<Form, Shape::kOperatorsMost> last_access{}, forward{}, reverse{}, arrival{};
    TensorSet accessed = 0, members = 0;
  };

  std::size_t position_of(const Moment& moment) const;
  Stepper& stepper_of(std::size_t position) { return steppers_[position]; }
  void begin_place(State& state, std::uint32_t place);
  void end_place(State& state, std::uint32_t place);
  void advance(State& state, std::uint32_t place);
  void compute(Node& node);
  void evict(Node& node, std::uint32_t victim);

  bool is_alive(Aim aim, const Moment& moment, Range range);
  void search(Aim aim, Node& node, Range range, CostSet costs, CostSet& found);
  void divide(Aim aim, const Node& node, Range range, std::size_t at, const CostSet& costs, CostSet& found);
  void part_by_victim(Aim aim, Node& node, Range range, CostSet costs, CostSet& found);
  void add(CostSet& found, CostSet more) const;

  // The next costs that the choice may depend on are those of so many operators.
  std::uint32_t costs_read(const Node& node) const;
  Forms forms_of(State& work, std::size_t position);
  void substitute(State& work, const Forms& forms, const CostTable::Costs& costs) const;
  const std::vector<Position>& positions_of(std::size_t position, std::uint32_t length);
  void choose(const Node& node, Bytes budget, const CostSet& costs, std::vector<std::uint8_t>& victims);

  const RunSettings& settings_;
  const CostTable& costs_;
  Possibilities& possibilities_;
  const std::uint32_t operators_;
  const Features needs_;
  const bool reads_budget_;
  Workspace workspace_;
  SkeletonPrograms scratch_;         // operators without arguments
  std::vector<Position> positions_;  // of symbolic costs: an operator pending, computed, for each; outputs brought back
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<Position>> positions_by_costs_;
  std::vector<Stepper> steppers_;  // by position
  const Program* program_ = nullptr;
  const SizeAssignment* sizes_ = nullptr;
  std::int64_t distinct_most_ = 0;
  State work_;
  std::uint64_t draws_ = 0;  // after the last choice
  bool misbehaved_ = false;
};

}  // namespace pothole
