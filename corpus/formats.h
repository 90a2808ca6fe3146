// The trace formats that can be read. Adding one: a file with its reader, and a line in formats.cpp.
#pragma once

#include <span>
#include <string_view>

#include "corpus/source.h"
#include "corpus/trace.h"

namespace pothole {

struct TraceFormat {
  std::string_view name;
  std::string_view sentence;
  // Whether text that begins with `head` is meant to be in this format, right or wrong.
  bool (*detect)(std::string_view head);
  // Reads to the end of the source and fills in the program, the notes and, where the text holds one,
  // the name.
  void (*read)(Source& source, const ReadOptions& options, Trace& trace);
};

// In the order in which they are tried; the last one takes everything.
std::span<const TraceFormat> trace_formats();

}  // namespace pothole
