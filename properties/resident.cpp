// resident: no execution has more bytes resident than its budget, nor does what is impossible.
#include <fmt/format.h>

#include "properties/ledger.h"
#include "properties/registry.h"
#include "properties/verdicts.h"

namespace pothole {
namespace {

constexpr std::string_view kOverBudget = "over-budget", kMiscounted = "miscounted";
constexpr std::string_view kKinds[] = {kOverBudget, Ledger::kArgumentMissing, Ledger::kNotResident,
                                       Ledger::kConstantEvicted, kMiscounted};

Verdict check_run(const Program& program, const CheckedRun& run) {
  Ledger ledger(program);
  for (const Decision& d : run.result.decisions) {
    const OperatorId place = ledger.place();
    const auto at = [&](std::string_view what) {
      return fmt::format("with {}, {}: {} {}", run.budget, place_text(program, place), program.tensor_name(d.tensor),
                         what);
    };
    const std::string_view wrong = ledger.book(d);
    if (!wrong.empty())
      return violated(wrong, place, {run.budget}, {d.tensor},
                      at("cannot be what it is said to be: " + std::string(wrong)));
    if (ledger.peak() > run.budget)
      return violated(kOverBudget, place, {run.budget}, {d.tensor},
                      at(fmt::format("makes {} bytes resident", ledger.peak())));
  }
  if (ledger.peak() != run.result.measures.peak_resident)
    return violated(kMiscounted, {}, {run.budget}, {},
                    fmt::format("with {}, the peak is {} and is said to be {}", run.budget, ledger.peak(),
                                run.result.measures.peak_resident));
  return {};
}

Verdict check(const Subject& subject) {
  return verdict_of_runs(subject, [&](const CheckedRun& run) { return check_run(subject.program(), run); });
}

}  // namespace

Property resident_property() {
  return {.name = "resident",
          .sentence = "resident bytes never pass the budget, after any step",
          .reason = "it is what a budget means; recounted from the decisions alone, which must be possible ones",
          .breach = Breach::contract,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
