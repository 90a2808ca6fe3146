// What has become of a case: its record against what the policy does on its program now.
//
// Exactly one of these holds, the first that applies in this order:
//
//   invalid           the record cannot be read, claims nothing, or names a policy, property or setting that there is
//                     not; nothing was run
//   nondeterministic  two computations of one budget differ
//   new hole          the map has a hole that shares no byte with a hole of the recorded map; or the record says closed
//                     and its property is broken. Certain even where other budgets have no outcome
//   unresolved        a budget whose outcome is recorded has none now, or the property could not be settled: a limit,
//                     an interruption, or a policy that did what no policy may
//   closed            the record says broken, and nothing is
//   moved             an outcome of the recorded map is another one, or what is broken is of another kind, at other
//                     budgets, or of another signature
//   same              none of these
//
// An outcome is ok, oom or thrashed. Budgets that the record leaves without one claim nothing, and a record without a
// map claims its witness budgets and its signature only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "corpus/case_file.h"

namespace pothole {

enum class CaseVerdict : std::uint8_t { same, closed, moved, new_hole, invalid, nondeterministic, unresolved };
inline constexpr CaseVerdict kCaseVerdicts[] = {
    CaseVerdict::same,    CaseVerdict::closed,           CaseVerdict::moved,     CaseVerdict::new_hole,
    CaseVerdict::invalid, CaseVerdict::nondeterministic, CaseVerdict::unresolved};
std::string_view name_of(CaseVerdict verdict);

// Whether the policy does something else than is recorded.
constexpr bool differs(CaseVerdict verdict) {
  return verdict == CaseVerdict::closed || verdict == CaseVerdict::moved || verdict == CaseVerdict::new_hole ||
         verdict == CaseVerdict::nondeterministic;
}

struct CaseJudgement {
  CaseVerdict verdict = CaseVerdict::same;
  std::string why;  // one clause; empty if same
  friend bool operator==(const CaseJudgement&, const CaseJudgement&) = default;
};

// The last five of the list. The record claims something; what was found has a map of the recorded range.
// `why_unresolved` says why it could not be settled whether the property is broken, or is empty; and `why_no_outcome`
// why budgets have none.
CaseJudgement judge(const CaseAnswer& record, const CaseAnswer& found, std::string_view why_unresolved,
                    std::string_view why_no_outcome);

// "hole [13, 16)", "3 holes, the first [13, 16)" or "no hole".
std::string holes_text(const CaseAnswer& answer);

}  // namespace pothole
