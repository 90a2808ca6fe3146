// Where two executions part, what each does, and what the failing operator rebuilds.
#include "engine/explanation/divergence.h"

#include <gtest/gtest.h>

#include "engine/explanation/rebuild.h"
#include "engine/search.h"
#include "shrinker/oracle.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

struct Pair {
  Program program;
  History ok, oom;
};

// Of all holes in some random programs.
std::vector<Pair> pairs() {
  std::vector<Pair> found;
  for (const char* policy : {"DTR", "LRU", "TwoPhase"}) {
    OracleSettings settings;
    settings.run = settings_with(policy);
    const Oracle oracle(settings);
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
      Program program = random_program(seed, 14);
      const Answer answer = oracle.ask(program, {});
      if (answer.kind != Answer::Kind::hole) continue;
      History ok = history_of(program, settings.run, answer.witness.ok);
      History oom = history_of(program, settings.run, answer.witness.oom);
      found.push_back({std::move(program), std::move(ok), std::move(oom)});
    }
  }
  return found;
}

std::vector<TensorId> victims(const History& history, bool with_releases) {
  std::vector<TensorId> tensors;
  for (const Event& e : history.events)
    if (e.kind == Event::Kind::evicted || (with_releases && e.kind == Event::Kind::released))
      tensors.push_back(e.tensor);
  return tensors;
}

TEST(Divergence, CountsTheCommonPrefix) {
  const std::vector<Pair> all = pairs();
  ASSERT_GT(all.size(), 20u);
  for (const Pair& pair : all) {
    const Divergence d = divergence_of(pair.ok, pair.oom);
    for (const auto& [parting, with_releases] : {std::pair(&d.all, true), std::pair(&d.by_policy, false)}) {
      const std::vector<TensorId> a = victims(pair.ok, with_releases), b = victims(pair.oom, with_releases);
      const auto [at, bt] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
      EXPECT_EQ(parting->common, static_cast<std::size_t>(at - a.begin()));
      EXPECT_EQ(parting->ok.has_value(), at != a.end());
      EXPECT_EQ(parting->oom.has_value(), bt != b.end());
      if (parting->ok) {
        EXPECT_EQ(pair.ok.events[*parting->ok].tensor, *at);
      }
      if (parting->oom) {
        EXPECT_EQ(pair.oom.events[*parting->oom].tensor, *bt);
      }
    }
  }
}

TEST(Divergence, ThePhasesOfTheFailingExecutionAreAllOfIt) {
  for (const Pair& pair : pairs()) {
    const Divergence d = divergence_of(pair.ok, pair.oom);
    const Measures& m = pair.oom.result.measures;
    const PhaseCount &a = d.before, &b = d.oom.apart, &c = d.oom.inside;
    EXPECT_EQ(a.evictions_by_policy + b.evictions_by_policy + c.evictions_by_policy, m.evictions_by_policy);
    EXPECT_EQ(a.evictions_on_release + b.evictions_on_release + c.evictions_on_release, m.evictions_on_release);
    std::int64_t begun = 0;
    for (const PlaceSummary& p : pair.oom.places) begun += p.remats;
    EXPECT_EQ(a.remats + b.remats + c.remats, begun);
  }
}

TEST(Divergence, ByHand) {
  const RunSettings settings = settings_with("DTR");
  const History ok = history_of(five_operators(), settings, 12), oom = history_of(five_operators(), settings, 13);
  const Divergence d = divergence_of(ok, oom);
  EXPECT_EQ(d.failing_place, 4u);
  EXPECT_EQ(d.all.common, 2u);
  EXPECT_EQ(d.by_policy.common, 2u);
  EXPECT_EQ(ok.events[*d.by_policy.ok].tensor, 2u);
  EXPECT_EQ(oom.events[*d.by_policy.oom].tensor, 3u);
  EXPECT_EQ(oom.events[*d.all.oom].kind, Event::Kind::released);
  EXPECT_EQ(d.before.evictions(), 2);
  EXPECT_EQ(d.ok.apart.evictions(), 2);
  EXPECT_EQ(d.oom.apart.evictions(), 1);
  EXPECT_EQ(d.oom.inside.remats, 2);
}

TEST(Rebuild, ByHand) {
  const RunSettings settings = settings_with("DTR");
  const Rebuild rebuild = rebuild_of(five_operators(), history_of(five_operators(), settings, 12),
                                     history_of(five_operators(), settings, 13));
  ASSERT_EQ(rebuild.tensors.size(), 2u);
  EXPECT_EQ(rebuild.tensors[0].tensor, 1u);
  EXPECT_EQ(rebuild.tensors[0].depth, 2);
  EXPECT_EQ(rebuild.tensors[0].gone_in_oom, (Departure{3, false}));
  EXPECT_FALSE(rebuild.tensors[0].kept_by_ok);
  EXPECT_EQ(rebuild.tensors[1].tensor, 0u);
  EXPECT_EQ(rebuild.tensors[1].gone_in_oom, (Departure{3, true}));
  EXPECT_EQ(rebuild.at_depth, (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(Rebuild, EveryRematerializationIsCountedOnce) {
  for (const Pair& pair : pairs()) {
    const Divergence d = divergence_of(pair.ok, pair.oom);
    const Rebuild rebuild = rebuild_of(pair.program, pair.ok, pair.oom);
    std::int64_t times = 0, begun = 0;
    for (const Rebuilt& r : rebuild.tensors) {
      times += r.times;
      EXPECT_TRUE(r.gone_in_oom.has_value()) << "what is made again was made, and went";
    }
    for (const std::int64_t count : rebuild.at_depth) begun += count;
    EXPECT_EQ(times, d.oom.inside.remats);
    EXPECT_GE(begun, times);
    EXPECT_EQ(static_cast<std::int64_t>(rebuild.at_depth.size()), pair.oom.places[d.failing_place].depth);
  }
}

}  // namespace
}  // namespace pothole
