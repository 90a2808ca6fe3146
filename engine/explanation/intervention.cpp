#include "engine/explanation/intervention.h"

#include <algorithm>

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
    if (!found.control_reproduces) return ended(found);
    const Set likely = likely_ones(rebuild), all = evicted_ones(likely);
    found.likely = tried(singles(likely));
    take_completing(found.likely, found.smallest);
    if (!found.smallest.empty()) {
      found.smallest_is_certain = true;  // nothing retained fails
      return ended(found);
    }
    const Set others(all.begin() + static_cast<std::ptrdiff_t>(likely.size()), all.end());
    const bool fits = runs_left() >= others.size();
    found.others = tried(singles(fits ? others : Set(others.begin(), others.begin() + runs_left_signed())));
    take_completing(found.others, found.smallest);
    if (!found.smallest.empty()) {
      found.smallest_is_certain = true;
      return ended(found);
    }
    if (fits && try_all_of_two_or_three(all, found)) return ended(found);
    if (const std::optional<Intervention> grown = reduced(likely, all)) found.smallest = {*grown};
    return ended(found);
  }

 private:
  bool stopped() const { return limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed); }
  std::size_t runs_left() const { return limits_.runs > runs_ ? limits_.runs - runs_ : 0; }
  std::ptrdiff_t runs_left_signed() const { return static_cast<std::ptrdiff_t>(runs_left()); }

  Interventions ended(Interventions& found) const {
    found.stopped = stopped();
    if (found.stopped) found.smallest_is_certain = false;
    return std::move(found);
  }

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
      interventions[i] = {std::move(settings.retained), result.outcome, result.why_unresolved, result.measures};
      if (limits_.on_run) limits_.on_run();
    });
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

  // All pairs, then all of three, as far as the runs go. True if there are completing ones.
  bool try_all_of_two_or_three(const Set& all, Interventions& found) {
    const std::size_t n = all.size();
    const std::size_t pairs = n * (n - 1) / 2, triples = n < 3 ? 0 : pairs * (n - 2) / 3;
    std::vector<Set> sets;
    if (n < 2 || pairs > runs_left()) return false;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) sets.push_back({all[i], all[j]});
    take_completing(tried(sets), found.smallest);
    if (found.smallest.empty() && triples > 0 && triples <= runs_left()) {
      sets.clear();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
          for (std::size_t k = j + 1; k < n; ++k) sets.push_back({all[i], all[j], all[k]});
      take_completing(tried(sets), found.smallest);
    }
    found.smallest_is_certain = !found.smallest.empty();
    return found.smallest_is_certain;
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
};

}  // namespace

Interventions intervene(const Program& program, const RunSettings& settings, const History& oom, const Rebuild& rebuild,
                        const InterventionLimits& limits) {
  return Search(program, settings, oom, limits).run(rebuild);
}

}  // namespace pothole
