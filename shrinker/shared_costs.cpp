#include "shrinker/shared_costs.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "engine/plugin/plugin_policy.h"
#include "engine/pool_view.h"

namespace pothole {
namespace {

constexpr unsigned kDigitBits = 8;
constexpr std::uint8_t kNobody = 255;  // the policy did what no policy may: neither completion nor failure

Skeleton without_arguments(std::uint32_t operators) {
  Skeleton skeleton;
  skeleton.steps.resize(operators);
  for (Skeleton::Step& step : skeleton.steps) step.outputs = {Skeleton::kFresh};
  return skeleton;
}

}  // namespace

bool SharedCosts::apply_to(const RunSettings& settings) {
  // What substitute() sets anew, or does not depend on costs.
  constexpr Features kKnown = Feature::forward | Feature::reverse | Feature::union_walk | Feature::random |
                              Feature::budget | Feature::evictions | Feature::arrivals | Feature::next_use;
  const Features needs = settings.policy.policy->needs;
  return settings.dealloc != Dealloc::banish && !is_plugin(settings.policy) && (needs | kKnown) == kKnown;
}

SharedCosts::SharedCosts(const RunSettings& settings, const CostTable& costs, Possibilities& possibilities)
    : settings_(settings),
      costs_(costs),
      possibilities_(possibilities),
      operators_(costs.operators()),
      needs_(settings.policy.policy->needs),
      reads_budget_(read_budget(settings)),
      workspace_(costs.operators()),
      scratch_(without_arguments(costs.operators()), EnumerationBounds{}) {
  scratch_.set(std::vector<Bytes>(operators_, 1), symbolic_costs());
  Position position(scratch_.program());
  for (OperatorId op = 0; op < operators_; ++op) {
    position.issue(scratch_.program(), op);
    positions_.push_back(position);
    position.complete();
    positions_.push_back(position);
  }
  for (std::uint32_t i = 0; i < operators_; ++i) {
    position.pin(scratch_.program(), i);
    positions_.push_back(position);
  }
}

std::vector<Cost> SharedCosts::symbolic_costs() const {
  std::vector<Cost> costs;
  for (std::uint32_t i = 0; i < operators_; ++i) costs.push_back(Cost{1} << (kDigitBits * i));
  return costs;
}

void SharedCosts::begin(const Program& program) {
  program_ = &program;
  steppers_.clear();
  steppers_.reserve(positions_.size());
  for (const Position& position : positions_) steppers_.emplace_back(program, settings_, position, workspace_, nullptr);
}

std::size_t SharedCosts::position_of(const Moment& moment) const {
  const std::uint32_t place = moment.place();
  if (place < operators_) return std::size_t{2} * place;
  const TensorSet before = possibilities_.shape().pinned & ((1u << (place - operators_)) - 1);
  return std::size_t{2} * operators_ + static_cast<std::size_t>(std::popcount(before));
}

// Of the outputs of the program only.
void SharedCosts::begin_place(State& state, std::uint32_t place) {
  if (place < operators_)
    stepper_of(std::size_t{2} * place).begin_issue(state, place);
  else
    stepper_of(positions_.size() - 1).begin_pin(state, place - operators_);
}

void SharedCosts::end_place(State& state, std::uint32_t place) {
  if (place >= operators_) {
    stepper_of(positions_.size() - 1).end_pin(state, place - operators_);
    return;
  }
  const Stepper& stepper = stepper_of(std::size_t{2} * place + 1);
  stepper.end_issue(state, place);
  TensorSet released = possibilities_.shape().steps[place].evicted_after;
  for (; released != 0; released &= released - 1)
    stepper.release(state, static_cast<StorageId>(std::countr_zero(released)));
}

// From within a place, or after its last materialization, to the next that asks for room, or to the end.
void SharedCosts::advance(State& state, std::uint32_t place) {
  const TensorSet pinned = possibilities_.shape().pinned;
  const auto is_idle = [&] { return place >= operators_ && (pinned >> (place - operators_) & 1) == 0; };
  while (true) {
    if (state.frames.empty()) {
      end_place(state, place);
      do ++place;
      while (place < 2 * operators_ && is_idle());
      if (place == 2 * operators_) return;
      begin_place(state, place);
      continue;
    }
    const Stepper& stepper = stepper_of(place < operators_ ? std::size_t{2} * place : positions_.size() - 1);
    switch (state.frames.back().phase) {
      case Frame::Phase::enter:
        stepper.enter(state);
        break;
      case Frame::Phase::restore:
        stepper.restore(state);
        break;
      case Frame::Phase::make_room:
        return;
    }
  }
}

void SharedCosts::compute(Node& node) {
  const std::uint32_t place = node.moment.place();
  if (!stepper_of(position_of(node.moment)).compute(node.state).empty())
    throw std::logic_error("an execution of a small program cannot go on");
  node.moment = node.moment.computed(possibilities_.shape());
  advance(node.state, place);
}

void SharedCosts::evict(Node& node, std::uint32_t victim) {
  node.state.consulted = true;
  stepper_of(position_of(node.moment)).evict(node.state, victim);
  node.moment = node.moment.without(victim);
}

CostSet SharedCosts::holes(const SizeAssignment& sizes, std::int64_t distinct_most) {
  sizes_ = &sizes;
  distinct_most_ = distinct_most;
  Node node{stepper_of(0).initial(), Moment::first(possibilities_.shape())};
  begin_place(node.state, 0);
  advance(node.state, 0);
  CostSet found;
  CostSet all;
  all.codes = {0};
  search(Aim::hole, node, {0, sizes.classes.size()}, all, found);
  std::sort(found.codes.begin(), found.codes.end());
  found.codes.erase(std::unique(found.codes.begin(), found.codes.end()), found.codes.end());
  return found;
}

bool SharedCosts::is_alive(Aim aim, const Moment& moment, Range range) {
  const auto fits = [&](std::size_t i) { return sizes_->classes[i].fits; };
  const auto may = [&](std::size_t i) {
    return aim == Aim::failure ? possibilities_.can_fail(moment, fits(i))
                               : possibilities_.can_complete(moment, fits(i));
  };
  for (std::size_t i = range.from; i < range.to; ++i) {
    if (!may(i)) continue;
    if (aim != Aim::hole) return true;
    for (std::size_t j = i + 1; j < range.to; ++j)
      if (possibilities_.can_fail(moment, fits(j)) &&
          (reads_budget_ || possibilities_.can_part(moment, fits(i), fits(j))))
        return true;
  }
  return false;
}

void SharedCosts::search(Aim aim, Node& node, Range range, CostSet costs, CostSet& found) {
  while (!costs.empty() && is_alive(aim, node.moment, range)) {
    if (node.moment.ended(possibilities_.shape())) {
      add(found, std::move(costs));  // a completion, as nothing else is alive at the end
      return;
    }
    const Bytes threshold = node.state.resident + sizes_->sizes[node.moment.tensor()];
    const auto first = std::lower_bound(sizes_->classes.begin(), sizes_->classes.end(), threshold,
                                        [](const BudgetClass& c, Bytes budget) { return c.from < budget; });
    const auto fitting = static_cast<std::size_t>(first - sizes_->classes.begin());
    if (fitting <= range.from) {
      compute(node);
      continue;
    }
    if (fitting < range.to) return divide(aim, node, range, fitting, costs, found);
    const TensorSet victims = node.moment.victims(possibilities_.shape());
    if (victims == 0) {
      add(found, std::move(costs));  // likewise a failure
      return;
    }
    // Nothing to choose, unless being asked is remembered.
    if (std::has_single_bit(victims) && !needs_.has(Feature::random)) {
      evict(node, static_cast<std::uint32_t>(std::countr_zero(victims)));
      continue;
    }
    if (reads_budget_ && range.to - range.from > 1) return divide(aim, node, range, range.from + 1, costs, found);
    return part_by_victim(aim, node, range, std::move(costs), found);
  }
}

// The budgets answer differently from here on.
void SharedCosts::divide(Aim aim, const Node& node, Range range, std::size_t at, const CostSet& costs, CostSet& found) {
  const Range lower{range.from, at}, higher{at, range.to};
  const auto search_copy = [&](Aim part_aim, Range part, const CostSet& part_costs, CostSet& part_found) {
    if (!is_alive(part_aim, node.moment, part)) return;
    Node copy = node;
    search(part_aim, copy, part, part_costs, part_found);
  };
  search_copy(aim, lower, costs, found);
  search_copy(aim, higher, costs, found);
  if (aim != Aim::hole || !is_alive(Aim::completion, node.moment, lower)) return;
  CostSet failing;
  search_copy(Aim::failure, higher, costs, failing);
  search_copy(Aim::completion, lower, failing, found);
}

void SharedCosts::part_by_victim(Aim aim, Node& node, Range range, CostSet costs, CostSet& found) {
  const auto length = std::max(costs.length, costs_read(node));
  costs = costs_.extended(std::move(costs), length, distinct_most_);
  std::vector<std::uint8_t> victims;
  choose(node, sizes_->classes[range.from].from, costs, victims);
  const std::uint64_t draws = draws_;
  for (TensorSet left = node.moment.victims(possibilities_.shape()); left != 0; left &= left - 1) {
    const auto victim = static_cast<std::uint32_t>(std::countr_zero(left));
    if (!is_alive(aim, node.moment.without(victim), range)) continue;
    CostSet part;
    part.length = costs.length;
    for (std::size_t i = 0; i < victims.size(); ++i)
      if (victims[i] == victim) part.codes.push_back(costs.codes[i]);
    if (part.empty()) continue;
    Node copy = node;
    copy.state.draws = draws;
    evict(copy, victim);
    search(aim, copy, range, std::move(part), found);
  }
}

void SharedCosts::add(CostSet& found, CostSet more) const {
  const std::uint32_t length = std::max(found.length, more.length);
  found = costs_.extended(std::move(found), length, distinct_most_);
  more = costs_.extended(std::move(more), length, distinct_most_);
  found.codes.insert(found.codes.end(), more.codes.begin(), more.codes.end());
}

std::uint32_t SharedCosts::costs_read(const Node& node) const {
  const std::uint32_t place = node.moment.place();
  if (place >= operators_) return operators_;
  // The pending operator hangs below its arguments, where walks and regions may have met it.
  bool is_seen = needs_.has(Feature::union_walk);
  for (StorageId s = 0; s < operators_; ++s) is_seen = is_seen || node.state.storages[s].seen != 0;
  return place + (is_seen ? 1 : 0);
}

SharedCosts::Forms SharedCosts::forms_of(State& work, std::size_t position) {
  const auto form = [&](Cost sum) {
    Form digits{};
    for (std::uint32_t i = 0; i < operators_; ++i)
      digits[i] = static_cast<std::int16_t>(sum >> (kDigitBits * i) & ((1 << kDigitBits) - 1));
    return digits;
  };
  Forms forms;
  forms.clock = form(work.clock - 1);
  for (StorageId s = 0; s < operators_; ++s) {
    const Tick last_access = work.storages[s].last_access;
    if (last_access == 0) continue;
    forms.accessed |= 1u << s;
    forms.last_access[s] = form(last_access - 1);
  }
  const Regions regions(*program_, positions_[position], workspace_, needs_);
  for (const StorageId s : work.pool.slots()) {
    if (s == kNone) continue;
    forms.members |= 1u << s;
    if (!work.arrivals.empty()) forms.arrival[s] = form(work.arrivals[s] - 1);
    if (!needs_.has(Feature::forward) && !needs_.has(Feature::reverse)) continue;
    regions.evaluate(work, s);
    // Without the pending operator, which is added where it is seen.
    if (needs_.has(Feature::forward)) forms.forward[s] = form(work.storages.regions(s).forward);
    if (needs_.has(Feature::reverse)) forms.reverse[s] = form(regions.reverse(work, s));
  }
  return forms;
}

void SharedCosts::substitute(State& work, const Forms& forms, const CostTable::Costs& costs) const {
  const auto sum = [&](const Form& form) {
    Cost total = 0;
    for (std::uint32_t i = 0; i < operators_; ++i) total += form[i] * costs[i];
    return total;
  };
  work.clock = 1 + sum(forms.clock);
  for (StorageId s = 0; s < operators_; ++s)
    if (forms.accessed >> s & 1) work.storages.change(s).last_access = 1 + sum(forms.last_access[s]);
  const bool has_regions = needs_.has(Feature::forward) || needs_.has(Feature::reverse);
  for (TensorSet left = forms.members; left != 0; left &= left - 1) {
    const auto s = static_cast<StorageId>(std::countr_zero(left));
    if (!work.arrivals.empty()) work.arrivals[s] = 1 + sum(forms.arrival[s]);
    if (!has_regions) continue;
    RegionCache& cache = work.storages.change_regions(s);
    cache.forward = sum(forms.forward[s]);
    cache.reverse_plus_returned = sum(forms.reverse[s]);
  }
}

const std::vector<Position>& SharedCosts::positions_of(std::size_t position, std::uint32_t length) {
  std::vector<Position>& all = positions_by_costs_[{position, length}];
  if (!all.empty()) return all;
  const std::size_t pending = position < std::size_t{2} * operators_ ? position / 2 : operators_;
  for (std::uint32_t code = 0; code < costs_.count(length); ++code) {
    const CostTable::Costs& costs = costs_.costs(code);
    scratch_.set(std::vector<Bytes>(operators_, 1), {costs.begin(), costs.begin() + operators_});
    Position one(scratch_.program());
    for (OperatorId op = 0; op < operators_ && op <= pending; ++op) {
      one.issue(scratch_.program(), op);
      if (op < pending) one.complete();
    }
    if (pending == operators_)
      one.pin(scratch_.program(), static_cast<std::uint32_t>(position - std::size_t{2} * operators_));
    all.push_back(std::move(one));
  }
  return all;
}

// `victims`: one for each assignment of costs.
void SharedCosts::choose(const Node& node, Bytes budget, const CostSet& costs, std::vector<std::uint8_t>& victims) {
  const std::size_t at = position_of(node.moment);
  work_ = node.state;
  work_.consulted = true;
  const Forms forms = forms_of(work_, at);
  work_.returned_compute = 0;
  const std::vector<Position>& positions = positions_of(at, costs.length);
  const Bytes request = sizes_->sizes[node.moment.tensor()];
  for (const std::uint32_t code : costs.codes) {
    substitute(work_, forms, costs_.costs(code));
    work_.draws = node.state.draws;
    workspace_.forget_walks();
    const Regions regions(*program_, positions[code], workspace_, needs_);
    BudgetWindow window(budget);
    PoolView pool(*program_, positions[code], regions, workspace_, work_, window, request, settings_);
    const StorageId victim = settings_.policy.policy->choose(pool, settings_.policy);
    if (!pool.fault().empty()) misbehaved_ = true;
    victims.push_back(pool.fault().empty() ? static_cast<std::uint8_t>(victim) : kNobody);
  }
  draws_ = work_.draws;
}

}  // namespace pothole
