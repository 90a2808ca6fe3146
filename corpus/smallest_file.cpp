#include "corpus/smallest_file.h"

#include <nlohmann/json.hpp>

#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"
#include "corpus/strict_json.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-smallest-checkpoint/1";
constexpr const char* kStartAnew = "start the search anew";

// Beyond all bounds of a search.
constexpr std::uint64_t kFar = 1 << 16;
constexpr std::int64_t kValueMost = std::int64_t{1} << 40;

Json json_of(const std::optional<SmallestFile::Hole>& hole) {
  if (!hole) return nullptr;
  return {{"skeleton", hole->skeleton}, {"sizes", hole->sizes}, {"costs", hole->costs}};
}

SmallestFile file_of(const Json& json) {
  check_members(json, "it",
                {"format", "settings", "operators", "edges", "next_skeleton", "misbehaved", "best", "sha256"});
  SmallestFile file;
  file.settings = words_of(json, "settings");
  file.operators = static_cast<std::uint32_t>(std::min(natural_of(json, "operators"), kFar));
  file.edges = static_cast<std::uint32_t>(std::min(natural_of(json, "edges"), kFar));
  file.next_skeleton = natural_of(json, "next_skeleton");
  file.misbehaved = flag_of(json, "misbehaved");
  if (const Json& best = json.at("best"); !best.is_null()) {
    check_members(best, "\"best\"", {"skeleton", "sizes", "costs"});
    file.best = SmallestFile::Hole{natural_of(best, "skeleton"), numbers_of(best, "sizes", 1, kValueMost),
                                   numbers_of(best, "costs", 1, kValueMost)};
    if (file.best->sizes.size() != file.operators || file.best->costs.size() != file.operators)
      throw std::invalid_argument("\"best\" must have a size and a cost for each operator");
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
    Json json = parsed_once(read_regular_file(path));
    if (!json.is_object() || !json.contains("format") || json["format"] != kFormat)
      throw InputError(name, "is not a checkpoint of pothole smallest (" + std::string(kFormat) + ")",
                       "name a file that --checkpoint wrote");
    const SmallestFile file = file_of(json);
    const std::string checksum = word_of(json, "sha256");
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
