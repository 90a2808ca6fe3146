// Opening, telling formats apart, and what every format shares.
#include "corpus/trace.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "corpus/atomic_file.h"
#include "corpus/compress.h"
#include "corpus/dtr_log.h"
#include "corpus/formats.h"
#include "corpus/input_error.h"
#include "corpus/native_trace.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"
#include "corpus/source.h"

namespace pothole {
namespace fs = std::filesystem;

namespace {

Trace read_source(Source& source, std::string trace_name, const ReadOptions& options) {
  Trace trace;
  trace.name = std::move(trace_name);
  for (const TraceFormat& format : trace_formats()) {
    if (!format.detect(source.peek())) continue;
    format.read(source, options, trace);
    break;
  }
  trace.sha256 = source.sha256();
  return trace;
}

}  // namespace

Trace read_trace(const fs::path& file, const ReadOptions& options) {
  std::ifstream in = open_regular_file(file);
  Source source(in, file.string());
  return read_source(source, file.filename().string(), options);
}

Trace read_trace(std::istream& in, const std::string& name, const ReadOptions& options) {
  Source source(in, name);
  return read_source(source, name, options);
}

Trace read_trace_lines(std::span<const std::string> lines, const std::string& name, const ReadOptions& options) {
  DtrLogReader reader(name, options);
  Sha256 digest;
  for (const std::string& line : lines) {
    digest.add(line);
    digest.add("\n");
    reader.add_line(line);
  }
  Trace trace;
  trace.name = name;
  trace.program = reader.finish();
  trace.notes = reader.notes();
  trace.sha256 = digest.hex();
  return trace;
}

void write_trace(std::ostream& out, const Trace& trace) { write_native_trace(out, trace); }

void write_trace(const fs::path& file, const Trace& trace) {
  std::ostringstream text;
  write_native_trace(text, trace);
  const fs::path extension = file.extension();
  if (extension == ".gz") return write_file(file, gzip_compressed(text.view()));
  if (extension == ".zst") return write_file(file, zstd_compressed(text.view()));
  write_file(file, text.view());
}

}  // namespace pothole
