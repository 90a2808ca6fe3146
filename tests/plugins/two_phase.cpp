// TwoPhase, written against the interface: the least CostStale score among members that alone cover the shortfall,
// else among the k largest.
#include <algorithm>
#include <vector>

#include "engine/plugin/pothole_policy.h"

namespace {

struct Member {
  double score;
  int64_t size;
  uint32_t root, index;
};

bool preferred(const Member& a, const Member& b) {
  if (a.score != b.score) return a.score < b.score;
  return a.size != b.size ? a.size > b.size : a.root < b.root;
}

bool larger(const Member& a, const Member& b) { return a.size != b.size ? a.size > b.size : a.root < b.root; }

uint32_t choose(const pothole_view* view, const double* values) {
  std::vector<Member> members;
  for (uint32_t i = 0; i < view->count; ++i) {
    const pothole_candidate c = view->candidate(view, i);
    members.push_back({view->quotient(c.compute + c.forward + c.reverse, 1, c.staleness), c.size, c.storage, i});
  }
  std::sort(members.begin(), members.end(), larger);
  const auto k = std::min(members.size(), static_cast<std::size_t>(values[0]));
  const Member fallback =
      *std::min_element(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(k), preferred);
  std::erase_if(members, [&](const Member& m) { return m.size == 0 || !view->fits_after(view, m.size); });
  if (members.empty()) return fallback.index;
  return std::min_element(members.begin(), members.end(), preferred)->index;
}

const pothole_parameter kParameters[] = {
    {.key = "k", .help = "of the largest", .standard = 8, .least = 1, .most = 1e6, .integer = 1}};

}  // namespace

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = POTHOLE_FORWARD | POTHOLE_REVERSE | POTHOLE_BUDGET,
                                              .name = "PluginTwoPhase",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = kParameters,
                                              .parameter_count = 1,
                                              .score = nullptr,
                                              .choose = choose};
