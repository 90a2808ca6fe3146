// Verdicts: each from a record and what is found, and exactly one for any pair.
#include "corpus/case_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "generators/split_mix.h"

namespace pothole {
namespace {

CaseAnswer with_map(std::vector<CaseSegment> map) {
  CaseAnswer answer;
  answer.kind = kClosed;
  answer.map_from = 1;
  answer.map_to = map.back().to;
  answer.map = std::move(map);
  return answer;
}

CaseAnswer with_hole(Bytes from, Bytes to) {
  CaseAnswer answer = with_map({{1, 11, "oom"}, {11, from, "ok"}, {from, to, "oom"}, {to, 18, "ok"}});
  answer.kind = kHoleKind;
  answer.budgets = {from - 1, from, to};
  answer.signature = "fails";
  return answer;
}

CaseAnswer without_hole() { return with_map({{1, 11, "oom"}, {11, 18, "ok"}}); }

CaseVerdict verdict(const CaseAnswer& record, const CaseAnswer& found, std::string_view why = "") {
  return judge(record, found, why, "step limit").verdict;
}

TEST(CaseVerdict, WhatIsAsRecordedIsTheSame) {
  EXPECT_EQ(judge(with_hole(13, 16), with_hole(13, 16), "", ""), CaseJudgement());
  EXPECT_EQ(judge(without_hole(), without_hole(), "", ""), CaseJudgement());
  CaseAnswer retold = with_hole(13, 16);
  retold.title = retold.text = "told otherwise";
  EXPECT_EQ(verdict(with_hole(13, 16), retold), CaseVerdict::same);
}

TEST(CaseVerdict, AHoleThatIsGoneIsClosed) {
  EXPECT_EQ(judge(with_hole(13, 16), without_hole(), "", ""), (CaseJudgement{CaseVerdict::closed, "no hole is left"}));
}

TEST(CaseVerdict, AHoleWithOtherEdgesHasMoved) {
  const CaseJudgement judgement = judge(with_hole(13, 16), with_hole(14, 16), "", "");
  EXPECT_EQ(judgement.verdict, CaseVerdict::moved);
  EXPECT_EQ(judgement.why, "at 13 oom is recorded, ok found; hole [13, 16) is recorded, hole [14, 16) found");
  CaseAnswer other = with_hole(13, 16);
  other.signature = "fails elsewhere";
  EXPECT_EQ(judge(with_hole(13, 16), other, "", ""),
            (CaseJudgement{CaseVerdict::moved, "the signature \"fails\" is recorded, \"fails elsewhere\" found"}));
  other.signature = "fails";
  other.map[0].to = other.map[1].from = 12;
  EXPECT_EQ(verdict(with_hole(13, 16), other), CaseVerdict::moved) << "the first success has moved";
  EXPECT_EQ(verdict(without_hole(), with_map({{1, 12, "oom"}, {12, 18, "ok"}})), CaseVerdict::moved);
}

TEST(CaseVerdict, AHoleBesideThoseRecordedIsNew) {
  CaseAnswer two =
      with_map({{1, 5, "oom"}, {5, 8, "ok"}, {8, 11, "oom"}, {11, 13, "ok"}, {13, 16, "oom"}, {16, 18, "ok"}});
  two.kind = kHoleKind;
  two.budgets = {12, 13, 16};
  two.signature = "fails";
  EXPECT_EQ(judge(with_hole(13, 16), two, "", ""),
            (CaseJudgement{CaseVerdict::new_hole, "hole [8, 11) is found, hole [13, 16) recorded"}));
  EXPECT_EQ(verdict(two, with_hole(13, 16)), CaseVerdict::moved) << "one of two is left";
  EXPECT_EQ(verdict(without_hole(), with_hole(13, 16)), CaseVerdict::new_hole);
  EXPECT_EQ(verdict(with_hole(12, 13), with_hole(13, 16)), CaseVerdict::new_hole) << "they touch, and share no byte";
  CaseAnswer guard = without_hole();
  guard.map.clear();
  EXPECT_EQ(verdict(guard, with_hole(13, 16)), CaseVerdict::new_hole) << "closed, without a map";
}

TEST(CaseVerdict, ALostOutcomeIsUnresolvedAndANewHoleIsCertainAllTheSame) {
  const CaseAnswer cut = with_map({{1, 9, "unresolved"}, {9, 11, "oom"}, {11, 18, "ok"}});
  EXPECT_EQ(judge(with_hole(13, 16), cut, "", "step limit"),
            (CaseJudgement{CaseVerdict::unresolved, "in [1, 9) oom is recorded, no outcome found: step limit"}));
  EXPECT_EQ(verdict(without_hole(), with_map({{1, 11, "policy error"}, {11, 18, "ok"}})), CaseVerdict::unresolved);
  CaseAnswer hole = with_hole(13, 16);
  hole.map[0].outcome = "unresolved";
  EXPECT_EQ(verdict(without_hole(), hole), CaseVerdict::new_hole);
  EXPECT_EQ(verdict(hole, with_hole(13, 16)), CaseVerdict::same) << "the record claims nothing there";
  EXPECT_EQ(verdict(with_hole(13, 16), with_hole(13, 16), "interrupted"), CaseVerdict::unresolved);
}

TEST(CaseVerdict, WithoutAMapTheWitnessIsTheClaim) {
  CaseAnswer record = with_hole(13, 16);
  record.map.clear();
  EXPECT_EQ(verdict(record, with_hole(13, 16)), CaseVerdict::same);
  EXPECT_EQ(verdict(record, with_hole(14, 16)), CaseVerdict::moved);
  EXPECT_EQ(verdict(record, without_hole()), CaseVerdict::closed);
}

TEST(CaseVerdict, OtherPropertiesAreJudgedByKindAndEvidence) {
  CaseAnswer record = without_hole();
  record.kind = "held";
  record.evidence = {11, 12};
  EXPECT_EQ(verdict(record, record), CaseVerdict::same);
  EXPECT_EQ(verdict(record, without_hole()), CaseVerdict::closed);
  CaseAnswer other = record;
  other.evidence = {11, 13};
  EXPECT_EQ(judge(record, other, "", "").why, "at 11, 12 recorded, at 11, 13 found");
  other.kind = "released";
  EXPECT_EQ(judge(record, other, "", ""), (CaseJudgement{CaseVerdict::moved, "held is recorded, released found"}));
  EXPECT_EQ(verdict(without_hole(), record), CaseVerdict::new_hole);
}

// Of random maps, as a slow reading of the definitions has it, budget by budget.
TEST(CaseVerdict, IsWhatTheDefinitionsSay) {
  constexpr Bytes kEnd = 9;
  constexpr const char* kOutcomes[] = {"ok", "oom", "thrashed", "unresolved"};
  SplitMix random(1);
  const auto any = [&] {
    CaseAnswer answer;
    answer.map_from = 1;
    answer.map_to = kEnd;
    for (Bytes b = 1; b < kEnd; ++b)
      answer.map.push_back({b, b + 1, kOutcomes[random.between(0, 3) * random.between(0, 1)]});
    answer.kind = holes_text(answer) == "no hole" ? kClosed : kHoleKind;
    return answer;
  };
  // By budget: 0 if it is in no hole, else 1 + the budget before its hole.
  const auto hole_at = [](const CaseAnswer& a, Bytes budget) -> Bytes {
    const auto is = [&](Bytes b, const char* outcome) {
      return a.map[static_cast<std::size_t>(b - 1)].outcome == outcome;
    };
    if (is(budget, "ok")) return 0;
    Bytes below = budget, above = budget;
    while (below > 0 && !is(below, "ok")) --below;
    while (above < kEnd && !is(above, "ok")) ++above;
    bool oom = false;
    for (Bytes b = below + 1; b < above; ++b) oom = oom || is(b, "oom");
    return below > 0 && above < kEnd && oom ? 1 + below : 0;
  };
  std::set<CaseVerdict> seen;
  for (int i = 0; i < 20'000; ++i) {
    const CaseAnswer record = any(), found = i % 5 == 0 ? record : any();
    bool is_new = record.is_closed() && !found.is_closed(), lost = false, other = false;
    std::map<Bytes, bool> known;
    for (Bytes b = 1; b < kEnd; ++b) {
      const std::string& was = record.map[static_cast<std::size_t>(b - 1)].outcome;
      const std::string& is = found.map[static_cast<std::size_t>(b - 1)].outcome;
      lost = lost || (was != "unresolved" && is == "unresolved");
      other = other || (was != "unresolved" && is != was);
      if (const Bytes hole = hole_at(found, b)) known[hole] = known[hole] || hole_at(record, b) != 0;
    }
    for (const auto& [hole, is_known] : known) is_new = is_new || !is_known;
    const CaseVerdict expected = is_new                                     ? CaseVerdict::new_hole
                                 : lost                                     ? CaseVerdict::unresolved
                                 : !record.is_closed() && found.is_closed() ? CaseVerdict::closed
                                 : other                                    ? CaseVerdict::moved
                                                                            : CaseVerdict::same;
    ASSERT_EQ(verdict(record, found), expected) << i;
    seen.insert(expected);
  }
  EXPECT_EQ(seen.size(), 5u);
}

}  // namespace
}  // namespace pothole
