// Trying edits on a program with a hole, one after the other, on the thread that asks.
#pragma once

#include "shrinker/shrink.h"

namespace pothole {

// The program, its edits' view and its rank. Names are dropped: they decide nothing.
Reduced reduced(const Oracle& oracle, Program program, const Witness& witness);

// Edits pieces [first, last) and judges the result.
void try_edit(const Oracle& oracle, const Reduced& base, const Pass& pass, std::size_t first, std::size_t last,
              Trial& trial);

// Edit `first` and then each single edit of what that makes, the passes from its own on.
Trial try_pairs_of(const Oracle& oracle, const Reduced& base, const Pass& pass, std::size_t piece);

// A few random changes, and if a hole is left, single edits until none makes it smaller. A success is smaller than the
// base.
Trial try_pump(const Oracle& oracle, const Reduced& base, std::size_t number);

}  // namespace pothole
