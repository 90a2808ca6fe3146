#include "cli/explain_graph.h"

#include <fmt/format.h>
#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <memory>
#include <set>

#include "cli/budget.h"
#include "cli/output.h"

namespace pothole {
namespace {

constexpr std::size_t kSmall = 40;          // operators: the whole graph, with timelines
constexpr std::size_t kStoragesDrawn = 40;  // of a larger one, those that were needed first

std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

class Drawing {
 public:
  explicit Drawing(const Explanation& e) : e_(e), p_(e.origin.program), small_(p_.operators().size() <= kSmall) {
    choose_storages();
    const Intervention* best = e.interventions.best();
    if (best) prevents_.insert(best->retained.begin(), best->retained.end());
    for (const Event& event : e.oom.events)
      if (event.kind == Event::Kind::evicted) evicted_oom_.insert(p_.tensors()[event.tensor].storage);
    for (const Event& event : e.ok.events)
      if (event.kind == Event::Kind::evicted) evicted_ok_.insert(p_.tensors()[event.tensor].storage);
  }

  std::string dot() {
    text_ =
        "digraph explanation {\n  rankdir=LR;\n  node [shape=box, style=filled, fillcolor=white, "
        "fontname=Helvetica];\n";
    text_ +=
        fmt::format("  label={};\n  labelloc=t;\n",
                    dot_string(fmt::format("{} with {} bytes: evicted there (orange), in the completing execution too "
                                           "(yellow), prevents the failure if retained (blue border), fails (red)",
                                           e_.origin.settings.policy.label(), e_.oom.budget)));
    for (const StorageId s : storages_) add_storage(s);
    add_failing();
    for (const StorageId s : storages_)
      for (const Edge& edge : p_.children(s))
        if (storages_.contains(edge.storage)) text_ += fmt::format("  s{} -> s{};\n", s, edge.storage);
    if (small_) {
      add_timeline(e_.ok, "ok");
      add_timeline(e_.oom, "oom");
    }
    return text_ + "}";
  }

 private:
  void choose_storages() {
    if (small_) {
      for (StorageId s = 0; s < p_.storages().size(); ++s) storages_.insert(s);
      return;
    }
    const auto take = [&](StorageId s) {
      if (storages_.size() < kStoragesDrawn) storages_.insert(s);
    };
    if (e_.divergence.failing_place < p_.operators().size())
      for (const TensorId a : p_.arguments(e_.divergence.failing_place)) take(p_.tensors()[a].storage);
    if (const Intervention* best = e_.interventions.best())
      for (const StorageId s : best->retained) take(s);
    for (const auto& row : {e_.parting_ok, e_.parting_oom, e_.cause})
      if (row) take(row->victim);
    for (const Rebuilt& r : e_.rebuild.tensors) take(p_.tensors()[r.tensor].storage);
  }

  void add_storage(StorageId s) {
    const Storage& storage = p_.storages()[s];
    const std::string label = fmt::format("{}\\n{}\\n{}", p_.tensor_name(storage.root),
                                          p_.operator_name(p_.tensors()[storage.root].op), short_bytes(storage.size));
    std::string fill = "white";
    if (evicted_oom_.contains(s)) fill = evicted_ok_.contains(s) ? "lightyellow" : "orange";
    std::string label_text = dot_string(label);
    for (std::size_t at = 0; (at = label_text.find("\\\\n", at)) != std::string::npos;)
      label_text.replace(at, 3, "\\n");
    text_ += fmt::format("  s{} [label={}, fillcolor={}{}];\n", s, label_text, fill,
                         prevents_.contains(s) ? ", color=blue, penwidth=3" : "");
  }

  void add_failing() {
    const std::uint32_t place = e_.divergence.failing_place;
    text_ += fmt::format("  failing [label={}, shape=octagon, fillcolor=tomato];\n", dot_string(place_name(p_, place)));
    std::set<StorageId> from;
    if (place < p_.operators().size()) {
      for (const TensorId a : p_.arguments(place)) from.insert(p_.tensors()[a].storage);
    } else {
      from.insert(p_.tensors()[p_.pins()[place - p_.operators().size()]].storage);
    }
    for (const StorageId s : from)
      if (storages_.contains(s)) text_ += fmt::format("  s{} -> failing [color=red];\n", s);
  }

  void add_timeline(const History& history, std::string_view name) {
    text_ += fmt::format("  subgraph cluster_{} {{\n    label={};\n    node [shape=plaintext, fillcolor=none];\n", name,
                         dot_string(fmt::format("with {} bytes: {}", history.budget, name_of(history.result.outcome))));
    std::size_t step = 0;
    const auto add = [&](const std::string& label, bool bad) {
      text_ += fmt::format("    {}{} [label={}{}];\n", name, step, dot_string(label), bad ? ", fontcolor=red" : "");
      if (step > 0) text_ += fmt::format("    {0}{1} -> {0}{2} [arrowhead=none];\n", name, step - 1, step);
      ++step;
    };
    for (const Event& event : history.events) {
      if (event.kind == Event::Kind::entered) continue;
      const char* what = event.kind == Event::Kind::evicted    ? "evict"
                         : event.kind == Event::Kind::released ? "release"
                         : event.remat                         ? "rebuild"
                                                               : "compute";
      add(fmt::format("{} {}", what, p_.tensor_name(event.tensor)), event.kind == Event::Kind::evicted);
    }
    if (history.result.failure)
      add(fmt::format("{} B short of {}", history.result.failure->over_by, p_.tensor_name(history.last_asked.tensor)),
          true);
    text_ += "  }\n";
  }

  const Explanation& e_;
  const Program& p_;
  const bool small_;
  std::set<StorageId> storages_, prevents_, evicted_oom_, evicted_ok_;
  std::string text_;
};

}  // namespace

std::string explain_dot(const Explanation& e) { return Drawing(e).dot(); }

std::string svg_of_dot(const std::string& dot) {
  const std::unique_ptr<GVC_t, int (*)(GVC_t*)> context(gvContext(), gvFreeContext);
  const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agmemread(dot.c_str()), agclose);
  char* data = nullptr;
  unsigned length = 0;
  if (!context || !graph || gvLayout(context.get(), graph.get(), "dot") != 0 ||
      gvRenderData(context.get(), graph.get(), "svg", &data, &length) != 0)
    throw OutputError(
        "--svg: Graphviz cannot draw the graph (is the package libgvc6-plugins or graphviz installed? --dot "
        "writes the graph itself)");
  std::string svg(data, length);
  gvFreeRenderData(data);
  gvFreeLayout(context.get(), graph.get());
  while (!svg.empty() && svg.back() == '\n') svg.pop_back();
  return svg;
}

}  // namespace pothole
