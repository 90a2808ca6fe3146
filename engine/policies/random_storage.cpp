// RandomStorage: evicts any member of the pool, drawn from the run's seed.
#include "engine/policies/registry.h"
#include "engine/pool_view.h"

namespace pothole {
namespace {

StorageId choose(PoolView& pool, const ParameterValues&) {
  StorageId victim = pool.front();
  for (std::uint64_t i = pool.draw(pool.size()); i > 0; --i) victim = pool.next(victim);
  return victim;
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
