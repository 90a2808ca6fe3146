#include "cli/campaign_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/plugin/plugin_policy.h"
#include "engine/search.h"
#include "generators/mutation.h"
#include "properties/hole_signature.h"
#include "properties/subject.h"

namespace pothole {
namespace {

constexpr std::string_view kNoHole = "no-hole";
constexpr int kEditsMost = 6;

// Looks at one program under one policy.
class Examination {
 public:
  Examination(const CampaignPlan& plan, const DrawnProgram& drawn, std::uint64_t number, const RunSettings& policy,
              const std::atomic<bool>& stop)
      : plan_(plan), drawn_(drawn), number_(number), settings_(policy), stop_(stop), program_(*drawn.program) {
    settings_.seed = drawn.policy_seed;
    settings_.trace = fmt::format("case {} of seed {} ({})", number, plan.seed_text, drawn.origin);
  }

  PolicyOnCase examine() {
    range_ = {1, peak_of(program_) + 1};
    map_ = searched();
    if (stop_.load(std::memory_order_relaxed)) return {};
    segments_ = segments_of(map_);
    summarize();
    const bool others = std::any_of(plan_.properties.begin(), plan_.properties.end(),
                                    [](const Property* p) { return p->name != kNoHole; });
    const bool wants_holes = std::any_of(plan_.properties.begin(), plan_.properties.end(),
                                         [](const Property* p) { return p->name == kNoHole; });
    if (wants_holes && result_.hole) add_hole();
    if (others && range_.from < range_.to) check_others();
    return std::move(result_);
  }

 private:
  FeasibilityMap searched() const {
    SearchControl control;
    control.stop = &stop_;
    control.limits.steps = plan_.steps_max;
    if (why_not_certifiable(settings_).empty()) return map_by_sweep(program_, settings_, range_, control);
    control.limits.runs = kRunsOfOpaque;
    return map_by_bisection(program_, settings_, range_, control);
  }

  void summarize() {
    result_.executions = static_cast<std::int64_t>(map_.executions.size());
    result_.hole = !holes_of(segments_).empty();
    result_.policy_error = !policy_errors_of(map_).empty();
    result_.unresolved = !unresolved_of(map_).empty();
    const std::optional<Bytes> first = first_success_of(segments_);
    result_.hopeless = !first || *first + 1 >= range_.to;
    const auto brings_back = [](const Execution& e) { return e.remat_compute > 0; };
    result_.trivial = std::none_of(map_.executions.begin(), map_.executions.end(), brings_back);
  }

  Case claim(std::string_view property, std::string_view kind) const {
    Case c;
    c.policy = settings_.policy.text;
    if (settings_.policy.data) c.policy_kind = is_plugin(settings_.policy) ? "plugin" : "score";
    c.dealloc = name_of(settings_.dealloc);
    c.overhead_limit = fmt::format("{}", settings_.overhead_limit.value());
    c.comparison = name_of(settings_.comparison);
    c.seed = settings_.policy.policy->needs.has(Feature::random) ? settings_.seed : 0;
    c.property = property;
    c.kind = kind;
    c.map_from = range_.from;
    c.map_to = range_.to;
    for (const Segment& s : segments_) c.map.push_back({s.from, s.to, std::string(name_of(s.outcome))});
    c.provenance = {POTHOLE_VERSION, drawn_.origin, plan_.seed_text, number_, ""};
    c.program = program_;
    return c;
  }

  void add_hole() {
    const Witness witness = witnesses_of(segments_).front();
    Case c = claim(kNoHole, "hole");
    c.budgets = {witness.ok, witness.oom, witness.ok_above};
    c.signature = text_of(hole_signature(program_, settings_, witness.ok, witness.oom));
    c.text = fmt::format("completes with {}, fails with {}, completes again with {}", witness.ok, witness.oom,
                         witness.ok_above);
    c.title = fmt::format("{}: hole [{}, {}) in {} operators", settings_.policy.label(), witness.ok + 1, witness.ok_above,
                          program_.operators().size());
    result_.findings.push_back(std::move(c));
  }

  void check_others() {
    CheckPlan check;
    check.range = range_;
    check.stop = &stop_;
    check.steps_max = plan_.steps_max;
    check.map = &map_;
    const Subject subject(program_, settings_, check);
    for (const Property* property : plan_.properties) {
      if (property->name == kNoHole) continue;
      const Verdict verdict = check_property(*property, subject);
      if (!verdict.violation || stop_.load(std::memory_order_relaxed)) continue;
      Case c = claim(property->name, verdict.violation->signature.kind);
      c.evidence = verdict.violation->budgets;
      c.text = verdict.violation->text;
      c.signature = std::string(verdict.violation->signature.kind);
      c.title = fmt::format("{}: {} broken in {} operators", settings_.policy.label(), property->name,
                            program_.operators().size());
      result_.findings.push_back(std::move(c));
    }
  }

  static constexpr std::int64_t kRunsOfOpaque = 256;

  const CampaignPlan& plan_;
  const DrawnProgram& drawn_;
  const std::uint64_t number_;
  RunSettings settings_;
  const std::atomic<bool>& stop_;
  const Program& program_;
  BudgetRange range_;
  FeasibilityMap map_;
  std::vector<Segment> segments_;
  PolicyOnCase result_;
};

void draw_mutation(const CampaignPlan& plan, SplitMix& random, DrawnProgram& drawn) {
  const Trace& origin = plan.origins[random.index_below(plan.origins.size())];
  const Trace& other = plan.origins[random.index_below(plan.origins.size())];
  const auto edits = static_cast<int>(random.between(1, kEditsMost));
  drawn.origin = "mutation of " + origin.name;
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
