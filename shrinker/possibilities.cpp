#include "shrinker/possibilities.h"

#include <bit>

#include "engine/hash.h"

namespace pothole {
namespace {

// Calls visit(victim) for each until it returns true.
template <class Visit>
bool any_victim(TensorSet victims, const Visit& visit) {
  for (; victims != 0; victims &= victims - 1)
    if (visit(static_cast<std::uint32_t>(std::countr_zero(victims)))) return true;
  return false;
}

}  // namespace

void AnswerTable::clear() {
  used_ = 0;
  if (++epoch_ != 0) return;
  for (Entry& entry : entries_) entry.epoch = 0;
  epoch_ = 1;
}

std::size_t AnswerTable::slot_of(std::uint64_t moment, std::uint64_t fits) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t slot = extended(moment, fits) & mask;
  while (entries_[slot].epoch == epoch_ && (entries_[slot].moment != moment || entries_[slot].fits != fits))
    slot = (slot + 1) & mask;
  return slot;
}

const bool* AnswerTable::find(std::uint64_t moment, std::uint64_t fits) const {
  const Entry& entry = entries_[slot_of(moment, fits)];
  return entry.epoch == epoch_ ? &entry.answer : nullptr;
}

void AnswerTable::keep(std::uint64_t moment, std::uint64_t fits, bool answer) {
  if (2 * ++used_ > entries_.size()) grow();
  entries_[slot_of(moment, fits)] = {moment, fits, epoch_, answer};
}

void AnswerTable::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old)
    if (entry.epoch == epoch_) entries_[slot_of(entry.moment, entry.fits)] = entry;
}

void Possibilities::begin(const Shape& shape, std::uint32_t from_place) {
  shape_ = &shape;
  from_place_ = from_place;
  complete_.clear();
  failing_.clear();
  parting_.clear();
}

bool Possibilities::can_complete(Moment moment, std::uint32_t fits) {
  if (moment.ended(*shape_)) return true;
  if (const bool* known = complete_.find(moment.bits(), fits)) return *known;
  const bool found = found_complete(moment, fits);
  complete_.keep(moment.bits(), fits, found);
  return found;
}

bool Possibilities::found_complete(Moment moment, std::uint32_t fits) {
  if (room(moment, fits)) return can_complete(moment.computed(*shape_), fits);
  return any_victim(moment.victims(*shape_),
                    [&](std::uint32_t victim) { return can_complete(moment.without(victim), fits); });
}

bool Possibilities::can_fail(Moment moment, std::uint32_t fits) {
  if (moment.ended(*shape_)) return false;
  if (const bool* known = failing_.find(moment.bits(), fits)) return *known;
  const bool found = found_failing(moment, fits);
  failing_.keep(moment.bits(), fits, found);
  return found;
}

bool Possibilities::found_failing(Moment moment, std::uint32_t fits) {
  if (room(moment, fits)) return can_fail(moment.computed(*shape_), fits);
  const TensorSet victims = moment.victims(*shape_);
  if (victims == 0) return moment.place() >= from_place_;
  return any_victim(victims, [&](std::uint32_t victim) { return can_fail(moment.without(victim), fits); });
}

bool Possibilities::can_part(Moment moment, std::uint32_t lower, std::uint32_t higher) {
  if (moment.ended(*shape_)) return false;
  const std::uint64_t both = std::uint64_t{lower} << 32 | higher;
  if (const bool* known = parting_.find(moment.bits(), both)) return *known;
  const bool found = found_parting(moment, lower, higher);
  parting_.keep(moment.bits(), both, found);
  return found;
}

bool Possibilities::found_parting(Moment moment, std::uint32_t lower, std::uint32_t higher) {
  if (room(moment, lower)) return can_part(moment.computed(*shape_), lower, higher);
  const TensorSet victims = moment.victims(*shape_);
  if (!room(moment, higher))
    return any_victim(victims, [&](std::uint32_t victim) { return can_part(moment.without(victim), lower, higher); });
  return can_fail(moment.computed(*shape_), higher) &&
         any_victim(victims, [&](std::uint32_t victim) { return can_complete(moment.without(victim), lower); });
}

}  // namespace pothole
