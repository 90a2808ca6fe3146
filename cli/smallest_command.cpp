// pothole smallest: the smallest hole of a policy among all small programs, or that there is none.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/smallest_report.h"
#include "cli/terminal.h"
#include "cli/time_limit.h"
#include "corpus/atomic_file.h"
#include "corpus/input_error.h"
#include "corpus/smallest_file.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole smallest                              DTR, programs of up to 5 operators\n"
    "  pothole smallest --policy LRU --ops 4 --sizes 6 --costs 6\n"
    "  pothole smallest --score '(c + e) / m' --no-outputs --out smallest.json\n"
    "  pothole smallest --policy LRU --ops 5 --late-uses --checkpoint lru.checkpoint --time 1h\n"
    "  pothole smallest --policy LRU --ops 5 --late-uses --resume lru.checkpoint\n"
    "Smaller means fewer operators, then fewer edges, fewer distinct sizes and costs, fewer bytes, a narrower hole,\n"
    "smaller budgets. The result does not depend on the number of threads, nor on interruptions.\n"
    "Exit: 0 no hole within the bounds, 1 a hole, 2 bad input, 4 a limit stopped the search before it found one,\n"
    "5 the policy misbehaved, 130 interrupted.";

struct Options {
  CommonOptions common;
  std::int64_t operators = 5, sizes = 6, costs = 6;
  std::string arguments = "lists";
  bool late_uses = false, no_outputs = false;
  std::string time, out, checkpoint, resume;
};

constexpr Seconds kBetweenCheckpoints{5};

RunSettings settings_of(const Options& options) {
  const std::vector<RunSettings> all = settings_of(options.common);
  if (all.size() > 1)
    throw InputError("--policy", "one policy at a time is searched", "give one, and run once for each");
  RunSettings settings = all.front();
  settings.trace = "smallest";  // where a plugin crashes
  return settings;
}

