// The tool's own trace format, pothole-trace/1: a JSON object that says exactly what a Program is.
// corpus/README.md describes it for people who write one by hand.
//
//     {"format":"pothole-trace/1","name":"three layers","operators":[
//     {"constant":"w","size":4},
//     {"op":"conv","cost":10,"args":["w"],"out":[{"name":"a","size":8}]},
//     {"op":"view","cost":0,"args":["a"],"out":[{"name":"v","alias":"a"}],"then":[{"release":"a"},{"get":"v"}]}
//     ],"pins":["v"]}
//
// The reader is strict: an unknown key, a repeated key, a number that is not a plain integer are
// errors. It holds one operator's text at a time.
#pragma once

#include <iosfwd>
#include <string_view>

#include "corpus/source.h"
#include "corpus/trace.h"

namespace pothole {

bool is_native_trace(std::string_view head);
void read_native_trace(Source& source, const ReadOptions& options, Trace& trace);

// Canonical: keys in the order above, one operator a line, nothing that is empty.
void write_native_trace(std::ostream& out, const Trace& trace);

}  // namespace pothole
