// A program on which a policy breaks a property, with all that the claim needs (`pothole-case/1`): values, never seeds
// that would have to be drawn again. corpus/README.md describes the format.
//
// The canonical text has one key a line, then the program in its native form. Its hash names the file, without the
// provenance, so that the same case found twice is one file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus/source.h"
#include "corpus/trace.h"
#include "engine/feasibility_map.h"

namespace pothole {

struct CaseBudgets {
  Bytes ok = 0, oom = 0, ok_above = 0;  // ascending
  friend bool operator==(const CaseBudgets&, const CaseBudgets&) = default;
};

struct CaseSegment {
  Bytes from = 0, to = 0;
  std::string outcome;
  friend bool operator==(const CaseSegment&, const CaseSegment&) = default;
};

// Where a case comes from; decides nothing.
struct CaseProvenance {
  std::string tool;    // version
  std::string origin;  // a recipe, or the name of a trace
  std::string campaign_seed;
  std::uint64_t case_number = 0;
  std::string note;
};

struct Case {
  std::string title;                   // one line
  std::string policy;                  // its text
  std::string policy_kind = "policy";  // or "score" or "plugin": the option that takes the text
  std::string dealloc, overhead_limit, comparison;
  std::uint64_t seed = 0;              // of a policy that draws
  std::string property, kind;          // that is broken
  std::optional<CaseBudgets> budgets;  // of a hole
  std::vector<Bytes> evidence;         // budgets of any other violation
  std::string text;                    // what the numbers are
  std::string signature;
  Bytes map_from = 0, map_to = 0;
  std::vector<CaseSegment> map;
  CaseProvenance provenance;
  Program program;
};

std::string case_text(const Case& c);
// The name of its file: 16 hex digits and ".json".
std::string case_file_name(const Case& c);

// Throws InputError naming file and line.
Case read_case(const std::filesystem::path& file);

// Adds a case to a folder of cases. False if it is there already. Throws InputError where it cannot be written.
bool add_case(const std::filesystem::path& folder, const Case& c);

// A case stands where a trace can: its program, by its title.
bool is_case(std::string_view head);
void read_case_as_trace(Source& source, const ReadOptions& options, Trace& trace);

}  // namespace pothole
