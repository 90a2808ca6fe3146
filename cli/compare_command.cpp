// pothole compare: policies side by side, at every budget of every trace.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/compare_report.h"
#include "cli/interrupt.h"
#include "cli/map_hunt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole compare model.log --policy DTR --policy NbhdPenalty\n"
    "  pothole compare *.log.zst --policy DTR --score mine='(c + e) / m' --markdown table.md\n"
    "  pothole compare gen:unet?depth=4 --policy LRU --policy DTR --json -\n"
    "  pothole compare model.log --policy DTR --policy TControlInspired --method grid --step 0.001\n"
    "The first policy is what the others are compared with. Overheads are the others' divided by its own, over every\n"
    "budget where both complete: the geometric mean, each byte with the same weight, and the worst.\n"
    "Exit: 0 every budget is known, 2 bad input, 4 budgets are left unresolved, 5 a policy misbehaved, 130 "
    "interrupted.";

struct Options {
  HuntOptions hunt;
  std::string markdown;
};

ExitCode code_of(const std::vector<ComparedTrace>& all) {
  const auto any = [&](const auto& holds) {
    return std::any_of(all.begin(), all.end(),
                       [&](const ComparedTrace& c) { return std::any_of(c.maps.begin(), c.maps.end(), holds); });
  };
  if (any([](const MapReport& m) { return !m.policy_errors.empty(); })) return ExitCode::policy_misbehaved;
  if (!any(work_left)) return ExitCode::nothing_found;
  return interrupted() ? ExitCode::interrupted : ExitCode::work_left;
}

ExitCode compare(const Options& options) {
  const HuntPlan plan(options.hunt);
  if (plan.policies.size() < 2)
    throw InputError("--policy", "there is nothing to compare with", "give two policies or more, the known one first");
  std::vector<std::string> other_files = options.hunt.traces;
  JsonReport markdown(options.markdown, other_files, "--markdown");
  other_files.push_back(options.markdown);
  JsonReport json(options.hunt.common.json, other_files);
  JsonReport::check_one_on_output({&json, &markdown});
  const std::vector<HuntJob> jobs = read_jobs(options.hunt.traces, options.hunt.allow_torn_tail, plan);
  const TimeLimit time_limit(plan.time);
  const bool text = !json.on_output() && !markdown.on_output();
  std::vector<ComparedTrace> all;
  for (const HuntJob& job : jobs) {
    Progress progress("compare " + job.trace.name, {"executions", "of budgets"}, options.hunt.common.quiet);
    std::vector<MapReport> maps;
    with_threads(options.hunt.common.threads, [&] {
      for (const RunSettings& settings : plan.policies) maps.push_back(hunt_map(plan, job, settings, progress));
    });
    progress.finish();
    all.push_back(compared(described(job), std::move(maps)));
    if (json.wanted()) json.add_line(compare_json(all.back()));
    if (!text) continue;
    write_output(compare_text(all.back(), has_colours(Stream::output)) + "\n");
    flush_output();
  }
  if (json.wanted()) json.add_line(compare_summary_json(all));
  if (markdown.wanted()) markdown.add_line(compare_markdown(all));
  if (text) write_output(compare_summary_text(all));
  json.commit();
  markdown.commit();
  const ExitCode code = code_of(all);
  if (code == ExitCode::interrupted) write_message("pothole: interrupted; above is what was certified until then\n");
  return code;
}

}  // namespace

CommandBody add_compare_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Policies side by side: first success, holes, overhead, at every budget of every trace");
  app.add_option("TRACE", options->hunt.traces, "DTR logs, native traces, cases or generators; - is standard input")
      ->type_name("TRACE")
      ->required();
  add_search_options(app, options->hunt);
  app.add_option("--markdown", options->markdown, "Write the tables as Markdown to FILE")->type_name("FILE|-");
  add_run_options(app, options->hunt.common);
  add_report_options(app, options->hunt.common);
  app.footer(kExamples);
  return [options] { return compare(*options); };
}

}  // namespace pothole
