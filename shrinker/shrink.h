// The reduction: edits a program with a hole until no single edit makes it smaller, then pairs of edits, then edits
// that need not make it smaller but may open the way (pumps).
//
// Whether an edit is taken depends on the program alone, and edits are judged in parallel but taken in their order: the
// result is the same for any number of threads, and for a reduction that was stopped and gone on with.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "shrinker/oracle.h"
#include "shrinker/order.h"
#include "shrinker/pass.h"

namespace pothole {

struct ShrinkSettings {
  OracleSettings oracle;
  std::int64_t evaluations_max = std::numeric_limits<std::int64_t>::max();  // questions to the oracle
  std::int64_t pumps = 2000;  // in a row without success, before giving up
};

enum class ShrinkPhase : std::uint8_t { edits, pairs, pumps, done };
std::string_view name_of(ShrinkPhase phase);

// Where a reduction stands when it has just got smaller: all that is needed to go on. The edits that fail until the
// next success fail again.
struct ShrinkState {
  Program program;
  Witness witness;
  ShrinkPhase phase = ShrinkPhase::edits;
  std::size_t grain = 0;  // pieces that are edited together; 0: not begun
  std::size_t pass = 0;
  std::optional<std::size_t> block;  // of pieces, the next to be tried; nothing: the last of the pass
  bool improved = false;             // in this round of single edits
  std::int64_t evaluations = 0;
};

// One edit, and what became of it.
struct Attempt {
  enum class Kind : std::uint8_t { no_change, invalid, not_smaller, no_hole, taken };
  std::string_view pass;
  std::size_t piece = 0;
  Kind kind = Kind::no_change;
  Answer::Kind answer = Answer::Kind::stopped;  // of no_hole
};

struct ShrinkListener {
  std::function<void(const ShrinkState&)> on_smaller;
  // A hole of another signature, in a program that was not taken.
  std::function<void(const Program&, const Answer::Other&)> on_other;
  std::function<void(const ShrinkState&)> on_evaluated;  // often
};

// A program with its hole, as edits are made to it and compared with it.
struct Reduced {
  Program program;
  Holed holed;
  Rank rank;
};

// What came of trying one thing, such as an edit, a first edit with all second ones, or a pump.
struct Trial {
  std::int64_t evaluations = 0;
  std::vector<Attempt> attempts;
  std::optional<Reduced> smaller;
  std::vector<std::pair<Program, Answer::Other>> others;
};

class Shrinker {
 public:
  // The oracle finds a hole in the state's program, at its witness or anywhere.
  Shrinker(const ShrinkSettings& settings, ShrinkState state, ShrinkListener listener);

  // Until it is done, or a limit or the stop ends it.
  void run();

  const ShrinkState& state() const { return state_; }
  // No single edit makes it smaller: a whole round of them has been tried.
  bool one_minimal() const { return state_.phase != ShrinkPhase::edits; }
  // Nor does any pair of them.
  bool pairs_exhausted() const { return pairs_exhausted_; }
  // What the last round of single edits tried.
  const std::vector<Attempt>& last_round() const { return last_round_; }

 private:
  bool stopped() const;
  bool over() const;
  void take(Reduced smaller);
  void edit();
  bool sweep(const Pass& pass);
  void try_pairs();
  void pump();
  // Tries in parallel and in order until one succeeds.
  struct Success {
    std::size_t number = 0;
    Reduced smaller;
  };
  std::optional<Success> first_success(std::size_t count, std::int64_t evaluations_most,
                                       const std::function<Trial(std::size_t)>& trial);
  void count_in(const Trial& trial);

  ShrinkSettings settings_;
  Oracle oracle_;
  ShrinkState state_;
  ShrinkListener listener_;
  Reduced best_;
  bool pairs_exhausted_ = false;
  std::vector<Attempt> last_round_;
};

}  // namespace pothole
