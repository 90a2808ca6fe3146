// pothole shrink: a trace with a hole made as small as it can be with a hole left.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "cli/case_folder.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/reduction.h"
#include "cli/shrink_report.h"
#include "cli/terminal.h"
#include "cli/time_limit.h"
#include "corpus/input_error.h"
#include "properties/hole_signature.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole shrink model.log                              the first hole of DTR\n"
    "  pothole shrink model.log --policy LRU --ratio 0.235   the hole around a budget\n"
    "  pothole shrink model.log --hole 3 --preserve same --out mine\n"
    "  pothole shrink found/54ee71fb5e05a2f2.json            a case, under its own policy\n"
    "  pothole shrink model.log --certify 6                  and is there a smaller one at all?\n"
    "  pothole shrink model.log --time 10min                 the best so far when it ends; --resume goes on\n"
    "Edits are tried coarse to fine (pothole list passes), then pairs of edits, then pumps: random changes that need\n"
    "not make it smaller, each followed by edits. The result does not depend on threads or interruptions.\n"
    "Exit: 0 nothing is left to be tried, 2 bad input, no hole among it, 4 ended by a limit,\n"
    "5 the policy misbehaved while it was certified, 130 interrupted.";

struct Options {
  CommonOptions common;
  HoleOptions origin;
  std::string preserve = "any", time, out = "found";
  std::optional<std::int64_t> evaluations;
  std::int64_t pumps = ShrinkSettings().pumps;
  std::optional<std::int64_t> certify;
  bool resume = false, tried = false;
};

std::optional<std::string> signature_to_keep(const Options& options, const HoleOrigin& origin) {
  if (options.preserve == "any") return std::nullopt;
  if (options.preserve != "same")
    throw InputError("--preserve", fmt::format("'{}' is not any or same", options.preserve), "give any or same");
  return text_of(hole_signature(origin.program, origin.settings, origin.witness.ok, origin.witness.oom));
}

ReductionPlan plan_of(const Options& options, HoleOrigin origin) {
  ReductionPlan plan;
  plan.settings.oracle.signature = signature_to_keep(options, origin);
  plan.settings.oracle.run = origin.settings;
  plan.settings.oracle.steps_max = options.origin.max_steps;
  plan.settings.oracle.stop = &stop_requested();
  if (options.evaluations) plan.settings.evaluations_max = *options.evaluations;
  plan.settings.pumps = options.pumps;
  plan.origin = std::move(origin);
  plan.folder = options.out;
  return plan;
}

// Why it ended before it was done; empty if it is done.
std::string_view ended_by(const Shrinker& shrinker) {
  if (shrinker.state().phase == ShrinkPhase::done) return "";
  if (interrupted()) return "an interruption";
  return stop_requested() ? "the time limit" : "the limit of evaluations";
}

void reduce(Reduction& reduction, const Options& options, const std::string& name) {
  Progress progress("shrink " + name, {"evaluations", ""}, options.common.quiet);
  std::int64_t shown = reduction.shrinker().state().evaluations;
  reduction.run(options.common.threads, [&](const ShrinkState& state) {
    progress.add(state.evaluations - std::exchange(shown, state.evaluations), 0);
    progress.set_label(
        fmt::format("shrink {}  {} operators, {}", name, state.program.operators().size(), name_of(state.phase)));
  });
}

