#include "cli/hole_options.h"

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "corpus/input_error.h"

namespace pothole {

void add_hole_options(CLI::App& app, HoleOptions& options) {
  app.add_option("TRACE", options.trace, "A case, a DTR log, a native trace or a generator such as gen:unet")
      ->type_name("CASE|TRACE")
      ->required();
  app.add_option("--budget" + options.suffix, options.budget, "The hole around this budget, at which the policy fails")
      ->type_name("BYTES");
  app.add_option("--ratio" + options.suffix, options.ratio, "Likewise, as a share of the trace's peak")
      ->type_name("RATIO");
  app.add_option("--hole", options.hole, "The hole of this number in the map (default: the first)")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--max-steps", options.max_steps, "Give up an execution beyond so many materializations")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
}

void check_one_hole(const HoleOptions& options) {
  if (!options.budget.empty() + !options.ratio.empty() + options.hole.has_value() <= 1) return;
  const std::string budget = "--budget" + options.suffix;
  throw InputError(budget, "only one of " + budget + ", --ratio" + options.suffix + " and --hole says which hole",
                   "leave out the others");
}

}  // namespace pothole
