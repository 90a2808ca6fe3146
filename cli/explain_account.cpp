// The account: what happened, in order, each sentence with its numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/budget.h"
#include "cli/explain_report.h"

namespace pothole {
namespace {

class Account {
 public:
  explicit Account(const Explanation& e) : e_(e), program_(e.origin.program) {}

  std::vector<Sentence> sentences() {
    tell_outcomes();
    tell_parting();
    tell_choice();
    tell_phases();
    tell_cause();
    tell_rebuild();
    tell_failure();
    tell_interventions();
    tell_witness();
    return std::move(sentences_);
  }

 private:
  using Numbers = std::vector<std::pair<std::string, std::int64_t>>;

  void add(std::string name, std::string text, Numbers numbers) {
    sentences_.push_back({std::move(name), std::move(text), std::move(numbers)});
  }
  std::string place(std::uint32_t p) const { return place_name(program_, p); }
  std::string storage(StorageId s) const { return storage_text(program_, s); }
  std::string sized(StorageId s) const { return fmt::format("{}, {} B", storage(s), program_.storages()[s].size); }
  std::string tensor(TensorId t) const { return tensor_text(program_, t); }
  StorageId storage_of(TensorId t) const { return program_.tensors()[t].storage; }
  static std::string counted(std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }
  static std::string capital(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }
  static std::string overhead_text(const Measures& m) {
    const auto overhead = overhead_of(Outcome::ok, m.model_compute, m.remat_compute);
    return overhead ? fmt::format("{:.3f}x overhead", *overhead) : std::string("no overhead to speak of");
  }

  void tell_outcomes() {
    const Measures& m = e_.ok.result.measures;
    add("outcomes",
        fmt::format("With {} bytes {} completes at {}; with {} more it runs out of memory at {}.", e_.ok.budget,
                    e_.origin.settings.policy.label(), overhead_text(m), counted(e_.oom.budget - e_.ok.budget, "byte"),
                    place(e_.divergence.failing_place)),
        {{"ok_budget", e_.ok.budget}, {"oom_budget", e_.oom.budget}, {"failing_place", e_.divergence.failing_place}});
  }

  // As the study counts; left to the numbers where the count of choices is the same.
  void tell_parting() {
    const Divergence& d = e_.divergence;
    const auto side = [&](const History& history, std::optional<std::size_t> at) {
      if (!at) return std::string("nothing more");
      const Event& event = history.events[*at];
      const bool released = event.kind == Event::Kind::released;
      return fmt::format("{} {} {}", sized(storage_of(event.tensor)), released ? "on its release after" : "at",
                         place(event.place));
    };
    std::string text = fmt::format("The first {} are the same in both executions",
                                   counted(static_cast<std::int64_t>(d.by_policy.common), "choice"));
    if (d.all.common != d.by_policy.common)
      text += fmt::format(
          ". With what goes on its release counted too, as the study counts, the first {}; then with {} bytes goes {}, "
          "with {} {}",
          counted(static_cast<std::int64_t>(d.all.common), "eviction"), e_.ok.budget, side(e_.ok, d.all.ok),
          e_.oom.budget, side(e_.oom, d.all.oom));
    add("divergence", text + ".",
        {{"common", static_cast<std::int64_t>(d.all.common)},
         {"common_by_policy", static_cast<std::int64_t>(d.by_policy.common)}});
  }

  void tell_choice() {
    const auto tell = [&](std::string name, const History& history, const std::optional<DecisionRow>& row) {
      if (!row) return add(std::move(name), fmt::format("The next with {} bytes: there is none.", history.budget), {});
      add(std::move(name), fmt::format("The next with {} bytes: {}.", history.budget, choice(*row)),
          {{"place", row->scene.place},
           {"depth", row->scene.depth},
           {"request", row->scene.request},
           {"shortfall", row->scene.shortfall()},
           {"pinned", row->scene.pinned},
           {"victim", program_.storages()[row->victim].root},
           {"size", row->size}});
    };
    tell("choice_ok", e_.ok, e_.parting_ok);
    tell("choice_oom", e_.oom, e_.parting_oom);
  }

