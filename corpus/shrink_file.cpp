#include "corpus/shrink_file.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/native_trace.h"
#include "corpus/regular_file.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-shrink/1";
constexpr const char* kFix = "remove it and start anew";

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::int64_t number_of(const Json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestQuantity))
    throw std::invalid_argument(in_quotes(key) + " must be whole numbers up to 2^62");
  return value.get<std::int64_t>();
}

Witness witness_of(const Json& json) {
  if (!json.is_array() || json.size() != 3) throw std::invalid_argument("\"witness\" must be three budgets");
  const Witness w{number_of(json[0], "witness"), number_of(json[1], "witness"), number_of(json[2], "witness")};
  if (w.ok < 1 || w.ok >= w.oom || w.oom >= w.ok_above)
    throw std::invalid_argument("the budgets of \"witness\" are not in order");
  return w;
}

Program program_of(const Json& json, const std::string& name) {
  std::istringstream text(dumped(json));
  Source source(text, name);
  Trace trace;
  read_native_trace(source, {}, trace);
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
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("format", "") != kFormat)
      throw InputError(name, "is not a reduction under way (" + std::string(kFormat) + ")", kFix);
    ShrinkFile shrink;
    json.at("settings").get_to(shrink.settings);
    shrink.operators_before = static_cast<std::uint64_t>(number_of(json.at("operators_before"), "operators_before"));
    json.at("pass").get_to(shrink.pass);
    shrink.grain = static_cast<std::uint64_t>(number_of(json.at("grain"), "grain"));
    if (!json.at("block").is_null()) shrink.block = static_cast<std::uint64_t>(number_of(json["block"], "block"));
    json.at("improved").get_to(shrink.improved);
    shrink.evaluations = number_of(json.at("evaluations"), "evaluations");
    json.at("others").get_to(shrink.others);
    shrink.witness = witness_of(json.at("witness"));
    shrink.program = program_of(json.at("program"), name);
    return shrink;
  } catch (const Json::exception& error) {
    throw InputError(name, "is not a whole reduction: " + json_complaint(error.what()), kFix);
  } catch (const std::invalid_argument& error) {
    throw InputError(name, "is not a whole reduction: " + std::string(error.what()), kFix);
  }
}

}  // namespace pothole
