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

  const Certificate& certificate() const { return certificate_; }

 private:
  Bytes budget_;
  Certificate certificate_;
};

}  // namespace pothole
