#include "corpus/campaign_file.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/regular_file.h"
#include "corpus/strict_json.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-campaign/1";
constexpr const char* kStartAnew = "start it anew in another folder";

// The counts of a row, by their keys.
constexpr std::pair<const char*, std::int64_t CampaignRow::*> kCounts[] = {
    {"cases", &CampaignRow::cases},
    {"rejected", &CampaignRow::rejected},
    {"holes", &CampaignRow::holes},
    {"operators", &CampaignRow::operators},
    {"executions", &CampaignRow::executions},
    {"trivial", &CampaignRow::trivial},
    {"hopeless", &CampaignRow::hopeless},
    {"unresolved", &CampaignRow::unresolved},
    {"policy_errors", &CampaignRow::policy_errors}};

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json row_json(const CampaignRow& row) {
  Json json = {{"source", row.source}, {"policy", row.policy}};
  for (const auto& [key, member] : kCounts) json[key] = row.*member;
  json["broken"] = row.broken;
  return json;
}

Json signature_json(const CampaignSignature& s) {
  return {{"policy", s.policy},       {"property", s.property}, {"kind", s.kind},
          {"signature", s.signature}, {"findings", s.findings}, {"files", s.files}};
}

template <class Item, class ToJson>
std::string list_text(const std::vector<Item>& items, const ToJson& to_json) {
  std::string text = "[";
  for (const Item& item : items) text += (text.size() > 1 ? ",\n " : "\n ") + dumped(to_json(item));
  return text + "]";
}

CampaignRow row_of(const Json& json) {
  std::vector<std::string_view> members = {"source", "policy", "broken"};
  std::transform(std::begin(kCounts), std::end(kCounts), std::back_inserter(members),
                 [](const auto& count) { return count.first; });
  check_members(json, "a row", members);
  CampaignRow row;
  row.source = word_of(json, "source");
  row.policy = word_of(json, "policy");
  for (const auto& [key, member] : kCounts) row.*member = count_of(json, key);
  const Json& broken = json.at("broken");
  if (!broken.is_object()) throw std::invalid_argument("\"broken\" must be an object");
  for (const auto& [property, count] : broken.items()) row.broken[property] = count_of(broken, property.c_str());
  return row;
}

CampaignSignature signature_of(const Json& json) {
  check_members(json, "a signature", {"policy", "property", "kind", "signature", "findings", "files"});
  return {word_of(json, "policy"),    word_of(json, "property"),  word_of(json, "kind"),
          word_of(json, "signature"), count_of(json, "findings"), words_of(json, "files")};
}

CampaignFile campaign_of(const Json& json) {
  check_members(json, "it", {"format", "seed", "settings", "next_case", "rows", "signatures"});
  CampaignFile campaign;
  campaign.seed = word_of(json, "seed");
  campaign.settings = words_of(json, "settings");
  campaign.next_case = static_cast<std::uint64_t>(count_of(json, "next_case"));
  for (const Json& row : list_of(json, "rows")) campaign.rows.push_back(row_of(row));
  for (const Json& s : list_of(json, "signatures")) campaign.signatures.push_back(signature_of(s));
  return campaign;
}

}  // namespace

std::string campaign_text(const CampaignFile& campaign) {
  return "{\"format\":" + dumped(kFormat) + ",\n\"seed\":" + dumped(campaign.seed) +
         ",\n\"settings\":" + list_text(campaign.settings, [](const std::string& s) { return Json(s); }) +
         ",\n\"next_case\":" + std::to_string(campaign.next_case) +
         ",\n\"rows\":" + list_text(campaign.rows, row_json) +
         ",\n\"signatures\":" + list_text(campaign.signatures, signature_json) + "}\n";
}

CampaignFile read_campaign(const std::filesystem::path& file) {
  const std::string text = read_regular_file(file);
  const std::string name = file.string();
  try {
    const Json json = parsed_once(text);
    if (!json.is_object() || !json.contains("format") || json["format"] != kFormat)
      throw InputError(name, "is not a campaign (" + std::string(kFormat) + ")", "name the folder of a campaign");
    return campaign_of(json);
  } catch (const Json::exception& error) {
    throw InputError(name, "is not a whole campaign: " + json_complaint(error.what()), kStartAnew);
  } catch (const std::invalid_argument& error) {
    throw InputError(name, "is not a whole campaign: " + std::string(error.what()), kStartAnew);
  }
}

}  // namespace pothole
