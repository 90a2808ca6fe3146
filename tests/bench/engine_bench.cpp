// How long single runs and whole maps take. Every benchmark shows a digest of its result, so that a faster
// wrong answer is seen. Those on public traces need the traces (POTHOLE_TRACES, see README).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "corpus/trace.h"
#include "engine/hash.h"
#include "engine/search.h"
#include "tests/support/any_program.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

RunSettings dtr() {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy("DTR", error);
  return settings;
}

std::string hex(std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

std::uint64_t digest_of(const FeasibilityMap& map) {
  std::uint64_t digest = 0;
  for (const Execution& e : map.executions) {
    for (const std::int64_t word : {e.from, e.to, e.model_compute, e.remat_compute})
      digest = extended(digest, static_cast<std::uint64_t>(word));
    digest = extended(digest, static_cast<std::uint64_t>(e.outcome));
  }
  return digest;
}

// The public trace whose file name begins so.
std::optional<Program> public_trace(const std::string& beginning) {
  for (const std::filesystem::path& file : public_traces())
    if (file.filename().string().starts_with(beginning)) return read_trace(file).program;
  return std::nullopt;
}

void map_of_random_programs(benchmark::State& state) {
  const std::uint64_t count = state.range(0) < 200 ? 100 : 10;
  std::vector<Program> programs;
  for (std::uint64_t seed = 0; seed < count; ++seed)
    programs.push_back(random_program(seed, swarm_knobs(seed, state.range(0))));
  std::uint64_t digest = 0;
  for (auto _ : state) {
    digest = 0;
    for (const Program& program : programs)
      digest = extended(digest, digest_of(map_by_sweep(program, dtr(), {1, peak_of(program) + 1})));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
  state.SetLabel(hex(digest));
}
BENCHMARK(map_of_random_programs)->Arg(6)->Arg(12)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

void run_at_ratio(benchmark::State& state, const std::string& trace, double ratio) {
  const std::optional<Program> program = public_trace(trace);
  if (!program) return state.SkipWithError("the public traces are not here");
  const Bytes budget = budget_at_ratio(peak_of(*program), ratio);
  RunResult result;
  for (auto _ : state) result = run(*program, dtr(), budget);
  state.SetLabel(hex(result.decision_digest));
}
BENCHMARK_CAPTURE(run_at_ratio, inceptionv4_oom_at_0235, "inceptionv4", 0.235)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_at_ratio, inceptionv4_ok_at_0400, "inceptionv4", 0.4)->Unit(benchmark::kMillisecond);

void map_from_ratio(benchmark::State& state, const std::string& trace, double ratio) {
  const std::optional<Program> program = public_trace(trace);
  if (!program) return state.SkipWithError("the public traces are not here");
  const Bytes peak = peak_of(*program);
  FeasibilityMap map;
  for (auto _ : state) map = map_by_sweep(*program, dtr(), {budget_at_ratio(peak, ratio), peak + 1});
  state.SetLabel(hex(digest_of(map)));
  state.counters["executions"] = static_cast<double>(map.executions.size());
  state.counters["distinct_steps"] = static_cast<double>(map.work.distinct_steps);
}
BENCHMARK_CAPTURE(map_from_ratio, unet_from_005, "unet", 0.05)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(map_from_ratio, resnet32_from_005, "resnet32", 0.05)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(map_from_ratio, inceptionv4_from_030, "inceptionv4", 0.3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(map_from_ratio, transformer_from_005, "transformer", 0.05)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(map_from_ratio, densenet121_from_005, "tv_densenet121", 0.05)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
// Part of a trace whose full map takes longer.
BENCHMARK_CAPTURE(map_from_ratio, unroll_gan_from_040, "unroll_gan", 0.4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace pothole

BENCHMARK_MAIN();
