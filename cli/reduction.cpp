#include "cli/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/case_answer.h"
#include "corpus/atomic_file.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

std::vector<std::string> settings_lines(const ReductionPlan& plan) {
  const RunSettings& run = plan.origin.settings;
  const Witness& w = plan.origin.witness;
  return {"policy " + run.policy.text,
          fmt::format("dealloc {}", name_of(run.dealloc)),
          fmt::format("overhead-limit {}", run.overhead_limit.value()),
          fmt::format("comparison {}", name_of(run.comparison)),
          fmt::format("seed {}", run.seed),
          fmt::format("budgets {} {} {}", w.ok, w.oom, w.ok_above),
          "preserve " + plan.settings.oracle.signature.value_or("any"),
          fmt::format("max-steps {}", plan.settings.oracle.steps_max),
          fmt::format("pumps {}", plan.settings.pumps)};
}

// The same question has the same name.
std::filesystem::path state_file_of(const ReductionPlan& plan) {
  const Case question = case_about(plan.origin.program, plan.origin.settings, kHoleProperty);
  return plan.folder / std::filesystem::path(case_file_name(question)).replace_extension(".shrinking");
}

ShrinkState fresh_state(const HoleOrigin& origin) {
  ShrinkState state;
  state.program = origin.program;
  state.witness = origin.witness;
  return state;
}

constexpr std::string_view kShrunk = "shrunk from ";

// By a reduction, and since then nobody has changed what is recorded.
bool was_shrunk(const Case& c) { return c.provenance.note.starts_with(kShrunk) && c.history.empty(); }

}  // namespace

Reduction::Reduction(const ReductionPlan& plan, bool resume)
    : plan_(plan),
      settings_(settings_lines(plan)),
      file_(state_file_of(plan)),
      shrinker_(plan.settings, begun(resume), listener()) {}

ShrinkState Reduction::begun(bool resume) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(file_, ignored);
  if (resume && !exists) throw InputError(file_.string(), "there is no reduction to resume", "leave out --resume");
  if (!exists) return fresh_state(plan_.origin);
  if (!resume)
    throw InputError(file_.string(), "a reduction of this hole is under way there",
                     "go on with it by --resume, or remove the file");
  const ShrinkFile file = read_shrink(file_);
  if (file.settings != settings_) {
    const auto [a, b] = std::mismatch(file.settings.begin(), file.settings.end(), settings_.begin(), settings_.end());
    throw InputError(
        file_.string(),
        fmt::format("the reduction was begun with '{}', not '{}'", a == file.settings.end() ? "nothing more" : *a,
                    b == settings_.end() ? "nothing more" : *b),
        "give the same options, or remove the file");
  }
  ShrinkState state;
  state.program = file.program;
  state.witness = file.witness;
  state.grain = file.grain;
  const auto pass = std::find_if(passes().begin(), passes().end(), [&](const Pass& p) { return p.name == file.pass; });
  state.pass = static_cast<std::size_t>(pass - passes().begin());
  if (file.block) state.block = *file.block;
  state.improved = file.improved;
  state.evaluations = file.evaluations;
  others_ = file.others;
  const Oracle oracle(plan_.settings.oracle);
  if (pass == passes().end() || oracle.ask(state.program, state.witness).kind == Answer::Kind::no_hole)
    throw InputError(file_.string(), "is not a whole reduction: its program has no hole, or its pass is unknown",
                     "remove it and start anew");
  return state;
}

ShrinkListener Reduction::listener() {
  ShrinkListener listener;
  listener.on_smaller = [this](const ShrinkState& state) { keep_state(state); };
  listener.on_other = [this](const Program& program, const Answer::Other& other) { keep_other(program, other); };
  listener.on_evaluated = [this](const ShrinkState& state) { on_evaluated_(state); };
  return listener;
}

void Reduction::keep_state(const ShrinkState& state) const {
  ShrinkFile file;
  file.settings = settings_;
  file.operators_before = plan_.origin.program.operators().size();
  file.pass = passes()[state.pass].name;
  file.grain = state.grain;
  if (state.block) file.block = *state.block;
  file.improved = state.improved;
  file.evaluations = state.evaluations;
  file.others = others_;
  file.witness = state.witness;
  file.program = state.program;
  write_file(file_, shrink_text(file));
}

void Reduction::keep_other(const Program& program, const Answer::Other& other) {
  if (std::find(others_.begin(), others_.end(), other.signature) != others_.end()) return;
  others_.push_back(other.signature);
  add_case(plan_.folder, case_of(program, other.witness, "met while shrinking to another signature"));
}

void Reduction::run(unsigned threads, const std::function<void(const ShrinkState&)>& on_evaluated) {
  keep_state(shrinker_.state());
  on_evaluated_ = on_evaluated;
  with_threads(threads, [&] { shrinker_.run(); });
}

// A small program's map is exact; of a large one the budgets alone are claimed.
Case Reduction::case_of(const Program& program, const Witness& w, const std::string& note) const {
  const RunSettings& settings = plan_.origin.settings;
  Case c = case_about(canonical(program), settings, kHoleProperty);
  const bool small = program.operators().size() <= Oracle::kExactOperators;
  const FeasibilityMap map =
      small ? map_of_case(c.program, settings, range_of_case(c.program), {})
            : map_by_grid(c.program, settings, {w.ok, w.ok_above + 1}, std::array{w.ok, w.oom, w.ok_above});
  static_cast<CaseAnswer&>(c) = hole_answer(c.program, settings, map, CaseBudgets{w.ok, w.oom, w.ok_above});
  if (!small) {
    c.map.clear();
    c.map_from = c.map_to = 0;
  }
  c.provenance.tool = POTHOLE_VERSION;
  c.provenance.origin = plan_.origin.name;
  c.provenance.origin_sha256 = plan_.origin.sha256;
  c.provenance.note = note;
  return c;
}

std::pair<Case, std::filesystem::path> Reduction::finish(const std::string& claim) {
  const ShrinkState& state = shrinker_.state();
  Case c = case_of(state.program, state.witness,
                   fmt::format("{}{} operators; {}", kShrunk, plan_.origin.program.operators().size(), claim));
  const std::filesystem::path file = plan_.folder / case_file_name(c);
  // An interruption may have kept the same case with less to claim.
  if (!add_case(plan_.folder, c) && was_shrunk(read_case(file))) write_file(file, case_text(c));
  std::error_code ignored;
  if (state.phase == ShrinkPhase::done) std::filesystem::remove(file_, ignored);
  return {std::move(c), file};
}

}  // namespace pothole
