#include "corpus/smallest_file.h"

#include <nlohmann/json.hpp>

#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-smallest-checkpoint/1";
constexpr const char* kStartAnew = "start the search anew";

Json json_of(const std::optional<SmallestFile::Hole>& hole) {
  if (!hole) return nullptr;
  return {{"skeleton", hole->skeleton}, {"sizes", hole->sizes}, {"costs", hole->costs}};
}

// What the JSON library would convert without a word is refused.
std::uint64_t natural(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned()) throw std::invalid_argument(std::string(key) + " must be a whole number");
  return value.get<std::uint64_t>();
}

std::vector<std::int64_t> positives(const Json& json, const char* key) {
  for (const Json& value : json.at(key))
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() - 1 >= std::uint64_t{1} << 40)
      throw std::invalid_argument(std::string(key) + " must be whole numbers from 1 to 2^40");
  return json.at(key).get<std::vector<std::int64_t>>();
}

SmallestFile file_of(const Json& json) {
  SmallestFile file;
  json.at("settings").get_to(file.settings);
  file.operators = static_cast<std::uint32_t>(std::min<std::uint64_t>(natural(json, "operators"), 1 << 16));
  file.edges = static_cast<std::uint32_t>(std::min<std::uint64_t>(natural(json, "edges"), 1 << 16));
  file.next_skeleton = natural(json, "next_skeleton");
  json.at("misbehaved").get_to(file.misbehaved);
  if (const Json& best = json.at("best"); !best.is_null()) {
    file.best = SmallestFile::Hole{natural(best, "skeleton"), positives(best, "sizes"), positives(best, "costs")};
    if (file.best->sizes.size() != file.operators || file.best->costs.size() != file.operators)
      throw std::invalid_argument("best must have a size and a cost for each operator");
  }
  return file;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Against accidents and edits by hand: a proof rests on what is skipped.
std::string checksum_of(const Json& json) {
  Sha256 hash;
  hash.add(dumped(json));
  return hash.hex();
}

}  // namespace

std::string smallest_text(const SmallestFile& file) {
  Json settings = Json::array();
  for (const std::string& line : file.settings) settings.push_back(line);
  Json json = {{"format", kFormat},         {"settings", std::move(settings)},     {"operators", file.operators},
               {"edges", file.edges},       {"next_skeleton", file.next_skeleton}, {"misbehaved", file.misbehaved},
               {"best", json_of(file.best)}};
  json["sha256"] = checksum_of(json);
  return dumped(json) + "\n";
}

SmallestFile read_smallest(const std::filesystem::path& path) {
  const std::string name = path.string();
  try {
    Json json = Json::parse(read_regular_file(path));
    if (!json.is_object() || json.value("format", "") != kFormat)
      throw InputError(name, "is not a checkpoint of pothole smallest (" + std::string(kFormat) + ")",
                       "name a file that --checkpoint wrote");
    const SmallestFile file = file_of(json);
    const std::string checksum = json.at("sha256").get<std::string>();
    json.erase("sha256");
    if (checksum != checksum_of(json)) throw std::invalid_argument("its checksum is not that of its content");
    return file;
  } catch (const Json::exception& error) {
    throw InputError(name, "is not a whole checkpoint: " + json_complaint(error.what()), kStartAnew);
  } catch (const std::invalid_argument& error) {
    throw InputError(name, "is not a whole checkpoint: " + std::string(error.what()), kStartAnew);
  }
}

}  // namespace pothole