  void tell_phases() {
    const Divergence& d = e_.divergence;
    const PhaseCount &a = d.ok.apart, &b = d.oom.apart, &inside = d.oom.inside, &other = d.ok.inside;
    std::string text = fmt::format(
        "From the first difference to {} they evict {} ({} chosen, the rest on release) and rematerialize {}",
        place(d.failing_place), each(a.evictions(), b.evictions()),
        a.evictions_by_policy == b.evictions_by_policy
            ? fmt::format("{}", a.evictions_by_policy)
            : fmt::format("{} and {}", a.evictions_by_policy, b.evictions_by_policy),
        each(a.remats, b.remats));
    if (d.pinned_difference > 0)
      text += fmt::format("; the bytes they pin differ by {} at most, at {}", short_bytes(d.pinned_difference),
                          place(d.pinned_difference_at));
    else if (d.failing_place > 0)
      text += "; at no operator before does one pin more than the other";
    text += fmt::format(". Inside {} the failing execution evicts {} and rematerializes {}, the other {} and {}.",
                        place(d.failing_place), times(inside.evictions()), times(inside.remats),
                        times(other.evictions()), times(other.remats));
    add("phases", std::move(text),
        {{"ok_evictions", a.evictions()},
         {"oom_evictions", b.evictions()},
         {"ok_remats", a.remats},
         {"oom_remats", b.remats},
         {"inside_evictions", inside.evictions()},
         {"inside_remats", inside.remats},
         {"pinned_difference", d.pinned_difference}});
  }

  static std::string times(std::int64_t n) {
    return n == 0 ? "never" : n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n);
  }
  static std::string each(std::int64_t a, std::int64_t b) {
    if (a == b) return times(a) + (a == 0 ? "" : " each");
    return fmt::format("{} and {}", times(a), times(b));
  }

  std::string choice(const DecisionRow& row) const {
    std::string text = fmt::format("{}, depth {}, asks for {} B and is {} B short with {} B pinned; it evicts {}",
                                   place(row.scene.place), row.scene.depth, row.scene.request, row.scene.shortfall(),
                                   row.scene.pinned, sized(row.victim));
    if (row.score) text += fmt::format(", score {:.3g} among {}", *row.score, counted(row.pool, "candidate"));
    return text;
  }

  void tell_cause() {
    if (!e_.cause) return;
    const DecisionRow& row = *e_.cause;
    const std::optional<std::size_t> parting = e_.divergence.by_policy.oom;
    const bool shared = !parting || e_.cause_at < *parting, is_parting = parting && e_.cause_at == *parting;
    // What the sentence before has told is not told again.
    std::string text =
        is_parting ? "It is this eviction that the failure hangs on"
                   : fmt::format("The failure hangs on {}: {}",
                                 shared ? "an eviction that both executions make" : "a later eviction", choice(row));
    if (row.lowest.size() > 1) {
      const CandidateRow& next = row.lowest[row.lowest[0].storage == row.victim ? 1 : 0];
      text += fmt::format("; next in line is {}, score {:.3g}", sized(next.storage), next.score);
    }
    if (const auto last = shared || is_parting ? std::nullopt : last_in_ok(row.victim))
      text += fmt::format(". With {} bytes the last other eviction up to there is {}", e_.ok.budget, *last);
    add("cause", text + ".",
        {{"victim", program_.storages()[row.victim].root},
         {"size", row.size},
         {"request", row.scene.request},
         {"shortfall", row.scene.shortfall()},
         {"candidates", row.pool},
         {"place", row.scene.place}});
  }

  // The last eviction of the completing execution up to the place of the cause.
  std::optional<std::string> last_in_ok(StorageId victim) const {
    std::optional<std::string> text;
    for (const Event& event : e_.ok.events) {
      if (event.place > e_.cause->scene.place) break;
      if (event.kind != Event::Kind::evicted || storage_of(event.tensor) == victim) continue;
      const Bytes shortfall = event.resident + event.request - e_.ok.budget;
      text = fmt::format("of {} at {}, {} B short", sized(storage_of(event.tensor)), place(event.place), shortfall);
    }
    return text;
  }

