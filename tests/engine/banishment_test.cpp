// What banishing does, on small programs worked by hand.
#include "engine/banishment.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "engine/program_builder.h"
#include "engine/run.h"

namespace pothole {
namespace {

class Sketch {
 public:
  TensorId add(Cost cost, Bytes size, std::vector<TensorId> arguments = {}) {
    return made(builder_.add_operator("f", cost, std::move(arguments), {{size, -1, ""}}));
  }
  TensorId view(std::vector<TensorId> arguments) {
    return made(builder_.add_operator("view", 0, std::move(arguments), {{0, 0, ""}}));
  }
  TensorId constant(Bytes size) { return made(builder_.add_constant(size, "")); }
  void release(TensorId tensor) { check(builder_.release(tensor)); }
  void pin(TensorId tensor) { check(builder_.pin(tensor)); }
  Program finish() { return builder_.finish(); }

 private:
  static void check(const std::optional<BuildError>& error) {
    if (error) throw std::logic_error(error->what);
  }
  TensorId made(const std::optional<BuildError>& error) {
    check(error);
    return static_cast<TensorId>(builder_.tensor_count()) - 1;
  }
  ProgramBuilder builder_;
};

RunResult banishing(const Program& program, Bytes budget, const std::string& policy = "LargestStorage") {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  settings.dealloc = Dealloc::banish;
  RunOptions options;
  options.record_victims = true;
  return run(program, settings, budget, options);
}

using Victims = std::vector<TensorId>;

TEST(Banishment, AStorageGoesAtItsLastReleaseAndWhatCameOfItStays) {
  Sketch sketch;
  const TensorId a = sketch.add(1, 10);
  sketch.add(1, 8, {a});  // b
  sketch.release(a);      // banished, so that b cannot be computed again
  sketch.add(1, 4);       // c
  sketch.add(1, 4, {});   // d: of b and c only c can go
  const RunResult result = banishing(sketch.finish(), 12 + 6);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.measures.evictions_on_release, 1);
  EXPECT_EQ(result.measures.peak_resident, 18);
  EXPECT_EQ(result.victims, Victims());
  Sketch tight;
  const TensorId x = tight.add(1, 2);
  tight.add(1, 8, {x});
  tight.release(x);
  tight.add(1, 4);
  tight.add(1, 4);
  const RunResult small = banishing(tight.finish(), 12);
  EXPECT_EQ(small.outcome, Outcome::ok);
  EXPECT_EQ(small.victims, Victims{2});  // eight bytes are pinned
}

TEST(Banishment, AConstantIsBanishedToo) {
  Sketch sketch;
  const TensorId constant = sketch.constant(10);
  sketch.add(1, 1, {constant});
  sketch.release(constant);
  sketch.add(1, 9);
  const RunResult result = banishing(sketch.finish(), 11);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.victims, Victims());
  EXPECT_EQ(result.measures.evictions_on_release, 1);
}

// a and b are kept, as c, computed from them, was evicted. When c is computed again a is banished, and the loop over
// the arguments passes over b: it keeps its lock and stays.
Program passes_over(Bytes last) {
  Sketch sketch;
  const TensorId a = sketch.add(1, 10), b = sketch.add(1, 10), c = sketch.add(1, 12, {a, b});
  const TensorId x = sketch.add(1, 5);  // c goes, the largest
  sketch.release(a);
  sketch.release(b);
  sketch.release(x);      // banished, as nothing was computed from it
  sketch.add(1, 1, {c});  // d
  sketch.add(1, last);    // b 10, c 12 and d 1 are resident; c is pinned, b locked
  return sketch.finish();
}

TEST(Banishment, TheArgumentAfterABanishedOneIsPassedOver) {
  const RunResult fits = banishing(passes_over(10), 32);
  EXPECT_EQ(fits.outcome, Outcome::ok);
  EXPECT_EQ(fits.victims, (Victims{2, 4}));
  EXPECT_EQ(fits.measures.evictions_on_release, 2);  // x and a, never b
  EXPECT_EQ(fits.measures.remats, 1);
  const RunResult fails = banishing(passes_over(11), 32);
  EXPECT_EQ(fails.outcome, Outcome::oom);
  ASSERT_TRUE(fails.failure);
  EXPECT_EQ(*fails.failure, (Failure{11, 1, 1, 22}));
}

