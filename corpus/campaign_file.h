// Where a fuzzing campaign stands, in a file from which it can go on (`pothole-campaign/1`). It holds counts alone, no
// times: campaigns of the same cases have the same file, whatever interrupted them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pothole {

// Of one source of programs under one policy.
struct CampaignRow {
  std::string source, policy;
  std::int64_t cases = 0;       // programs that were made and searched
  std::int64_t rejected = 0;    // draws that made no program
  std::int64_t holes = 0;       // cases with at least one
  std::int64_t operators = 0;   // of all cases together
  std::int64_t executions = 0;  // likewise
  std::int64_t trivial = 0;     // nothing is ever brought back
  std::int64_t hopeless = 0;    // no budget below the peak completes
  std::int64_t unresolved = 0;  // some budgets have no outcome
  std::int64_t policy_errors = 0;
  std::map<std::string, std::int64_t> broken;  // cases by property, without no-hole
  friend bool operator==(const CampaignRow&, const CampaignRow&) = default;
};

// Findings that look alike.
struct CampaignSignature {
  std::string policy, property, kind, signature;
  std::int64_t findings = 0;
  std::vector<std::string> files;  // of those that were kept, the first ones
  friend bool operator==(const CampaignSignature&, const CampaignSignature&) = default;
};

struct CampaignFile {
  std::string seed;
  std::vector<std::string> settings;  // all that decides, as `key value`
  std::uint64_t next_case = 0;        // all before it are counted
  std::vector<CampaignRow> rows;
  std::vector<CampaignSignature> signatures;  // in the order in which they were met
  friend bool operator==(const CampaignFile&, const CampaignFile&) = default;
};

std::string campaign_text(const CampaignFile& campaign);

// Throws InputError.
CampaignFile read_campaign(const std::filesystem::path& file);

}  // namespace pothole
