#include "properties/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace pothole {
namespace {

std::string decision_text(const Program& program, std::span<const Decision> decisions, std::size_t index) {
  if (index >= decisions.size()) return "ends";
  const Decision& d = decisions[index];
  constexpr std::string_view kVerbs[] = {"computes", "evicts", "releases"};
  return fmt::format("{} {}", kVerbs[static_cast<std::size_t>(d.kind)], program.tensor_name(d.tensor));
}

}  // namespace

std::optional<std::size_t> first_difference(std::span<const Decision> a, std::span<const Decision> b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() && in_b == b.end()) return std::nullopt;
  return static_cast<std::size_t>(in_a - a.begin());
}

Verdict verdict_of_same(const Subject& subject, const CheckedRun& run, const RunResult& other,
                        const Expected& expected) {
  const RunResult& result = run.result;
  if (!is_evidence(other.outcome)) return unresolved(other);
  const auto what = [&] { return fmt::format("with {}, {}", run.budget, expected.what); };
  if (const auto index = first_difference(result.decisions, other.decisions)) {
    const OperatorId place = operator_at(subject.program(), result.decisions, *index);
    std::vector<TensorId> storages;
    if (*index < result.decisions.size()) storages.push_back(result.decisions[*index].tensor);
    return violated(
        expected.kind, place, {run.budget}, std::move(storages),
        fmt::format("{} {} at {}, where it {} otherwise", what(),
                    decision_text(subject.program(), other.decisions, *index), place_text(subject.program(), place),
                    decision_text(subject.program(), result.decisions, *index)));
  }
  const auto differs = [&](std::string_view in, auto here, auto there) {
    return violated(expected.kind, {}, {run.budget}, {},
                    fmt::format("{} has another {}: {}, not {}", what(), in, there, here));
  };
  if (other.outcome != result.outcome) return differs("outcome", name_of(result.outcome), name_of(other.outcome));
  const auto [lo, hi] = expected.certificate;
  if (other.certificate.lo != lo) return differs("certificate's beginning", lo, other.certificate.lo);
  if (other.certificate.hi != hi) return differs("certificate's end", hi, other.certificate.hi);
  if (!(other.measures == expected.measures))
    return violated(expected.kind, {}, {run.budget}, {}, fmt::format("{} has other measures", what()));
  return {};
}

}  // namespace pothole
