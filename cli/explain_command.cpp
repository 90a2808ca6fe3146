// pothole explain: why a policy fails with more memory, and what would have prevented it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "cli/command.h"
#include "cli/explain_graph.h"
#include "cli/explain_report.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "corpus/input_error.h"
#include "corpus/schedule_file.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole explain model.log                              the first hole of DTR\n"
    "  pothole explain model.log --ratio-fail 0.235 --ratio-ok 0.2343\n"
    "  pothole explain model.log --hole 3 --policy LRU --svg hole.svg\n"
    "  pothole explain found/54ee71fb5e05a2f2.json            a case, and what in it may vary\n"
    "  pothole explain model.log --decisions 2266..2270 --track 3131\n"
    "  pothole explain model.log --details\n"
    "  pothole explain model.log --schedule fits.json         steps that fit where the policy fails\n"
    "Operators are counted from 1, constants included; storages go by the index of their root tensor, from 0.\n"
    "Evictions are told by the policy's choice and with those on release; the report says which it counts.\n"
    "Exit: 0 it is explained, 2 bad input, no hole among it, 3 the control does not fail as before, 130 interrupted.";

struct Options {
  CommonOptions common;
  HoleOptions hole;
  std::string budget_ok, ratio_ok, decisions, schedule, dot, svg, markdown;
  std::vector<std::uint32_t> tracked;
  std::size_t interventions = 4000;
  bool details = false;
};

// FROM..TO, operators counted from 1, both included.
std::pair<std::uint32_t, std::uint32_t> operator_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto number = [&](std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value == 0)
      throw InputError("--decisions", fmt::format("'{}' is not a range of operators", text), "write it as 2266..2270");
    return value;
  };
  if (dots == std::string::npos) return {number(text) - 1, number(text)};
  const std::pair range(number(text.substr(0, dots)) - 1, number(text.substr(dots + 2)));
  if (range.first >= range.second)
    throw InputError("--decisions", fmt::format("'{}' ends before it begins", text), "write it as 2266..2270");
  return range;
}

std::optional<DecisionRange> decision_range(const Options& options, const Program& program) {
  if (options.decisions.empty()) return std::nullopt;
  DecisionRange range;
  std::tie(range.from, range.to) = operator_range(options.decisions);
  for (const std::uint32_t tensor : options.tracked) {
    if (tensor >= program.tensors().size())
      throw InputError("--track",
                       fmt::format("there is no tensor {}: the trace has {}", tensor, program.tensors().size()),
                       "give the index of a tensor of the storage, from 0");
    range.tracked.push_back(program.tensors()[tensor].storage);
  }
  return range;
}

void expect_outcome(const HoleOrigin& origin, const Options& options, Bytes budget, Outcome wanted) {
  RunOptions run_options;
  run_options.steps_max = options.hole.max_steps;
  const Outcome outcome = run(origin.program, origin.settings, budget, run_options).outcome;
  if (outcome != wanted)
    throw InputError(options.hole.trace,
                     fmt::format("{} is {} at {}, not {}", origin.settings.policy.label(), name_of(outcome), budget,
                                 name_of(wanted)),
                     "pothole hunt lists the holes and a safe budget below each");
}

// The hole, or the two budgets that are given.
std::optional<HoleOrigin> subject(const Options& options) {
  const bool ok_given = !options.budget_ok.empty() || !options.ratio_ok.empty();
  check_one_hole(options.hole);
  if (!options.budget_ok.empty() && !options.ratio_ok.empty())
    throw InputError("--budget-ok", "--ratio-ok says it too", "leave out one of them");
  if (!ok_given) {
    std::optional<HoleOrigin> origin = hole_origin(options.hole, options.common);
    // The hole's first budget that fails is another execution than the one that is asked about.
    if (origin && options.hole.names_a_budget()) origin->witness.oom = named_budget(options.hole, origin->program);
    return origin;
  }
  if (!options.hole.names_a_budget())
    throw InputError(options.budget_ok.empty() ? "--ratio-ok" : "--budget-ok",
                     "is of no use without a budget that fails", "give --budget-fail or --ratio-fail too");
  HoleOrigin origin = program_with_policy(options.hole, options.common);
  HoleOptions completes = options.hole;
  completes.budget = options.budget_ok;
  completes.ratio = options.ratio_ok;
  completes.suffix = "-ok";
  origin.witness.ok = named_budget(completes, origin.program);
  origin.witness.oom = named_budget(options.hole, origin.program);
  if (origin.witness.ok >= origin.witness.oom)
    throw InputError(
        "--budget-ok",
        fmt::format("{} is not less than the budget that fails, {}", origin.witness.ok, origin.witness.oom),
        "give a smaller budget that completes");
  expect_outcome(origin, options, origin.witness.ok, Outcome::ok);
  expect_outcome(origin, options, origin.witness.oom, Outcome::oom);
  origin.witness.ok_above = std::max(peak_of(origin.program), origin.witness.oom + 1);
  origin.of_case = false;  // the budgets are not the case's
  return origin;
}

