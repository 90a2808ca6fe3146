#include "corpus/schedule_file.h"

#include <nlohmann/json.hpp>

namespace pothole {

std::string schedule_text(const ScheduleFile& head, const Program& program, std::span<const Decision> decisions) {
  using Json = nlohmann::ordered_json;
  const auto dumped = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string text = dumped({{"format", "pothole-schedule/1"},
                             {"trace", {{"name", head.trace}, {"sha256", head.sha256}}},
                             {"policy", head.policy},
                             {"budget", head.budget},
                             {"peak", head.peak}});
  text.pop_back();
  text += ",\n\"steps\":[";
  const char* separator = "\n";
  for (const Decision& d : decisions) {
    const char* key = d.kind == Decision::Kind::computed  ? "compute"
                      : d.kind == Decision::Kind::evicted ? "evict"
                                                          : "release";
    text += separator + dumped({{key, std::string(program.tensor_name(d.tensor))}});
    separator = ",\n";
  }
  return text + "\n]}\n";
}

}  // namespace pothole
