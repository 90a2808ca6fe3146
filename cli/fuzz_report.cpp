#include "cli/fuzz_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/counted.h"
#include "cli/json_number.h"
#include "cli/reproduction.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string interval_text(const Share& share) {
  return fmt::format("{:.2f} to {:.2f} %", 100 * share.low, 100 * share.high);
}

std::string broken_text(const CampaignRow& row) {
  std::string text;
  for (const auto& [property, count] : row.broken)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", property, count);
  if (row.policy_errors > 0) text += fmt::format("{}policy error {}", text.empty() ? "" : ", ", row.policy_errors);
  return text;
}

CampaignRow total_of(const CampaignFile& campaign, const std::string& policy) {
  CampaignRow total;
  total.source = "all";
  total.policy = policy;
  for (const CampaignRow& row : campaign.rows) {
    if (row.policy != policy) continue;
    total.cases += row.cases;
    total.rejected += row.rejected;
    total.holes += row.holes;
    total.operators += row.operators;
    total.executions += row.executions;
    total.trivial += row.trivial;
    total.hopeless += row.hopeless;
    total.unresolved += row.unresolved;
    total.policy_errors += row.policy_errors;
    for (const auto& [property, count] : row.broken) total.broken[property] += count;
  }
  return total;
}

// The rows, and where there are several sources, their sums by policy.
std::vector<CampaignRow> shown_rows(const CampaignFile& campaign) {
  std::vector<CampaignRow> rows = campaign.rows;
  std::vector<std::string> policies;
  for (const CampaignRow& row : campaign.rows)
    if (std::find(policies.begin(), policies.end(), row.policy) == policies.end()) policies.push_back(row.policy);
  if (policies.size() == campaign.rows.size()) return rows;
  for (const std::string& policy : policies) rows.push_back(total_of(campaign, policy));
  return rows;
}

std::string table_text(const CampaignFile& campaign) {
  Table table({{"programs"},
               {"policy"},
               {"cases", true},
               {"with a hole", true},
               {"share", true},
               {"95 % interval", true},
               {"operators", true},
               {"executions", true},
               {"unresolved", true},
               {"rejected", true},
               {"also broken"}});
  for (const CampaignRow& row : shown_rows(campaign)) {
    const Share share = share_of(row.holes, row.cases);
    const auto mean = [&](std::int64_t sum) {
      return row.cases == 0 ? std::string()
                            : fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(row.cases));
    };
    table.add_row({row.source, with_short_digest(row.policy), std::to_string(row.cases), std::to_string(row.holes),
                   row.cases == 0 ? "" : percent(share.value), row.cases == 0 ? "" : interval_text(share),
                   mean(row.operators), mean(row.executions), std::to_string(row.unresolved),
                   std::to_string(row.rejected), broken_text(row)});
  }
  std::string text;
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

std::string signatures_text(const CampaignFile& campaign) {
  constexpr std::size_t kShown = 12;
  if (campaign.signatures.empty()) return "";
  std::vector<CampaignSignature> all = campaign.signatures;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.findings > b.findings; });
  Table table({{"findings", true}, {"policy"}, {"property"}, {"signature"}, {"first"}});
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    table.add_row({std::to_string(all[i].findings), with_short_digest(all[i].policy), all[i].property, all[i].signature,
                   all[i].files.empty() ? "" : all[i].files.front()});
  std::string text = "\n";
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  if (all.size() > kShown) text += fmt::format("  and {} more\n", counted(all.size() - kShown, "signature"));
  return text;
}

// Draws that say little are worth a word once there are some.
std::vector<std::string> health_warnings(const CampaignFile& campaign) {
  constexpr std::int64_t kFew = 20;
  std::vector<std::string> warnings;
  for (const CampaignRow& row : campaign.rows) {
    const std::int64_t draws = row.cases + row.rejected;
    const auto warn = [&](std::int64_t count, std::int64_t of, const char* what) {
      if (of >= kFew && 2 * count > of)
        warnings.push_back(
            fmt::format("{}, {}: {} of {} {}", row.source, with_short_digest(row.policy), count, of, what));
    };
    warn(row.rejected, draws, "draws made no program");
    warn(row.trivial, row.cases, "cases are trivial: nothing is ever brought back");
    warn(row.hopeless, row.cases, "cases are hopeless: no budget below the peak completes");
    warn(row.unresolved, row.cases, "cases have budgets without an outcome; --max-steps may be too small");
  }
  return warnings;
}

