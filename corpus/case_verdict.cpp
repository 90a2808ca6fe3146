#include "corpus/case_verdict.h"

#include <algorithm>
#include <optional>

namespace pothole {
namespace {

Outcome outcome_of(const CaseSegment& segment) {
  for (const Outcome outcome : {Outcome::ok, Outcome::oom, Outcome::thrashed, Outcome::policy_error})
    if (name_of(outcome) == segment.outcome) return outcome;
  return Outcome::unresolved;
}

std::vector<Hole> holes_in(const CaseAnswer& answer) {
  std::vector<Segment> segments;
  for (const CaseSegment& s : answer.map) segments.push_back({s.from, s.to, outcome_of(s), {}, {}});
  return holes_of(segments);
}

std::string text_of(const Hole& hole) {
  return "hole [" + std::to_string(hole.from) + ", " + std::to_string(hole.to) + ")";
}

// What the record says of budgets: its map, or the witness alone.
std::vector<CaseSegment> claimed_outcomes(const CaseAnswer& record) {
  if (!record.map.empty() || !record.budgets) return record.map;
  const CaseBudgets& b = *record.budgets;
  return {{b.ok, b.ok + 1, std::string(name_of(Outcome::ok))},
          {b.oom, b.oom + 1, std::string(name_of(Outcome::oom))},
          {b.ok_above, b.ok_above + 1, std::string(name_of(Outcome::ok))}};
}

struct Difference {
  Bytes from = 0, to = 0;
  std::string was;
  std::optional<std::string> is;  // nothing: no outcome
};

std::string text_of(const Difference& d) {
  const std::string where = d.to - d.from == 1 ? "at " + std::to_string(d.from)
                                               : "in [" + std::to_string(d.from) + ", " + std::to_string(d.to) + ")";
  return where + " " + d.was + " is recorded, " + d.is.value_or("no outcome") + " found";
}

// The first claimed outcome that was not found. `lost`: that has no outcome now, else that is another one.
std::optional<Difference> first_difference(const std::vector<CaseSegment>& claimed,
                                           const std::vector<CaseSegment>& found, bool lost) {
  for (const CaseSegment& claim : claimed) {
    if (!is_evidence(outcome_of(claim))) continue;
    Bytes covered = claim.from;
    for (const CaseSegment& now : found) {
      const Bytes from = std::max(claim.from, now.from), to = std::min(claim.to, now.to);
      if (from >= to || !is_evidence(outcome_of(now))) continue;
      if (lost && from > covered) return Difference{covered, from, claim.outcome, {}};
      if (!lost && now.outcome != claim.outcome) return Difference{from, to, claim.outcome, now.outcome};
      covered = to;
    }
    if (lost && covered < claim.to) return Difference{covered, claim.to, claim.outcome, {}};
  }
  return std::nullopt;
}

// A hole found that shares no byte with a recorded one; nothing if no map is recorded, which says nothing of others.
std::optional<Hole> new_hole(const CaseAnswer& record, const CaseAnswer& found) {
  if (record.map.empty()) return std::nullopt;
  const std::vector<Hole> recorded = holes_in(record);
  for (const Hole& hole : holes_in(found)) {
    const bool known = std::any_of(recorded.begin(), recorded.end(),
                                   [&](const Hole& r) { return hole.from < r.to && r.from < hole.to; });
    if (!known) return hole;
  }
  return std::nullopt;
}

std::string text_of(const std::vector<Bytes>& budgets) {
  std::string text;
  for (const Bytes budget : budgets) text += (text.empty() ? "" : ", ") + std::to_string(budget);
  return text;
}

// Empty if all is as recorded.
std::string why_moved(const CaseAnswer& record, const CaseAnswer& found) {
  if (const auto d = first_difference(claimed_outcomes(record), found.map, false)) {
    const std::string was = holes_text(record), is = holes_text(found);
    return text_of(*d) + (record.map.empty() || was == is ? "" : "; " + was + " is recorded, " + is + " found");
  }
  if (record.kind != found.kind) return record.kind + " is recorded, " + found.kind + " found";
  if (record.budgets != found.budgets || record.evidence != found.evidence)
    return "at " + text_of(record.evidence) + " recorded, at " + text_of(found.evidence) + " found";
  if (!record.signature.empty() && record.signature != found.signature)
    return "the signature \"" + record.signature + "\" is recorded, \"" + found.signature + "\" found";
  return "";
}

}  // namespace

std::string_view name_of(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::same:
      return "same";
    case CaseVerdict::closed:
      return "closed";
    case CaseVerdict::moved:
      return "moved";
    case CaseVerdict::new_hole:
      return "new hole";
    case CaseVerdict::invalid:
      return "invalid";
    case CaseVerdict::nondeterministic:
      return "nondeterministic";
    case CaseVerdict::unresolved:
      return "unresolved";
  }
  return "";
}

std::string holes_text(const CaseAnswer& answer) {
  const std::vector<Hole> holes = holes_in(answer);
  if (holes.empty()) return "no hole";
  if (holes.size() == 1) return text_of(holes.front());
  return std::to_string(holes.size()) + " holes, the first [" + std::to_string(holes.front().from) + ", " +
         std::to_string(holes.front().to) + ")";
}

CaseJudgement judge(const CaseAnswer& record, const CaseAnswer& found, std::string_view why_unresolved,
                    std::string_view why_no_outcome) {
  if (const auto hole = new_hole(record, found))
    return {CaseVerdict::new_hole, text_of(*hole) + " is found, " + holes_text(record) + " recorded"};
  if (record.is_closed() && !found.is_closed())
    return {CaseVerdict::new_hole, "closed is recorded; now: " + found.text};
  if (const auto lost = first_difference(claimed_outcomes(record), found.map, true))
    return {CaseVerdict::unresolved, text_of(*lost) + ": " + std::string(why_no_outcome)};
  if (!why_unresolved.empty()) return {CaseVerdict::unresolved, std::string(why_unresolved)};
  if (!record.is_closed() && found.is_closed())
    return {CaseVerdict::closed, record.budgets ? "no hole is left" : "nothing is broken"};
  const std::string moved = why_moved(record, found);
  return {moved.empty() ? CaseVerdict::same : CaseVerdict::moved, moved};
}

}  // namespace pothole
