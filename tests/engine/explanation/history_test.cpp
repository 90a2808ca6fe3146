// A history tells what happened and changes nothing of it.
#include "engine/explanation/history.h"

#include <gtest/gtest.h>

#include "engine/search.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

constexpr const char* kPolicies[] = {"DTR", "LRU", "TwoPhase", "HEStar", "NbhdPenalty", "MSPS", "DTREqClass"};

// Budgets from what cannot suffice to what always does.
template <class Body>
void for_histories(const Body& body) {
  for (const char* policy : kPolicies) {
    const RunSettings settings = settings_with(policy);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Program program = random_program(seed, 15);
      const Bytes peak = peak_of(program);
      for (Bytes budget = 1; budget <= peak + 1; budget += 1 + peak / 9)
        body(program, settings, history_of(program, settings, budget));
    }
  }
}

TEST(History, ObservingChangesNothing) {
  for_histories([](const Program& program, const RunSettings& settings, const History& history) {
    const RunResult plain = run(program, settings, history.budget);
    ASSERT_EQ(plain.outcome, history.result.outcome);
    ASSERT_EQ(plain.decision_digest, history.result.decision_digest);
    ASSERT_EQ(plain.measures, history.result.measures);
    ASSERT_EQ(plain.certificate, history.result.certificate);
  });
}

TEST(History, TellsTheDecisionsInOrder) {
  std::size_t told = 0;
  for_histories([&](const Program&, const RunSettings&, const History& history) {
    std::vector<Decision> decisions;
    for (const Event& e : history.events)
      if (e.kind != Event::Kind::entered)
        decisions.push_back({e.kind == Event::Kind::computed  ? Decision::Kind::computed
                             : e.kind == Event::Kind::evicted ? Decision::Kind::evicted
                                                              : Decision::Kind::released,
                             e.tensor});
    ASSERT_EQ(decisions, history.result.decisions);
    told += decisions.size();
  });
  EXPECT_GT(told, 1000u);
}

TEST(History, ResidentBytesAreThoseOfTheStoragesThatAreThere) {
  std::size_t evictions = 0;
  for_histories([&](const Program& program, const RunSettings&, const History& history) {
    for (std::size_t i = 0; i < history.events.size(); ++i) {
      const Event& event = history.events[i];
      if (event.kind != Event::Kind::evicted) continue;
      ++evictions;
      const std::vector<bool> resident = resident_before(program, history.events, i);
      Bytes bytes = 0;
      for (StorageId s = 0; s < resident.size(); ++s) bytes += resident[s] ? program.storages()[s].size : 0;
      ASSERT_EQ(bytes, event.resident);
      ASSERT_TRUE(resident[program.tensors()[event.tensor].storage]);
      ASSERT_LE(event.pinned, event.resident);
      ASSERT_GT(event.resident + event.request, history.budget) << "room is made only where there is none";
    }
  });
  EXPECT_GT(evictions, 100u);
}

TEST(History, PlacesSumUpToTheMeasures) {
  for_histories([](const Program&, const RunSettings&, const History& history) {
    const Measures& m = history.result.measures;
    std::int64_t evictions = 0, releases = 0, remats = 0, depth = 0;
    Bytes pinned = 0;
    for (const PlaceSummary& p : history.places) {
      evictions += p.evictions;
      releases += p.releases;
      remats += p.remats;
      depth = std::max(depth, p.depth);
      pinned = std::max(pinned, p.peak_pinned);
    }
    ASSERT_EQ(evictions, m.evictions_by_policy);
    ASSERT_EQ(releases, m.evictions_on_release);
    ASSERT_EQ(depth, m.max_depth);
    ASSERT_EQ(pinned, m.peak_pinned);
    if (history.result.outcome == Outcome::ok) {
      ASSERT_EQ(remats, m.remats);
    }
  });
}

TEST(History, FindsThePlaceOfAnEvent) {
  const History history = history_of(five_operators(), settings_with("DTR"), 13);
  for (std::uint32_t place = 0; place < 6; ++place) {
    const std::size_t at = history.first_event_at(place);
    if (at > 0) {
      EXPECT_LT(history.events[at - 1].place, place);
    }
    if (at < history.events.size()) {
      EXPECT_GE(history.events[at].place, place);
    }
  }
}

TEST(History, NamesPlacesAsTheStudyDoes) {
  EXPECT_EQ(place_name(five_operators(), 0), "operator 1");
  EXPECT_EQ(place_name(five_operators(), 4), "operator 5");
  const auto pins = static_cast<std::uint32_t>(five_operators().pins().size());
  ASSERT_GT(pins, 0u);
  EXPECT_EQ(place_name(five_operators(), 5), "output t3");
  EXPECT_EQ(place_name(five_operators(), 5 + pins), "the end");
}

}  // namespace
}  // namespace pothole
