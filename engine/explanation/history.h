// What happened in one execution and where: the material of every explanation.
//
// Places are numbered from 0: operators of the trace, then operators().size() + i for the bringing back of pins()[i].
// What is released between two operators belongs to the one before.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/observer.h"
#include "engine/program.h"
#include "engine/run.h"

namespace pothole {

struct Event {
  enum class Kind : std::uint8_t {
    entered,   // a materialization begins
    computed,  // and ends
    evicted,   // by the policy
    released,  // the storage, at its last release; depth 0
  };
  Kind kind = Kind::entered;
  bool remat = false;
  std::uint32_t place = 0;
  std::int64_t depth = 0;
  TensorId tensor = kNone;    // evicted, released: the root of the storage
  TensorId made_for = kNone;  // evicted: the tensor that room was made for
  // As they were before: what room is asked for, and what is resident, and of that outside the pool.
  Bytes request = 0, resident = 0, pinned = 0;

  bool leaves() const { return kind == Kind::evicted || kind == Kind::released; }
};

// Everything at one place.
struct PlaceSummary {
  Bytes peak_pinned = 0;  // when room is asked for
  std::int64_t depth = 0;
  std::int64_t evictions = 0, releases = 0, remats = 0;
};

struct History {
  Bytes budget = 0;
  RunResult result;
  std::vector<Event> events;
  std::vector<PlaceSummary> places;  // by place, as far as the execution came
  Scene last_asked;                  // where room was asked for last: the request that failed, of an oom run

  // The first event at a place or beyond.
  std::size_t first_event_at(std::uint32_t place) const;
};

// With decisions recorded. `steps_max` and `stop` as in RunOptions.
History history_of(const Program& program, const RunSettings& settings, Bytes budget, const RunOptions& options = {});

// By storage: is it resident before the event of this index?
std::vector<bool> resident_before(const Program& program, std::span<const Event> events, std::size_t index);

// How an explanation calls a place: the operator's number counts from 1 as the study does, constants included.
std::string place_name(const Program& program, std::uint32_t place);

}  // namespace pothole
