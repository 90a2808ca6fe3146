#include "properties/hole_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/bit_set.h"
#include "engine/decisions.h"

namespace pothole {
namespace {

// Storages that the operators so far make the failing one depend on.
class Kin {
 public:
  Kin(const Program& program, OperatorId failing) : program_(program), ancestors_(program.storages().size()) {
    std::vector<StorageId> stack;
    if (failing < program.operators().size()) {
      for (const TensorId a : program.arguments(failing)) arguments_.insert(program.tensors()[a].storage);
    } else {
      for (const TensorId t : program.pins()) arguments_.insert(program.tensors()[t].storage);
    }
    stack.assign(arguments_.begin(), arguments_.end());
    while (!stack.empty()) {
      const StorageId from = stack.back();
      stack.pop_back();
      if (ancestors_.contains(from)) continue;
      ancestors_.insert(from);
      for (const Edge& edge : program.parents(from)) stack.push_back(edge.storage);
    }
  }

  Kinship of(const Decision* decision) const {
    if (decision == nullptr) return Kinship::none;
    const StorageId storage = program_.tensors()[decision->tensor].storage;
    if (arguments_.contains(storage)) return Kinship::argument;
    return ancestors_.contains(storage) ? Kinship::ancestor : Kinship::other;
  }

 private:
  const Program& program_;
  std::set<StorageId> arguments_;
  BitSet ancestors_;
};

// The first eviction by the policy at or after a place; null if there is none.
const Decision* eviction_from(const std::vector<Decision>& decisions, std::size_t index) {
  for (std::size_t i = index; i < decisions.size(); ++i)
    if (decisions[i].kind == Decision::Kind::evicted) return &decisions[i];
  return nullptr;
}

// Alike where it makes no difference to how a failure comes about.
std::string_view depth_text(std::int64_t depth) {
  if (depth <= 1) return "computing it";
  if (depth == 2) return "bringing back an argument";
  return depth <= 4 ? "in a nested rebuild" : "in a deep rebuild";
}

std::string_view with_article(Kinship kinship) {
  switch (kinship) {
    case Kinship::none:
      return "nothing";
    case Kinship::argument:
      return "an argument";
    case Kinship::ancestor:
      return "an ancestor";
    case Kinship::other:
      return "another";
  }
  return "";
}

}  // namespace

std::string_view name_of(Kinship kinship) {
  switch (kinship) {
    case Kinship::none:
      return "none";
    case Kinship::argument:
      return "argument";
    case Kinship::ancestor:
      return "ancestor";
    case Kinship::other:
      return "other";
  }
  return "";
}

HoleSignature hole_signature(const Program& program, const RunSettings& settings, Bytes ok, Bytes oom) {
  RunOptions options;
  options.record_decisions = true;
  const RunResult completes = run(program, settings, ok, options), fails = run(program, settings, oom, options);
  const OperatorId failing = operator_at(program, fails.decisions, fails.decisions.size());
  const Kin kin(program, failing);

  const auto [a, b] = std::mismatch(completes.decisions.begin(), completes.decisions.end(), fails.decisions.begin(),
                                    fails.decisions.end());
  const auto parting = static_cast<std::size_t>(b - fails.decisions.begin());
  HoleSignature signature;
  signature.at_outputs = failing == program.operators().size();
  signature.depth = fails.failure ? fails.failure->depth : 0;
  signature.parts_at_failure = operator_at(program, fails.decisions, parting) == failing;
  signature.evicted_by_ok = kin.of(eviction_from(completes.decisions, parting));
  signature.evicted_by_oom = kin.of(eviction_from(fails.decisions, parting));
  return signature;
}

std::string text_of(const HoleSignature& s) {
  return fmt::format("fails {}, {}; parts {}, where ok evicts {} and oom {}",
                     s.at_outputs ? "at outputs" : "at an operator", depth_text(s.depth),
                     s.parts_at_failure ? "there" : "before", with_article(s.evicted_by_ok),
                     with_article(s.evicted_by_oom));
}

}  // namespace pothole