Json row_json(const CampaignRow& row) {
  const Share share = share_of(row.holes, row.cases);
  return {{"source", row.source},         {"policy", row.policy},
          {"cases", row.cases},           {"rejected", row.rejected},
          {"holes", row.holes},           {"share", share.value},
          {"share_low", share.low},       {"share_high", share.high},
          {"operators", row.operators},   {"executions", row.executions},
          {"trivial", row.trivial},       {"hopeless", row.hopeless},
          {"unresolved", row.unresolved}, {"policy_errors", row.policy_errors},
          {"broken", row.broken}};
}

}  // namespace

std::string finding_text(const KeptFinding& finding, bool colours) {
  const Case& c = finding.c;
  return fmt::format("{}; {}\n  {}\n", paint(c.title, Colour::red, colours), c.signature,
                     reproduction(c, finding.file));
}

std::string finding_json(const KeptFinding& finding) {
  const Case& c = finding.c;
  Json json = {{"type", "finding"},
               {"case", c.provenance.case_number},
               {"origin", c.provenance.origin},
               {"policy", c.policy},
               {"property", c.property},
               {"kind", c.kind},
               {"signature", c.signature},
               {"new_signature", finding.new_signature},
               {"operators", c.program.operators().size()},
               {"text", c.text},
               {"file", finding.file.string()},
               {"reproduce", reproduction(c, finding.file)}};
  return dumped(json);
}

Share share_of(std::int64_t count, std::int64_t total) {
  if (total == 0) return {0, 0, 1};
  constexpr double kZ = 1.959963984540054;  // of the standard normal distribution at 0.975
  const auto n = static_cast<double>(total);
  const double p = static_cast<double>(count) / n;
  const double middle = (p + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ / (1 + kZ * kZ / n) * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  return {p, count == 0 ? 0 : middle - half, count == total ? 1 : middle + half};
}

std::string campaign_summary_text(const CampaignFile& campaign, const std::filesystem::path& folder, bool colours) {
  std::int64_t findings = 0;
  for (const CampaignSignature& s : campaign.signatures) findings += s.findings;
  std::string text = paint(fmt::format("seed {}, {}, {} of {}", campaign.seed, counted(campaign.next_case, "case"),
                                       counted(static_cast<std::uint64_t>(findings), "finding"),
                                       counted(campaign.signatures.size(), "signature")),
                           Colour::bold, colours);
  text += fmt::format("; cases and counts are in {}\n\n", folder.string());
  text += table_text(campaign) + signatures_text(campaign);
  for (const std::string& warning : health_warnings(campaign)) text += "\nwarning: " + warning;
  return text + (text.ends_with("\n") ? "" : "\n");
}

std::string campaign_summary_json(const CampaignFile& campaign, const std::filesystem::path& folder) {
  Json json = {{"format", "pothole-fuzz/1"},  {"type", "summary"},         {"seed", campaign.seed},
               {"cases", campaign.next_case}, {"folder", folder.string()}, {"settings", campaign.settings}};
  json["rows"] = Json::array();
  for (const CampaignRow& row : campaign.rows) json["rows"].push_back(row_json(row));
  json["signatures"] = Json::array();
  for (const CampaignSignature& s : campaign.signatures)
    json["signatures"].push_back({{"policy", s.policy},
                                  {"property", s.property},
                                  {"kind", s.kind},
                                  {"signature", s.signature},
                                  {"findings", s.findings},
                                  {"files", s.files}});
  json["warnings"] = health_warnings(campaign);
  return dumped(json);
}

}  // namespace pothole
