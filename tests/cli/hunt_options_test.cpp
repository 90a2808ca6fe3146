// What the options of hunt mean, and what is refused before any trace is read.
#include "cli/hunt_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Duration, NeedsAUnit) {
  EXPECT_EQ(parse_duration("90s", "--time").count(), 90);
  EXPECT_EQ(parse_duration("5min", "--time").count(), 300);
  EXPECT_EQ(parse_duration("1.5h", "--time").count(), 5400);
  EXPECT_THAT(refusal([] { parse_duration("90", "--time"); }), HasSubstr("has no unit"));
  for (const char* wrong : {"", "s", "5m", "5 s", "-1s", "0s", "1e3s", "nans", "infs", "5mins", "99999999999h"})
    EXPECT_THAT(refusal([&] { parse_duration(wrong, "--time"); }), HasSubstr("--time: '")) << wrong;
}

RangeOptions with_step(const std::string& step) {
  RangeOptions options;
  options.step = step;
  return options;
}

TEST(Grid, RatiosAreThoseOneWouldType) {
  const BudgetChoice choice(with_step("0.1"));
  const BudgetRange range = choice.range(1'000'000'000'000, "trace");
  const std::vector<Bytes> budgets = choice.grid(1'000'000'000'000, range, "trace");
  ASSERT_EQ(budgets.size(), 10u);
  for (std::size_t k = 0; k < budgets.size(); ++k) {
    // 3 * 0.1 is more than 0.3, and 0.7 of ten is a little less than 7.
    const double typed = std::stod("0." + std::to_string(k + 1));
    EXPECT_EQ(budgets[k], k == 9 ? 1'000'000'000'000 : budget_at_ratio(1'000'000'000'000, typed));
  }
}

TEST(Grid, SmallPeaksGiveEachBudgetOnce) {
  const BudgetChoice choice(with_step("0.01"));
  EXPECT_THAT(choice.grid(7, choice.range(7, "trace"), "trace"), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(refusal([&] { choice.grid(0, choice.range(0, "trace"), "trace"); }), HasSubstr("no budget of the grid"));
  EXPECT_THAT(refusal([] {
                const BudgetChoice fine(with_step("1e-9"));
                fine.grid(1'000'000'000'000, fine.range(1'000'000'000'000, "trace"), "trace");
              }),
              HasSubstr("take a larger step"));
}

TEST(Grid, AFileOfRatiosGivesTheRange) {
  const TemporaryFolder folder;
  RangeOptions options;
  options.ratios = (folder / "ratios").string();
  put_file(options.ratios, "# of the study\n0.5\n\n 0.2  # twice\r\n0.2\n1.5");
  const BudgetChoice choice(options);
  const BudgetRange range = choice.range(100, "trace");
  EXPECT_EQ(range.from, 20);
  EXPECT_EQ(range.to, 151);
  EXPECT_THAT(choice.grid(100, range, "trace"), ElementsAre(20, 50, 150));
  put_file(options.ratios, "0.5\n0.x\n");
  EXPECT_THAT(refusal([&] { const BudgetChoice wrong(options); }), HasSubstr("ratios:2: '0.x' is not a number"));
  put_file(options.ratios, "# nothing\n");
  EXPECT_THAT(refusal([&] { const BudgetChoice wrong(options); }), HasSubstr("there is no ratio in it"));
  options.ratios += "-absent";
  EXPECT_THAT(refusal([&] { const BudgetChoice wrong(options); }), HasSubstr("no such file"));
}

TEST(HuntPlan, OptionsThatAMethodWouldIgnoreAreRefused) {
  const auto refused = [](auto change) {
    return refusal([&] {
      HuntOptions options;
      change(options);
      const HuntPlan plan(options);
    });
  };
  EXPECT_EQ(refused([](HuntOptions&) {}), "accepted");
  EXPECT_THAT(refused([](HuntOptions& o) { o.method = "bisection"; }), HasSubstr("unknown method 'bisection'"));
  EXPECT_THAT(refused([](HuntOptions& o) { o.runs = 5; }), HasSubstr("--runs: is of --method bisect"));
  EXPECT_THAT(refused([](HuntOptions& o) { o.range.step = "0.1"; }), HasSubstr("--step: is of --method grid"));
  EXPECT_THAT(refused([](HuntOptions& o) { o.method = "grid"; }), HasSubstr("give one of --step and --ratios"));
  EXPECT_THAT(refused([](HuntOptions& o) {
                o.method = "grid";
                o.range.step = "0.1";
                o.checkpoint.resume = "file";
              }),
              HasSubstr("a grid has no checkpoint"));
  EXPECT_THAT(refused([](HuntOptions& o) { o.checkpoint.every = "5s"; }),
              HasSubstr("--checkpoint-every: there is no checkpoint to write (add --checkpoint FILE"));
  EXPECT_THAT(refused([](HuntOptions& o) {
                o.method = "executions";
                o.max_memory = "1GB";
              }),
              HasSubstr("--max-memory: is of --method certify"));
}

TEST(SearchMethod, AnOpaquePolicyIsSentToBisection) {
  const Policy opaque{"Mine", "", "", "", "", Feature::opaque, {}, nullptr};
  RunSettings settings;
  settings.policy.policy = &opaque;
  settings.policy.text = "Mine";
  const std::string text = refusal([&] { check_certifiable(SearchMethod::certify, settings); });
  EXPECT_THAT(text, HasSubstr("Mine cannot be certified: it reads the budget itself"));
  EXPECT_THAT(text, HasSubstr("use --method bisect"));
  EXPECT_EQ(refusal([&] { check_certifiable(SearchMethod::bisect, settings); }), "accepted");
}

}  // namespace
}  // namespace pothole
