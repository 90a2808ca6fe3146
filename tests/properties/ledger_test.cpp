// The ledger books what the engine decides, and the same bytes come out.
#include "properties/ledger.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/program_builder.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

using Kind = Decision::Kind;

TEST(Ledger, CountsAnOutputThatIsComputedTwiceUntilItIsDropped) {
  ProgramBuilder builder;
  ASSERT_FALSE(builder.add_operator("", 1, {}, {{5, -1, ""}, {2, -1, ""}}));
  const Program program = builder.finish();
  Ledger ledger(program);
  EXPECT_EQ(ledger.book({Kind::computed, 0}), "");
  EXPECT_EQ(ledger.resident(), 7);
  EXPECT_EQ(ledger.book({Kind::evicted, 0}), "");
  EXPECT_EQ(ledger.resident(), 2);
  EXPECT_EQ(ledger.book({Kind::computed, 0}), "");
  EXPECT_EQ(ledger.resident(), 7);
  EXPECT_EQ(ledger.peak(), 9);
  EXPECT_EQ(ledger.place(), 1u);
}

TEST(Ledger, RefusesWhatIsImpossibleAndBooksNothing) {
  const Program program = plain_program({{1, 1, {}, {}}, {1, 2, {0}, {}}, {1, 3, {}, {}}}, {});
  Ledger ledger(program);
  EXPECT_EQ(ledger.book({Kind::computed, 1}), Ledger::kArgumentMissing);
  EXPECT_EQ(ledger.book({Kind::computed, 2}), Ledger::kArgumentMissing);  // not issued yet
  EXPECT_EQ(ledger.book({Kind::released, 0}), Ledger::kNotResident);
  EXPECT_EQ(ledger.resident(), 0);
  EXPECT_EQ(ledger.peak(), 0);
}

TEST(Ledger, AgreesWithEveryRun) {
  EXPECT_TRUE(rc::check("the peak is the engine's", [](bool ignore) {
    const Program program = (*any_program_seed(30)).program();
    const Bytes peak = peak_of(program);
    RunOptions options;
    options.record_decisions = true;
    const RunSettings settings = settings_with("DTR", ignore ? Dealloc::ignore : Dealloc::eager);
    for (const double share : {0.3, 0.6, 0.9, 1.0}) {
      const RunResult result = run(program, settings, budget_at_ratio(peak, share), options);
      Ledger ledger(program);
      for (const Decision& d : result.decisions) RC_ASSERT(ledger.book(d) == "");
      RC_ASSERT(ledger.peak() == result.measures.peak_resident);
      if (result.outcome == Outcome::ok) RC_ASSERT(ledger.place() == program.operators().size());
    }
  }));
}

}  // namespace
}  // namespace pothole
