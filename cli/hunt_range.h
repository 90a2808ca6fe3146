// Which budgets `hunt` looks at: a range of each trace, and for a grid the budgets in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/feasibility_map.h"

namespace CLI {
class App;
}

namespace pothole {

struct RangeOptions {
  std::string from, to, from_ratio, to_ratio;
  std::string step, ratios;  // of a grid: a ratio, a file
};

void add_range_options(CLI::App& app, RangeOptions& options);

// What the options say, before any trace is known.
class BudgetChoice {
 public:
  // Reads the file of ratios. Throws InputError.
  explicit BudgetChoice(const RangeOptions& options);

  // Of a trace with this peak. Throws InputError naming `trace` where the range is empty.
  BudgetRange range(Bytes peak, const std::string& trace) const;

  // Ascending, different and in the range. Throws InputError where there are none, or too many.
  std::vector<Bytes> grid(Bytes peak, BudgetRange range, const std::string& trace) const;

 private:
  // An end of the range: bytes, a ratio, or neither.
  struct Bound {
    std::optional<Bytes> bytes;
    std::optional<double> ratio;
    std::string option;
  };

  static Bound bound_of(const std::string& bytes, const std::string& ratio, const std::string& name);
  static Bytes bytes_of(const Bound& bound, Bytes peak, Bytes otherwise);

  Bound from_, to_;
  std::optional<double> step_;
  std::vector<double> ratios_;  // ascending
  std::string ratios_file_;
};

}  // namespace pothole
