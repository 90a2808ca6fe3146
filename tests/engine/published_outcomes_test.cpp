// Outcomes that the study publishes for policies on the public traces ("When More Memory Fails", section 6 and its
// repository's records), at a compute overhead of at most 60.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "corpus/trace.h"
#include "engine/parallel.h"
#include "engine/run.h"
#include "engine/search.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

std::optional<std::filesystem::path> public_trace(const std::string& prefix) {
  for (const auto& file : public_traces())
    if (file.filename().string().starts_with(prefix)) return file;
  return std::nullopt;
}

RunSettings settings_of(const std::string& policy) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::runtime_error(error.what);
  return settings;
}

// At ratios given in thousandths.
std::vector<RunResult> run_at(const Program& program, const std::string& policy, const std::vector<int>& ratios) {
  const RunSettings settings = settings_of(policy);
  const Bytes peak = peak_of(program);
  std::vector<RunResult> results(ratios.size());
  parallel_for(ratios.size(),
               [&](std::size_t i) { results[i] = run(program, settings, budget_at_ratio(peak, ratios[i] / 1000.0)); });
  return results;
}

std::vector<Outcome> outcomes_at(const Program& program, const std::string& policy, const std::vector<int>& ratios) {
  std::vector<Outcome> outcomes;
  for (const RunResult& result : run_at(program, policy, ratios)) outcomes.push_back(result.outcome);
  return outcomes;
}

TEST(PublishedOutcomes, VariantsOnResNet32From0080To0150) {
  const auto file = public_trace("resnet32");
  if (!file) GTEST_SKIP() << absent("the trace of ResNet-32");
  const Program program = read_trace(*file).program;
  std::vector<int> ratios;
  for (int ratio = 80; ratio <= 150; ++ratio) ratios.push_back(ratio);
  const auto dtr = outcomes_at(program, "DTR", ratios), tie_aware = outcomes_at(program, "TieAware", ratios);
  const auto penalty = outcomes_at(program, "NbhdPenalty", ratios),
             two_phase = outcomes_at(program, "TwoPhase", ratios);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const int at = ratios[i];
    SCOPED_TRACE(at);
    EXPECT_EQ(penalty[i] == Outcome::ok, at >= 94) << name_of(penalty[i]);
    EXPECT_EQ(tie_aware[i], dtr[i]) << name_of(tie_aware[i]) << ", " << name_of(dtr[i]);
    const bool fails = at < 94 || (at >= 102 && at <= 110) || (at >= 134 && at <= 137);
    EXPECT_EQ(two_phase[i] == Outcome::ok, !fails) << name_of(two_phase[i]);
  }
}

TEST(PublishedOutcomes, TControlInspiredOnInceptionV4) {
  const auto file = public_trace("inceptionv4");
  if (!file) GTEST_SKIP() << absent("the trace of InceptionV4");
  const Program program = read_trace(*file).program;
  const std::vector<Outcome> expected = {Outcome::ok, Outcome::oom, Outcome::oom, Outcome::ok};
  EXPECT_EQ(outcomes_at(program, "TControlInspired", {200, 210, 220, 230}), expected);
}

TEST(PublishedOutcomes, OverheadsOnTheLstm) {
  const auto file = public_trace("lstm");
  if (!file) GTEST_SKIP() << absent("the trace of the LSTM");
  const Program program = read_trace(*file).program;
  const auto overheads = [&](const std::string& policy) {
    std::vector<std::string> shown;
    for (const RunResult& result : run_at(program, policy, {266, 265, 264, 262})) {
      const Measures& m = result.measures;
      char text[32];
      std::snprintf(text, sizeof text, "%.2f",
                    static_cast<double>(m.model_compute + m.remat_compute) / static_cast<double>(m.model_compute));
      shown.push_back(std::string(name_of(result.outcome)) + " " + text);
    }
    return shown;
  };
  EXPECT_EQ(overheads("DTR"), (std::vector<std::string>{"ok 10.10", "ok 1.38", "ok 8.78", "ok 1.39"}));
  EXPECT_EQ(overheads("NbhdPenalty"), (std::vector<std::string>{"ok 1.31", "ok 2.89", "ok 1.31", "ok 2.93"}));
}

// The merged sweep against one run per execution, for what no other test runs on a real trace.
TEST(ThreadsPublishedOutcomes, SweepAndSingleExecutionsAgreeOnUNet) {
  const auto file = public_trace("unet");
  if (!file) GTEST_SKIP() << absent("the trace of U-Net");
  const Program program = read_trace(*file).program;
  const Bytes peak = peak_of(program);
  const BudgetRange range = {budget_at_ratio(peak, 0.6), peak + 1};
  for (const char* policy : {"TieAware", "ThrashPen", "TControlInspired", "FIFO", "Belady", "FIFO/banish"}) {
    const std::string text = policy;
    RunSettings settings = settings_of(text.substr(0, text.find('/')));
    if (text.ends_with("/banish")) settings.dealloc = Dealloc::banish;
    FeasibilityMap one, two;
    with_threads(1, [&] { one = map_by_sweep(program, settings, range); });
    with_threads(2, [&] { two = map_by_sweep(program, settings, range); });
    EXPECT_EQ(one.executions, two.executions) << policy;
    EXPECT_EQ(one.executions, map_by_executions(program, settings, range).executions) << policy;
    EXPECT_GT(one.executions.size(), 1u) << policy;
  }
}

}  // namespace
}  // namespace pothole
