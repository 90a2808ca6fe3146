// The only way to ask about the budget: threshold questions, each of which narrows the certificate.
#pragma once

#include <algorithm>

#include "engine/outcome.h"

namespace pothole {

class BudgetWindow {
 public:
  explicit BudgetWindow(Bytes budget) : budget_(budget) {}

  // Is the budget at least `threshold`?
  bool at_least(Bytes threshold) {
    if (budget_ >= threshold) {
      certificate_.lo = std::max(certificate_.lo, threshold);
      return true;
    }
    certificate_.hi = std::min(certificate_.hi, threshold);
    return false;
  }

  // The raw number: whatever is done with it, nothing is known of any other budget.
  Bytes opaque_budget() {
    certificate_ = {budget_, budget_ + 1};
    return budget_;
  }

  // For messages: what was decided by it would be certified wrongly.
  Bytes budget_to_name() const { return budget_; }

  const Certificate& certificate() const { return certificate_; }

 private:
  Bytes budget_;
  Certificate certificate_;
};

}  // namespace pothole
