#include "engine/state.h"

#include "engine/hash.h"

namespace pothole {

static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15u;

std::uint64_t digest_of(const State& state) {
  std::uint64_t digest = extended(state.storages.digest(), static_cast<std::uint64_t>(state.clock));
  digest = extended(digest, static_cast<std::uint64_t>(state.resident));
  for (const Frame& frame : state.frames)
    digest = extended(
        digest, std::uint64_t{frame.tensor} << 32 | frame.missing_next << 2 | static_cast<std::uint64_t>(frame.phase));
  // Root tensors are defined where their storages are material, so this covers both sets.
  for (std::uint64_t word : state.defined.words()) digest = (digest ^ word) * kSpread + (digest >> 29);
  for (Tick arrival : state.arrivals)
    digest = (digest ^ static_cast<std::uint64_t>(arrival)) * kSpread + (digest >> 29);
  return mixed(digest ^ state.draws ^ state.banishment.digest() ^ state.classes.digest());
}

}  // namespace pothole
