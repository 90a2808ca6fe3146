// Reads operators one by one out of the JSON library's parser, which drops each once it was used.
#include "corpus/native_trace.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/text_cursor.h"
#include "engine/program_builder.h"

namespace pothole {
namespace {

using Json = nlohmann::json;
using Event = Json::parse_event_t;

constexpr std::string_view kFormat = "pothole-trace/1";

// Depths as the parser counts them: the file's object is 0, its keys 1, an operator 2, and the
// objects in an operator's lists 4.
constexpr int kRootKeys = 1;
constexpr int kElements = 2;
constexpr int kDeepest = 4;

class NativeReader {
 public:
  NativeReader(Source& source, Trace& trace) : cursor_(source), trace_(trace) {}

  void read();

 private:
  bool take(int depth, Event event, Json& parsed);
  void note_key(int depth, const std::string& key);
  void take_root_value(const Json& value);
  void add_operator(const Json& op);
  void add_constant(const Json& op);
  void add_call(const Json& op);
  ProgramBuilder::Output output(const Json& out, const Json& args) const;
  void add_steps(const Json& op);
  void add_pin(const Json& name);

  const Json& member(const Json& object, const char* key, Json::value_t type) const;
  const Json& list(const Json& object, const char* key) const;
  std::int64_t quantity(const Json& object, const char* key) const;
  TensorId tensor(const Json& name) const;
  std::string new_name(const Json& object, const char* key) const;
  void check_keys(const Json& object, std::initializer_list<std::string_view> known) const;
  void check(const std::optional<BuildError>& error) const {
    if (error) fail(error->what);
  }
  [[noreturn]] void fail(const std::string& what, const std::string& fix = "") const {
    throw InputError(cursor_.name() + ":" + std::to_string(line_), subject_ + what, fix);
  }

  TextCursor cursor_;
  Trace& trace_;
  std::size_t line_ = 1;  // that an error is about
  std::size_t operator_line_ = 1;
  std::string subject_;  // "operator 3: " while one is read
  std::string root_key_;
  bool has_format_ = false;
  bool has_operators_ = false;
  std::vector<std::unordered_set<std::string>> keys_;  // seen in the open objects, by depth
  ProgramBuilder builder_;
  std::unordered_map<std::string, TensorId> tensors_;
};

void NativeReader::read() {
  try {
    std::ignore = Json::parse(TextIterator(&cursor_), TextIterator(),
                              [this](int depth, Event event, Json& parsed) { return take(depth, event, parsed); });
  } catch (const Json::exception& error) {
    line_ = cursor_.line();
    subject_.clear();
    fail("malformed JSON: " + json_complaint(error.what()));
  }
  line_ = cursor_.line();
  if (!has_operators_) fail("the trace has no \"operators\"");
  trace_.program = builder_.finish();
}

// True keeps what was parsed.
bool NativeReader::take(int depth, Event event, Json& parsed) {
  line_ = cursor_.line();
  if (event == Event::key) {
    note_key(depth, parsed.get_ref<const std::string&>());
    return true;
  }
  if (event == Event::object_start || event == Event::array_start) {
    if (depth > kDeepest) fail("there is nothing in the format that is nested so deep");
    keys_.resize(std::max<std::size_t>(keys_.size(), static_cast<std::size_t>(depth) + 2));
    keys_[static_cast<std::size_t>(depth) + 1].clear();
  }
  const bool in_list = root_key_ == "operators" || root_key_ == "pins";
  if (depth == kRootKeys) {
    if (event == Event::value) take_root_value(parsed);
    if (event == Event::object_start || (event == Event::array_start && !in_list))
      fail(in_quotes(root_key_) + " must be " + (in_list ? "an array" : "a string"));
  }
  if (depth != kElements) return true;
  if (event == Event::array_start || (event == (root_key_ == "pins" ? Event::object_start : Event::value)))
    fail(in_quotes(root_key_) + " must hold " + (root_key_ == "pins" ? "tensor names" : "objects"));
  if (event == Event::object_start) {
    subject_ = "operator " + std::to_string(builder_.operator_count()) + ": ";
    operator_line_ = line_;
  }
  if (event == Event::value) add_pin(parsed);
  if (event == Event::object_end) {
    line_ = operator_line_;
    add_operator(parsed);
  }
  return event == Event::object_start;
}

void NativeReader::note_key(int depth, const std::string& key) {
  if (!keys_[static_cast<std::size_t>(depth)].insert(key).second) fail("the key " + in_quotes(key) + " is repeated");
  if (depth != kRootKeys) return;
  constexpr std::string_view kKnown[] = {"format", "name", "operators", "pins"};
  if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown))
    fail("unknown key " + in_quotes(key), "known: format, name, operators, pins");
  if (key != "format" && !has_format_) fail("\"format\" must be the first key");
  if (key == "pins" && !has_operators_) fail("\"pins\" must come after \"operators\"");
  has_operators_ = has_operators_ || key == "operators";
  root_key_ = key;
}

void NativeReader::take_root_value(const Json& value) {
  if (root_key_ == "operators" || root_key_ == "pins") fail(in_quotes(root_key_) + " must be an array");
  if (!value.is_string()) fail(in_quotes(root_key_) + " must be a string");
  const auto& text = value.get_ref<const std::string&>();
  if (root_key_ == "name") trace_.name = text;
  if (root_key_ != "format") return;
  if (text != kFormat)
    fail("the format is " + in_quotes(text) + ", not a trace that is known", "known: pothole-trace/1");
  has_format_ = true;
}