// Searches all programs of the family of `smallest` for a smaller hole.
void certify(const Options& options, const Reduction& reduction, const RunSettings& settings, ShrinkReport& report) {
  const ShrinkState& end = reduction.shrinker().state();
  report.bounds.operators =
      static_cast<std::uint32_t>(std::min<std::size_t>(reduction.operators(), SmallestBounds::kOperatorsMost));
  report.bounds.size_most = report.bounds.cost_most = *options.certify;
  while (!why_not_searchable(report.bounds).empty()) report.bounds.cost_most = --report.bounds.size_most;
  Progress progress("certify", {"parts", ""}, options.common.quiet);
  double shown = 0;
  SmallestSearch search;
  search.threads = options.common.threads;
  search.stop = &stop_requested();
  search.on_progress = [&](const SmallestProgress& so_far, double share) {
    if (so_far.operators < report.bounds.operators) return;
    progress.add(1, std::max(0.0, share - std::exchange(shown, std::max(shown, share))));
  };
  report.smaller = hole_smaller_than(rank_of(end.program, end.witness), settings, report.bounds, search);
}

ExitCode shrink(const Options& options) {
  check_one_hole(options.origin);
  if (options.preserve != "any" && options.preserve != "same")
    throw InputError("--preserve", fmt::format("'{}' is not any or same", options.preserve), "give any or same");
  JsonReport json(options.common.json, {options.origin.trace});
  const TimeLimit time_limit(options.time.empty() ? std::nullopt
                                                  : std::optional(parse_duration(options.time, "--time")));
  std::optional<HoleOrigin> origin = hole_origin(options.origin, options.common);
  if (!origin) {
    write_message("pothole: stopped before a hole was found; nothing is shrunk\n");
    return interrupted() ? ExitCode::interrupted : ExitCode::work_left;
  }
  check_deterministic(*origin, options.origin, "shrunk for");
  const ReductionPlan plan = plan_of(options, *std::move(origin));
  Reduction reduction(plan, options.resume);
  make_case_folder(plan.folder);
  reduce(reduction, options, plan.origin.name);

  ShrinkReport report{.c = {},
                      .file = {},
                      .operators_before = plan.origin.program.operators().size(),
                      .shrinker = reduction.shrinker(),
                      .pumps = options.pumps,
                      .ended_by = ended_by(reduction.shrinker()),
                      .others = reduction.others(),
                      .with_tried = options.tried,
                      .smaller = {},
                      .bounds = {}};
  std::tie(report.c, report.file) = reduction.finish(claim_text(report));
  if (options.certify && report.ended_by.empty()) certify(options, reduction, plan.origin.settings, report);
  if (json.wanted()) json.add_line(shrink_report_json(report));
  if (!json.on_output()) write_output(shrink_report_text(report, has_colours(Stream::output)));
  json.commit();
  const bool certified = !report.smaller || report.smaller->complete || report.smaller->progress.best;
  if (report.smaller && report.smaller->progress.misbehaved) return ExitCode::policy_misbehaved;
  if (report.ended_by.empty() && certified) return ExitCode::nothing_found;
  if (!report.ended_by.empty()) write_message(fmt::format("pothole: ended by {}; --resume goes on\n", report.ended_by));
  return interrupted() ? ExitCode::interrupted : ExitCode::work_left;
}

}  // namespace

CommandBody add_shrink_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->origin.canonical = true;
  app.description("Reduces a trace with a hole to a minimal one, and keeps it as a case");
  add_hole_options(app, options->origin);
  app.add_option("--preserve", options->preserve, "any: a hole of this policy must be left; same: of this signature")
      ->type_name("any|same")
      ->capture_default_str();
  app.add_option("--time", options->time, "Stop after DURATION, such as 90s or 5min")->type_name("DURATION");
  app.add_option("--evaluations", options->evaluations, "Stop after looking for a hole in so many programs")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000'000));
  app.add_option("--pumps", options->pumps, "Give up after so many pumps in a row without success")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--out", options->out, "The folder for the case, other holes met and the state of the reduction")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("--resume", options->resume, "Go on with the reduction in the folder; give the same options");
  app.add_option("--certify", options->certify,
                 "Search all small programs, sizes and costs up to N or as far as can be, for a smaller hole (see "
                 "pothole smallest)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  app.add_flag("--tried", options->tried, "List the last round of single edits, and why each failed");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return shrink(*options); };
}

}  // namespace pothole
