// scaling: the units in which bytes and time are counted do not matter.
//
// Rounded scores may tie in one unit and not in another, so decisions are compared under Comparison::exact. Policies
// that compute with doubles all the same get a factor that moves exponents only, under which these stay equal or apart.
#include <fmt/format.h>

#include <span>
#include <vector>

#include "engine/plugin/plugin_policy.h"
#include "engine/scores/formula.h"
#include "properties/compare.h"
#include "properties/registry.h"
#include "properties/transform.h"

namespace pothole {
namespace {

constexpr std::string_view kSizes = "sizes", kCosts = "costs";
constexpr std::string_view kKinds[] = {kSizes, kCosts};
constexpr std::string_view kTooLarge = "sums of sizes and of costs would pass 2^62";
constexpr std::int64_t kPowerOfTwo[] = {4};
constexpr std::int64_t kFactors[] = {3, 4};

// Scores are rational numbers under Comparison::exact.
bool compares_exactly(const ConfiguredPolicy& policy) {
  if (is_plugin(policy)) return false;
  if (!policy.data) return true;
  ExpressionError none;
  const std::optional<Expression> score = parse_expression(policy.policy->formula, none);
  if (!score) return false;
  const std::optional<Formula> formula = formula_of(*score, Comparison::exact, none);
  return formula && formula->compares_exactly();
}

struct Scaled {
  std::int64_t factor = 1;
  std::optional<Program> larger, longer;  // where sums do not pass the limit
};

class Scaling {
 public:
  explicit Scaling(const Subject& subject) : subject_(subject), settings_(subject.settings()) {
    const bool exactly = compares_exactly(settings_.policy);
    if (!is_plugin(settings_.policy)) settings_.comparison = Comparison::exact;
    for (const std::int64_t factor : exactly ? std::span<const std::int64_t>(kFactors) : kPowerOfTwo) {
      const Program& program = subject.program();
      scaled_.push_back({factor, with_sizes_times(program, factor), with_costs_times(program, factor)});
    }
  }

  Verdict check(const CheckedRun& run) const {
    if (settings_.comparison == subject_.settings().comparison) return check_execution(run);
    // Other executions than the one at hand; of one that stands for all its budgets, those that cover them.
    const bool sampled = subject_.runs_are_sampled();
    const BudgetRange range = sampled ? BudgetRange{run.budget, run.budget + 1} : run.budgets;
    Verdict verdict = not_applicable(kTooLarge);
    CheckedRun exact;
    for (Bytes budget = range.from; budget < range.to; budget = exact.budgets.to) {
      exact.budget = budget;
      exact.result = subject_.run(settings_, subject_.program(), budget);
      exact.budgets = {budget, std::max(budget + 1, exact.result.certificate.hi)};
      if (!is_evidence(exact.result.outcome)) return unresolved(exact.result);
      const Verdict one = check_execution(exact);
      if (one.ruling == Ruling::violated || one.ruling == Ruling::unresolved) return one;
      if (one.ruling == Ruling::holds) verdict = one;
    }
    return verdict;
  }

 private:
  Verdict check_execution(const CheckedRun& run) const {
    Verdict verdict = not_applicable(kTooLarge);
    for (const Scaled& scaled : scaled_) {
      // A run whose budget or clock could pass 2^63 has no counterpart.
      const Bytes most = kLargestQuantity / scaled.factor;
      if (scaled.larger && run.budget <= most) verdict = check_sizes(scaled, run);
      if (is_settled(verdict)) break;
      if (scaled.longer && run.result.measures.clock <= most) verdict = check_costs(scaled, run);
      if (is_settled(verdict)) break;
    }
    return verdict;
  }

  static bool is_settled(const Verdict& v) { return v.ruling == Ruling::violated || v.ruling == Ruling::unresolved; }

  Verdict check_sizes(const Scaled& scaled, const CheckedRun& run) const {
    const std::int64_t k = scaled.factor;
    const std::string what = fmt::format("all sizes and the budget times {}{}", k, mode());
    Expected expected{kSizes, what, run.result.certificate, run.result.measures};
    expected.certificate.lo *= k;
    if (expected.certificate.hi != Certificate::kUnbounded) expected.certificate.hi *= k;
    expected.measures.peak_resident *= k;
    expected.measures.peak_pinned *= k;
    return verdict_of_same(subject_, run, subject_.run(settings_, *scaled.larger, run.budget * k), expected);
  }

  Verdict check_costs(const Scaled& scaled, const CheckedRun& run) const {
    const std::int64_t k = scaled.factor;
    const std::string what = fmt::format("all costs times {}{}", k, mode());
    Expected expected{kCosts, what, run.result.certificate, run.result.measures};
    Measures& m = expected.measures;
    m.model_compute *= k;
    m.remat_compute *= k;
    m.clock = 1 + (m.clock - 1) * k;  // clocks start at 1
    return verdict_of_same(subject_, run, subject_.run(settings_, *scaled.longer, run.budget), expected);
  }

  std::string mode() const {
    const bool other = settings_.comparison != subject_.settings().comparison;
    return other ? fmt::format(", comparison {},", name_of(settings_.comparison)) : "";
  }

  const Subject& subject_;
  RunSettings settings_;
  std::vector<Scaled> scaled_;
};

Verdict check(const Subject& subject) {
  const Scaling scaling(subject);
  return verdict_of_runs(subject, [&](const CheckedRun& run) { return scaling.check(run); });
}

}  // namespace

Property scaling_property() {
  return {
      .name = "scaling",
      .sentence = "all sizes and the budget times k, or all costs times k, change no decision under comparison exact",
      .reason =
          "bytes and nanoseconds are units; a policy without this property adds unlike quantities, or compares "
          "them with a constant (k is 3 and 4; of plugins, which no comparison mode reaches, and of scores that "
          "compute with doubles only 4, which keeps rounded scores as they are)",
      .breach = Breach::finding,
      .kinds = kKinds,
      .check = check};
}

}  // namespace pothole
