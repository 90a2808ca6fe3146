// Whether a program is interesting: there are budgets a < b such that the policy completes at a and runs out of memory
// at b, and some larger budget completes. They are found anew for every program, never held fixed: what an edit takes
// away moves them. Unresolved, thrashed and policy errors are no evidence of anything.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/program.h"
#include "engine/run.h"

namespace pothole {

struct OracleSettings {
  RunSettings run;
  std::optional<std::string> signature;  // text_of(HoleSignature) that a hole must have; nothing: any hole will do
  std::int64_t steps_max = 100'000;      // materializations of one execution; beyond, it is unresolved
  const std::atomic<bool>* stop = nullptr;
};

struct Answer {
  enum class Kind : std::uint8_t {
    hole,
    no_hole,     // certified for every budget
    none_found,  // looked near the old budgets only
    unresolved,  // some executions have no outcome, and the others make no hole
    slipped,     // holes, but of other signatures only
    stopped,     // says nothing
  };
  struct Other {
    Witness witness;
    std::string signature;
  };
  Kind kind = Kind::stopped;
  Witness witness;            // of a hole: of the least width, then of the least budgets, if the map is exact
  std::vector<Other> others;  // holes of other signatures, if one is asked for
};
std::string_view name_of(Answer::Kind kind);

class Oracle {
 public:
  explicit Oracle(OracleSettings settings) : settings_(std::move(settings)) {}

  const OracleSettings& settings() const { return settings_; }

  // Up to kExactOperators the whole map is looked at; beyond, budgets near `near`, and then, up to kSearchedOperators,
  // the whole map if that shows nothing.
  static constexpr std::size_t kExactOperators = 100, kSearchedOperators = 400;

  // From any thread. `near` is a guess at budgets that show the hole.
  Answer ask(const Program& program, const Witness& near) const;

  // The budgets around one that is in a hole; nothing if it is in none, or nothing below it was found to complete.
  std::optional<Witness> hole_around(const Program& program, Bytes oom) const;

  // Empty if two runs at each budget do the same, else what differs: a plugin may not be the function that it promises
  // to be.
  std::string why_not_deterministic(const Program& program, const Witness& witness) const;

  // The operator of the trace that fails, or their number where it is the bringing back of outputs.
  OperatorId failing_operator(const Program& program, const Witness& witness) const;

 private:
  RunOptions run_options() const;
  FeasibilityMap map_of(const Program& program) const;
  Answer ask_map(const Program& program) const;
  Answer ask_near(const Program& program, const Witness& near) const;
  bool stopped() const { return settings_.stop != nullptr && settings_.stop->load(std::memory_order_relaxed); }
  Answer judged(const Program& program, std::vector<Witness> witnesses, Answer::Kind otherwise) const;

  OracleSettings settings_;
};

}  // namespace pothole
