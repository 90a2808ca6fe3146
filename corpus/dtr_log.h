// DTR operator logs, one JSON object per line: semantics section 1.
//
// The reader is given lines in order and keeps no line: what it holds is the program so far, the
// names, and the operator whose MEMORY and ALIAS lines are still to come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/source.h"
#include "corpus/trace.h"
#include "engine/program_builder.h"

namespace pothole {

class DtrLogReader {
 public:
  DtrLogReader(std::string name, const ReadOptions& options);

  // Without its newline. Throws InputError naming this line or the one that began the operator.
  void add_line(std::string_view line);

  // After the last line.
  Program finish();

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // A name of the log and what it means now.
  struct Name {
    TensorId tensor = 0;
    std::size_t line = 0;  // where it was defined first
  };
  // A CONSTANT or CALL that waits for lines about its outputs.
  struct Pending {
    std::size_t line = 0;
    bool constant = false;
    std::string operator_name;
    Cost cost = 0;
    std::vector<TensorId> arguments;
    std::vector<std::string> results;
    std::vector<ProgramBuilder::Output> outputs;  // of the results whose lines are complete
    Bytes fresh_size = 0;                         // their sizes together
    bool has_memory = false;                      // the awaited line is the ALIAS line
    Bytes memory = 0;
    std::size_t memory_line = 0;
  };

  void read_record();
  void annotate();
  void constant();
  void call();
  void memory();
  void alias();
  void mutate();
  void copy();
  void copy_from();
  void release();

  void awaited_only(std::string_view instruction) const;
  void awaited_name();
  void add_call();
  void add_constant();

  const FieldValue& value(Field field, FieldValue::Kind kind) const;
  const FieldValue& number(Field field) const;
  [[noreturn]] void refuse(Field field, std::string_view wanted) const;
  const std::string& text(Field field) const { return value(field, FieldValue::Kind::string).text; }
  std::vector<std::string> texts(Field field) const;
  std::int64_t quantity(Field field) const;
  std::int64_t alias_position(std::size_t argument_count) const;
  std::vector<TensorId> arguments(const std::vector<std::string>& names) const;
  std::vector<std::size_t> mutated_positions(std::size_t argument_count) const;

  TensorId tensor_of(const std::string& name, std::string_view role) const;
  void must_be_new(const std::string& name) const;
  void define(const std::string& name, TensorId tensor, std::size_t line);
  void release_tensor(TensorId tensor, const std::string& name);

  [[noreturn]] void fail(const std::string& what, const std::string& fix = "") const { fail_at(line_, what, fix); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what, const std::string& fix = "") const;
  void check(const std::optional<BuildError>& error, std::size_t line, const std::string& subject) const;

  std::string name_;
  ReadOptions options_;
  std::size_t line_ = 0;
  bool started_ = false;
  std::optional<JsonProblem> torn_;  // of line torn_line_, which may still turn out to be the last
  std::size_t torn_line_ = 0;
  JsonRecord record_;
  std::optional<Pending> pending_;
  ProgramBuilder builder_;
  std::unordered_map<std::string, std::size_t> name_index_;
  std::vector<Name> names_;  // in order of definition
  std::vector<std::string> notes_;
};

// All of `source`; the form in the list of formats.
void read_dtr_log(Source& source, const ReadOptions& options, Trace& trace);

}  // namespace pothole
