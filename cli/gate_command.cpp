// pothole gate: what a change of a policy does, and whether it may go in.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/baseline.h"
#include "cli/budget.h"
#include "cli/case_folder.h"
#include "cli/command.h"
#include "cli/gate_report.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/property_option.h"
#include "cli/terminal.h"
#include "corpus/case_file.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"
#include "properties/subject.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole gate --base DTR --head NbhdPenalty --trace model.log\n"
    "  pothole gate --base DTR --head-score '(c + e) / (m * s)' --trace model.log --corpus corpus/regressions\n"
    "  pothole gate --base DTR --trace model.log --write-baseline dtr.baseline\n"
    "  pothole gate --baseline dtr.baseline --head-plugin ./mine.so --trace model.log --markdown gate.md\n"
    "  pothole gate --base DTR --head MSPS --trace gen:unet?depth=3 --accept-worst-overhead 1.5 --github\n"
    "Every budget is certified unless --method grid samples them, and the report says so.\n"
    "Exit: 0 no rule is broken, 1 a rule is broken, 2 bad input, 4 a limit leaves a rule open, 5 a policy misbehaved,\n"
    "130 interrupted.";

struct Options {
  HuntOptions hunt;  // its common.policies stay empty: base and head have options of their own
  std::vector<PolicyText> base, head;
  std::string baseline, write_baseline, markdown, junit;
  std::vector<std::string> corpus, properties = {"all"};
  bool github = false;
  struct {
    std::string new_hole_bytes = "0B", widened_bytes = "0B", first_success = "0", stable_from = "0",
                mean_overhead = "1.01", worst_overhead = "1.1", opened_cases = "0", broken_properties = "0";
  } accept;
};

constexpr double kAny = std::numeric_limits<double>::infinity();

double accepted_bytes(const std::string& text, const char* option) {
  if (text == "any") return kAny;
  if (text == "0" || text == "0B") return 0;
  return static_cast<double>(parse_budget(text, option));
}

double accepted_number(const std::string& text, const char* option) {
  if (text == "any") return kAny;
  return text == "0" ? 0 : parse_ratio(text, option);
}

GateTolerances tolerances_of(const Options& options) {
  GateTolerances t;
  t.new_hole_bytes = accepted_bytes(options.accept.new_hole_bytes, "--accept-new-hole-bytes");
  t.widened_bytes = accepted_bytes(options.accept.widened_bytes, "--accept-widened-bytes");
  t.first_success = accepted_number(options.accept.first_success, "--accept-first-success");
  t.stable_from = accepted_number(options.accept.stable_from, "--accept-stable-from");
  t.mean_overhead = accepted_number(options.accept.mean_overhead, "--accept-mean-overhead");
  t.worst_overhead = accepted_number(options.accept.worst_overhead, "--accept-worst-overhead");
  t.opened_cases = accepted_number(options.accept.opened_cases, "--accept-opened-cases");
  t.broken_properties = accepted_number(options.accept.broken_properties, "--accept-broken-properties");
  return t;
}

// One policy of those that may be given in three ways.
std::optional<RunSettings> one_policy(const Options& options, const std::vector<PolicyText>& given,
                                      const char* option) {
  if (given.empty()) return std::nullopt;
  if (given.size() > 1) throw InputError(option, "is given twice", "a gate has one base and one head");
  CommonOptions common = options.hunt.common;
  common.policies = given;
  return settings_of(common).front();
}

// Properties that a gate looks at: holes have rules of their own.
std::vector<const Property*> properties_of(const Options& options) {
  if (options.properties == std::vector<std::string>{"none"}) return {};
  std::vector<const Property*> wanted = checked_properties(options.properties);
  std::erase_if(wanted, [](const Property* p) { return p->name == kHoleProperty; });
  return wanted;
}

class Gate {
 public:
  Gate(const Options& options, const HuntPlan& plan, std::optional<RunSettings> base, RunSettings head,
       const std::optional<Baseline>& baseline)
      : options_(options),
        plan_(plan),
        base_(std::move(base)),
        head_(std::move(head)),
        baseline_(baseline),
        properties_(properties_of(options)) {}

