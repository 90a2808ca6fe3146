#include "engine/explanation/history.h"

#include <algorithm>

namespace pothole {
namespace {

class Historian : public Observer {
 public:
  Historian(const Program& program, History& history) : program_(program), history_(history) {}

  void moved(std::uint32_t place) override {
    place_ = place;
    between_ = true;
  }
  void entered(const Scene& scene) override {
    between_ = false;
    PlaceSummary& summary = summary_at(scene.place);
    summary.depth = std::max(summary.depth, scene.depth);
    summary.remats += scene.remat;
    add(Event::Kind::entered, scene, scene.tensor);
  }
  void asked(const Scene& scene) override {
    PlaceSummary& summary = summary_at(scene.place);
    summary.peak_pinned = std::max(summary.peak_pinned, scene.pinned);
    history_.last_asked = scene;
  }
  void evicted(const Scene& scene, StorageId victim) override {
    ++summary_at(scene.place).evictions;
    add(Event::Kind::evicted, scene, program_.storages()[victim].root);
    history_.events.back().made_for = scene.tensor;
  }
  void computed(const Scene& scene) override { add(Event::Kind::computed, scene, scene.tensor); }
  void released(TensorId root) override {
    Event event;
    event.kind = Event::Kind::released;
    event.place = between_ && place_ > 0 ? place_ - 1 : place_;
    event.tensor = root;
    ++summary_at(event.place).releases;
    history_.events.push_back(event);
  }

 private:
  PlaceSummary& summary_at(std::uint32_t place) {
    if (history_.places.size() <= place) history_.places.resize(place + 1);
    return history_.places[place];
  }
  void add(Event::Kind kind, const Scene& scene, TensorId tensor) {
    history_.events.push_back(
        {kind, scene.remat, scene.place, scene.depth, tensor, kNone, scene.request, scene.resident, scene.pinned});
  }

  const Program& program_;
  History& history_;
  std::uint32_t place_ = 0;
  bool between_ = true;  // two operators
};

}  // namespace

std::size_t History::first_event_at(std::uint32_t place) const {
  const auto at = std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.place < place; });
  return static_cast<std::size_t>(at - events.begin());
}

History history_of(const Program& program, const RunSettings& settings, Bytes budget, const RunOptions& options) {
  History history;
  history.budget = budget;
  Historian historian(program, history);
  RunOptions observed = options;
  observed.record_decisions = true;
  observed.observer = &historian;
  history.result = run(program, settings, budget, observed);
  return history;
}

std::vector<bool> resident_before(const Program& program, std::span<const Event> events, std::size_t index) {
  std::vector<bool> resident(program.storages().size());
  for (const Event& event : events.first(index)) {
    if (event.kind == Event::Kind::computed) {
      const Operator& op = program.operators()[program.tensors()[event.tensor].op];
      for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t)
        resident[program.tensors()[t].storage] = true;
    } else if (event.leaves()) {
      resident[program.tensors()[event.tensor].storage] = false;
    }
  }
  return resident;
}

std::string place_name(const Program& program, std::uint32_t place) {
  const std::size_t operators = program.operators().size();
  if (place < operators) return "operator " + std::to_string(place + 1);
  const std::size_t pin = place - operators;
  if (pin >= program.pins().size()) return "the end";
  return "output " + std::string(program.tensor_name(program.pins()[pin]));
}

}  // namespace pothole
