#include "shrinker/trial.h"

#include <algorithm>

#include "generators/mutation.h"

namespace pothole {
namespace {

constexpr int kPumpEditsMost = 3;
constexpr std::size_t kPumpOperatorsMore = 3;
constexpr std::uint64_t kPumpSeed = 20'201'001;

// Smaller or larger before the budgets are known.
bool larger_but_for_budgets(const Rank& a, const Rank& b) {
  return std::tie(a.operators, a.tensors, a.edges, a.values, a.total_bytes) >
         std::tie(b.operators, b.tensors, b.edges, b.values, b.total_bytes);
}

// An edit of a draft that is whole again.
bool edited(Holed& holed, const Pass& pass, std::size_t first, std::size_t last) {
  if (!pass.apply(holed, first, last)) return false;
  mend(holed.draft);
  return true;
}

// Judges a draft against the rank to beat. The attempt is filled in but for its edit.
Attempt judge(const Oracle& oracle, const Rank& beat, const Holed& holed, Trial& trial) {
  Attempt attempt;
  std::optional<Program> program = program_of(holed.draft);
  attempt.kind = Attempt::Kind::invalid;
  if (!program || program->operators().empty()) return attempt;
  attempt.kind = Attempt::Kind::not_smaller;
  if (larger_but_for_budgets(rank_of(*program, {}), beat)) return attempt;
  ++trial.evaluations;
  Answer answer = oracle.ask(*program, holed.near);
  attempt.answer = answer.kind;
  for (Answer::Other& other : answer.others) trial.others.emplace_back(*program, std::move(other));
  attempt.kind = Attempt::Kind::no_hole;
  if (answer.kind != Answer::Kind::hole) return attempt;
  attempt.kind = Attempt::Kind::not_smaller;
  if (rank_of(*program, answer.witness) >= beat) return attempt;
  attempt.kind = Attempt::Kind::taken;
  trial.smaller = reduced(oracle, *std::move(program), answer.witness);
  return attempt;
}

// Single edits until none makes it smaller, or nothing that beats the rank can come of it.
class Descent {
 public:
  Descent(const Oracle& oracle, const Rank& beat, Trial& trial) : oracle_(oracle), beat_(beat), trial_(trial) {}

  std::optional<Reduced> from(Reduced start) {
    Reduced best = std::move(start);
    while (true) {
      const Rank before = best.rank;
      for (const Pass& pass : passes()) sweep(pass, best);
      if (best.rank == before) break;
      if (best.rank.operators == before.operators && best.rank.operators > beat_.operators) break;
    }
    return best.rank < beat_ ? std::optional(std::move(best)) : std::nullopt;
  }

 private:
  void sweep(const Pass& pass, Reduced& best) {
    for (std::size_t piece = pass.count(best.holed); piece-- > 0;) {
      Trial one;
      try_edit(oracle_, best, pass, piece, piece + 1, one);
      trial_.evaluations += one.evaluations;
      std::move(one.others.begin(), one.others.end(), std::back_inserter(trial_.others));
      if (!one.smaller) continue;
      best = *std::move(one.smaller);
      piece = std::min(piece + 2, pass.count(best.holed));  // as in Shrinker::sweep
    }
  }

  const Oracle& oracle_;
  const Rank& beat_;
  Trial& trial_;
};

}  // namespace

Reduced reduced(const Oracle& oracle, Program program, const Witness& witness) {
  Reduced made{std::move(program), {}, {}};
  made.holed.draft = draft_of(made.program);
  for (Draft::Tensor& tensor : made.holed.draft.tensors) tensor.name.clear();
  for (Draft::Step& step : made.holed.draft.steps) step.name.clear();
  made.holed.near = witness;
  made.holed.failing = oracle.failing_operator(made.program, witness);
  made.rank = rank_of(made.program, witness);
  return made;
}

void try_edit(const Oracle& oracle, const Reduced& base, const Pass& pass, std::size_t first, std::size_t last,
              Trial& trial) {
  Holed holed = base.holed;
  Attempt attempt;
  if (edited(holed, pass, first, last)) attempt = judge(oracle, base.rank, holed, trial);
  attempt.pass = pass.name;
  attempt.piece = first;
  trial.attempts.push_back(attempt);
}

Trial try_pairs_of(const Oracle& oracle, const Reduced& base, const Pass& pass, std::size_t piece) {
  Trial trial;
  Holed once = base.holed;
  if (!edited(once, pass, piece, piece + 1)) return trial;
  for (const Pass& second : passes().subspan(static_cast<std::size_t>(&pass - passes().data()))) {
    const std::size_t count = second.count(once);
    for (std::size_t other = 0; other < count && !trial.smaller; ++other) {
      Holed twice = once;
      if (edited(twice, second, other, other + 1)) judge(oracle, base.rank, twice, trial);
    }
  }
  return trial;
}

Trial try_pump(const Oracle& oracle, const Reduced& base, std::size_t number) {
  Trial trial;
  SplitMix random(kPumpSeed, number);
  const auto edits = static_cast<int>(random.between(1, kPumpEditsMost));
  std::optional<Program> program = mutated(base.program, base.program, random, edits);
  if (!program || program->operators().size() > base.program.operators().size() + kPumpOperatorsMore) return trial;
  ++trial.evaluations;
  Answer answer = oracle.ask(*program, base.holed.near);
  for (Answer::Other& other : answer.others) trial.others.emplace_back(*program, std::move(other));
  if (answer.kind != Answer::Kind::hole) return trial;
  trial.smaller = Descent(oracle, base.rank, trial).from(reduced(oracle, *std::move(program), answer.witness));
  return trial;
}

}  // namespace pothole
