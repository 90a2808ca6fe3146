// pothole check: which properties hold of a policy on a trace.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/check_report.h"
#include "cli/command.h"
#include "cli/hunt_options.h"
#include "cli/interrupt.h"
#include "cli/map_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/property_option.h"
#include "cli/terminal.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole check model.log\n"
    "  pothole check model.log --property no-hole,inclusion --policy DTR --policy LRU\n"
    "  pothole check model.log --from-ratio 0.3 --sample 200 --json verdicts.jsonl\n"
    "Without a range: ratio 0.05 to 1 of each trace's peak, or every budget where the peak is below 10,000 bytes.\n"
    "Of such small traces every execution is checked. Of others the map is certified, and the runs that properties\n"
    "look at are a sample: both ends of every segment of the map, and --sample budgets spread over the range.\n"
    "Exit: 0 nothing found, 1 a finding about a policy, 2 bad input, 3 a contract of pothole is broken, 4 nothing\n"
    "found but something is unresolved, 5 a policy misbehaved, 130 interrupted.";

struct Options {
  CommonOptions common;
  std::vector<std::string> traces;
  std::vector<std::string> properties = {"all"};
  RangeOptions range;
  std::size_t sample = CheckPlan().sample;
  std::string time;
  std::optional<std::int64_t> max_steps;
  bool allow_torn_tail = false;
};

// One policy on one trace.
class Check {
 public:
  Check(const Options& options, const std::vector<const Property*>& wanted, const Trace& trace, BudgetRange range)
      : options_(options), wanted_(wanted), trace_(trace), range_(range) {}

  CheckReport check(const RunSettings& settings) const {
    const std::string label = fmt::format("check {} {}", trace_.name, settings.policy.label());
    const Subject subject = prepared(settings, label);
    Progress progress(label, {"properties", ""}, options_.common.quiet);
    const std::vector<Verdict> verdicts =
        check_properties(wanted_, subject, [&] { progress.add(1, 1.0 / static_cast<double>(wanted_.size())); });
    CheckReport report{settings, range_, {}};
    for (std::size_t i = 0; i < wanted_.size(); ++i) report.properties.push_back({wanted_[i], verdicts[i]});
    for (CheckedProperty& checked : report.properties) name_limit(checked.verdict);
    return report;
  }

 private:
  Subject prepared(const RunSettings& settings, const std::string& label) const {
    Progress progress(label, {"executions", "of budgets certified"}, options_.common.quiet);
    CheckPlan plan;
    plan.range = range_;
    plan.sample = options_.sample;
    plan.stop = &stop_requested();
    if (options_.max_steps) plan.steps_max = *options_.max_steps;
    plan.on_found = [&](std::span<const Execution> executions) {
      double bytes = 0;
      for (const Execution& e : executions) bytes += static_cast<double>(e.to - e.from);
      progress.add(static_cast<std::int64_t>(executions.size()), bytes / static_cast<double>(range_.to - range_.from));
    };
    return Subject(trace_.program, settings, plan);
  }

  // The engine cannot tell who stopped it.
  static void name_limit(Verdict& verdict) {
    if (verdict.why == kInterrupted && !interrupted()) verdict.why = kTimeLimit;
  }

  const Options& options_;
  const std::vector<const Property*>& wanted_;
  const Trace& trace_;
  const BudgetRange range_;
};

ExitCode check(const Options& options) {
  const std::vector<const Property*> wanted = checked_properties(options.properties);
  const std::vector<RunSettings> policies = settings_of(options.common);
  const BudgetChoice budgets(options.range);
  JsonReport json(options.common.json, options.traces);
  const TimeLimit time_limit(options.time.empty() ? std::nullopt
                                                  : std::optional(parse_duration(options.time, "--time")));
  std::vector<CheckReport> all;
  for (const std::string& file : options.traces) {
    const Trace trace = read_named_trace(file, {options.allow_torn_tail});
    const Bytes peak = peak_of(trace.program);
    const Check check(options, wanted, trace, budgets.range(peak, file));
    std::vector<CheckReport> reports;
    with_threads(options.common.threads, [&] {
      for (const RunSettings& settings : policies) reports.push_back(check.check(settings));
    });
    if (json.wanted()) json.add_line(check_json(trace, peak, reports));
    if (!json.on_output()) {
      write_output((all.empty() ? "" : "\n") + check_text(trace, peak, reports, has_colours(Stream::output)));
      flush_output();
    }
    std::move(reports.begin(), reports.end(), std::back_inserter(all));
  }
  json.commit();
  const ExitCode code = exit_code_of(all, interrupted());
  if (code == ExitCode::interrupted) write_message("pothole: interrupted; above is what was checked until then\n");
  if (code == ExitCode::contract_broken)
    write_message("pothole: a contract of pothole itself is broken; please report the trace and the line above\n");
  return code;
}

}  // namespace

CommandBody add_check_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Which properties hold of a policy on a trace, and where they are violated");
  app.add_option(
         "TRACE", options->traces,
         "DTR logs or native traces, also .gz or .zst, or generators such as gen:unet?depth=4; - is standard input")
      ->type_name("TRACE")
      ->required();
  app.add_option("--property", options->properties, "all, or NAME[,NAME...] (see pothole list properties)")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  add_range_options(app, options->range);
  app.add_option("--sample", options->sample, "Budgets to spread over the range of a large trace")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--time", options->time, "Stop after DURATION, such as 90s, 5min or 1.5h")->type_name("DURATION");
  app.add_option("--max-steps", options->max_steps, "Give up an execution beyond so many materializations")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_flag("--allow-torn-tail", options->allow_torn_tail, "Drop a torn last line of a log, and say so");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return check(*options); };
}

}  // namespace pothole