// All files are checked before anything is computed, and made when everything is.
class Files {
 public:
  explicit Files(const Options& o)
      : json_(o.common.json, {o.hole.trace, o.schedule, o.dot, o.svg, o.markdown}),
        schedule_(o.schedule, {o.hole.trace, o.dot, o.svg, o.markdown}, "--schedule"),
        dot_(o.dot, {o.hole.trace, o.svg, o.markdown}, "--dot"),
        svg_(o.svg, {o.hole.trace, o.markdown}, "--svg"),
        markdown_(o.markdown, {o.hole.trace}, "--markdown"),
        details_(o.details) {
    JsonReport::check_one_on_output({&json_, &schedule_, &dot_, &svg_, &markdown_});
  }

  void write(const Explanation& e) {
    fill(json_, [&] { return explain_report_json(e); });
    fill(schedule_, [&] {
      std::string text =
          schedule_text({e.origin.name, e.origin.sha256, e.origin.settings.policy.text, e.ok.budget, e.schedule_peak},
                        e.origin.program, e.ok.result.decisions);
      text.pop_back();
      return text;
    });
    fill(dot_, [&] { return explain_dot(e); });
    fill(svg_, [&] { return svg_of_dot(explain_dot(e)); });
    fill(markdown_, [&] { return explain_report_markdown(e); });
    if (!taken_) write_output(explain_report_text(e, has_colours(Stream::output), details_));
  }

 private:
  template <class Text>
  void fill(JsonReport& report, const Text& text) {
    if (!report.wanted()) return;
    report.add_line(text());
    taken_ = taken_ || report.on_output();
    report.commit();
  }

  JsonReport json_, schedule_, dot_, svg_, markdown_;
  bool details_;
  bool taken_ = false;  // standard output
};

ExitCode explain(const Options& options) {
  if (!options.decisions.empty()) operator_range(options.decisions);
  if (!options.tracked.empty() && options.decisions.empty())
    throw InputError("--track", "is of no use without --decisions", "give --decisions FROM..TO too");
  Files files(options);
  std::optional<HoleOrigin> origin = subject(options);
  std::optional<Explanation> explanation;
  if (origin) {
    check_deterministic(*origin, options.hole, "explained");
    ExplanationOptions e;
    e.max_steps = options.hole.max_steps;
    e.interventions = options.interventions;
    e.decisions = decision_range(options, origin->program);
    e.quiet = options.common.quiet;
    with_threads(options.common.threads, [&] { explanation = explain_hole(*std::move(origin), e); });
  }
  if (!explanation) {
    write_message("pothole: stopped before the hole was explained\n");
    return ExitCode::interrupted;
  }
  files.write(*explanation);
  return explanation->interventions.control_reproduces ? ExitCode::nothing_found : ExitCode::contract_broken;
}

}  // namespace

CommandBody add_explain_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Says why a policy fails with more memory than suffices, and what would have prevented it");
  options->hole.suffix = "-fail";
  add_hole_options(app, options->hole);
  app.add_option("--budget-ok", options->budget_ok,
                 "A smaller budget that completes, to compare with (default: the one right below the hole)")
      ->type_name("BYTES");
  app.add_option("--ratio-ok", options->ratio_ok, "Likewise, as a share of the trace's peak")->type_name("RATIO");
  app.add_flag("--details", options->details,
               "Add events by phase, where the executions differ, depths, and what had to be rebuilt and why");
  app.add_option("--decisions", options->decisions, "List every eviction decision at these operators, FROM..TO")
      ->type_name("RANGE");
  app.add_option("--track", options->tracked, "Show the rank of the storage of this tensor in them (repeatable)")
      ->type_name("TENSOR");
  app.add_option("--interventions", options->interventions, "Retain storages in so many runs at most, about")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--schedule", options->schedule, "Write the steps of the completing execution to FILE")
      ->type_name("FILE|-");
  app.add_option("--dot", options->dot, "Write the graph that matters to FILE, for Graphviz")->type_name("FILE|-");
  app.add_option("--svg", options->svg, "Draw it to FILE")->type_name("FILE|-");
  app.add_option("--markdown", options->markdown, "Write the account as Markdown to FILE")->type_name("FILE|-");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return explain(*options); };
}

}  // namespace pothole
