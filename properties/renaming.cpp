// renaming: names are for people.
#include "properties/compare.h"
#include "properties/registry.h"
#include "properties/transform.h"

namespace pothole {
namespace {

constexpr std::string_view kKinds[] = {"renaming"};

Verdict check(const Subject& subject) {
  const std::optional<Program> other = renamed(subject.program());
  return verdict_of_runs(subject, [&](const CheckedRun& run) {
    const Expected expected{kKinds[0], "other names", run.result.certificate, run.result.measures};
    return verdict_of_same(subject, run, subject.run(*other, run.budget), expected);
  });
}

}  // namespace

Property renaming_property() {
  return {.name = "renaming",
          .sentence = "other names of tensors and operators change nothing",
          .reason = "names are for people; a policy is not shown them",
          .breach = Breach::contract,
          .trusts_policy = true,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
