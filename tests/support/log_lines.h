// DTR logs in a few words, for tests that write many of them.
#pragma once

#include <string>
#include <vector>

#include "corpus/input_error.h"
#include "corpus/trace.h"

namespace pothole {

using Lines = std::vector<std::string>;

inline const std::string kStart = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})";

// {"a","b"} as ["a","b"].
std::string name_list(const Lines& names);

// The lines of an operator: a CALL, then MEMORY and ALIAS -1 of each result.
Lines call(const Lines& arguments, const Lines& results, int size = 8, int time = 10);
Lines constant(const std::string& name, int size = 4);
Lines release(const std::string& name);

// One after the other.
Lines join(std::initializer_list<Lines> parts);
std::string as_text(const Lines& lines);

// Reads the lines as "log"; returns the error, which has an empty place if there was none.
InputError error_of(const std::string& text, const ReadOptions& options = {});
Trace read_text(const std::string& text, const ReadOptions& options = {});

}  // namespace pothole
