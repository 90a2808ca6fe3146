#include "cli/replay_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/json_number.h"
#include "cli/junit_report.h"
#include "cli/reproduction.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::ptrdiff_t count_of(std::span<const CaseReplay> replays, CaseVerdict verdict) {
  return std::count_if(replays.begin(), replays.end(),
                       [&](const CaseReplay& r) { return r.judgement.verdict == verdict; });
}

Json answer_json(const CaseAnswer& a) {
  Json json = {{"kind", a.kind}};
  if (a.budgets) json["budgets"] = {{"ok", a.budgets->ok}, {"oom", a.budgets->oom}, {"ok_above", a.budgets->ok_above}};
  if (!a.budgets && !a.is_closed()) json["evidence"] = a.evidence;
  json["text"] = a.text;
  json["signature"] = a.signature;
  json["map"] = Json::array();
  for (const CaseSegment& s : a.map) json["map"].push_back({s.from, s.to, s.outcome});
  return json;
}

bool is_same(const CaseReplay& replay) { return replay.judgement.verdict == CaseVerdict::same; }

// A case that was judged by what was found.
bool has_found(const CaseReplay& replay) { return !replay.found.kind.empty(); }

}  // namespace

std::string replay_text(const CaseReplay& replay, bool blessed, bool colours) {
  constexpr std::size_t kWidest = 16;
  const CaseVerdict verdict = replay.judgement.verdict;
  const std::string padding(kWidest - name_of(verdict).size(), ' ');
  const Colour colour = is_same(replay) || blessed ? Colour::green : Colour::red;
  std::string text = fmt::format("{}{}  {}", paint(name_of(verdict), colour, colours), padding, replay.file.string());
  if (replay.record) text += "  " + replay.record->title;
  text += "\n";
  if (is_same(replay)) return text;
  text += "  " + replay.judgement.why + "\n";
  if (blessed) return text + "  blessed: this is the record from now on\n";
  if (has_found(replay)) text += "  " + reproduction(*replay.record, replay.file) + "\n";
  return text;
}

std::string replay_json(const CaseReplay& replay, const ReplayPlan& plan, bool blessed) {
  const bool is_read = replay.record.has_value();
  Json json = {{"type", "case"},
               {"file", replay.file.string()},
               {"title", is_read ? Json(replay.record->title) : Json(nullptr)},
               {"policy", is_read ? Json(replay.record->policy) : Json(nullptr)},
               {"property", is_read ? Json(replay.record->property) : Json(nullptr)},
               {"verdict", name_of(replay.judgement.verdict)},
               {"why", is_same(replay) ? Json(nullptr) : Json(replay.judgement.why)},
               {"run", replay.was_run},
               {"blessed", blessed}};
  const bool shows_both = is_read && has_found(replay) && !is_same(replay);
  json["recorded"] = shows_both ? answer_json(*replay.record) : Json(nullptr);
  json["found"] = shows_both ? answer_json(replay.found) : Json(nullptr);
  json["reproduce"] = is_read ? Json(reproduction(*replay.record, replay.file)) : Json(nullptr);
  json["others"] = Json::array();
  for (std::size_t i = 0; i < replay.others.size(); ++i)
    json["others"].push_back({{"policy", plan.policies[i].policy.text},
                              {"holes", replay.others[i].holes ? Json(*replay.others[i].holes) : Json(nullptr)},
                              {"text", replay.others[i].text}});
  return dumped(json);
}

std::string replay_junit(std::span<const CaseReplay> replays) {
  std::vector<JunitTest> tests;
  for (const CaseReplay& replay : replays) {
    JunitTest test;
    const CaseVerdict verdict = replay.judgement.verdict;
    if (!replay.was_run)
      test.result = JunitTest::Result::skipped;
    else if (differs(verdict))
      test.result = JunitTest::Result::failure;
    else if (verdict != CaseVerdict::same)
      test.result = JunitTest::Result::error;
    test.group = replay.record ? replay.record->policy : "unread";
    test.name = replay.file.filename().string() + (replay.record ? ": " + replay.record->title : "");
    test.file = replay.file.string();
    test.message = replay.judgement.why;
    if (replay.was_run) test.type = name_of(verdict);
    if (replay.was_run && replay.record) test.detail = reproduction(*replay.record, replay.file);
    tests.push_back(std::move(test));
  }
  return junit_xml("pothole replay", tests);
}

std::string replay_summary_text(std::span<const CaseReplay> replays, bool colours) {
  std::string text = fmt::format("{} case{}: ", replays.size(), replays.size() == 1 ? "" : "s");
  const char* separator = "";
  for (const CaseVerdict verdict : kCaseVerdicts) {
    if (const std::ptrdiff_t count = count_of(replays, verdict); count > 0) {
      text += fmt::format("{}{} {}", separator, count, name_of(verdict));
      separator = ", ";
    }
  }
  const auto unrun = std::count_if(replays.begin(), replays.end(), [](const CaseReplay& r) { return !r.was_run; });
  if (unrun > 0) text += fmt::format(" ({} not run)", unrun);
  return paint(text, Colour::bold, colours) + "\n";
}

std::string replay_summary_json(std::span<const CaseReplay> replays) {
  Json json = {{"format", "pothole-replay/1"}, {"type", "summary"}, {"cases", replays.size()}};
  for (const CaseVerdict verdict : kCaseVerdicts) json["verdicts"][name_of(verdict)] = count_of(replays, verdict);
  json["not_run"] = std::count_if(replays.begin(), replays.end(), [](const CaseReplay& r) { return !r.was_run; });
  return dumped(json);
}

std::string policies_text(std::span<const CaseReplay> replays, const ReplayPlan& plan) {
  std::vector<Table::Column> columns = {{"first hole of"}, {"recorded for"}};
  for (const RunSettings& policy : plan.policies) columns.push_back({with_short_digest(policy.policy.label())});
  Table table(columns);
  std::vector<std::ptrdiff_t> holes(plan.policies.size());
  std::vector<std::ptrdiff_t> settled(plan.policies.size());
  for (const CaseReplay& replay : replays) {
    if (replay.others.empty()) continue;
    std::vector<std::string> row = {replay.file.filename().string(), with_short_digest(replay.record->policy)};
    for (std::size_t i = 0; i < replay.others.size(); ++i) {
      row.push_back(replay.others[i].text);
      settled[i] += replay.others[i].holes.has_value();
      holes[i] += replay.others[i].holes.value_or(0) > 0;
    }
    table.add_row(std::move(row));
  }
  if (table.empty()) return "";
  std::vector<std::string> last = {"cases with a hole", ""};
  for (std::size_t i = 0; i < holes.size(); ++i) last.push_back(fmt::format("{} of {}", holes[i], settled[i]));
  table.add_row(std::move(last));
  std::string text;
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

}  // namespace pothole