  GatedTrace gate(const HuntJob& job, bool is_case) const {
    Progress progress("gate " + job.trace.name, {"executions", "of budgets"}, options_.hunt.common.quiet || is_case);
    MapReport head = hunt_map(plan_, job, head_, progress);
    MapReport base = baseline_ ? MapReport(baseline_settings(), baseline_->map_of(job, head_, limit_text()))
                               : hunt_map(plan_, job, *base_, progress);
    progress.finish();
    MapComparison comparison = compare_maps(base.map, head.map);
    GatedTrace gated{described(job), is_case, std::move(base), std::move(head), std::move(comparison), {}, {}, {}};
    if (is_case || stop_requested()) return gated;
    look_for_sameness(job, gated);
    if (!gated.identical && base_) look_at_properties(job, gated);
    return gated;
  }

 private:
  const std::string& limit_text() const { return options_.hunt.common.overhead_limit; }

  RunSettings baseline_settings() const {
    RunSettings settings = head_;
    settings.policy = ConfiguredPolicy();
    settings.policy.text = baseline_->policy();
    return settings;
  }

  void look_for_sameness(const HuntJob& job, GatedTrace& t) const {
    if (!base_ || !t.comparison.same_map || !t.is_certain()) return;
    const auto base = decision_digests(job.trace.program, *base_, t.base.map, &stop_requested());
    const auto head = decision_digests(job.trace.program, head_, t.head.map, &stop_requested());
    if (base && head && *base == *head) t.identical = base->size();
  }

  std::vector<Verdict> verdicts(const HuntJob& job, const RunSettings& settings, const FeasibilityMap& map,
                                const std::vector<const Property*>& wanted) const {
    CheckPlan plan;
    plan.range = job.range;
    plan.stop = &stop_requested();
    plan.steps_max = plan_.limits.steps;
    plan.map = &map;
    return check_properties(wanted, Subject(job.trace.program, settings, plan));
  }

  void look_at_properties(const HuntJob& job, GatedTrace& t) const {
    if (properties_.empty() || t.head.sampled) return;
    const std::vector<Verdict> head = verdicts(job, head_, t.head.map, properties_);
    std::vector<const Property*> violated;
    std::vector<std::string> why;
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (head[i].ruling != Ruling::violated) continue;
      violated.push_back(properties_[i]);
      why.push_back(head[i].violation->text);
    }
    if (violated.empty()) return;
    const std::vector<Verdict> base = verdicts(job, *base_, t.base.map, violated);
    for (std::size_t i = 0; i < violated.size(); ++i) {
      if (base[i].ruling != Ruling::holds) continue;
      t.newly_broken.push_back(violated[i]);
      t.why_broken.push_back(why[i]);
    }
  }

  const Options& options_;
  const HuntPlan& plan_;
  const std::optional<RunSettings> base_;
  const RunSettings head_;
  const std::optional<Baseline>& baseline_;
  const std::vector<const Property*> properties_;
};

ExitCode code_of(const GateReport& report) {
  const auto any = [&](const auto& holds) {
    return std::any_of(report.traces.begin(), report.traces.end(),
                       [&](const GatedTrace& t) { return holds(t.base) || holds(t.head); });
  };
  if (report.is_red()) return ExitCode::found;
  if (interrupted()) return ExitCode::interrupted;
  if (any([](const MapReport& m) { return !m.policy_errors.empty(); })) return ExitCode::policy_misbehaved;
  return report.is_open() ? ExitCode::work_left : ExitCode::nothing_found;
}

void check_combination(const Options& options) {
  if (options.base.empty() == options.baseline.empty())
    throw InputError("--base", options.base.empty() ? "there is nothing to compare with" : "--baseline says it too",
                     "give one of --base, --base-score, --base-plugin and --baseline");
  if (options.head.empty() && options.write_baseline.empty())
    throw InputError("--head", "there is nothing to judge", "give one of --head, --head-score and --head-plugin");
  if (!options.head.empty() && !options.write_baseline.empty())
    throw InputError("--write-baseline", "keeps maps of the base, and judges nothing", "leave out --head");
  if (options.base.empty() && !options.write_baseline.empty())
    throw InputError("--write-baseline", "needs the policy whose maps are kept", "give --base");
  if (options.hunt.traces.empty() && options.corpus.empty())
    throw InputError("--trace", "there is nothing to run", "give --trace or --corpus");
}

