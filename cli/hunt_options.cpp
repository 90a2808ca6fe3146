// An option that a method would ignore is refused: it would seem to have had its effect.
#include "cli/hunt_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/budget.h"
#include "corpus/input_error.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole hunt model.log\n"
    "  pothole hunt model.log --policy DTR --policy DTREqClass --from-ratio 0.3\n"
    "  pothole hunt model.log --score '(c + e) / (m * s)' --score mine='(c + e) / (m * sqrt(s))'\n"
    "  pothole hunt model.log --plugin ./libmine.so@alpha=0.5\n"
    "  pothole hunt *.log.zst --policy LRU -j 8 --json maps.jsonl\n"
    "  pothole hunt model.log --checkpoint hunt.checkpoint --time 2h\n"
    "  pothole hunt model.log --resume hunt.checkpoint\n"
    "  pothole hunt model.log --method bisect --runs 1000\n"
    "  pothole hunt model.log --method grid --step 0.001\n"
    "Without a range: ratio 0.05 to 1 of each trace's peak, or every budget where the peak is below 10,000 bytes.\n"
    "Both ends belong to the range.\n"
    "Methods: certify advances all executions together and is the fastest way to every budget; executions runs each\n"
    "by itself, with the same result; bisect runs where most can be learned next, and tells of each hole as soon as\n"
    "it is known; grid runs at given budgets only and certifies nothing between them.\n"
    "A hole that the other comparison modes do not have is called a rounding artefact.\n"
    "Exit: 0 no hole, 1 a hole was found, 2 bad input, 4 no hole but budgets left unresolved,\n"
    "5 a policy misbehaved, 130 interrupted.";

void check_used(bool given, bool used, const char* option, const char* method) {
  if (given && !used) throw InputError(option, fmt::format("is of --method {}", method), "leave it out");
}

void check_combination(const HuntOptions& options, SearchMethod method) {
  const bool grid = method == SearchMethod::grid;
  const bool step = !options.range.step.empty(), ratios = !options.range.ratios.empty();
  check_used(step, grid, "--step", "grid");
  check_used(ratios, grid, "--ratios", "grid");
  check_used(options.runs.has_value(), method == SearchMethod::bisect, "--runs", "bisect");
  check_used(!options.max_memory.empty(), method == SearchMethod::certify, "--max-memory", "certify");
  if (grid && step == ratios)
    throw InputError("--method", step ? "a grid has either --step or --ratios" : "a grid needs its budgets",
                     "give one of --step and --ratios");
  if (grid && options.checkpoint.wanted())
    throw InputError("--method", "a grid has no checkpoint", "leave out --checkpoint and --resume");
}

SearchLimits limits_of(const HuntOptions& options) {
  SearchLimits limits;
  if (options.max_steps) limits.steps = *options.max_steps;
  if (options.runs) limits.runs = *options.runs;
  if (!options.max_memory.empty()) limits.memory = parse_budget(options.max_memory, "--max-memory");
  return limits;
}

void add_grid_options(CLI::App& app, RangeOptions& options) {
  app.add_option("--step", options.step, "Method grid: sample the multiples of this ratio")->type_name("R");
  app.add_option("--ratios", options.ratios, "Method grid: sample the ratios of FILE, one a line, # for comments")
      ->type_name("FILE");
}

void add_limit_options(CLI::App& app, HuntOptions& options) {
  app.add_option("--time", options.time, "Stop after DURATION, such as 90s, 5min or 1.5h")->type_name("DURATION");
  app.add_option("--max-steps", options.max_steps, "Give up an execution beyond so many materializations")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--max-memory", options.max_memory, "Method certify: give up budgets when states take more memory")
      ->type_name("SIZE");
  app.add_option("--runs", options.runs, "Method bisect: stop after so many runs, of each map")
      ->type_name("N")
      ->check(whole_number(1));
}

void add_checkpoint_options(CLI::App& app, CheckpointOptions& options) {
  app.add_option("--checkpoint", options.checkpoint, "Keep what was found in FILE, to go on from if this is killed")
      ->type_name("FILE");
  app.add_option("--resume", options.resume, "Go on from FILE, and keep what is found in it or in --checkpoint")
      ->type_name("FILE");
  app.add_option("--checkpoint-every", options.every, "Time between two writings of the checkpoint")
      ->type_name("DURATION")
      ->default_str(kCheckpointEvery);
}

}  // namespace

void add_range_options(CLI::App& app, RangeOptions& options) {
  app.add_option("--from", options.from, "Least budget, such as 900MB")->type_name("SIZE");
  app.add_option("--to", options.to, "Largest budget")->type_name("SIZE");
  app.add_option("--from-ratio", options.from_ratio, "Least budget as a share of the trace's peak")->type_name("R");
  app.add_option("--to-ratio", options.to_ratio, "Largest budget as a share of the trace's peak")->type_name("R");
}

void add_search_options(CLI::App& app, HuntOptions& options) {
  app.add_option("--method", options.method,
                 "How to search: certify, executions, bisect or grid; pothole hunt --help tells of each")
      ->type_name("NAME")
      ->capture_default_str();
  add_range_options(app, options.range);
  add_grid_options(app, options.range);
  add_limit_options(app, options);
  app.add_flag("--allow-torn-tail", options.allow_torn_tail, "Drop a torn last line of a log, and say so");
}

void add_hunt_options(CLI::App& app, HuntOptions& options) {
  app.description("Every budget at which a policy completes or fails, and the holes among them");
  app.add_option(
         "TRACE", options.traces,
         "DTR logs or native traces, also .gz or .zst, or generators such as gen:unet?depth=4; - is standard input")
      ->type_name("TRACE")
      ->required();
  add_search_options(app, options);
  add_checkpoint_options(app, options.checkpoint);
  add_run_options(app, options.common);
  add_report_options(app, options.common);
  app.footer(kExamples);
}

HuntPlan::HuntPlan(const HuntOptions& options)
    : method(checked_method(options.method)),
      policies(settings_of(options.common)),
      budgets(options.range),
      limits(limits_of(options)) {
  check_combination(options, method);
  for (const RunSettings& settings : policies) check_certifiable(method, settings);
  if (!options.time.empty()) time = parse_duration(options.time, "--time");
  if (options.checkpoint.every.empty()) return;
  parse_duration(options.checkpoint.every, "--checkpoint-every");
  if (!options.checkpoint.wanted())
    throw InputError("--checkpoint-every", "there is no checkpoint to write", "add --checkpoint FILE, or leave it out");
}

}  // namespace pothole
