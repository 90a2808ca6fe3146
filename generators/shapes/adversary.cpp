// The lower bound for deterministic heuristics, played out: paths from one tensor, as many as fit in memory. The
// adversary looks at what the policy holds and extends a path of which it holds nothing, so that all of the path
// has to come back.
#include <algorithm>
#include <optional>

#include "engine/run.h"
#include "generators/checked_builder.h"
#include "generators/registry.h"

namespace pothole {
namespace {

// Those that see nothing but the past: a policy that looks ahead would change its mind as the program grows.
constexpr std::string_view kPolicies[] = {"DTR", "LRU", "DTREqClass", "DTRLocal", "LargestStorage", "MSPS", "TwoPhase"};

// An operator with one output, which is the tensor of its number.
struct Step {
  std::optional<TensorId> parent;
  Bytes size;
  Cost cost;
};

class Adversary {
 public:
  Adversary(const GeneratorValues& values, SplitMix& random) : values_(values), random_(random) {
    PolicyError error;
    settings_.policy = configure_policy(kPolicies[static_cast<std::size_t>(values["policy"])], error);
    settings_.overhead_limit = *OverheadLimit::parse("1000000000");
    // Room for so many tensors of the largest size, the root among them.
    budget_ = values["budget"] * values["sizes"];
  }

  Program make() {
    extend(std::nullopt);
    for (std::int64_t i = 0; i < values_["budget"] && left() > 0; ++i) paths_.push_back({extend(0)});
    while (left() > 0) {
      std::vector<TensorId>& path = paths_[missing_path()];
      path.push_back(extend(path.back()));
    }
    return program(/*released=*/true);
  }

 private:
  std::int64_t left() const { return values_["operators"] - static_cast<std::int64_t>(steps_.size()); }

  TensorId extend(std::optional<TensorId> parent) {
    const Bytes size = random_.between(1, values_["sizes"]);
    const Cost cost = random_.between(1, values_["costs"]);
    steps_.push_back({parent, size, cost});
    return static_cast<TensorId>(steps_.size() - 1);
  }

  // Released at the end, or as far as the game has come.
  Program program(bool released) const {
    CheckedBuilder builder;
    for (const Step& step : steps_) {
      std::vector<TensorId> arguments;
      if (step.parent) arguments.push_back(*step.parent);
      builder.compute("", step.cost, std::move(arguments), step.size);
    }
    for (TensorId t = 0; released && t < steps_.size(); ++t) builder.release(t);
    return builder.finish();
  }

  // By tensor; each has a storage of its own.
  std::vector<bool> resident() const {
    std::vector<bool> held(steps_.size(), false);
    RunOptions options;
    options.record_decisions = true;
    for (const Decision& decision : run(program(/*released=*/false), settings_, budget_, options).decisions)
      held[decision.tensor] = decision.kind == Decision::Kind::computed;
    return held;
  }

  // The path with the most to bring back before its end is there; of equal ones any.
  std::size_t missing_path() {
    const std::vector<bool> held = resident();
    std::size_t most = 0;
    std::vector<std::size_t> longest;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const auto last_held = std::find_if(paths_[p].rbegin(), paths_[p].rend(), [&](TensorId t) { return held[t]; });
      const auto missing = static_cast<std::size_t>(last_held - paths_[p].rbegin());
      if (missing > most) longest.clear();
      if (missing >= most) longest.push_back(p);
      most = std::max(most, missing);
    }
    return random_.pick<std::size_t>(longest);
  }

  const GeneratorValues& values_;
  SplitMix& random_;
  RunSettings settings_;
  Bytes budget_ = 0;
  std::vector<Step> steps_;
  std::vector<std::vector<TensorId>> paths_;
};

Program make(const GeneratorValues& values, SplitMix& random) { return Adversary(values, random).make(); }

}  // namespace

Generator adversary_generator() {
  constexpr auto kPolicyCount = static_cast<std::int64_t>(std::size(kPolicies));
  return {"adversary",
          "paths from one tensor; at each step one of which the policy holds least goes on",
          "Kirisame et al., Dynamic tensor rematerialization, ICLR 2021, the lower bound for deterministic heuristics",
          {{"policy", 0, 0, kPolicyCount - 1, 0, kPolicyCount - 1, "that is played against", kPolicies},
           {"budget", 6, 2, 64, 2, 6, "of the game, and paths: so many tensors of the largest size fit"},
           {"operators", 40, 1, 400, 6, 30, "all of them, the root included"},
           {"sizes", 1, 1, 1000, 1, 3, "largest size of a tensor; the bound has 1"},
           {"costs", 1, 1, 1000, 1, 3, "largest cost of an operator; the bound has 1"}},
          make};
}

}  // namespace pothole
