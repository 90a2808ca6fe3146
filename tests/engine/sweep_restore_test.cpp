// A sweep that was stopped goes on where it was: with the parts that it had under way, the map and every count are
// those of a sweep that was not.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/parallel.h"
#include "engine/search.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

RunSettings settings_of(std::string_view policy) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  return settings;
}

// What a checkpoint holds of a sweep.
class Kept {
 public:
  // A sweep that goes on from here, and is stopped after the time.
  FeasibilityMap sweep(const Program& program, const RunSettings& settings, BudgetRange range,
                       std::chrono::microseconds time, unsigned threads) {
    sort_by_budget(executions_);
    const std::vector<Execution> known = executions_;
    const std::vector<SweepPart> parts = under_way();
    under_way_.clear();
    for (std::size_t i = 0; i < parts.size(); ++i) under_way_[i] = parts[i];
    std::atomic<bool> stop = false;
    SearchControl control;
    control.stop = &stop;
    control.on_report = [this](const SearchReport& report) { add(report); };
    std::atomic<bool> ended = false;
    std::thread stopper([&] {
      const auto end = std::chrono::steady_clock::now() + time;
      while (!ended && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      stop = true;
    });
    FeasibilityMap map;
    with_threads(threads, [&] { map = map_by_sweep(program, settings, range, control, known, parts); });
    ended = true;
    stopper.join();
    return map;
  }

  std::vector<SweepPart> under_way() const {
    std::vector<SweepPart> parts;
    for (const auto& [index, part] : under_way_) parts.push_back(part);
    return parts;
  }
  std::map<std::size_t, SweepPart>& parts() { return under_way_; }
  SearchWork work() const {
    SearchWork work = ended_;
    for (const auto& [index, part] : under_way_) work += part.work;
    return work;
  }

 private:
  void add(const SearchReport& report) {
    const std::lock_guard lock(mutex_);
    executions_.insert(executions_.end(), report.found.begin(), report.found.end());
    for (const PartReport& part : report.parts) {
      under_way_.erase(part.part);
      if (part.under_way)
        under_way_[part.part] = *part.under_way;
      else
        ended_ += part.work;
    }
  }

  std::mutex mutex_;
  std::vector<Execution> executions_;
  std::map<std::size_t, SweepPart> under_way_;
  SearchWork ended_;
};

struct LongSweep {
  Program program;
  RunSettings settings;
  BudgetRange range;

  LongSweep(std::uint64_t seed, std::string_view policy, std::int64_t operators)
      : program(long_program(seed, operators)), settings(settings_of(policy)) {
    // The upper quarter: far below it executions thrash, which takes sixty times as long.
    const Bytes peak = peak_of(program);
    range = {(program.bottleneck() + 3 * peak) / 4, peak + 1};
  }
};

TEST(ThreadsSweepRestore, AStoppedSweepGoesOnWhereItWas) {
  int resumed = 0;
  for (const std::string_view policy : {"DTR", "LRU", "DTREqClass", "RandomStorage", "TwoPhase"}) {
    for (const unsigned threads : {1u, 2u}) {
      // A policy that draws at random keeps next to nothing together.
      const LongSweep sweep(threads, policy, policy == "RandomStorage" ? 30 : 100);
      const FeasibilityMap whole = map_by_sweep(sweep.program, sweep.settings, sweep.range);
      Kept kept;
      FeasibilityMap map;
      for (auto time = std::chrono::microseconds(50); certified_bytes_of(map) < certified_bytes_of(whole); time *= 2) {
        if (!kept.parts().empty()) ++resumed;
        map = kept.sweep(sweep.program, sweep.settings, sweep.range, time, threads);
      }
      EXPECT_EQ(map.executions, whole.executions) << policy;
      EXPECT_EQ(kept.work(), whole.work) << policy;
      EXPECT_TRUE(kept.parts().empty()) << policy;
    }
  }
  EXPECT_GT(resumed, 0);
}

TEST(ThreadsSweepRestore, APartThatNoRunComesToBeginsAgain) {
  const LongSweep sweep(3, "DTR", 300);
  const FeasibilityMap whole = map_by_sweep(sweep.program, sweep.settings, sweep.range);
  const auto damage = {+[](SweepPart& part) { ++part.states.back().digest; },
                       +[](SweepPart& part) { part.place = 1'000'000'000; },
                       +[](SweepPart& part) { part.states.front().branches.front().steps += 1'000'000'000; }};
  for (const auto& wrong : damage) {
    std::optional<Kept> kept;
    for (auto time = std::chrono::microseconds(200); !kept || kept->parts().empty(); time = time * 3 / 2) {
      kept.emplace();
      kept->sweep(sweep.program, sweep.settings, sweep.range, time, 2);
    }
    for (auto& [index, part] : kept->parts()) wrong(part);
    const FeasibilityMap map = kept->sweep(sweep.program, sweep.settings, sweep.range, std::chrono::hours(1), 2);
    EXPECT_EQ(map.executions, whole.executions);
  }
}

}  // namespace
}  // namespace pothole