  void tell_rebuild() {
    const Rebuild& r = e_.rebuild;
    if (r.tensors.empty()) return;
    const auto kept = std::count_if(r.tensors.begin(), r.tensors.end(), [](const Rebuilt& t) { return t.kept_by_ok; });
    const Rebuilt& first = r.tensors.front();
    std::string gone = "never before";
    if (first.gone_in_oom)
      gone = fmt::format("{} at {}", first.gone_in_oom->on_release ? "released" : "evicted",
                         place(first.gone_in_oom->place));
    add("rebuild",
        fmt::format(
            "{} first lacks {}, {}. Rebuilding goes {} deep and takes {} of {}; {} had been kept with {} bytes.",
            capital(place(e_.divergence.failing_place)), tensor(first.tensor), gone, e_.oom.result.measures.max_depth,
            counted(e_.divergence.oom.inside.remats, "rematerialization"),
            counted(static_cast<std::int64_t>(r.tensors.size()), "tensor"),
            kept == 0 ? std::string("none of them") : fmt::format("{} of them", kept), e_.ok.budget),
        {{"tensor", first.tensor},
         {"max_depth", e_.oom.result.measures.max_depth},
         {"tensors", static_cast<std::int64_t>(r.tensors.size())},
         {"kept_by_ok", kept}});
  }

  void tell_failure() {
    const Failure& f = *e_.oom.result.failure;
    const Measures& m = e_.oom.result.measures;
    add("failure",
        fmt::format(
            "At depth {} it asks for {} B and is {} B short with nothing left to evict: {} B are pinned. Its peak of "
            "pinned bytes is {} at depth {}, the completing execution's {} at depth {}.",
            f.depth, f.request, f.over_by, f.pinned, m.peak_pinned, m.depth_at_peak_pinned,
            e_.ok.result.measures.peak_pinned, e_.ok.result.measures.depth_at_peak_pinned),
        {{"depth", f.depth},
         {"request", f.request},
         {"over_by", f.over_by},
         {"pinned", f.pinned},
         {"peak_pinned", m.peak_pinned},
         {"depth_at_peak_pinned", m.depth_at_peak_pinned}});
  }

  void tell_interventions() {
    const Interventions& i = e_.interventions;
    if (!i.control_reproduces) {
      add("control",
          "The control, through the code of the interventions with nothing retained, does not reproduce the "
          "failure: nothing is said of causes.",
          {});
      return;
    }
    const Intervention* best = i.best();
    if (best == nullptr) {
      add("prevention",
          i.all_tried
              ? "No storage that it evicts prevents the failure if it is retained, nor does any set of them: all were "
                "tried."
              : "Retaining storages that it evicts prevents the failure in no set that was tried; not all were.",
          {});
      return;
    }
    std::string names;
    for (const StorageId s : best->retained) names += (names.empty() ? "" : " and ") + storage(s);
    std::string text = fmt::format(
        "Retaining {} prevents it: with the same {} bytes it then completes at {}, {} B pinned at most, depth {}",
        names, e_.oom.budget, overhead_text(best->measures), best->measures.peak_pinned, best->measures.max_depth);
    if (best->retained.size() == 1)
      text += fmt::format("; of {} tried alone, {} it",
                          counted(static_cast<std::int64_t>(i.likely.size() + i.others.size()), "storage"),
                          i.smallest.size() == 1 ? "no other prevents" : fmt::format("{} prevent", i.smallest.size()));
    else if (i.smallest_is_certain)
      text += "; no smaller set does";
    else
      text += "; none of them can be left out, and whether another set is smaller is not known";
    add("prevention", text + ". The control, with nothing retained, fails as before.",
        {{"retained", static_cast<std::int64_t>(best->retained.size())},
         {"peak_pinned", best->measures.peak_pinned},
         {"max_depth", best->measures.max_depth},
         {"sets", static_cast<std::int64_t>(i.smallest.size())}});
  }

  void tell_witness() {
    add("witness",
        fmt::format(
            "The trace fits: what is done with {} bytes needs {}, and can be done at every budget from there on, those "
            "of the hole among them. The policy is at fault.",
            e_.ok.budget, e_.schedule_peak),
        {{"schedule_peak", e_.schedule_peak}});
  }

  const Explanation& e_;
  const Program& program_;
  std::vector<Sentence> sentences_;
};

std::string named(const Program& program, TensorId tensor) {
  const std::string_view name = program.tensor_name(tensor);
  return name == "t" + std::to_string(tensor) ? std::string(name) : fmt::format("{} ({})", tensor, name);
}

}  // namespace

std::vector<Sentence> account_of(const Explanation& e) { return Account(e).sentences(); }

std::string storage_text(const Program& program, StorageId storage) {
  return "storage " + named(program, program.storages()[storage].root);
}

std::string tensor_text(const Program& program, TensorId tensor) { return "tensor " + named(program, tensor); }

}  // namespace pothole
