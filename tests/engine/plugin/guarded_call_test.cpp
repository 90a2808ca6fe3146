#include "engine/plugin/guarded_call.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <thread>
#include <vector>

namespace pothole {
namespace {

constexpr CallPlace kPlace = {"plugin", "trace", 1, 2};
constexpr std::chrono::seconds kLong{60};
constexpr std::chrono::milliseconds kShort{30};

TEST(ThreadsGuardedCall, RunsTheBodyAndHandsOnWhatItThrows) {
  int steps = 0;
  EXPECT_TRUE(call_guarded(kPlace, kLong, [&] {
    ++steps;
    const Foreign foreign;
    const Ours ours;
    ++steps;
  }));
  EXPECT_EQ(steps, 2);
  EXPECT_THROW(static_cast<void>(call_guarded(kPlace, kLong,
                                              [] {
                                                const Foreign foreign;
                                                throw std::runtime_error("no");
                                              })),
               std::runtime_error);
  EXPECT_TRUE(call_guarded(kPlace, kLong, [&] { ++steps; }));
  EXPECT_EQ(steps, 3);
}

// Code of ours is waited for, however long it takes.
TEST(ThreadsGuardedCall, OnlyForeignCodeCanBeLate) {
  bool done = false;
  EXPECT_TRUE(call_guarded(kPlace, kShort, [&] {
    std::this_thread::sleep_for(4 * kShort);
    done = true;
  }));
  EXPECT_TRUE(done);
}

// One call in two hundred never returns, with and without calling back; the others, of the same threads, are not
// harmed.
TEST(ThreadsGuardedCall, WhoIsLateIsLeftBehindAndTouchesNothing) {
  constexpr int kThreads = 4, kCalls = 400;
  const int before = companions_left_behind();
  std::array<int, kThreads> lost{}, wrong{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCalls; ++i) {
        int steps = 0;
        const bool returned = call_guarded(kPlace, i % 200 == 199 ? kShort : std::chrono::milliseconds(kLong), [&] {
          const bool endless = i % 200 == 199, asks = t % 2 == 0;
          for (int k = 0; k < 10; ++k) {
            const Foreign foreign;
            while (endless) {
              if (asks) const Ours ours;
              usleep(1000);
            }
            const Ours ours;
            ++steps;
          }
        });
        const auto index = static_cast<std::size_t>(t);
        lost[index] += !returned;
        wrong[index] += steps != (returned ? 10 : 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(lost[t], 2);
    EXPECT_EQ(wrong[t], 0);
  }
  EXPECT_EQ(companions_left_behind(), before + 2 * kThreads);
}

}  // namespace
}  // namespace pothole
