// pothole run: one execution at one budget, or a batch of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/batch.h"
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_report.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole run model.log --policy DTR --ratio 0.4\n"
    "  pothole run model.log --policy DTR --policy LRU --budget 1.5GB\n"
    "  pothole run model.log --score 'c / m' --score mine='(c + e) / (m * sqrt(s))' --ratio 0.4\n"
    "  pothole run model.log --budget 1046362683 --victims --json -\n"
    "  pothole run model.log --policy DTR --plugin ./libmine.so --ratio 0.4\n"
    "  pothole run --batch points.jsonl --json results.jsonl\n"
    "A line of a batch: {\"trace\": \"model.log\", \"policy\": \"DTR\", \"ratio\": 0.4, \"overhead_limit\": 60};\n"
    "it may have \"score\": \"c / m\" or \"plugin\": \"libmine.so\" instead of a policy.\n"
    "A budget is in bytes, or has a suffix: B, kB, MB, GB, KiB, MiB, GiB. A ratio is of the trace's peak.\n"
    "Exit: 0 whatever the outcomes are, 2 bad input, 5 a policy misbehaved, 130 interrupted.";

struct Options {
  CommonOptions common;
  std::string trace;
  std::string batch;
  std::string budget;
  std::string ratio;
  bool victims = false;
  bool allow_torn_tail = false;
};

ExitCode run_batch_file(const Options& options) {
  for (const auto& [text, name] : {std::pair(options.trace, "TRACE"), std::pair(options.budget, "--budget"),
                                   std::pair(options.ratio, "--ratio")}) {
    if (!text.empty())
      throw InputError("--batch", fmt::format("cannot be combined with {}", name), "put it in the lines");
  }
  if (!options.common.policies.empty()) {
    throw InputError("--batch", "cannot be combined with --policy, --score and --plugin", "put it in the lines");
  }
  // A batch's result is lines of JSON wherever they go.
  JsonReport report(options.common.json.empty() ? "-" : options.common.json, {options.batch});
  const BatchSettings settings{options.batch,
                               settings_of(options.common).front(),
                               {options.allow_torn_tail},
                               options.common.plugin_limit,
                               options.victims,
                               options.common.quiet};
  BatchSummary summary;
  with_threads(options.common.threads, [&] { summary = run_batch(settings, report); });
  report.commit();
  if (summary.errors > 0) {
    write_message(fmt::format("pothole: {} of {} lines of the batch could not be run; see their \"error\"\n",
                              summary.errors, summary.lines));
  }
  if (summary.interrupted) {
    write_message(fmt::format("pothole: interrupted after {} lines\n", summary.lines));
    return ExitCode::interrupted;
  }
  if (summary.errors > 0) return ExitCode::bad_input;
  return summary.policy_errors > 0 ? ExitCode::policy_misbehaved : ExitCode::nothing_found;
}

Bytes budget_of(const Options& options, Bytes peak) {
  if (!options.budget.empty()) return parse_budget(options.budget, "--budget");
  return checked_budget_at_ratio(peak, parse_ratio(options.ratio, "--ratio"), "--ratio");
}

ExitCode run_trace(const Options& options) {
  if (options.trace.empty()) {
    throw InputError("run", "no trace is given", "name a trace, or a batch with --batch; see pothole run --help");
  }
  if (options.budget.empty() == options.ratio.empty()) {
    throw InputError("run", options.budget.empty() ? "no budget is given" : "both --budget and --ratio are given",
                     "give one of --budget and --ratio");
  }
  std::vector<RunSettings> all = settings_of(options.common);
  for (RunSettings& settings : all) settings.trace = options.trace;
  // What can be refused without the trace is refused before it is read.
  if (!options.budget.empty()) parse_budget(options.budget, "--budget");
  if (!options.ratio.empty()) parse_ratio(options.ratio, "--ratio");
  JsonReport json(options.common.json, {options.trace});
  const Trace trace = read_named_trace(options.trace, {options.allow_torn_tail});
  const Bytes peak = peak_of(trace.program);
  const Bytes budget = budget_of(options, peak);
  std::vector<RunReport> reports(all.size());
  with_threads(options.common.threads, [&] {
    parallel_for(all.size(), [&](std::size_t i) {
      reports[i] = {options.trace, all[i], budget,
                    run(trace.program, all[i], budget, {options.victims, &stop_requested()})};
    });
  });
  for (std::size_t i = 0; i < reports.size(); ++i) {
    json.add_line(run_json(reports[i], options.victims));
    if (json.on_output()) continue;
    write_output((i > 0 ? "\n" : "") + run_text(reports[i], trace.program, peak, options.victims));
  }
  json.commit();
  if (stop_requested()) return ExitCode::interrupted;
  const bool misbehaved =
      std::any_of(reports.begin(), reports.end(), [](const RunReport& r) { return r.result.fault; });
  return misbehaved ? ExitCode::policy_misbehaved : ExitCode::nothing_found;
}

}  // namespace

CommandBody add_run_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("One execution of a trace at one budget, or a batch of them");
  app.add_option(
         "TRACE", options->trace,
         "A DTR log or native trace, also .gz or .zst, or a generator such as gen:unet?depth=4; - is standard input")
      ->type_name("TRACE");
  app.add_option("--budget", options->budget, "Memory budget, such as 1046362683 or 1.5GB")->type_name("SIZE");
  app.add_option("--ratio", options->ratio, "Memory budget as a share of the trace's peak")->type_name("R");
  app.add_option("--batch", options->batch, "Executions to run, one JSON object per line; - is standard input")
      ->type_name("FILE");
  app.add_flag("--victims", options->victims, "Include the policy's victims, as root tensor ids");
  app.add_flag("--allow-torn-tail", options->allow_torn_tail, "Drop a torn last line of a log, and say so");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return options->batch.empty() ? run_trace(*options) : run_batch_file(*options); };
}

}  // namespace pothole
