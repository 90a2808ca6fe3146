// How small holes get, and how long it takes: 200 holes of random programs of 12 to 20 operators for each policy, and
// the holes of public traces that the study names. The counters are means over the holes of the number of operators
// before, when 1-minimal, after pairs of edits and after pumps, of the milliseconds until then, and of evaluations. The
// digest is of the results.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>

#include "corpus/trace.h"
#include "engine/hash.h"
#include "engine/parallel.h"
#include "generators/random_program.h"
#include "shrinker/shrink.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// What one reduction had come to when a phase ended.
struct Stage {
  std::size_t operators = 0;
  double milliseconds = 0;
};

struct Stages {
  Stage one_minimal, pairs, pumps;
  std::int64_t evaluations = 0;
  std::uint64_t digest = 0;
};

Stages shrunk(const RunSettings& settings, Program program, const Witness& witness) {
  ShrinkSettings shrink;
  shrink.oracle.run = settings;
  ShrinkState start;
  start.program = std::move(program);
  start.witness = witness;
  Stages stages;
  const Clock::time_point began = Clock::now();
  ShrinkPhase phase = ShrinkPhase::edits;
  ShrinkListener listener;
  listener.on_evaluated = [&](const ShrinkState& state) {
    if (state.phase == phase) return;
    phase = state.phase;
    const Stage now{state.program.operators().size(), milliseconds_since(began)};
    if (phase == ShrinkPhase::pairs && stages.one_minimal.operators == 0) stages.one_minimal = now;
    if (phase == ShrinkPhase::pumps && stages.pairs.operators == 0) stages.pairs = now;
  };
  Shrinker shrinker(shrink, std::move(start), listener);
  shrinker.run();
  const ShrinkState& end = shrinker.state();
  stages.pumps = {end.program.operators().size(), milliseconds_since(began)};
  stages.evaluations = end.evaluations;
  for (const std::int64_t word : rank_of(end.program, end.witness).spelling)
    stages.digest = extended(stages.digest, static_cast<std::uint64_t>(word));
  return stages;
}

void report(benchmark::State& state, std::size_t operators, const std::vector<Stages>& all) {
  const auto mean = [&](auto&& part) {
    double sum = 0;
    for (const Stages& s : all) sum += static_cast<double>(part(s));
    return sum / static_cast<double>(all.size());
  };
  state.counters["operators"] = static_cast<double>(operators) / static_cast<double>(all.size());
  state.counters["1-minimal"] = mean([](const Stages& s) { return s.one_minimal.operators; });
  state.counters["1-minimal_ms"] = mean([](const Stages& s) { return s.one_minimal.milliseconds; });
  state.counters["pairs"] = mean([](const Stages& s) { return s.pairs.operators; });
  state.counters["pairs_ms"] = mean([](const Stages& s) { return s.pairs.milliseconds; });
  state.counters["pumps"] = mean([](const Stages& s) { return s.pumps.operators; });
  state.counters["pumps_ms"] = mean([](const Stages& s) { return s.pumps.milliseconds; });
  state.counters["evaluations"] = mean([](const Stages& s) { return s.evaluations; });
  std::uint64_t digest = 0;
  for (const Stages& s : all) digest = extended(digest, s.digest);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  state.SetLabel(text);
}

RunSettings settings_of(const std::string& policy) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  return settings;
}

void random_holes(benchmark::State& state, const std::string& policy) {
  OracleSettings settings;
  settings.run = settings_of(policy);
  const Oracle oracle(settings);
  for (auto _ : state) {
    std::vector<Stages> all;
    std::size_t operators = 0;
    for (std::uint64_t seed = 0; static_cast<std::int64_t>(all.size()) < state.range(0); ++seed) {
      Program program = random_program(seed, static_cast<std::int64_t>(12 + seed % 9));
      const Answer answer = oracle.ask(program, {});
      if (answer.kind != Answer::Kind::hole) continue;
      operators += program.operators().size();
      all.push_back(shrunk(settings.run, std::move(program), answer.witness));
    }
    report(state, operators, all);
  }
}
#define POTHOLE_RANDOM_HOLES(policy) \
  BENCHMARK_CAPTURE(random_holes, policy, #policy)->Arg(3)->Arg(200)->Unit(benchmark::kMillisecond)->Iterations(1)
POTHOLE_RANDOM_HOLES(DTR);
POTHOLE_RANDOM_HOLES(LRU);
POTHOLE_RANDOM_HOLES(DTRLocal);
POTHOLE_RANDOM_HOLES(NbhdPenalty);
POTHOLE_RANDOM_HOLES(TwoPhase);

void hole_of_trace(benchmark::State& state, const std::string& beginning, Bytes oom) {
  for (const std::filesystem::path& file : public_traces()) {
    if (!file.filename().string().starts_with(beginning)) continue;
    const RunSettings settings = settings_of("DTR");
    for (auto _ : state) {
      Program program = read_trace(file).program;
      OracleSettings oracle;
      oracle.run = settings;
      const std::optional<Witness> witness = Oracle(oracle).hole_around(program, oom);
      const std::size_t operators = program.operators().size();
      report(state, operators, {shrunk(settings, std::move(program), *witness)});
    }
    return;
  }
  state.SkipWithError("the public traces are not here");
}
BENCHMARK_CAPTURE(hole_of_trace, resnet32, "resnet32", 1'046'362'683)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(hole_of_trace, unet, "unet", 3'530'000'000)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(hole_of_trace, inceptionv4, "inceptionv4", 2'845'000'000)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace pothole

BENCHMARK_MAIN();
