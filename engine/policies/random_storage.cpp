// RandomStorage: evicts any member of the pool, drawn from the run's seed.
#include "engine/policies/registry.h"
#include "engine/pool_view.h"

namespace pothole {
namespace {

StorageId choose(PoolView& pool, const ConfiguredPolicy&) {
  return pool.member(static_cast<std::uint32_t>(pool.draw(pool.size())));
}

}  // namespace

Policy random_storage() {
  return {.name = "RandomStorage",
          .alias = "AbRandom",
          .sentence = "evicts any member of the pool, each equally likely, drawn from --seed",
          .formula = "uniform",
          .source = source::kDtr,
          .needs = Feature::random,
          .parameters = {},
          .choose = choose};
}

}  // namespace pothole
