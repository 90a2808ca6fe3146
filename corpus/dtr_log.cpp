// The state of a log between its lines, and what each instruction does to it.
#include "corpus/dtr_log.h"

#include <unordered_set>
#include <utility>

#include "corpus/in_quotes.h"

namespace pothole {
namespace {

std::string in_line(std::size_t line) { return "line " + std::to_string(line); }

}  // namespace

DtrLogReader::DtrLogReader(std::string name, const ReadOptions& options) : name_(std::move(name)), options_(options) {}

void DtrLogReader::fail_at(std::size_t line, const std::string& what, const std::string& fix) const {
  throw InputError(name_ + ":" + std::to_string(line), what, fix);
}

void DtrLogReader::check(const std::optional<BuildError>& error, std::size_t line, const std::string& subject) const {
  if (error) fail_at(line, subject + ": " + error->what);
}

void DtrLogReader::add_line(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  ++line_;
  if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  if (torn_) fail_at(torn_line_, torn_->what);
  JsonProblem problem = read_json_record(line, record_);
  if (problem.torn) {
    torn_ = std::move(problem);
    torn_line_ = line_;
    return;
  }
  if (!problem.what.empty())
    fail(problem.what, started_ ? "" : "a DTR log has one JSON object per line; see `pothole list formats`");
  read_record();
}

void DtrLogReader::read_record() {
  struct Instruction {
    std::string_view name;
    void (DtrLogReader::*read)();
  };
  static constexpr Instruction kInstructions[] = {
      {"MEMORY", &DtrLogReader::memory},     {"ALIAS", &DtrLogReader::alias},
      {"CALL", &DtrLogReader::call},         {"RELEASE", &DtrLogReader::release},
      {"COPY", &DtrLogReader::copy},         {"COPY_FROM", &DtrLogReader::copy_from},
      {"MUTATE", &DtrLogReader::mutate},     {"CONSTANT", &DtrLogReader::constant},
      {"ANNOTATE", &DtrLogReader::annotate},
  };
  if (!started_) {
    const auto is = [this](Field field, std::string_view wanted) {
      return record_[field].kind == FieldValue::Kind::string && record_[field].text == wanted;
    };
    started_ = is(Field::instruction, "ANNOTATE") && is(Field::annotation, "START");
    return;
  }
  const std::string& name = text(Field::instruction);
  for (const Instruction& instruction : kInstructions) {
    if (instruction.name != name) continue;
    if (pending_) awaited_only(name);
    return (this->*instruction.read)();
  }
  std::string known;
  for (const Instruction& instruction : kInstructions)
    known += (known.empty() ? "known: " : ", ") + std::string(instruction.name);
  fail("unknown INSTRUCTION " + in_quotes(name), known);
}

// Between a CONSTANT or CALL and its last MEMORY or ALIAS line nothing else may stand.
void DtrLogReader::awaited_only(std::string_view instruction) const {
  const std::string_view awaited = pending_->has_memory ? "ALIAS" : "MEMORY";
  if (instruction == awaited) return;
  fail("expected the " + std::string(awaited) + " line of " + in_quotes(pending_->results[pending_->outputs.size()]) +
       " (from " + in_line(pending_->line) + "), not " + std::string(instruction));
}

void DtrLogReader::awaited_name() {
  const std::string& instruction = text(Field::instruction);
  const std::string& name = text(Field::name);
  if (!pending_)
    fail("stray " + instruction + " line of " + in_quotes(name) + ": no CALL or CONSTANT waits for it",
         instruction == "ALIAS" ? "ALIAS lines belong behind the MEMORY lines of a CALL" : "");
  const std::string& awaited = pending_->results[pending_->outputs.size()];
  if (name != awaited)
    fail(instruction + " line of " + in_quotes(name) + " where that of " + in_quotes(awaited) + " (from " +
         in_line(pending_->line) + ") is awaited");
}

void DtrLogReader::annotate() { text(Field::annotation); }

void DtrLogReader::constant() {
  const std::string& name = text(Field::name);
  must_be_new(name);
  pending_.emplace();
  pending_->line = line_;
  pending_->constant = true;
  pending_->results.push_back(name);
}

void DtrLogReader::call() {
  Pending call;
  call.line = line_;
  call.operator_name = text(Field::name);
  call.cost = quantity(Field::time);
  call.arguments = arguments(texts(Field::args));
  call.results = texts(Field::result);
  if (call.results.empty()) fail("RESULT is empty: an operator needs at least one result");
  std::unordered_set<std::string_view> seen;
  for (const std::string& result : call.results) {
    must_be_new(result);
    if (!seen.insert(result).second) fail("RESULT names " + in_quotes(result) + " twice");
  }
  pending_ = std::move(call);
}

void DtrLogReader::memory() {
  awaited_name();
  pending_->memory = quantity(Field::memory);
  pending_->memory_line = line_;
  pending_->has_memory = true;
  if (pending_->constant) add_constant();
}

void DtrLogReader::alias() {
  awaited_name();
  Pending& call = *pending_;
  ProgramBuilder::Output output;
  output.alias = alias_position(call.arguments.size());
  output.name = call.results[call.outputs.size()];
  if (output.alias == ProgramBuilder::Output::kFresh) {
    output.size = call.memory;
    const Bytes so_far = builder_.total_size() + call.fresh_size;
    if (output.size > kLargestQuantity - so_far)
      fail_at(call.memory_line, "MEMORY of " + in_quotes(output.name) + ": the sum of all sizes passes 2^62");
    call.fresh_size += output.size;
  }
  call.outputs.push_back(std::move(output));
  call.has_memory = false;
  if (call.outputs.size() == call.results.size()) add_call();
}

void DtrLogReader::add_constant() {
  const Pending constant = std::move(*pending_);
  pending_.reset();
  const auto tensor = static_cast<TensorId>(builder_.tensor_count());
  const std::string& name = constant.results[0];
  check(builder_.add_constant(constant.memory, name), line_, "MEMORY of " + in_quotes(name));
  define(name, tensor, constant.line);
}

void DtrLogReader::add_call() {
  Pending call = std::move(*pending_);
  pending_.reset();
  auto tensor = static_cast<TensorId>(builder_.tensor_count());
  const std::string subject = "CALL of " + in_quotes(call.operator_name);
  check(builder_.add_operator(std::move(call.operator_name), call.cost, std::move(call.arguments),
                              std::move(call.outputs)),
        call.line, subject);
  for (const std::string& result : call.results) define(result, tensor++, call.line);
}

void DtrLogReader::mutate() {
  const std::string& operator_name = text(Field::name);
  const std::vector<std::string> names = texts(Field::args);
  const std::vector<TensorId> tensors = arguments(names);
  const std::vector<std::size_t> positions = mutated_positions(names.size());
  std::vector<ProgramBuilder::Output> outputs;
  for (std::size_t p : positions)
    outputs.push_back({builder_.storage_size(tensors[p]), ProgramBuilder::Output::kFresh, names[p]});
  auto made = static_cast<TensorId>(builder_.tensor_count());
  check(builder_.add_operator(operator_name, quantity(Field::time), tensors, std::move(outputs)), line_,
        "MUTATE by " + in_quotes(operator_name));
  // Reference: a name that is mutated at two positions means the tensor of the first when the second
  // is handled.
  for (std::size_t p : positions) {
    Name& name = names_[name_index_.at(names[p])];
    release_tensor(std::exchange(name.tensor, made++), names[p]);
  }
}

void DtrLogReader::copy() {
  const std::string& source = text(Field::src);
  const std::string& target = text(Field::dst);
  const TensorId tensor = tensor_of(source, "SRC");
  must_be_new(target);
  if (builder_.storage_references(tensor) == 0)
    fail("COPY of " + in_quotes(source) + ", whose storage has no reference left");
  check(builder_.get(tensor), line_, "COPY of " + in_quotes(source));
  define(target, tensor, line_);
}

void DtrLogReader::copy_from() {
  const std::string& source = text(Field::src);
  const std::string& target = text(Field::dst);
  const TensorId tensor = tensor_of(source, "SRC");
  const TensorId old = tensor_of(target, "DST");
  if (source == target) return;
  release_tensor(old, target);
  check(builder_.get(tensor), line_, "COPY_FROM of " + in_quotes(source));
  names_[name_index_.at(target)].tensor = tensor;
}

void DtrLogReader::release() {
  const std::string& name = text(Field::name);
  const auto known = name_index_.find(name);
  if (known != name_index_.end()) release_tensor(names_[known->second].tensor, name);
}

void DtrLogReader::release_tensor(TensorId tensor, const std::string& name) {
  if (builder_.references(tensor) == 0)
    fail(text(Field::instruction) + " releases " + in_quotes(name) + " more often than it was taken");
  check(builder_.release(tensor), line_, in_quotes(name));
}

TensorId DtrLogReader::tensor_of(const std::string& name, std::string_view role) const {
  const auto known = name_index_.find(name);
  if (known == name_index_.end()) fail(std::string(role) + " names " + in_quotes(name) + ", which is not defined");
  return names_[known->second].tensor;
}

void DtrLogReader::must_be_new(const std::string& name) const {
  const auto known = name_index_.find(name);
  if (known != name_index_.end())
    fail("the name " + in_quotes(name) + " is already defined, in " + in_line(names_[known->second].line));
}

void DtrLogReader::define(const std::string& name, TensorId tensor, std::size_t line) {
  name_index_.emplace(name, names_.size());
  names_.push_back({tensor, line});
}

Program DtrLogReader::finish() {
  const std::size_t last_line = std::max<std::size_t>(line_, 1);
  if (torn_ && !options_.allow_torn_tail) fail_at(torn_line_, torn_->what, "--allow-torn-tail drops a torn last line");
  if (torn_) notes_.push_back(name_ + ":" + std::to_string(torn_line_) + ": the torn last line was dropped");
  if (line_ == 0) fail_at(last_line, "the log is empty");
  if (!started_)
    fail_at(last_line, "the log has no START",
            R"(replay begins after {"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})");
  if (pending_)
    fail_at(pending_->line, std::string("the log ends inside this ") + (pending_->constant ? "CONSTANT" : "CALL") +
                                ": the " + (pending_->has_memory ? "ALIAS" : "MEMORY") + " line of " +
                                in_quotes(pending_->results[pending_->outputs.size()]) + " is missing");
  for (const Name& name : names_)
    if (builder_.references(name.tensor) > 0) check(builder_.pin(name.tensor), last_line, "output");
  return builder_.finish();
}

void read_dtr_log(Source& source, const ReadOptions& options, Trace& trace) {
  DtrLogReader reader(source.name(), options);
  while (const auto line = source.next_line()) reader.add_line(*line);
  trace.program = reader.finish();
  trace.notes = reader.notes();
}

}  // namespace pothole
