// Ratios of a grid are the doubles that one gets by typing them: 0.3 is not three times 0.1.
#include "cli/hunt_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/budget.h"
#include "corpus/input_error.h"
#include "corpus/regular_file.h"
#include "engine/search.h"

namespace pothole {
namespace {

constexpr double kDefaultFromRatio = 0.05;
constexpr double kGridPointsMax = 10'000'000;

std::vector<double> read_ratios(const std::string& file) {
  std::ifstream in = open_regular_file(file);
  std::vector<double> ratios;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    constexpr const char* kBlanks = " \t\r";
    const std::string text = line.substr(0, line.find('#'));
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos) continue;
    const std::size_t last = text.find_last_not_of(kBlanks);
    ratios.push_back(parse_ratio(text.substr(first, last - first + 1), fmt::format("{}:{}", file, number)));
  }
  if (in.bad()) throw InputError(file, "cannot be read to its end");
  if (ratios.empty()) throw InputError(file, "there is no ratio in it", "write one ratio a line, such as 0.104");
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

// A ratio as a decimal fraction, where it is a short one.
struct Decimal {
  double numerator, denominator;
};

std::optional<Decimal> decimal_of(double ratio) {
  double denominator = 1;
  for (int digits = 0; digits <= 15; ++digits, denominator *= 10) {
    const double numerator = std::round(ratio * denominator);
    if (numerator / denominator == ratio) return Decimal{numerator, denominator};
  }
  return std::nullopt;
}

}  // namespace

BudgetChoice::BudgetChoice(const RangeOptions& options)
    : from_(bound_of(options.from, options.from_ratio, "--from")),
      to_(bound_of(options.to, options.to_ratio, "--to")),
      ratios_file_(options.ratios) {
  if (!options.step.empty()) step_ = parse_ratio(options.step, "--step");
  if (!options.ratios.empty()) ratios_ = read_ratios(options.ratios);
}

BudgetChoice::Bound BudgetChoice::bound_of(const std::string& bytes, const std::string& ratio,
                                           const std::string& name) {
  if (!bytes.empty() && !ratio.empty())
    throw InputError(name, fmt::format("cannot be combined with {}-ratio", name), "give one of the two");
  if (!bytes.empty()) return {parse_budget(bytes, name), std::nullopt, name};
  if (!ratio.empty()) return {std::nullopt, parse_ratio(ratio, name + "-ratio"), name + "-ratio"};
  return {std::nullopt, std::nullopt, name};
}

Bytes BudgetChoice::bytes_of(const Bound& bound, Bytes peak, Bytes otherwise) {
  if (bound.bytes) return *bound.bytes;
  if (bound.ratio) return checked_budget_at_ratio(peak, *bound.ratio, bound.option);
  return otherwise;
}

BudgetRange BudgetChoice::range(Bytes peak, const std::string& trace) const {
  Bytes least = peak < kSmallPeak ? 1 : budget_at_ratio(peak, kDefaultFromRatio);
  Bytes most = std::max<Bytes>(peak, 1);
  if (!ratios_.empty()) {
    least = checked_budget_at_ratio(peak, ratios_.front(), ratios_file_);
    most = checked_budget_at_ratio(peak, ratios_.back(), ratios_file_);
  }
  const Bytes first = bytes_of(from_, peak, least);
  const Bytes last = bytes_of(to_, peak, most);
  if (first > last) {
    throw InputError(trace,
                     fmt::format("the range from {} to {} bytes is empty; the peak is {} bytes", first, last, peak),
                     "give both --from and --to, the smaller first");
  }
  return {first, last + 1};
}

std::vector<Bytes> BudgetChoice::grid(Bytes peak, BudgetRange range, const std::string& trace) const {
  std::vector<Bytes> budgets;
  const auto add = [&](double ratio) {
    const Bytes budget = budget_at_ratio(peak, ratio);
    const bool inside = range.from <= budget && budget < range.to;
    if (inside && (budgets.empty() || budgets.back() != budget)) budgets.push_back(budget);
  };
  for (const double ratio : ratios_) add(ratio);
  if (step_ && peak > 0) {
    const double step = *step_ * static_cast<double>(peak);  // bytes
    const double first = std::max(1.0, std::floor(static_cast<double>(range.from) / step));
    const double last = std::ceil(static_cast<double>(range.to) / step);
    if (last - first > kGridPointsMax) {
      throw InputError("--step", fmt::format("there would be about {:.0f} budgets to run", last - first),
                       "take a larger step, or --method certify for every budget");
    }
    const std::optional<Decimal> decimal = decimal_of(*step_);
    const auto steps = static_cast<std::int64_t>(last - first);
    for (std::int64_t i = 0; i <= steps; ++i) {
      const double k = first + static_cast<double>(i);
      add(decimal ? k * decimal->numerator / decimal->denominator : k * *step_);
    }
  }
  if (budgets.empty()) {
    throw InputError(trace, fmt::format("no budget of the grid is from {} to {} bytes", range.from, range.to - 1),
                     "take a smaller step or a wider range");
  }
  return budgets;
}

}  // namespace pothole
