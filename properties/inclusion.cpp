// inclusion: what is resident at a budget is resident at a larger one.
//
// Compared after every operator of the trace, and at the end. Being a subset is transitive, so among the runs
// that come so far only neighbouring budgets are compared; all runs advance together. Storages that the trace
// has released come back only where something is rematerialized, which less memory does more of: a violation
// by one of those says little, and is told apart.
#include <fmt/format.h>

#include <bit>

#include "properties/ledger.h"
#include "properties/registry.h"
#include "properties/verdicts.h"

namespace pothole {
namespace {

constexpr std::string_view kHeld = "held", kReleased = "released";
constexpr std::string_view kKinds[] = {kHeld, kReleased};
constexpr std::string_view kOneExecution = "there is one execution only, with nothing to compare it to";

// One run on its way through the trace.
struct Walker {
  const CheckedRun* run;
  Ledger ledger;
  std::size_t next = 0;

  // Up to the moment when `place` operators of the trace are computed, or to the end where there are no more.
  // False if the run does not come so far.
  bool advance_to(OperatorId place, OperatorId all) {
    const std::vector<Decision>& decisions = run->result.decisions;
    const bool to_end = place > all;
    while (next < decisions.size() && (to_end || ledger.place() < place)) ledger.book(decisions[next++]);
    return to_end ? run->result.outcome == Outcome::ok : ledger.place() == place;
  }
};

// The storages that the trace holds, as it goes on.
class Held {
 public:
  explicit Held(const Program& program) : program_(program), references_(program.storages().size(), 0) {}

  // To where operator `place` - 1 was issued; past the last operator to the end, with the outputs.
  void advance_to(OperatorId place) {
    const std::vector<Command>& commands = program_.commands();
    while (issued_ < place && next_ < commands.size()) take(commands[next_++]);
    if (place <= program_.operators().size()) return;
    for (TensorId t : program_.pins()) ++references(t);
  }
  bool contains(StorageId storage) const { return references_[storage] > 0; }

 private:
  std::int64_t& references(TensorId tensor) { return references_[program_.tensors()[tensor].storage]; }

  void take(const Command& command) {
    if (command.kind == Command::Kind::get) ++references(command.id);
    if (command.kind == Command::Kind::release) --references(command.id);
    if (command.kind != Command::Kind::issue) return;
    const Operator& op = program_.operators()[command.id];
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) ++references(t);
    ++issued_;
  }

  const Program& program_;
  std::vector<std::int64_t> references_;  // by storage
  std::size_t next_ = 0;                  // command
  OperatorId issued_ = 0;
};

// The first storage of `smaller` that is not in `larger`: of those that are held, if any.
std::optional<StorageId> not_included(const BitSet& smaller, const BitSet& larger, const Held& held) {
  std::optional<StorageId> found;
  for (std::size_t w = 0; w < smaller.words().size(); ++w) {
    for (std::uint64_t missing = smaller.words()[w] & ~larger.words()[w]; missing != 0; missing &= missing - 1) {
      const auto storage = static_cast<StorageId>(64 * w) + static_cast<StorageId>(std::countr_zero(missing));
      if (held.contains(storage)) return storage;
      if (!found) found = storage;
    }
  }
  return found;
}

class Comparison {
 public:
  explicit Comparison(const Subject& subject) : program_(subject.program()), held_(subject.program()) {
    for (const CheckedRun& run : subject.runs())
      if (is_evidence(run.result.outcome)) walkers_.push_back({&run, Ledger(program_)});
  }

  // The first violation of a held storage, else the first of all.
  std::optional<Verdict> first_violation() {
    std::optional<Verdict> released;
    const auto all = static_cast<OperatorId>(program_.operators().size());
    for (OperatorId place = 1; place <= all + 1; ++place) {
      std::erase_if(walkers_, [&](Walker& w) { return !w.advance_to(place, all); });
      held_.advance_to(place);
      for (std::size_t i = 1; i < walkers_.size(); ++i) {
        const Walker &smaller = walkers_[i - 1], &larger = walkers_[i];
        const auto storage = not_included(smaller.ledger.resident_storages(), larger.ledger.resident_storages(), held_);
        if (!storage) continue;
        if (held_.contains(*storage)) return violation(kHeld, smaller, larger, *storage, place - 1);
        if (!released) released = violation(kReleased, smaller, larger, *storage, place - 1);
      }
    }
    return released;
  }

 private:
  // `place` is the last operator computed.
  Verdict violation(std::string_view kind, const Walker& smaller, const Walker& larger, StorageId storage,
                    OperatorId place) const {
    const TensorId root = program_.storages()[storage].root;
    const Bytes less = smaller.run->budget, more = larger.run->budget;
    return violated(kind, place, {less, more}, {root},
                    fmt::format("after {}, {}{} is resident with {} and not with {}", place_text(program_, place),
                                kind == kReleased ? "released " : "", program_.tensor_name(root), less, more));
  }

  const Program& program_;
  Held held_;
  std::vector<Walker> walkers_;  // of the runs that come this far
};

Verdict check(const Subject& subject) {
  const bool one = subject.runs().size() == 1;
  Verdict verdict =
      verdict_of_runs(subject, [&](const CheckedRun&) { return one ? not_applicable(kOneExecution) : Verdict(); });
  if (std::optional<Verdict> violation = Comparison(subject).first_violation()) {
    violation->coverage = verdict.coverage;
    return *violation;
  }
  return verdict;
}

}  // namespace

Property inclusion_property() {
  return {.name = "inclusion",
          .sentence = "what is resident at a budget is resident at a larger one, after every operator",
          .reason =
              "the stack property of paging (Mattson et al., 1970), from which it would follow that more memory only "
              "helps; where it is violated, a hole or a cost inversion may begin",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
