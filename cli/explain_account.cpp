// The account: what happened, in order, each sentence with its numbers.
#include <fmt/format.h>

#include <algorithm>

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
    tell_phases();
    tell_choice();
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
  StorageId storage_of(TensorId t) const { return program_.tensors()[t].storage; }
  static std::string counted(std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }
  static std::string overhead_text(const Measures& m) {
    const auto overhead = overhead_of(Outcome::ok, m.model_compute, m.remat_compute);
    return overhead ? fmt::format("{:.3f}x overhead", *overhead) : std::string("no overhead to speak of");
  }

  void tell_outcomes() {
    const Measures& m = e_.ok.result.measures;
    add("outcomes",
        fmt::format("With {} bytes {} completes at {}; with {} bytes, {} more, it runs out of memory at {}.",
                    e_.ok.budget, e_.origin.settings.policy.label(), overhead_text(m), e_.oom.budget,
                    e_.oom.budget - e_.ok.budget, place(e_.divergence.failing_place)),
        {{"ok_budget", e_.ok.budget}, {"oom_budget", e_.oom.budget}, {"failing_place", e_.divergence.failing_place}});
  }

  void tell_parting() {
    const Divergence& d = e_.divergence;
    const auto side = [&](const History& history, std::optional<std::size_t> at) {
      if (!at) return std::string("nothing more");
      const Event& event = history.events[*at];
      const StorageId s = storage_of(event.tensor);
      if (event.kind == Event::Kind::released)
        return fmt::format("{} on its release after {}", sized(s), place(event.place));
      return fmt::format("{} at {}, depth {}, {} B pinned", sized(s), place(event.place), event.depth, event.pinned);
    };
    std::string text = fmt::format(
        "Counting those on release, the first {} are the same in both executions; then {} evicts {}, and {} evicts {}.",
        counted(static_cast<std::int64_t>(d.all.common), "eviction"), e_.ok.budget, side(e_.ok, d.all.ok),
        e_.oom.budget, side(e_.oom, d.all.oom));
    if (d.all.ok != d.by_policy.ok || d.all.oom != d.by_policy.oom)
      text += fmt::format(" Of the policy's own, the first {} are the same; then {} evicts {}, and {} evicts {}.",
                          d.by_policy.common, e_.ok.budget, side(e_.ok, d.by_policy.ok), e_.oom.budget,
                          side(e_.oom, d.by_policy.oom));
    add("divergence", std::move(text),
        {{"common", static_cast<std::int64_t>(d.all.common)},
         {"common_by_policy", static_cast<std::int64_t>(d.by_policy.common)}});
  }

  void tell_phases() {
    const Divergence& d = e_.divergence;
    const PhaseCount &a = d.ok.apart, &b = d.oom.apart, &inside = d.oom.inside;
    std::string text = fmt::format(
        "From there to {} they evict {} and {} times ({} and {} by choice, the rest on release) and rematerialize {} "
        "and "
        "{} times; pinned bytes differ by at most {} at any operator",
        place(d.failing_place), a.evictions(), b.evictions(), a.evictions_by_policy, b.evictions_by_policy, a.remats,
        b.remats, short_bytes(d.pinned_difference));
    if (d.pinned_equal_before_failure > 0)
      text += fmt::format(" and are equal at the last {} before", counted(d.pinned_equal_before_failure, "place"));
    text += fmt::format(
        ". Inside {} the failing execution evicts {} times and rematerializes {} times; the other one {} "
        "and {} times.",
        place(d.failing_place), inside.evictions(), inside.remats, d.ok.inside.evictions(), d.ok.inside.remats);
    add("phases", std::move(text),
        {{"ok_evictions", a.evictions()},
         {"oom_evictions", b.evictions()},
         {"ok_remats", a.remats},
         {"oom_remats", b.remats},
         {"inside_evictions", inside.evictions()},
         {"inside_remats", inside.remats},
         {"pinned_difference", d.pinned_difference}});
  }

  std::string choice(const DecisionRow& row) const {
    std::string text =
        fmt::format("at {} ({} asked, depth {}) it is {} B short and evicts {}", place(row.scene.place),
                    fmt::format("{} B", row.scene.request), row.scene.depth, row.scene.shortfall(), sized(row.victim));
    if (row.score) text += fmt::format(", score {:.3g} among {}", *row.score, counted(row.pool, "candidate"));
    return text;
  }

  void tell_choice() {
    if (e_.parting_ok)
      add("choice_ok",
          fmt::format("Where its choices part from the other's, {} {}.", e_.ok.budget, choice(*e_.parting_ok)),
          {{"shortfall", e_.parting_ok->scene.shortfall()}, {"request", e_.parting_ok->scene.request}});
    if (e_.parting_oom)
      add("choice_oom", fmt::format("There {} {}.", e_.oom.budget, choice(*e_.parting_oom)),
          {{"shortfall", e_.parting_oom->scene.shortfall()}, {"request", e_.parting_oom->scene.request}});
  }

  void tell_cause() {
    if (!e_.cause) return;
    const DecisionRow& row = *e_.cause;
    const std::optional<std::size_t> parting = e_.divergence.by_policy.oom;
    const bool shared = !parting || e_.cause_at < *parting;
    const char* which = shared                    ? "The eviction that it hangs on is one that both executions make"
                        : e_.cause_at == *parting ? "That eviction is the one that it hangs on"
                                                  : "The eviction that it hangs on comes later";
    std::string text = fmt::format("{}: with {} bytes, {}", which, e_.oom.budget, choice(row));
    if (row.lowest.size() > 1) {
      const CandidateRow& next = row.lowest[row.lowest[0].storage == row.victim ? 1 : 0];
      text += fmt::format("; next comes {}, score {:.3g}", sized(next.storage), next.score);
    }
    add("cause", text + ".",
        {{"victim", program_.storages()[row.victim].root},
         {"size", row.size},
         {"request", row.scene.request},
         {"shortfall", row.scene.shortfall()},
         {"candidates", row.pool},
         {"place", row.scene.place}});
    if (const auto last = shared ? std::nullopt : last_in_ok(row.victim))
      add("instead", fmt::format("With {} bytes, the last other eviction up to there is {}.", e_.ok.budget, *last), {});
  }

  // The last eviction of the completing execution up to the place of the cause.
  std::optional<std::string> last_in_ok(StorageId victim) const {
    std::optional<std::string> text;
    for (const Event& event : e_.ok.events) {
      if (event.place > e_.cause->scene.place) break;
      if (event.kind != Event::Kind::evicted || storage_of(event.tensor) == victim) continue;
      const Bytes shortfall = event.resident + event.request - e_.ok.budget;
      text = fmt::format("{} at {}, {} B short", sized(storage_of(event.tensor)), place(event.place), shortfall);
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
        fmt::format("The first thing that {} lacks is tensor {} ({}), {}. Rebuilding goes {} deep and takes {} of {}, "
                    "of which {} had been kept "
                    "with {} bytes.",
                    place(e_.divergence.failing_place), first.tensor, program_.tensor_name(first.tensor), gone,
                    e_.oom.result.measures.max_depth, counted(e_.divergence.oom.inside.remats, "rematerialization"),
                    counted(static_cast<std::int64_t>(r.tensors.size()), "tensor"), kept, e_.ok.budget),
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
            "At depth {} it asks for {} B and is {} B short with nothing left to evict: {} B are pinned. The peak of "
            "pinned bytes is {} at depth {}; the completing execution's is {} at depth {}.",
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
        "Retaining {} prevents it: with {} bytes it then completes at {}, {} B pinned at most, "
        "depth {}",
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
        fmt::format("The trace fits: what the execution at {} bytes does needs {} bytes, and can be followed at every "
                    "budget from there on, those of the hole among them. The policy is at fault.",
                    e_.ok.budget, e_.schedule_peak),
        {{"schedule_peak", e_.schedule_peak}});
  }

  const Explanation& e_;
  const Program& program_;
  std::vector<Sentence> sentences_;
};

}  // namespace

std::vector<Sentence> account_of(const Explanation& e) { return Account(e).sentences(); }

std::string storage_text(const Program& program, StorageId storage) {
  const TensorId root = program.storages()[storage].root;
  const std::string_view name = program.tensor_name(root);
  if (name == "t" + std::to_string(root)) return fmt::format("storage {}", name);
  return fmt::format("storage {} ({})", root, name);
}

}  // namespace pothole
