#include "corpus/shrink_file.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/native_trace.h"
#include "corpus/regular_file.h"
#include "corpus/strict_json.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-shrink/1";
constexpr const char* kFix = "remove it and start anew";

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Witness witness_of(const Json& json) {
  const std::vector<std::int64_t> budgets = numbers_of(json, "witness", 1, kLargestQuantity);
  if (budgets.size() != 3) throw std::invalid_argument("\"witness\" must be three budgets");
  const Witness w{budgets[0], budgets[1], budgets[2]};
  if (w.ok >= w.oom || w.oom >= w.ok_above) throw std::invalid_argument("the budgets of \"witness\" are not in order");
  return w;
}

Program program_of(const Json& json) {
  std::istringstream text(dumped(json));
  Source source(text, "");
  Trace trace;
  try {
    read_native_trace(source, {}, trace);
  } catch (const InputError& error) {
    throw std::invalid_argument("of its \"program\": " + error.what_is_wrong());
  }
  if (trace.program.operators().empty()) throw std::invalid_argument("\"program\" has no operator");
  return std::move(trace.program);
}

}  // namespace

std::string shrink_text(const ShrinkFile& shrink) {
  std::ostringstream program;
  write_native_trace(program, {"shrinking", "", shrink.program, {}});
  const Json head = {{"format", kFormat},
                     {"settings", shrink.settings},
                     {"operators_before", shrink.operators_before},
                     {"pass", shrink.pass},
                     {"grain", shrink.grain},
                     {"block", shrink.block ? Json(*shrink.block) : Json()},
                     {"improved", shrink.improved},
                     {"evaluations", shrink.evaluations},
                     {"others", shrink.others},
                     {"witness", {shrink.witness.ok, shrink.witness.oom, shrink.witness.ok_above}}};
  std::string text = dumped(head);
  text.pop_back();
  return text + ",\n\"program\":" + program.str() + "}\n";
}

ShrinkFile read_shrink(const std::filesystem::path& file) {
  const std::string name = file.string(), text = read_regular_file(file);
  try {
    const Json json = parsed_once(text);
    if (!json.is_object() || !json.contains("format") || json["format"] != kFormat)
      throw InputError(name, "is not a reduction under way (" + std::string(kFormat) + ")", kFix);
    check_members(json, "it",
                  {"format", "settings", "operators_before", "pass", "grain", "block", "improved", "evaluations",
                   "others", "witness", "program"});
    ShrinkFile shrink;
    shrink.settings = words_of(json, "settings");
    shrink.operators_before = static_cast<std::uint64_t>(count_of(json, "operators_before"));
    shrink.pass = word_of(json, "pass");
    shrink.grain = static_cast<std::uint64_t>(count_of(json, "grain"));
    if (!json["block"].is_null()) shrink.block = static_cast<std::uint64_t>(count_of(json, "block"));
    shrink.improved = flag_of(json, "improved");
    shrink.evaluations = count_of(json, "evaluations");
    shrink.others = words_of(json, "others");
    shrink.witness = witness_of(json);
    shrink.program = program_of(json["program"]);
    return shrink;
  } catch (const Json::exception& error) {
    throw InputError(name, "is not a whole reduction: " + json_complaint(error.what()), kFix);
  } catch (const std::invalid_argument& error) {
    throw InputError(name, "is not a whole reduction: " + std::string(error.what()), kFix);
  }
}

}  // namespace pothole
