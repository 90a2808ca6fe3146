#include "corpus/campaign_file.h"

#include <nlohmann/json.hpp>

#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/regular_file.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-campaign/1";

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

std::int64_t count_of(const Json& json, const char* key) {
  const Json& value = json.at(key);
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    throw std::invalid_argument(in_quotes(key) + " must be a whole number up to 2^53");
  return value.get<std::int64_t>();
}

CampaignRow row_of(const Json& json) {
  CampaignRow row;
  json.at("source").get_to(row.source);
  json.at("policy").get_to(row.policy);
  for (const auto& [key, member] : kCounts) row.*member = count_of(json, key);
  for (const auto& [property, count] : json.at("broken").items())
    row.broken[property] = count_of(json["broken"], property.c_str());
  return row;
}

CampaignSignature signature_of(const Json& json) {
  CampaignSignature s;
  json.at("policy").get_to(s.policy);
  json.at("property").get_to(s.property);
  json.at("kind").get_to(s.kind);
  json.at("signature").get_to(s.signature);
  s.findings = count_of(json, "findings");
  json.at("files").get_to(s.files);
  return s;
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
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("format", "") != kFormat)
      throw InputError(name, "is not a campaign (" + std::string(kFormat) + ")", "name the folder of a campaign");
    CampaignFile campaign;
    json.at("seed").get_to(campaign.seed);
    json.at("settings").get_to(campaign.settings);
    campaign.next_case = static_cast<std::uint64_t>(count_of(json, "next_case"));
    for (const Json& row : json.at("rows")) campaign.rows.push_back(row_of(row));
    for (const Json& s : json.at("signatures")) campaign.signatures.push_back(signature_of(s));
    return campaign;
  } catch (const Json::exception& error) {
    throw InputError(name, "is not a whole campaign: " + json_complaint(error.what()),
                     "start it anew in another folder");
  } catch (const std::invalid_argument& error) {
    throw InputError(name, "is not a whole campaign: " + std::string(error.what()), "start it anew in another folder");
  }
}

}  // namespace pothole
