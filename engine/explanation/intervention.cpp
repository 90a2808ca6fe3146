#include "engine/explanation/intervention.h"

#include <algorithm>
#include <numeric>

#include "engine/parallel.h"

namespace pothole {
namespace {

using Set = std::vector<StorageId>;

class Search {
 public:
  Search(const Program& program, const RunSettings& settings, const History& oom, const InterventionLimits& limits)
      : program_(program), settings_(settings), oom_(oom), limits_(limits) {}

  Interventions run(const Rebuild& rebuild) {
    Interventions found;
    found.control = tried({{}}).front();
    found.control_reproduces = found.control.outcome == oom_.result.outcome && digest_ == oom_.result.decision_digest &&
                               found.control.measures == oom_.result.measures;
    if (!found.control_reproduces) return found;
    const Set likely = likely_ones(rebuild), all = evicted_ones(likely);
    found.likely = tried(singles(likely));
    take_completing(found.likely, found.smallest);
    if (found.smallest.empty()) {
      Set others(all.begin() + static_cast<std::ptrdiff_t>(likely.size()), all.end());
      if (others.size() > runs_left()) {
        others.resize(runs_left());
        left_out_ = true;
      }
      found.others = tried(singles(others));
      take_completing(found.others, found.smallest);
    }
    // A single one is the smallest set there is: nothing retained fails.
    if (!found.smallest.empty()) {
      found.smallest_is_certain = true;
      return found;
    }
    try_larger_sets(all, found);
    if (!found.smallest.empty() || found.all_tried) return found;
    if (const std::optional<Intervention> one = reduced(likely, all)) found.smallest = {*one};
    return found;
  }

 private:
  bool stopped() const { return limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed); }
  std::size_t runs_left() const { return limits_.runs > runs_ ? limits_.runs - runs_ : 0; }

  std::vector<Intervention> tried(const std::vector<Set>& sets) {
    std::vector<Intervention> interventions(sets.size());
    runs_ += sets.size();
    parallel_for(sets.size(), [&](std::size_t i) {
      RunSettings settings = settings_;
      settings.retained = sets[i];
      std::sort(settings.retained.begin(), settings.retained.end());
      RunOptions options;
      options.steps_max = limits_.steps;
      options.stop = limits_.stop;
      const RunResult result = pothole::run(program_, settings, oom_.budget, options);
      if (sets[i].empty()) digest_ = result.decision_digest;
      interventions[i] = {std::move(settings.retained), result.outcome, result.measures};
      if (limits_.on_run) limits_.on_run();
    });
    for (const Intervention& i : interventions) left_out_ = left_out_ || !is_evidence(i.outcome);
    return interventions;
  }

  static std::vector<Set> singles(const Set& storages) {
    std::vector<Set> sets;
    for (const StorageId s : storages) sets.push_back({s});
    return sets;
  }

  static void take_completing(const std::vector<Intervention>& from, std::vector<Intervention>& to) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to), [](const Intervention& i) { return i.completes(); });
  }

  Set likely_ones(const Rebuild& rebuild) const {
    Set likely;
    for (const Rebuilt& r : rebuild.tensors) {
      const StorageId storage = program_.tensors()[r.tensor].storage;
      if (!r.kept_by_ok || !r.gone_in_oom || r.gone_in_oom->on_release) continue;
      if (std::find(likely.begin(), likely.end(), storage) == likely.end()) likely.push_back(storage);
    }
    return likely;
  }

  // The likely ones, then all others in the order in which they were first evicted.
  Set evicted_ones(const Set& likely) const {
    Set all = likely;
    std::vector<bool> known(program_.storages().size());
    for (const StorageId s : likely) known[s] = true;
    for (const Event& event : oom_.events) {
      if (event.kind != Event::Kind::evicted) continue;
      const StorageId storage = program_.tensors()[event.tensor].storage;
      if (!known[storage]) all.push_back(storage);
      known[storage] = true;
    }
    return all;
  }

  // Sets of `size` of them, in order of their places; nothing if there are more than the runs that are left.
  std::optional<std::vector<Set>> sets_of(const Set& all, std::size_t size) const {
    std::vector<Set> sets;
    std::vector<std::size_t> places(size);
    std::iota(places.begin(), places.end(), std::size_t{0});
    while (true) {
      if (sets.size() >= runs_left()) return std::nullopt;
      Set& set = sets.emplace_back();
      for (const std::size_t place : places) set.push_back(all[place]);
      std::size_t last = size;  // the last place that can go further
      while (last > 0 && places[last - 1] == all.size() - size + last - 1) --last;
      if (last == 0) return sets;
      std::iota(places.begin() + static_cast<std::ptrdiff_t>(last) - 1, places.end(), places[last - 1] + 1);
    }
  }

  // All pairs, all of three, and so on until some complete or the runs do not suffice.
  void try_larger_sets(const Set& all, Interventions& found) {
    if (left_out_) return;
    for (std::size_t size = 2; size <= all.size(); ++size) {
      const std::optional<std::vector<Set>> sets = sets_of(all, size);
      if (!sets) return;
      take_completing(tried(*sets), found.smallest);
      // What was not tried to an outcome is of the same size.
      found.smallest_is_certain = !found.smallest.empty();
      if (!found.smallest.empty() || left_out_) return;
    }
    found.all_tried = true;
  }

  // A set that completes with nothing in it that can be left out: of the likely ones, else of all.
  std::optional<Intervention> reduced(const Set& likely, const Set& all) {
    for (const Set& whole : {likely, all}) {
      if (whole.empty() || stopped()) continue;
      Intervention best = tried({whole}).front();
      if (!best.completes()) continue;
      // Halves first, then smaller pieces, as delta debugging does.
      for (std::size_t piece = (best.retained.size() + 1) / 2; piece > 0;) {
        std::vector<Set> sets;
        for (std::size_t from = 0; from < best.retained.size(); from += piece) {
          Set rest = best.retained;
          const auto begin = rest.begin() + static_cast<std::ptrdiff_t>(from);
          rest.erase(begin, rest.begin() + static_cast<std::ptrdiff_t>(std::min(from + piece, rest.size())));
          if (!rest.empty()) sets.push_back(std::move(rest));
        }
        const std::vector<Intervention> smaller = tried(sets);
        const auto taken = std::find_if(smaller.begin(), smaller.end(), [](const auto& i) { return i.completes(); });
        if (stopped()) break;
        if (taken != smaller.end())
          best = *taken;
        else if (piece == 1)
          break;
        piece = taken != smaller.end() ? std::min(piece, best.retained.size()) : piece / 2;
      }
      return best;
    }
    return std::nullopt;
  }

  const Program& program_;
  const RunSettings& settings_;
  const History& oom_;
  const InterventionLimits& limits_;
  std::size_t runs_ = 0;
  std::uint64_t digest_ = 0;  // of the control
  bool left_out_ = false;     // some set was not tried, or not to an outcome
};

}  // namespace

Interventions intervene(const Program& program, const RunSettings& settings, const History& oom, const Rebuild& rebuild,
                        const InterventionLimits& limits) {
  return Search(program, settings, oom, limits).run(rebuild);
}

}  // namespace pothole
