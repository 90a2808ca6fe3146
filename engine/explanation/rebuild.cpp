#include "engine/explanation/rebuild.h"

#include <algorithm>
#include <map>

namespace pothole {
namespace {

// By storage, before the event of this index.
std::vector<std::optional<Departure>> departures(const Program& program, const History& history, std::size_t index) {
  std::vector<std::optional<Departure>> last(program.storages().size());
  for (const Event& e : std::span(history.events).first(index))
    if (e.leaves()) last[program.tensors()[e.tensor].storage] = Departure{e.place, e.kind == Event::Kind::released};
  return last;
}

}  // namespace

Rebuild rebuild_of(const Program& program, const History& ok, const History& oom) {
  const std::uint32_t failing = oom.last_asked.place;
  const std::size_t ok_begin = ok.first_event_at(failing), begin = oom.first_event_at(failing);
  const std::vector<bool> kept = resident_before(program, ok.events, ok_begin);
  const auto gone_in_ok = departures(program, ok, ok_begin);
  auto gone_in_oom = departures(program, oom, begin);
  Rebuild rebuild;
  std::map<TensorId, std::size_t> known;
  for (std::size_t i = begin; i < oom.events.size() && oom.events[i].place == failing; ++i) {
    const Event& event = oom.events[i];
    if (event.leaves()) {
      gone_in_oom[program.tensors()[event.tensor].storage] =
          Departure{event.place, event.kind == Event::Kind::released};
      continue;
    }
    if (event.kind != Event::Kind::entered) continue;
    const auto depth = static_cast<std::size_t>(event.depth);
    if (rebuild.at_depth.size() < depth) rebuild.at_depth.resize(depth);
    ++rebuild.at_depth[depth - 1];
    if (!event.remat) continue;
    const auto [at, fresh] = known.try_emplace(event.tensor, rebuild.tensors.size());
    if (!fresh) {
      ++rebuild.tensors[at->second].times;
      continue;
    }
    const StorageId storage = program.tensors()[event.tensor].storage;
    rebuild.tensors.push_back({event.tensor, event.depth, 1, gone_in_oom[storage], gone_in_ok[storage], kept[storage]});
  }
  return rebuild;
}

}  // namespace pothole
