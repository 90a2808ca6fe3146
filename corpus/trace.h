// Reading and writing traces. A format is one file and one line in the list of corpus/formats.cpp.
//
// Formats are told apart by content, not by name; `.gz` and `.zst` are undone first, also by content.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program.h"

namespace pothole {

struct Trace {
  std::string name;    // a native trace's own name, else the file name
  std::string sha256;  // of the uncompressed content, lower-case hex
  Program program;
  std::vector<std::string> notes;  // what was tolerated and is worth saying, such as a dropped torn line
};

struct ReadOptions {
  bool allow_torn_tail = false;  // drop a torn last line of a log, and say so in the notes
};

// All throw InputError naming file and line.
Trace read_trace(const std::filesystem::path& file, const ReadOptions& options = {});
// `name` stands where a file name would in errors and in the result.
Trace read_trace(std::istream& in, const std::string& name, const ReadOptions& options = {});
// A DTR log given as lines.
Trace read_trace_lines(std::span<const std::string> lines, const std::string& name, const ReadOptions& options = {});

// Writes the native format, canonical: equal programs and names give equal bytes. Compressed if the
// name ends in .gz or .zst. Atomic: a new file is complete or absent.
void write_trace(const std::filesystem::path& file, const Trace& trace);
void write_trace(std::ostream& out, const Trace& trace);

}  // namespace pothole