TEST(Banishment, WhatWasPassedOverWaitsUntilWhatItWaitsForIsBanished) {
  Sketch sketch;
  const TensorId a = sketch.add(1, 10), b = sketch.add(1, 10), c = sketch.add(1, 12, {a, b});
  const TensorId x = sketch.add(1, 5);
  sketch.release(a);
  sketch.release(x);
  sketch.add(1, 1, {c});  // d: a is banished, b passed over
  sketch.release(c);      // banished, d is pinned; b waits for nothing any more
  sketch.release(b);      // banished although it is locked
  sketch.add(1, 31);
  const RunResult result = banishing(sketch.finish(), 32);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.measures.evictions_on_release, 4);
}

TEST(Banishment, ASiblingBringsABanishedStorageBack) {
  ProgramBuilder builder;
  const auto check = [](const std::optional<BuildError>& error) {
    if (error) throw std::logic_error(error->what);
  };
  check(builder.add_operator("f", 1, {}, {{6, -1, ""}, {2, -1, ""}}));  // t0, t1
  check(builder.release(1));                                            // banished
  check(builder.add_operator("f", 1, {}, {{6, -1, ""}}));               // t2: t0 goes
  check(builder.add_operator("f", 1, {0}, {{0, -1, ""}}));              // t0 and t1 come back in place of t2
  check(builder.add_operator("f", 1, {}, {{1, -1, ""}}));               // t4: 8 bytes are resident; t0 goes
  check(builder.add_operator("f", 1, {}, {{7, -1, ""}}));               // t1
  const RunResult result = banishing(builder.finish(), 8);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.victims, (Victims{0, 2, 0, 1}));
  EXPECT_EQ(result.measures.evictions_on_release, 1);
}

TEST(Banishment, WhatHasNoReferenceIsNotTouched) {
  Sketch sketch;
  const TensorId a = sketch.add(1, 4), b = sketch.add(1, 3, {a});
  sketch.add(1, 3, {a});  // t2
  sketch.add(1, 4);       // t3
  sketch.add(1, 1, {a});  // t4 touches a at 5 and is made at 6
  sketch.add(1, 6);       // t5: b (3) and t2 (4) go
  sketch.release(a);      // it waits for both
  sketch.add(1, 0, {b});  // at 7 b comes back in place of t3 (5); a serves, untouched, and still waits for t2
  sketch.add(1, 5);       // the least recently used is a (5), not t4 (6)
  const RunResult result = banishing(sketch.finish(), 15, "LRU");
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.victims, (Victims{1, 2, 3, 0}));
}

TEST(Banishment, ATensorThatWasBanishedCannotBeUsed) {
  Sketch argument;
  const TensorId a = argument.add(1, 1);
  argument.release(a);
  argument.add(1, 1, {a});
  Sketch pinned;
  const TensorId p = pinned.add(1, 1);
  pinned.release(p);
  pinned.pin(p);
  // The view is computed again for its pin, and goes with its storage as soon as that has served.
  Sketch alias;
  const TensorId base = alias.add(1, 4), view = alias.view({base}), other = alias.add(1, 1, {base});
  alias.add(1, 5);
  for (TensorId t : {view, base, other}) alias.release(t);
  alias.pin(view);
  for (Sketch* sketch : {&argument, &pinned, &alias}) {
    const RunResult result = banishing(sketch->finish(), 5);
    EXPECT_EQ(result.outcome, Outcome::unresolved);
    EXPECT_EQ(result.why_unresolved, kBanishedNeeded);
  }
}

TEST(Banishment, PoliciesThatReadNeighbourhoodsAreRefused) {
  for (const Policy& policy : policies()) {
    RunSettings settings;
    settings.policy.policy = &policy;
    EXPECT_TRUE(why_not_runnable(settings).empty()) << policy.name;
    settings.dealloc = Dealloc::banish;
    const bool reads =
        policy.needs.has(Feature::forward) || policy.needs.has(Feature::reverse) || policy.needs.has(Feature::classes);
    EXPECT_EQ(why_not_runnable(settings).empty(), !reads) << policy.name;
  }
}

}  // namespace
}  // namespace pothole
