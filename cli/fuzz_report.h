// What `fuzz` prints: a line for each finding as it comes, and at the end a table of what was drawn and found.
#pragma once

#include <string>

#include "cli/campaign.h"

namespace pothole {

// The one-line reproduction of a finding.
std::string finding_text(const KeptFinding& finding, bool colours);
std::string finding_json(const KeptFinding& finding);

// The share of `count` in `total` with the interval that holds the true share in 95 % of campaigns (Wilson, Journal of
// the American Statistical Association 22, 1927).
struct Share {
  double value = 0, low = 0, high = 0;
};
Share share_of(std::int64_t count, std::int64_t total);

// Several lines: the table, the signatures, and warnings where draws say little.
std::string campaign_summary_text(const CampaignFile& campaign, const std::filesystem::path& folder, bool colours);
std::string campaign_summary_json(const CampaignFile& campaign, const std::filesystem::path& folder);

}  // namespace pothole