// The traces, then the cases.
std::vector<HuntJob> jobs_of(const Options& options, const HuntPlan& plan) {
  std::vector<HuntJob> jobs = read_jobs(options.hunt.traces, options.hunt.allow_torn_tail, plan);
  if (options.corpus.empty()) return jobs;
  std::vector<std::string> cases;
  for (const auto& file : case_files(options.corpus)) cases.push_back(file.string());
  for (HuntJob& job : read_jobs(cases, false, plan)) {
    job.trace.name = std::filesystem::path(cases[jobs.size() - options.hunt.traces.size()]).filename().string();
    jobs.push_back(std::move(job));
  }
  return jobs;
}

ExitCode write_baseline(const Options& options, const HuntPlan& plan, const RunSettings& base, JsonReport& file) {
  const std::vector<HuntJob> jobs = jobs_of(options, plan);
  std::vector<MapReport> reports;
  with_threads(options.hunt.common.threads, [&] {
    for (const HuntJob& job : jobs) {
      Progress progress("gate " + job.trace.name, {"executions", "of budgets"}, options.hunt.common.quiet);
      reports.push_back(hunt_map(plan, job, base, progress));
    }
  });
  if (std::any_of(reports.begin(), reports.end(), [](const MapReport& m) { return !m.unresolved.empty(); })) {
    write_message("pothole: budgets are left without an outcome: no baseline is written\n");
    return interrupted() ? ExitCode::interrupted : ExitCode::work_left;
  }
  std::vector<BaselineMap> maps;
  for (std::size_t i = 0; i < jobs.size(); ++i) maps.push_back({&jobs[i], &reports[i]});
  std::string text = baseline_text(maps, options.hunt.common.overhead_limit);
  text.pop_back();
  file.add_line(text);
  file.commit();
  write_output(fmt::format("{}: maps of {} on {} trace{}\n", options.write_baseline, base.policy.label(), jobs.size(),
                           jobs.size() == 1 ? "" : "s"));
  return ExitCode::nothing_found;
}

ExitCode gate(const Options& options) {
  check_combination(options);
  const GateTolerances tolerances = tolerances_of(options);
  const std::optional<RunSettings> base = one_policy(options, options.base, "--base");
  const std::optional<RunSettings> head = one_policy(options, options.head, "--head");
  const HuntPlan plan(options.hunt);
  for (const auto& settings : {base, head})
    if (settings) check_certifiable(plan.method, *settings);
  std::vector<std::string> others = options.hunt.traces;
  for (const std::string& file : options.corpus) others.push_back(file);
  if (!options.baseline.empty()) others.push_back(options.baseline);
  JsonReport json(options.hunt.common.json, others);
  others.push_back(options.hunt.common.json);
  JsonReport markdown(options.markdown, others, "--markdown");
  others.push_back(options.markdown);
  JsonReport junit(options.junit, others, "--junit");
  others.push_back(options.junit);
  JsonReport kept(options.write_baseline, others, "--write-baseline");
  JsonReport::check_one_on_output({&json, &markdown, &junit, &kept});
  const TimeLimit time_limit(plan.time);
  if (kept.wanted()) return write_baseline(options, plan, *base, kept);

  const std::optional<Baseline> baseline =
      options.baseline.empty() ? std::nullopt : std::optional<Baseline>(options.baseline);
  GateReport report;
  report.base = baseline ? baseline->policy() : std::string(base->policy.label());
  report.head = std::string(head->policy.label());
  if (baseline) report.note = fmt::format(", its maps from {} of pothole {}", options.baseline, baseline->tool());
  const std::vector<HuntJob> jobs = jobs_of(options, plan);
  const Gate gate(options, plan, base, *head, baseline);
  with_threads(options.hunt.common.threads, [&] {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      report.traces.push_back(gate.gate(jobs[i], i >= options.hunt.traces.size()));
  });
  report.verdicts = judge(report.traces, tolerances);
  if (json.wanted()) json.add_line(gate_json(report));
  if (markdown.wanted()) markdown.add_line(gate_markdown(report));
  if (junit.wanted()) junit.add_line(gate_junit(report));
  if (!json.on_output() && !markdown.on_output() && !junit.on_output())
    write_output(gate_text(report, has_colours(Stream::output)));
  if (options.github) write_message(gate_annotations(report));
  json.commit();
  markdown.commit();
  junit.commit();
  return code_of(report);
}

