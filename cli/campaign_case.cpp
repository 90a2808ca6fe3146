#include "cli/campaign_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/case_answer.h"
#include "cli/crash_case.h"
#include "engine/draft.h"
#include "engine/plugin/plugin_policy.h"
#include "generators/mutation.h"
#include "properties/subject.h"

namespace pothole {
namespace {

constexpr int kEditsMost = 6;

// Looks at one program under one policy.
class Examination {
 public:
  Examination(const CampaignPlan& plan, const DrawnProgram& drawn, std::uint64_t number, const RunSettings& policy,
              const std::atomic<bool>& stop)
      : plan_(plan),
        drawn_(drawn),
        number_(number),
        settings_(policy),
        stop_(stop),
        program_(*drawn.program),
        range_(range_of_case(program_)) {
    settings_.seed = drawn.policy_seed;
    settings_.trace = fmt::format("case {} of seed {} ({})", number, plan.seed_text, drawn.origin);
  }

  PolicyOnCase examine() {
    std::optional<CrashCase> if_it_crashes;
    if (is_plugin(settings_.policy)) keep_ready(if_it_crashes);
    SearchControl control;
    control.stop = &stop_;
    control.limits.steps = plan_.steps_max;
    map_ = map_of_case(program_, settings_, range_, control);
    if (stop_.load(std::memory_order_relaxed)) return {};
    summarize();
    const bool others = std::any_of(plan_.properties.begin(), plan_.properties.end(),
                                    [](const Property* p) { return p->name != kHoleProperty; });
    const bool wants_holes = std::any_of(plan_.properties.begin(), plan_.properties.end(),
                                         [](const Property* p) { return p->name == kHoleProperty; });
    // What no policy may do is kept whatever was asked for; the map of the case shows where.
    if ((wants_holes && result_.hole) || result_.policy_error)
      add_finding(kHoleProperty, hole_answer(program_, settings_, map_));
    if (others && range_.from < range_.to) check_others();
    return std::move(result_);
  }

 private:
  void summarize() {
    const std::vector<Segment> segments = segments_of(map_);
    result_.executions = static_cast<std::int64_t>(map_.executions.size());
    result_.hole = !holes_of(segments).empty();
    result_.policy_error = first_policy_error(map_).has_value();
    result_.unresolved = !unresolved_of(map_).empty() || (!result_.policy_error && !policy_errors_of(map_).empty());
    const std::optional<Bytes> first = first_success_of(segments);
    result_.hopeless = !first || *first + 1 >= range_.to;
    const auto brings_back = [](const Execution& e) { return e.remat_compute > 0; };
    result_.trivial = std::none_of(map_.executions.begin(), map_.executions.end(), brings_back);
  }

  Case case_with(std::string_view property, CaseAnswer answer) const {
    Case c = case_about(program_, settings_, property);
    static_cast<CaseAnswer&>(c) = std::move(answer);
    c.provenance = {POTHOLE_VERSION, drawn_.origin, drawn_.origin_sha256, plan_.seed_text, number_, ""};
    return c;
  }

  void add_finding(std::string_view property, CaseAnswer answer) {
    result_.findings.push_back(case_with(property, std::move(answer)));
  }

  // Without a map: nobody lives to tell how far it came.
  void keep_ready(std::optional<CrashCase>& if_it_crashes) const {
    CaseAnswer answer;
    answer.kind = kClosed;
    answer.title = fmt::format("{}: crashed in {} operators", settings_.policy.label(), program_.operators().size());
    const Case c = case_with(kHoleProperty, std::move(answer));
    if_it_crashes.emplace(settings_.trace, plan_.folder / case_file_name(c), case_text(c));
  }

  void check_others() {
    CheckPlan check;
    check.range = range_;
    check.stop = &stop_;
    check.steps_max = plan_.steps_max;
    check.map = &map_;
    // What is said of a tensor names it as the file does.
    const Program program = canonical(program_);
    const Subject subject(program, settings_, check);
    for (const Property* property : plan_.properties) {
      if (property->name == kHoleProperty) continue;
      const Verdict verdict = check_property(*property, subject);
      if (!verdict.violation || stop_.load(std::memory_order_relaxed)) continue;
      add_finding(property->name, verdict_answer(program_, settings_, map_, *property, verdict));
    }
  }

  const CampaignPlan& plan_;
  const DrawnProgram& drawn_;
  const std::uint64_t number_;
  RunSettings settings_;
  const std::atomic<bool>& stop_;
  const Program& program_;
  const BudgetRange range_;
  FeasibilityMap map_;
  PolicyOnCase result_;
};

void draw_mutation(const CampaignPlan& plan, SplitMix& random, DrawnProgram& drawn) {
  const Trace& origin = plan.origins[random.index_below(plan.origins.size())];
  const Trace& other = plan.origins[random.index_below(plan.origins.size())];
  const auto edits = static_cast<int>(random.between(1, kEditsMost));
  drawn.origin = "mutation of " + origin.name;
  drawn.origin_sha256 = origin.sha256;
  drawn.program = mutated(origin.program, other.program, random, edits);
}

}  // namespace

std::size_t source_count(const CampaignPlan& plan) { return plan.generators.size() + !plan.origins.empty(); }

std::string source_name(const CampaignPlan& plan, std::size_t source) {
  return source < plan.generators.size() ? text_of(plan.generators[source]) : "mutation";
}

DrawnProgram draw_case(const CampaignPlan& plan, std::uint64_t number) {
  SplitMix random(plan.seed, number);
  DrawnProgram drawn;
  drawn.policy_seed = random.next();
  drawn.source = random.index_below(source_count(plan));
  if (drawn.source == plan.generators.size()) {
    draw_mutation(plan, random, drawn);
    return drawn;
  }
  const Recipe recipe = drawn_recipe(plan.generators[drawn.source], random);
  drawn.origin = text_of(recipe);
  try {
    drawn.program = program_of(recipe);
  } catch (const ProgramTooLarge&) {
    // A rejected draw, counted as such.
  }
  return drawn;
}

CaseResult evaluate_case(const CampaignPlan& plan, std::uint64_t number, const std::atomic<bool>& stop) {
  CaseResult result;
  result.drawn = draw_case(plan, number);
  if (!result.drawn.program) return result;
  for (const RunSettings& policy : plan.policies)
    result.policies.push_back(Examination(plan, result.drawn, number, policy, stop).examine());
  result.cut_off = stop.load(std::memory_order_relaxed);
  return result;
}

}  // namespace pothole
