// The one list of trace formats.
#include "corpus/formats.h"

#include "corpus/case_file.h"
#include "corpus/dtr_log.h"
#include "corpus/native_trace.h"

namespace pothole {
namespace {

constexpr TraceFormat kFormats[] = {
    {"pothole-case", "A program with what a policy does wrong on it, as pothole fuzz keeps it; read for its program.",
     is_case, read_case_as_trace},
    {"pothole-trace", "The tool's own format: JSON, small, for reading and editing; see corpus/README.md.",
     is_native_trace, read_native_trace},
    {"dtr-log", "A DTR operator log: one JSON object with an INSTRUCTION per line, replayed from its START.",
     [](std::string_view) { return true; }, read_dtr_log},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

}  // namespace pothole