SmallestBounds bounds_of(const Options& options) {
  SmallestBounds bounds;
  bounds.operators = static_cast<std::uint32_t>(std::clamp<std::int64_t>(options.operators, 0, 1'000));
  bounds.size_most = options.sizes;
  bounds.cost_most = options.costs;
  bounds.late_uses = options.late_uses;
  bounds.outputs = !options.no_outputs;
  if (options.arguments == "sets")
    bounds.arguments = EnumerationBounds::Arguments::sets;
  else if (options.arguments != "lists")
    throw InputError("--arguments", fmt::format("'{}' is not a way to list arguments", options.arguments),
                     "use lists, for arguments in every order, or sets");
  if (const std::string why = why_not_searchable(bounds); !why.empty())
    throw InputError("--ops, --sizes, --costs", why, "lower a bound");
  return bounds;
}

// All that decides but the largest number of operators: whoever allows more goes on from there.
std::vector<std::string> settings_lines(const Options& options, const RunSettings& settings,
                                        const SmallestBounds& bounds) {
  const auto flag = [](bool value) { return value ? "yes" : "no"; };
  return {fmt::format("tool {}", POTHOLE_VERSION),
          fmt::format("policy {}", settings.policy.text),
          fmt::format("dealloc {}", name_of(settings.dealloc)),
          fmt::format("overhead-limit {}", settings.overhead_limit.value()),
          fmt::format("comparison {}", name_of(settings.comparison)),
          fmt::format("seed {}", settings.seed),
          fmt::format("sizes {}", bounds.size_most),
          fmt::format("costs {}", bounds.cost_most),
          fmt::format("arguments {}", options.arguments),
          fmt::format("late-uses {}", flag(bounds.late_uses)),
          fmt::format("outputs {}", flag(bounds.outputs))};
}

// Where an earlier search was.
SmallestProgress resumed(const std::string& file, const std::vector<std::string>& wanted, const RunSettings& settings,
                         const SmallestBounds& bounds) {
  const SmallestFile held = read_smallest(file);
  if (held.settings != wanted) {
    const auto [a, b] = std::mismatch(held.settings.begin(), held.settings.end(), wanted.begin(), wanted.end());
    throw InputError(
        file,
        fmt::format("the search was begun with '{}', not '{}'", a == held.settings.end() ? "nothing more" : *a,
                    b == wanted.end() ? "nothing more" : *b),
        "give the same options");
  }
  SmallestProgress progress{held.operators, held.edges, held.next_skeleton, {}, held.misbehaved};
  if (held.best) progress.best = hole_at(settings, bounds, held.best->skeleton, held.best->sizes, held.best->costs);
  const bool same_group = !progress.best || progress.best->rank.edges == progress.edges;
  if (held.operators < 1 || progress.best.has_value() != held.best.has_value() || !same_group)
    throw InputError(file, "is not a whole checkpoint: its hole is none, or not of its place", "start the search anew");
  return progress;
}

SmallestFile file_of(const SmallestProgress& progress, const std::vector<std::string>& settings) {
  SmallestFile file{settings, progress.operators, progress.edges, progress.next_skeleton, progress.misbehaved, {}};
  if (progress.best)
    file.best = SmallestFile::Hole{progress.best->skeleton, progress.best->sizes, progress.best->costs};
  return file;
}

// Where the checkpoint goes, if anywhere. Not onto another search.
std::string checkpoint_of(const Options& options) {
  if (options.checkpoint.empty()) return options.resume;
  std::error_code ignored;
  const bool same = !options.resume.empty() && std::filesystem::equivalent(options.checkpoint, options.resume, ignored);
  if (!same && std::filesystem::is_regular_file(options.checkpoint, ignored))
    throw InputError("--checkpoint", fmt::format("'{}' exists already", options.checkpoint),
                     fmt::format("go on from it with --resume {}, or remove it", options.checkpoint));
  return options.checkpoint;
}

ExitCode exit_code_of(const Smallest& found) {
  if (!found.complete && interrupted()) return ExitCode::interrupted;
  if (found.progress.misbehaved) return ExitCode::policy_misbehaved;
  if (found.progress.best) return ExitCode::found;
  return found.complete ? ExitCode::nothing_found : ExitCode::work_left;
}

// The search with its progress and its checkpoint.
Smallest searched(const Options& options, const RunSettings& settings, const SmallestBounds& bounds) {
  const std::vector<std::string> lines = settings_lines(options, settings, bounds);
  SmallestProgress from;
  if (!options.resume.empty()) from = resumed(options.resume, lines, settings, bounds);
  const std::string file = checkpoint_of(options);
  if (!file.empty()) write_file(file, smallest_text(file_of(from, lines)));
  const TimeLimit time_limit(options.time.empty() ? std::nullopt
                                                  : std::optional(parse_duration(options.time, "--time")));
  Progress progress("smallest", {"parts", ""}, options.common.quiet);
  double shown = 0;
  auto saved = std::chrono::steady_clock::now();
  SmallestSearch search;
  search.threads = options.common.threads;
  search.stop = &stop_requested();
  search.on_progress = [&](const SmallestProgress& so_far, double share) {
    // What has fewer operators takes hardly any time.
    if (so_far.operators < bounds.operators) share = 0;
    progress.add(1, std::max(0.0, share - shown));
    shown = std::max(shown, share);
    progress.set_label(fmt::format("smallest {}  {} operators, {} edges{}", settings.policy.label(), so_far.operators,
                                   so_far.edges, so_far.best ? ", a hole" : ""));
    const auto now = std::chrono::steady_clock::now();
    if (file.empty() || now - saved < kBetweenCheckpoints) return;
    write_file(file, smallest_text(file_of(so_far, lines)));
    saved = now;
  };
  const Smallest found = smallest_hole(settings, bounds, search, std::move(from));
  progress.finish();
  if (!file.empty()) write_file(file, smallest_text(file_of(found.progress, lines)));
  return found;
}

ExitCode smallest(const Options& options) {
  const RunSettings settings = settings_of(options);
  const SmallestBounds bounds = bounds_of(options);
  std::vector<std::string> other_files;
  for (const std::string& file : {options.out, options.checkpoint, options.resume})
    if (!file.empty()) other_files.push_back(file);
  JsonReport json(options.common.json, other_files);
  // That it can be written is known before the search.
  if (!options.out.empty()) JsonReport(options.out, {options.checkpoint, options.resume}, "--out");
  const Smallest found = searched(options, settings, bounds);
  if (found.progress.best && !options.out.empty())
    write_file(options.out, case_text(smallest_case(found, settings, bounds)));
  if (json.wanted()) json.add_line(smallest_json(found, settings, bounds));
  if (!json.on_output()) write_output(smallest_text(found, settings, bounds, has_colours(Stream::output)));
  json.commit();
  if (!found.complete && interrupted()) write_message("pothole: interrupted; above is what was found until then\n");
  return exit_code_of(found);
}

}  // namespace

CommandBody add_smallest_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("The smallest hole of a policy among all small programs, or a proof that there is none");
  const auto add_number = [&](const char* name, std::int64_t& number, const char* help) {
    app.add_option(name, number, help)->type_name("N")->check(whole_number(1))->capture_default_str();
  };
  add_number("--ops", options->operators, "Programs of at most so many operators");
  add_number("--sizes", options->sizes, "Sizes are 1 to N bytes");
  add_number("--costs", options->costs, "Costs are 1 to N");
  app.add_option("--arguments", options->arguments,
                 "lists: arguments in every order; sets: in order of creation only, which is quicker")
      ->type_name("lists|sets")
      ->capture_default_str();
  app.add_flag("--late-uses", options->late_uses, "Released tensors may be arguments, too: many more programs");
  app.add_flag("--no-outputs", options->no_outputs, "Everything is released; nothing is brought back at the end");
  app.add_option("--time", options->time, "Stop after DURATION, such as 90s, 5min or 8h")->type_name("DURATION");
  app.add_option("--out", options->out, "Write the hole as a case (pothole-case/1)")->type_name("FILE");
  app.add_option("--checkpoint", options->checkpoint, "Keep where the search stands in FILE")->type_name("FILE");
  app.add_option("--resume", options->resume, "Go on from FILE, and keep it; give the same options, --ops may differ")
      ->type_name("FILE");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return smallest(*options); };
}

}  // namespace pothole
