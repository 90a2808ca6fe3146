#include "cli/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/in_flight.h"
#include "corpus/atomic_file.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

// Of the counts; findings are written at once.
constexpr auto kBetweenSaves = std::chrono::seconds(2);

// So many cases for each thread are under way, as some take longer than others and all are folded in order.
constexpr std::size_t kSlotsPerThread = 64;

std::vector<CampaignRow> empty_rows(const CampaignPlan& plan) {
  std::vector<CampaignRow> rows;
  for (std::size_t source = 0; source < source_count(plan); ++source) {
    for (const RunSettings& settings : plan.policies) {
      CampaignRow& row = rows.emplace_back();
      row.source = source_name(plan, source);
      row.policy = settings.policy.text;
    }
  }
  return rows;
}

}  // namespace

Campaign::Campaign(const CampaignPlan& plan, const CampaignLimits& limits, std::filesystem::path folder,
                   std::optional<CampaignFile> begun)
    : plan_(plan), limits_(limits), folder_(std::move(folder)) {
  if (begun) {
    file_ = std::move(*begun);
  } else {
    file_.seed = plan.seed_text;
    file_.settings = settings_lines(plan, limits);
    file_.rows = empty_rows(plan);
  }
  for (const CampaignSignature& s : file_.signatures) findings_ += s.findings;
}

bool Campaign::limit_met() const {
  return (limits_.cases && file_.next_case >= *limits_.cases) || (limits_.findings && findings_ >= *limits_.findings);
}

void Campaign::run(unsigned threads, const std::atomic<bool>& stop, const OnKept& on_kept, const OnFold& on_fold) {
  const std::size_t workers = threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
  const std::size_t slots = workers * kSlotsPerThread;
  save();  // whatever ends it from here on, it can be gone on with
  InFlight in_flight(in_flight_in(folder_), slots);
  std::vector<CaseResult> results(slots);
  const std::uint64_t first = file_.next_case;
  auto saved = std::chrono::steady_clock::now();
  std::atomic<bool> ended{limit_met()};
  OrderedStream stream;
  stream.more = [&](std::size_t i) {
    return !stop.load() && !ended.load() && !(limits_.cases && first + i >= *limits_.cases);
  };
  stream.work = [&](std::size_t i, std::size_t slot) {
    if (ended.load()) return;
    in_flight.begin(slot, first + i);
    alone([&] { results[slot] = evaluate_case(plan_, first + i, stop); });
    in_flight.end(slot);
  };
  stream.fold = [&](std::size_t, std::size_t slot) {
    if (ended.load()) return;
    ended = results[slot].cut_off;
    if (ended.load()) return;
    fold(std::exchange(results[slot], CaseResult()), on_kept);
    ended = limit_met();
    on_fold(file_);
    if (const auto now = std::chrono::steady_clock::now(); now - saved >= kBetweenSaves) {
      save();
      saved = now;
    }
  };
  with_threads(threads, [&] { parallel_in_order(slots, stream); });
  save();
}

void Campaign::fold(CaseResult result, const OnKept& on_kept) {
  CampaignRow* const rows = &file_.rows[result.drawn.source * plan_.policies.size()];
  ++file_.next_case;
  for (std::size_t i = 0; i < plan_.policies.size(); ++i) {
    if (result.policies.empty())
      ++rows[i].rejected;
    else
      fold_policy(rows[i], result.policies[i], static_cast<std::int64_t>(result.drawn.program->operators().size()),
                  on_kept);
  }
}

void Campaign::fold_policy(CampaignRow& row, PolicyOnCase& policy, std::int64_t operators, const OnKept& on_kept) {
  ++row.cases;
  row.operators += operators;
  row.executions += policy.executions;
  row.holes += policy.hole;
  row.hopeless += policy.hopeless;
  row.trivial += policy.trivial && !policy.hopeless;
  row.unresolved += policy.unresolved;
  row.policy_errors += policy.policy_error;
  for (const Case& c : policy.findings) {
    if (c.property != kHoleProperty) ++row.broken[c.property];
    fold_finding(c, on_kept);
  }
}

void Campaign::fold_finding(const Case& c, const OnKept& on_kept) {
  ++findings_;
  const auto alike = [&](const CampaignSignature& s) {
    return s.policy == c.policy && s.property == c.property && s.kind == c.kind && s.signature == c.signature;
  };
  auto found = std::find_if(file_.signatures.begin(), file_.signatures.end(), alike);
  const bool is_new = found == file_.signatures.end();
  if (is_new) found = file_.signatures.insert(found, {c.policy, c.property, c.kind, c.signature, 0, {}});
  ++found->findings;
  if (static_cast<std::int64_t>(found->files.size()) >= limits_.kept_per_signature) return;
  const std::string name = case_file_name(c);
  if (std::find(found->files.begin(), found->files.end(), name) != found->files.end()) return;
  add_case(folder_, c);
  found->files.push_back(name);
  on_kept({c, folder_ / name, is_new});
}

void Campaign::save() const { write_file(file_in(folder_), campaign_text(file_)); }

bool fits_plan(const CampaignFile& begun, const CampaignPlan& plan) {
  const std::vector<CampaignRow> rows = empty_rows(plan);
  const auto same_row = [](const CampaignRow& a, const CampaignRow& b) {
    return a.source == b.source && a.policy == b.policy;
  };
  const auto is_known = [&](const CampaignSignature& s) {
    const auto is_policy = [&](const RunSettings& p) { return p.policy.text == s.policy; };
    const auto is_property = [&](const Property* p) { return p->name == s.property; };
    return std::any_of(plan.policies.begin(), plan.policies.end(), is_policy) &&
           // Under this property what no policy may do is kept, whatever was asked for.
           (s.property == kHoleProperty || std::any_of(plan.properties.begin(), plan.properties.end(), is_property));
  };
  return std::equal(rows.begin(), rows.end(), begun.rows.begin(), begun.rows.end(), same_row) &&
         std::all_of(begun.signatures.begin(), begun.signatures.end(), is_known);
}

std::vector<std::string> settings_lines(const CampaignPlan& plan, const CampaignLimits& limits) {
  std::vector<std::string> lines;
  for (std::size_t source = 0; source < plan.generators.size(); ++source)
    lines.push_back("generator " + source_name(plan, source));
  for (const Trace& origin : plan.origins) lines.push_back("from " + origin.name + " " + origin.sha256);
  for (const RunSettings& s : plan.policies) lines.push_back("policy " + s.policy.text);
  for (const Property* property : plan.properties) lines.push_back("property " + std::string(property->name));
  const RunSettings& common = plan.policies.front();
  lines.push_back(fmt::format("dealloc {}", name_of(common.dealloc)));
  lines.push_back(fmt::format("overhead-limit {}", common.overhead_limit.value()));
  lines.push_back(fmt::format("comparison {}", name_of(common.comparison)));
  lines.push_back(fmt::format("max-steps {}", plan.steps_max));
  lines.push_back(fmt::format("keep {}", limits.kept_per_signature));
  return lines;
}

}  // namespace pothole
