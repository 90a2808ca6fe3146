// A fuzzing campaign: cases in parallel, folded in the order of their numbers, so that folder and counts do not depend
// on the number of threads or on interruptions.
//
// The folder holds the findings, a file each, campaign.json with the counts, and while the campaign runs `in-flight`
// with the numbers of the cases that are being worked on.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "cli/campaign_case.h"
#include "corpus/campaign_file.h"

namespace pothole {

struct CampaignLimits {
  std::optional<std::uint64_t> cases;    // in all, with those before a resume
  std::optional<std::int64_t> findings;  // likewise
  std::int64_t kept_per_signature = 3;   // files; further findings that look alike are only counted
};

// A finding that was kept, when its file is on disk.
struct KeptFinding {
  const Case& c;
  std::filesystem::path file;
  bool new_signature;
};

class Campaign {
 public:
  using OnKept = std::function<void(const KeptFinding&)>;
  using OnFold = std::function<void(const CampaignFile& so_far)>;  // after each case

  // Goes on with `begun`, if given.
  Campaign(const CampaignPlan& plan, const CampaignLimits& limits, std::filesystem::path folder,
           std::optional<CampaignFile> begun);

  // Until a limit is met or `stop` is set. `threads` as for with_threads.
  void run(unsigned threads, const std::atomic<bool>& stop, const OnKept& on_kept, const OnFold& on_fold);

  const CampaignFile& so_far() const { return file_; }
  std::int64_t findings() const { return findings_; }

  static std::filesystem::path file_in(const std::filesystem::path& folder) { return folder / "campaign.json"; }
  static std::filesystem::path in_flight_in(const std::filesystem::path& folder) { return folder / "in-flight"; }

 private:
  bool limit_met() const;
  void fold(CaseResult result, const OnKept& on_kept);
  void fold_policy(CampaignRow& row, PolicyOnCase& policy, std::int64_t operators, const OnKept& on_kept);
  void fold_finding(const Case& c, const OnKept& on_kept);
  void save() const;

  const CampaignPlan& plan_;
  const CampaignLimits limits_;
  const std::filesystem::path folder_;
  CampaignFile file_;
  std::int64_t findings_ = 0;
};

// Whether a campaign that was read can be gone on with: its rows and signatures are of the plan.
bool fits_plan(const CampaignFile& begun, const CampaignPlan& plan);

// All that decides what a campaign finds, as `key value` lines.
std::vector<std::string> settings_lines(const CampaignPlan& plan, const CampaignLimits& limits);

}  // namespace pothole
