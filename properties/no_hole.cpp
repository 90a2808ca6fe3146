// no-hole: whatever completes at a budget completes at every larger one.
#include <fmt/format.h>

#include <algorithm>

#include "properties/registry.h"
#include "properties/verdicts.h"

namespace pothole {
namespace {

constexpr std::string_view kKinds[] = {"hole"};

Verdict check(const Subject& subject) {
  const std::vector<Hole> holes = holes_of(segments_of(subject.map()));
  if (holes.empty()) return verdict_of_map(subject, {});
  const Hole& hole = holes.front();
  const auto& executions = subject.map().executions;
  const auto failed = std::find_if(executions.begin(), executions.end(), [&](const Execution& e) {
    return e.from >= hole.from && e.outcome == Outcome::oom;
  });
  const std::vector<Decision> decisions = subject.run(failed->from).decisions;
  const OperatorId place = operator_at(subject.program(), decisions, decisions.size());
  std::string text = fmt::format("completes with {}, fails with {} at {}, completes again with {}", hole.safe_budget,
                                 failed->from, place_text(subject.program(), place), hole.to);
  if (holes.size() > 1) text += fmt::format("; {} holes more", holes.size() - 1);
  return verdict_of_map(subject,
                        violated(kKinds[0], place, {hole.safe_budget, failed->from, hole.to}, {}, std::move(text)));
}

}  // namespace

Property no_hole_property() {
  return {.name = "no-hole",
          .sentence = "what completes at a budget completes at every larger one",
          .reason =
              "more memory must not make a training step fail: who raises a budget, or moves to a larger device, "
              "does not expect to run out of memory",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
