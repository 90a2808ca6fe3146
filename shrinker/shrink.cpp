#include "shrinker/shrink.h"

#include <algorithm>
#include <bit>

#include "engine/parallel.h"
#include "shrinker/trial.h"

namespace pothole {
namespace {

// Larger programs have too many pairs and changes, most of which are of no use.
constexpr std::size_t kPairsOperatorsMost = 24;
// Questions about pairs of edits of one program.
constexpr std::int64_t kPairEvaluationsMost = 100'000;
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kSlots = 16;  // trials under way

}  // namespace

std::string_view name_of(ShrinkPhase phase) {
  switch (phase) {
    case ShrinkPhase::edits:
      return "edits";
    case ShrinkPhase::pairs:
      return "pairs";
    case ShrinkPhase::pumps:
      return "pumps";
    case ShrinkPhase::done:
      return "done";
  }
  return "";
}

Shrinker::Shrinker(const ShrinkSettings& settings, ShrinkState state, ShrinkListener listener)
    : settings_(settings),
      oracle_(settings.oracle),
      state_(std::move(state)),
      listener_(std::move(listener)),
      best_(reduced(oracle_, state_.program, state_.witness)) {}

bool Shrinker::stopped() const {
  const std::atomic<bool>* stop = settings_.oracle.stop;
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

bool Shrinker::over() const { return stopped() || state_.evaluations >= settings_.evaluations_max; }

void Shrinker::run() {
  while (!over() && state_.phase != ShrinkPhase::done) {
    if (state_.phase == ShrinkPhase::edits) edit();
    if (state_.phase == ShrinkPhase::pairs) try_pairs();
    if (state_.phase == ShrinkPhase::pumps) pump();
  }
}

void Shrinker::take(Reduced smaller) {
  best_ = std::move(smaller);
  state_.program = best_.program;
  state_.witness = best_.holed.near;
  state_.improved = true;
  last_round_.clear();
  pairs_exhausted_ = false;
  if (state_.phase != ShrinkPhase::edits) {
    state_.phase = ShrinkPhase::edits;
    state_.grain = 0;
  }
  if (listener_.on_smaller) listener_.on_smaller(state_);
}

// Coarse to fine, again and again until no edit of any grain succeeds.
void Shrinker::edit() {
  while (!over()) {
    if (state_.grain == 0) {
      state_.grain = std::bit_floor(std::max<std::size_t>(1, best_.program.operators().size() / 2));
      state_.pass = 0;
      state_.block.reset();
      state_.improved = false;
    }
    if (state_.grain == 1 && state_.pass == 0 && !state_.block) last_round_.clear();
    for (; state_.pass < passes().size(); ++state_.pass, state_.block.reset()) {
      const Pass& pass = passes()[state_.pass];
      if (state_.grain > 1 && !pass.in_runs) continue;
      if (!sweep(pass)) return;
    }
    state_.pass = 0;
    state_.grain /= 2;
    if (state_.grain > 0 || state_.improved) continue;
    state_.phase = ShrinkPhase::pairs;
    return;
  }
}

// All blocks of pieces of a pass, the last first. False if a limit cut it short.
bool Shrinker::sweep(const Pass& pass) {
  while (true) {
    const std::size_t pieces = pass.count(best_.holed), grain = state_.grain;
    const std::size_t blocks = (pieces + grain - 1) / grain;
    const std::size_t left = std::min(blocks, state_.block ? *state_.block + 1 : blocks);
    std::optional<Success> success = first_success(left, kNoLimit, [&](std::size_t i) {
      const std::size_t first = (left - 1 - i) * grain;
      Trial trial;
      try_edit(oracle_, best_, pass, first, std::min(first + grain, pieces), trial);
      return trial;
    });
    if (!success) return !over();
    // One back: of a value that was stepped down, a bolder step may succeed now, where the same again would crawl.
    state_.block = left - success->number;
    take(std::move(success->smaller));
  }
}

void Shrinker::try_pairs() {
  std::vector<std::pair<const Pass*, std::size_t>> edits;
  const bool small = best_.program.operators().size() <= kPairsOperatorsMost;
  if (small)
    for (const Pass& pass : passes())
      for (std::size_t piece = pass.count(best_.holed); piece-- > 0;) edits.emplace_back(&pass, piece);
  const std::int64_t before = state_.evaluations;
  std::optional<Success> success = first_success(edits.size(), kPairEvaluationsMost, [&](std::size_t i) {
    return try_pairs_of(oracle_, best_, *edits[i].first, edits[i].second);
  });
  if (success) return take(std::move(success->smaller));
  if (over()) return;
  pairs_exhausted_ = small && state_.evaluations - before < kPairEvaluationsMost;
  state_.phase = ShrinkPhase::pumps;
}

void Shrinker::pump() {
  std::optional<Success> success = first_success(static_cast<std::size_t>(settings_.pumps), kNoLimit,
                                                 [&](std::size_t i) { return try_pump(oracle_, best_, i); });
  if (success)
    take(std::move(success->smaller));
  else if (!over())
    state_.phase = ShrinkPhase::done;
}

void Shrinker::count_in(const Trial& trial) {
  state_.evaluations += trial.evaluations;
  if (state_.phase == ShrinkPhase::edits && state_.grain == 1)
    last_round_.insert(last_round_.end(), trial.attempts.begin(), trial.attempts.end());
  for (const auto& [program, other] : trial.others)
    if (listener_.on_other) listener_.on_other(program, other);
  if (listener_.on_evaluated) listener_.on_evaluated(state_);
}

std::optional<Shrinker::Success> Shrinker::first_success(std::size_t count, std::int64_t evaluations_most,
                                                         const std::function<Trial(std::size_t)>& trial) {
  const std::int64_t enough = evaluations_most < settings_.evaluations_max - state_.evaluations
                                  ? state_.evaluations + evaluations_most
                                  : settings_.evaluations_max;
  std::vector<Trial> trials(kSlots);
  std::atomic<bool> ended = false;
  std::optional<Success> success;
  const auto fold = [&](std::size_t i, std::size_t slot) {
    if (ended || stopped()) return;
    count_in(trials[slot]);
    if (trials[slot].smaller) success = Success{i, *std::move(trials[slot].smaller)};
    ended = success || state_.evaluations >= enough;
  };
  parallel_in_order(kSlots, {.more = [&](std::size_t i) { return i < count && !ended && !stopped(); },
                             .work = [&](std::size_t i, std::size_t slot) { alone([&] { trials[slot] = trial(i); }); },
                             .fold = fold});
  return success;
}

}  // namespace pothole
