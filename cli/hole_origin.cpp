#include "cli/hole_origin.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/budget.h"
#include "cli/case_answer.h"
#include "cli/hunt_range.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "corpus/case_file.h"
#include "corpus/input_error.h"
#include "engine/draft.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

// The case that a file holds; nothing if it holds something else, or is no file.
std::optional<Case> case_in(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return is_case(head) ? std::optional(read_case(file)) : std::nullopt;
}

RunSettings only_policy(const CommonOptions& common) {
  const std::vector<RunSettings> all = settings_of(common);
  if (all.size() > 1) throw InputError("--policy", "a hole is one policy's", "give one policy");
  return all.front();
}

class Search {
 public:
  Search(const HoleOptions& options, const CommonOptions& common, const HoleOrigin& origin)
      : options_(options), common_(common), origin_(origin), oracle_({origin.settings, {}, options.max_steps, {}}) {}

  std::optional<Witness> witness() const {
    if (options_.names_a_budget()) return around(named_budget(options_, origin_.program));
    if (!options_.hole && shows(origin_.witness)) return origin_.witness;
    const FeasibilityMap map = searched();
    if (stop_requested()) return std::nullopt;
    return chosen(map);
  }

 private:
  Witness around(Bytes budget) const {
    const std::string policy(origin_.settings.policy.label());
    const Outcome outcome = run(origin_.program, origin_.settings, budget).outcome;
    if (outcome != Outcome::oom)
      throw InputError(options_.trace, fmt::format("{} is {} at {}, not oom", policy, name_of(outcome), budget),
                       "give a budget in a hole; pothole hunt lists them");
    const std::optional<Witness> witness = oracle_.hole_around(origin_.program, budget);
    if (witness) return *witness;
    throw InputError(options_.trace, fmt::format("no budget below {} was found at which {} completes", budget, policy),
                     "give a budget in a hole; pothole hunt lists them");
  }

  // Those that a case names, if any.
  bool shows(const Witness& b) const {
    const auto outcome = [&](Bytes budget) { return run(origin_.program, origin_.settings, budget).outcome; };
    return b.ok > 0 && outcome(b.ok) == Outcome::ok && outcome(b.oom) == Outcome::oom &&
           outcome(b.ok_above) == Outcome::ok;
  }

  FeasibilityMap searched() const {
    const bool small = origin_.program.operators().size() <= Oracle::kExactOperators;
    const BudgetRange range =
        small ? range_of_case(origin_.program) : BudgetChoice({}).range(peak_of(origin_.program), options_.trace);
    Progress progress(fmt::format("hunt {} {}", origin_.name, origin_.settings.policy.label()),
                      {"executions", "of budgets certified"}, common_.quiet);
    SearchControl control;
    control.stop = &stop_requested();
    control.limits.steps = options_.max_steps;
    control.on_report = [&](const SearchReport& report) {
      double bytes = 0;
      for (const Execution& e : report.found) bytes += static_cast<double>(e.to - e.from);
      progress.add(static_cast<std::int64_t>(report.found.size()), bytes / static_cast<double>(range.to - range.from));
    };
    FeasibilityMap map;
    with_threads(common_.threads, [&] { map = map_of_case(origin_.program, origin_.settings, range, control); });
    return map;
  }

  Witness chosen(const FeasibilityMap& map) const {
    const std::vector<Segment> segments = segments_of(map);
    const std::vector<Witness> witnesses = witnesses_of(segments);
    const std::size_t number = options_.hole.value_or(1);
    if (number <= witnesses.size()) return witnesses[number - 1];
    const std::string policy(origin_.settings.policy.label());
    if (!witnesses.empty())
      throw InputError(
          "--hole",
          fmt::format("{} has {} here, so there is no number {}", policy,
                      witnesses.size() == 1 ? "one hole" : fmt::format("{} holes", witnesses.size()), number),
          "pothole hunt lists them");
    if (const std::vector<PolicyErrorInterval> errors = policy_errors_of(map); !errors.empty())
      throw InputError(options_.trace,
                       fmt::format("{} did what no policy may, and no hole was found: {}", policy, errors[0].fault.why),
                       "pothole hunt tells where");
    if (certified_bytes_of(map) < map.to - map.from)
      throw InputError(options_.trace, fmt::format("no hole of {} was found, and some budgets are unresolved", policy),
                       "raise --max-steps");
    throw InputError(
        options_.trace,
        fmt::format("{} has no hole here: every budget from {} to {} is certified", policy, map.from, map.to - 1),
        "give another trace or policy; pothole fuzz finds programs with holes");
  }

  const HoleOptions& options_;
  const CommonOptions& common_;
  const HoleOrigin& origin_;
  const Oracle oracle_;
};

}  // namespace

Bytes named_budget(const HoleOptions& options, const Program& program) {
  if (!options.budget.empty()) return parse_budget(options.budget, "--budget" + options.suffix);
  const std::string ratio = "--ratio" + options.suffix;
  return checked_budget_at_ratio(peak_of(program), parse_ratio(options.ratio, ratio), ratio);
}

HoleOrigin program_with_policy(const HoleOptions& options, const CommonOptions& common) {
  HoleOrigin origin;
  const std::optional<Case> c = case_in(options.trace);
  if (c && c->property != kHoleProperty)
    throw InputError(options.trace, fmt::format("is a case of {}, not of a hole", c->property),
                     "give a case of a hole");
  Trace trace = read_named_trace(options.trace, {});
  origin.name = trace.name;
  origin.sha256 = trace.sha256;
  origin.program = options.canonical ? canonical(trace.program) : std::move(trace.program);
  origin.of_case = c.has_value();
  const bool own_policy = c && common.policies.empty();
  origin.settings = own_policy ? settings_of(*c, {}, options.trace) : only_policy(common);
  origin.settings.trace = origin.name;
  if (own_policy && c->budgets) origin.witness = {c->budgets->ok, c->budgets->oom, c->budgets->ok_above};
  return origin;
}

std::optional<HoleOrigin> hole_origin(const HoleOptions& options, const CommonOptions& common) {
  HoleOrigin origin = program_with_policy(options, common);
  const std::optional<Witness> witness = Search(options, common, origin).witness();
  if (!witness) return std::nullopt;
  origin.witness = *witness;
  return origin;
}

void check_deterministic(const HoleOrigin& origin, const HoleOptions& options, const std::string& purpose) {
  const Oracle oracle({origin.settings, {}, options.max_steps, {}});
  if (const std::string why = oracle.why_not_deterministic(origin.program, origin.witness); !why.empty())
    throw InputError(
        options.trace, fmt::format("{} cannot be {}: {}", origin.settings.policy.label(), purpose, why),
        "a policy must be a function of what it is given; pothole check --property determinism tells more");
}

}  // namespace pothole
