// The door to TBB: everything is done once, exceptions come back the same every time, and the number of
// threads is respected.
#include "engine/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace pothole {
namespace {

// The most bodies that were under way at once.
int most_at_once(unsigned threads) {
  std::atomic<int> now{0}, most{0};
  with_threads(threads, [&] {
    parallel_for(64, [&](std::size_t) {
      const int count = ++now;
      for (int before = most; before < count && !most.compare_exchange_weak(before, count);) continue;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --now;
    });
  });
  return most;
}

TEST(ThreadsParallel, EveryIndexIsDoneOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<std::atomic<int>> done(count);
    parallel_for(count, [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ThreadsParallel, NoMoreThreadsThanAllowed) {
  EXPECT_EQ(most_at_once(1), 1);
  EXPECT_LE(most_at_once(2), 2);
  EXPECT_LE(most_at_once(3), 3);
}

TEST(ThreadsParallel, MoreThreadsThanCoresAreAllowed) {
  const unsigned more = std::thread::hardware_concurrency() + 2;
  std::atomic<unsigned> waiting{0};
  with_threads(more, [&] {
    parallel_for(more, [&](std::size_t) {
      ++waiting;  // all must be under way at once, each on a thread of its own
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (waiting < more && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      EXPECT_EQ(waiting, more);
    });
  });
}

TEST(ThreadsParallel, TheLowestFailureIsRethrownAfterAllWasDone) {
  for (const unsigned threads : {1u, 2u}) {
    std::atomic<int> done{0};
    std::string what;
    try {
      with_threads(threads, [&] {
        parallel_for(200, [&](std::size_t i) {
          ++done;
          if (i % 50 == 7) throw std::runtime_error(std::to_string(i));
        });
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "7");
    EXPECT_EQ(done, 200);
  }
}

TEST(ThreadsParallel, BothAreDoneHoweverDeepTheyNest) {
  std::vector<int> done(1 << 10, 0);
  const std::function<void(std::size_t, std::size_t)> halve = [&](std::size_t from, std::size_t to) {
    if (to - from == 1) {
      ++done[from];
      return;
    }
    const std::size_t middle = from + (to - from) / 2;
    parallel_both([&] { halve(from, middle); }, [&] { halve(middle, to); });
  };
  with_threads(2, [&] { halve(0, done.size()); });
  EXPECT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(done.size()));
}

TEST(ThreadsParallel, WhatTheWorkWroteIsSeenAfterwards) {
  std::vector<std::size_t> squares(500);
  with_threads(0, [&] { parallel_for(squares.size(), [&](std::size_t i) { squares[i] = i * i; }); });
  for (std::size_t i = 0; i < squares.size(); ++i) EXPECT_EQ(squares[i], i * i);
}

TEST(ThreadsOrderedStream, FoldsInOrderWithASlotForEachItem) {
  constexpr std::size_t kItems = 2000, kSlots = 7;
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<std::size_t> slots(kSlots, kItems);
    std::vector<std::size_t> folded;
    std::atomic<bool> shared_slot{false};
    OrderedStream stream;
    stream.more = [](std::size_t i) { return i < kItems; };
    stream.work = [&](std::size_t i, std::size_t slot) {
      if (slots[slot] != kItems) shared_slot = true;
      // Work that is itself parallel must not take up other items while it waits.
      alone([&] { parallel_for(4, [](std::size_t) {}); });
      slots[slot] = i;
    };
    stream.fold = [&](std::size_t i, std::size_t slot) {
      EXPECT_EQ(slots[slot], i);
      slots[slot] = kItems;
      folded.push_back(i);
    };
    with_threads(threads, [&] { parallel_in_order(kSlots, stream); });
    EXPECT_FALSE(shared_slot);
    ASSERT_EQ(folded.size(), kItems);
    for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(folded[i], i);
  }
}

TEST(ThreadsOrderedStream, AnExceptionEndsIt) {
  std::atomic<std::size_t> worked{0};
  OrderedStream stream;
  stream.more = [](std::size_t) { return true; };
  stream.work = [&](std::size_t i, std::size_t) {
    ++worked;
    if (i == 50) throw std::runtime_error("fifty");
  };
  std::size_t folded = 0;
  stream.fold = [&](std::size_t, std::size_t) { ++folded; };
  EXPECT_THROW(with_threads(2, [&] { parallel_in_order(8, stream); }), std::runtime_error);
  EXPECT_LT(folded, 51u);
  EXPECT_LT(worked, 100u);
}

}  // namespace
}  // namespace pothole
