// Which hole a command is about: its options, the same wherever a hole is named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace pothole {

struct HoleOptions {
  std::string trace;  // or a case
  std::string budget, ratio;
  std::string suffix;  // of the names of these two options, such as "-fail"
  std::optional<std::size_t> hole;
  std::int64_t max_steps = 100'000;
  bool canonical = false;  // the program under made-up names, its tensors numbered anew

  bool names_a_budget() const { return !budget.empty() || !ratio.empty(); }
};

void add_hole_options(CLI::App& app, HoleOptions& options);

// Throws InputError where more than one option says which hole.
void check_one_hole(const HoleOptions& options);

}  // namespace pothole