void NativeReader::add_operator(const Json& op) {
  if (op.contains("constant"))
    add_constant(op);
  else
    add_call(op);
  add_steps(op);
  subject_.clear();
}

void NativeReader::add_constant(const Json& op) {
  check_keys(op, {"constant", "size", "then"});
  const std::string name = new_name(op, "constant");
  const auto made = static_cast<TensorId>(builder_.tensor_count());
  check(builder_.add_constant(quantity(op, "size"), name));
  tensors_.emplace(name, made);
}

void NativeReader::add_call(const Json& op) {
  check_keys(op, {"op", "cost", "args", "out", "then"});
  const Json& name = member(op, "op", Json::value_t::string);
  const Json& args = list(op, "args");
  std::vector<TensorId> arguments;
  for (const Json& argument : args) arguments.push_back(tensor(argument));
  const Json& outs = member(op, "out", Json::value_t::array);
  std::vector<ProgramBuilder::Output> outputs;
  std::vector<std::string> names;
  std::unordered_set<std::string_view> seen;
  names.reserve(outs.size());
  for (const Json& out : outs) {
    outputs.push_back(output(out, args));
    names.push_back(outputs.back().name);
    if (!seen.insert(names.back()).second) fail("two outputs are named " + in_quotes(names.back()));
  }
  auto made = static_cast<TensorId>(builder_.tensor_count());
  check(builder_.add_operator(name, quantity(op, "cost"), std::move(arguments), std::move(outputs)));
  for (std::string& output_name : names) tensors_.emplace(std::move(output_name), made++);
}

ProgramBuilder::Output NativeReader::output(const Json& out, const Json& args) const {
  if (!out.is_object()) fail("\"out\" must hold objects");
  const bool alias = out.contains("alias");
  if (alias)
    check_keys(out, {"name", "alias"});
  else
    check_keys(out, {"name", "size"});
  ProgramBuilder::Output output;
  output.name = new_name(out, "name");
  if (!alias) {
    output.size = quantity(out, "size");
    return output;
  }
  const Json& of = member(out, "alias", Json::value_t::string);
  const auto position = std::find(args.begin(), args.end(), of);
  if (position == args.end())
    fail("the alias " + in_quotes(output.name) + " is of " + of.dump() + ", which is no argument");
  output.alias = position - args.begin();
  return output;
}

void NativeReader::add_steps(const Json& op) {
  for (const Json& step : list(op, "then")) {
    if (!step.is_object() || step.size() != 1) fail("\"then\" must hold objects such as {\"release\":\"x\"}");
    check_keys(step, {"get", "release"});
    const TensorId of = tensor(step.begin().value());
    check(step.contains("get") ? builder_.get(of) : builder_.release(of));
  }
}

void NativeReader::add_pin(const Json& name) { check(builder_.pin(tensor(name))); }

const Json& NativeReader::member(const Json& object, const char* key, Json::value_t type) const {
  const auto found = object.find(key);
  if (found == object.end()) fail(in_quotes(key) + " is missing");
  if (found->type() != type)
    fail(in_quotes(key) + " must be a" + (type == Json::value_t::array ? "n array" : " string") + ", not " +
         found->type_name());
  return *found;
}

// A list may be left out when it is empty.
const Json& NativeReader::list(const Json& object, const char* key) const {
  static const Json kEmpty = Json::array();
  return object.contains(key) ? member(object, key, Json::value_t::array) : kEmpty;
}

std::int64_t NativeReader::quantity(const Json& object, const char* key) const {
  const auto found = object.find(key);
  if (found == object.end()) fail(in_quotes(key) + " is missing");
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > std::uint64_t{kLargestQuantity})
    fail(in_quotes(key) + " must be an integer from 0 to 2^62, without quotes, sign, fraction or exponent");
  return found->get<std::int64_t>();
}

TensorId NativeReader::tensor(const Json& name) const {
  if (!name.is_string()) fail(std::string("a tensor name is awaited, not ") + name.type_name());
  const auto known = tensors_.find(name.get_ref<const std::string&>());
  if (known == tensors_.end()) fail("there is no tensor " + in_quotes(name.get_ref<const std::string&>()) + " yet");
  return known->second;
}

std::string NativeReader::new_name(const Json& object, const char* key) const {
  const auto& name = member(object, key, Json::value_t::string).get_ref<const std::string&>();
  if (name.empty()) fail("a tensor has an empty name");
  if (tensors_.contains(name)) fail("the tensor name " + in_quotes(name) + " is taken");
  return name;
}

void NativeReader::check_keys(const Json& object, std::initializer_list<std::string_view> known) const {
  std::string list = "known:";
  for (std::string_view key : known) list += (key == *known.begin() ? " " : ", ") + std::string(key);
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end()) fail("unknown key " + in_quotes(key), list);
}

}  // namespace

bool is_native_trace(std::string_view head) {
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const auto skip_space = [&head] { head.remove_prefix(std::min(head.find_first_not_of(kSpace), head.size())); };
  skip_space();
  if (!head.starts_with('{')) return false;
  constexpr std::string_view kKey = "\"format\"";
  for (std::size_t at = head.find(kKey); at != std::string_view::npos; at = head.find(kKey)) {
    head.remove_prefix(at + kKey.size());
    skip_space();
    if (!head.starts_with(':')) continue;
    head.remove_prefix(1);
    skip_space();
    if (head.starts_with("\"pothole-")) return true;
  }
  return false;
}

void read_native_trace(Source& source, const ReadOptions&, Trace& trace) { NativeReader(source, trace).read(); }

}  // namespace pothole
