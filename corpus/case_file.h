// A program with what a policy does on it, right or wrong (`pothole-case/1`): values, never seeds that would have to be
// drawn again. corpus/README.md describes the format.
//
// A case asks a question: whether a property holds of a policy on a program. The question names the file, so that it is
// one file however often it is met, and stays that file when the answer changes.
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

// The kind of what is not broken any more: such a case stays as a guard.
inline constexpr std::string_view kClosed = "closed";
inline constexpr std::string_view kHoleKind = "hole";
inline constexpr std::string_view kHoleProperty = "no-hole";

// What a policy does on a program.
struct CaseAnswer {
  std::string title;                   // one line
  std::string kind;                    // of what is broken, or kClosed
  std::optional<CaseBudgets> budgets;  // of a hole
  std::vector<Bytes> evidence;         // budgets of any other violation
  std::string text;                    // what the numbers are
  std::string signature;
  Bytes map_from = 0, map_to = 0;
  std::vector<CaseSegment> map;  // in budget order, disjoint; empty: nobody has searched

  bool is_closed() const { return kind == kClosed; }
  friend bool operator==(const CaseAnswer&, const CaseAnswer&) = default;
};

// An answer that another one has taken the place of.
struct CaseChange {
  std::string reason, tool;  // why, and the version that noticed
  CaseAnswer was;
  friend bool operator==(const CaseChange&, const CaseChange&) = default;
};

// Where a case comes from; decides nothing.
struct CaseProvenance {
  std::string tool;           // version
  std::string origin;         // a recipe, or the name of a trace
  std::string origin_sha256;  // of the trace's text
  std::string campaign_seed;
  std::uint64_t case_number = 0;
  std::string note;
};

struct Case : CaseAnswer {
  std::string policy;                  // its text, with parameters
  std::string policy_kind = "policy";  // or "score" or "plugin": the option that takes the text
  std::string dealloc, overhead_limit, comparison;
  std::uint64_t seed = 0;  // of a policy that draws
  std::string property;
  std::vector<CaseChange> history;  // oldest first
  CaseProvenance provenance;
  Program program;
};

// One key a line, then the program in its canonical form (engine/draft.h), whatever its names are.
std::string case_text(const Case& c);
// The name of its file: 16 hex digits of the SHA-256 of the question, and ".json".
std::string case_file_name(const Case& c);

// Throws InputError naming file and line.
Case read_case(const std::filesystem::path& file);

// Adds a case to a folder of cases. False if it is there already. Throws InputError where it cannot be written.
bool add_case(const std::filesystem::path& folder, const Case& c);

// Gives a case another answer and keeps the one that it had in its history.
void change_answer(Case& c, CaseAnswer now, std::string reason, std::string tool);

// A case stands where a trace can: its program, by its title.
bool is_case(std::string_view head);
void read_case_as_trace(Source& source, const ReadOptions& options, Trace& trace);

}  // namespace pothole
