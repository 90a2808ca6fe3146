#include "cli/progress.h"

#include <gtest/gtest.h>

#include "cli/table.h"

namespace pothole {
namespace {

std::deque<ProgressSample> samples_at(double (*share)(double)) {
  std::deque<ProgressSample> samples;
  for (int i = 0; i <= 50; ++i) samples.push_back({i * 0.2, share(i * 0.2), i});
  return samples;
}

TEST(Progress, ASteadySpeedGivesTheTimeLeft) {
  const auto left = time_left(samples_at([](double t) { return t / 40; }));
  ASSERT_TRUE(left);
  EXPECT_NEAR(*left, 30, 1e-6);
}

TEST(Progress, NoTimeIsClaimedWhileTheSpeedChanges) {
  EXPECT_FALSE(time_left(samples_at([](double t) { return 1 - 1 / (1 + t); })));
  EXPECT_FALSE(time_left(samples_at([](double) { return 0.5; })));
  EXPECT_FALSE(time_left({{0, 0, 0}, {0.1, 0.1, 1}, {0.2, 0.2, 2}}));
  EXPECT_FALSE(time_left({}));
}

TEST(Progress, TextNamesShareStepsAndTimes) {
  EXPECT_EQ(progress_text("hunt a.log DTR", {"executions", "of budgets certified"}, {65, 0.9999, 130}, std::nullopt, 0),
            "hunt a.log DTR  130 executions (2/s)  99.9 % of budgets certified  1:05 elapsed");
  EXPECT_EQ(progress_text("run", {"runs", ""}, {3725, 1.0000001, 5}, 12.1, 4),
            "run  [####] 100.0 %  5 runs (0/s)  1:02:05 elapsed, about 0:13 left");
  EXPECT_EQ(progress_text("run", {"runs", ""}, {0, 0, 0}, std::nullopt, 4), "run  [....] 0.0 %  0 runs  0:00 elapsed");
}

TEST(ThreadsProgress, StepsFromManyThreadsAreSafe) {
  Progress progress("test", {"steps", ""}, false);
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) progress.add(1, 0.001);
  });
  for (int i = 0; i < 100; ++i) progress.set_label("label " + std::to_string(i));
  other.join();
  testing::internal::CaptureStderr();
  progress.finish();
  progress.finish();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Table, AlignsByCharactersAndLeavesNoBlanksAtTheEnd) {
  Table table({{"name"}, {"n", true}, {"note"}});
  table.add_row({"\xC3\xBC", "12", ""});
  table.add_row({"abcde", "1", "x"});
  const std::vector<std::string> wanted = {" name    n  note", " \xC3\xBC      12", " abcde   1  x"};
  EXPECT_EQ(table.lines(" "), wanted);
}

}  // namespace
}  // namespace pothole
