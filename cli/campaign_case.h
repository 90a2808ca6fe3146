// One case of a campaign: a program that is a function of (seed, number) alone, and what the policies do on it.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case_file.h"
#include "corpus/trace.h"
#include "engine/run.h"
#include "generators/generator.h"
#include "properties/property.h"

namespace pothole {

// All that decides what a campaign finds.
struct CampaignPlan {
  std::string seed_text;
  std::uint64_t seed = 0;
  std::vector<RecipePattern> generators;
  std::vector<Trace> origins;  // programs that are mutated; none: nothing is
  std::vector<RunSettings> policies;
  std::vector<const Property*> properties;
  std::filesystem::path folder;  // for the case in which a plugin crashes; decides nothing
  std::int64_t steps_max = 0;    // materializations of one execution; beyond, it is unresolved
};

// Programs come from the generators, in their order, and last from mutation if there are origins.
std::size_t source_count(const CampaignPlan& plan);
std::string source_name(const CampaignPlan& plan, std::size_t source);

struct DrawnProgram {
  std::size_t source = 0;
  std::string origin;              // what to read it again from, or what it was made of
  std::string origin_sha256;       // of a trace that was mutated
  std::optional<Program> program;  // nothing: the draw was rejected
  std::uint64_t policy_seed = 0;   // of policies that draw
};
DrawnProgram draw_case(const CampaignPlan& plan, std::uint64_t number);

// What one policy did on one program.
struct PolicyOnCase {
  bool hole = false, trivial = false, hopeless = false, unresolved = false, policy_error = false;
  std::int64_t executions = 0;
  std::vector<Case> findings;
};

struct CaseResult {
  DrawnProgram drawn;
  std::vector<PolicyOnCase> policies;  // as in the plan; empty if the draw was rejected
  bool cut_off = false;                // by a stop: says nothing
};
CaseResult evaluate_case(const CampaignPlan& plan, std::uint64_t number, const std::atomic<bool>& stop);

}  // namespace pothole