void add_side(CLI::App& app, const std::string& side, std::vector<PolicyText>& given, const std::string& help) {
  const auto add = [&](const std::string& name, PolicyText::Kind kind, const std::string& text, const char* type) {
    const auto keep = [&given, kind](const std::string& value) { given.push_back({value, kind}); };
    app.add_option_function<std::string>(name, keep, text)->trigger_on_parse()->type_name(type);
  };
  add("--" + side, PolicyText::Kind::policy, help + ": NAME or NAME@key=value,...", "NAME");
  add("--" + side + "-score", PolicyText::Kind::score, "Likewise, by a score: EXPRESSION or NAME=EXPRESSION",
      "EXPRESSION");
  add("--" + side + "-plugin", PolicyText::Kind::plugin, "Likewise, from a shared library: FILE or FILE@key=value,...",
      "FILE");
}

void add_tolerances(CLI::App& app, Options& options) {
  const auto add = [&](const char* name, std::string& value, const char* help, const char* type) {
    app.add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  auto& a = options.accept;
  add("--accept-new-hole-bytes", a.new_hole_bytes, "Bytes of holes where the base has none; any: all", "SIZE|any");
  add("--accept-widened-bytes", a.widened_bytes, "Bytes by which holes of the base grow", "SIZE|any");
  add("--accept-first-success", a.first_success, "Share by which the first success may rise", "R|any");
  add("--accept-stable-from", a.stable_from, "Share by which the budget may rise from which all complete", "R|any");
  add("--accept-mean-overhead", a.mean_overhead, "Factor of the geometric mean of overheads", "X|any");
  add("--accept-worst-overhead", a.worst_overhead, "Factor of the overhead at any budget", "X|any");
  add("--accept-opened-cases", a.opened_cases, "Cases of the corpus that get a hole", "N|any");
  add("--accept-broken-properties", a.broken_properties, "Properties that are newly broken", "N|any");
}

}  // namespace

CommandBody add_gate_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Whether a change of a policy opens or widens holes, needs more memory or computes more; for CI");
  add_side(app, "base", options->base, "The policy as it was");
  add_side(app, "head", options->head, "The policy as it is to be");
  app.add_option("--baseline", options->baseline, "The maps of the base from FILE instead")->type_name("FILE");
  app.add_option("--write-baseline", options->write_baseline, "Keep the maps of the base in FILE, and judge nothing")
      ->type_name("FILE");
  app.add_option("--trace", options->hunt.traces, "A DTR log, native trace or generator (repeatable)")
      ->type_name("TRACE");
  app.add_option("--corpus", options->corpus, "Cases that must not get a hole: files or folders (repeatable)")
      ->type_name("DIR|FILE");
  app.add_option("--property", options->properties, "Properties that must not be newly broken, or none (repeatable)")
      ->type_name("NAME")
      ->capture_default_str();
  add_tolerances(app, *options);
  add_search_options(app, options->hunt);
  add_settings_options(app, options->hunt.common);
  app.add_option("--markdown", options->markdown, "Write the report for a pull request to FILE")->type_name("FILE|-");
  app.add_option("--junit", options->junit, "Write the rules as JUnit XML to FILE")->type_name("FILE|-");
  app.add_flag("--github", options->github, "Tell GitHub's runner of broken rules, on standard error");
  add_report_options(app, options->hunt.common);
  std::string footer = std::string(kExamples) + "\nRules, of the head against the base:";
  for (const GateRule& rule : gate_rules()) footer += fmt::format("\n  {:16}{}", rule.name, rule.sentence);
  app.footer(footer);
  return [options] { return gate(*options); };
}

}  // namespace pothole
