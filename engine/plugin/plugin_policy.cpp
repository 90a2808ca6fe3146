#include "engine/plugin/plugin_policy.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <mutex>
#include <set>

#include "engine/exact.h"
#include "engine/plugin/guarded_call.h"
#include "engine/plugin/plugin_library.h"
#include "engine/plugin/pothole_policy.h"
#include "engine/pool_view.h"

namespace pothole {
namespace {

// A policy that did not return so often is not asked again: each time costs a thread.
constexpr int kLostMax = 3;
constexpr std::string_view kLate = "did not return within ";
constexpr std::string_view kNotAsked = "was not asked, as it had not returned three times";

constexpr std::string_view kNoVictim = "named no storage";
constexpr std::string_view kNoDraw = "draws without declaring POTHOLE_RANDOM";
constexpr std::string_view kNoBudget = "asks about the budget without declaring POTHOLE_BUDGET";
constexpr std::string_view kNoSuchShortfall = "asks about freeing less than 0 or more than all bytes";
constexpr std::string_view kEmptyDraw = "draws from 0 numbers";

struct PluginData : PolicyData {
  const PluginLibrary* library = nullptr;
  std::string name;  // with the parameters that were given
  std::chrono::nanoseconds limit{};
  std::string late;  // what is said when the limit has passed
  mutable std::atomic<int> lost = 0;

  // Keeps a message for as long as the policy.
  std::string_view kept(std::string text) const {
    const std::lock_guard lock(mutex_);
    return *messages_.insert(std::move(text)).first;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::set<std::string> messages_;
};

// One choice, on the stack of whoever calls the plugin.
struct PluginCall {
  PoolView& pool;
  const PluginData& plugin;
  const ParameterValues values;
  std::vector<StorageId> members = {};  // of a plugin that chooses
  std::string_view fault = {};          // the first one
  pothole_view view = {};

  const pothole_policy& declared() const { return *plugin.library->declared; }
  Features needs() const { return plugin.record.needs; }
  void blame(std::string_view why) {
    if (fault.empty()) fault = why;
  }
};

pothole_candidate described(PluginCall& call, StorageId member) {
  const Features needs = call.needs();
  if (!call.pool.regions_known(member, needs)) call.pool.learn_regions(member);
  const Candidate c = call.pool.candidate(member, needs);
  const bool forward = needs.has(Feature::forward), reverse = needs.has(Feature::reverse);
  pothole_candidate out = {};
  out.storage = call.pool.root(member);
  out.compute = c.compute;
  out.size = c.size;
  out.staleness = c.staleness;
  out.last_access = c.last_access;
  out.tensors = call.pool.tensors_of(member);
  out.children = call.pool.children_of(member);
  if (forward) out.forward = c.forward;
  if (reverse) out.reverse = c.reverse;
  if (forward && reverse) out.neighbours = c.neighbours;
  out.united = c.united;
  out.united_staleness = c.united_staleness;
  out.classes = c.classes;
  out.evictions = c.evictions;
  return out;
}

PluginCall& call_of(const pothole_view* view) { return *static_cast<PluginCall*>(view->pothole); }

extern "C" {

pothole_candidate plugin_candidate(const pothole_view* view, std::uint32_t i) {
  const Ours ours;
  PluginCall& call = call_of(view);
  if (i < call.view.count) {
    if (call.members.empty())
      for (StorageId s : call.pool.slots())
        if (s != kNone) call.members.push_back(s);
    return described(call, call.members[i]);
  }
  call.blame(
      call.plugin.kept("looks at member " + std::to_string(i) + " of a pool of " + std::to_string(call.view.count)));
  return {};
}

int plugin_fits_after(const pothole_view* view, std::int64_t freed) {
  const Ours ours;
  PluginCall& call = call_of(view);
  if (!call.needs().has(Feature::budget)) {
    call.blame(kNoBudget);
    return 0;
  }
  if (freed < 0 || freed > call.view.resident) {
    call.blame(kNoSuchShortfall);
    return 0;
  }
  return call.pool.fits_after(freed);
}

std::uint64_t plugin_draw(const pothole_view* view, std::uint64_t bound) {
  const Ours ours;
  PluginCall& call = call_of(view);
  if (call.needs().has(Feature::random) && bound > 0) return call.pool.draw(bound);
  call.blame(bound > 0 ? kNoDraw : kEmptyDraw);
  return 0;
}

double plugin_quotient(pothole_wide numerator, std::int64_t size, std::int64_t staleness) {
  const Score score{.numerator = numerator, .size = size, .staleness = staleness};
  return score.infinite() ? exact::kInfinity : exact::rounded(score);
}

}  // extern "C"

double score_of(PluginCall& call, StorageId member) {
  const pothole_candidate candidate = described(call, member);
  const auto declared = call.declared().score;
  const double* const values = call.values.data();
  double score;
  {
    const Foreign foreign;
    score = declared(&call.view, &candidate, values);
  }
  if (std::isnan(score)) call.blame(kScoreNotANumber);
  return score;
}

// The scan of semantics section 7, of scores that are doubles already.
StorageId least_score(PluginCall& call) {
  StorageId best = kNone;
  double least = 0;
  for (StorageId s : call.pool.slots()) {
    if (s == kNone) continue;
    const double score = score_of(call, s);
    if (!call.fault.empty()) return kNone;
    if (best == kNone || score <= least) {
      best = s;
      least = score;
    }
    if (score == 0) break;
  }
  return best;
}

StorageId chosen(PluginCall& call) {
  const auto choose_from = call.declared().choose;
  const double* const values = call.values.data();
  std::uint32_t i;
  {
    const Foreign foreign;
    i = choose_from(&call.view, values);
  }
  if (i < call.view.count) return call.pool.member(i);
  if (i == POTHOLE_NONE) {
    call.blame(kNoVictim);
  } else {
    call.blame(
        call.plugin.kept("chose member " + std::to_string(i) + " of a pool of " + std::to_string(call.view.count)));
  }
  return kNone;
}

void blame_for_exception(PluginCall& call, const std::exception& exception) {
  constexpr std::size_t kMost = 200;
  std::string text;
  {
    const Foreign foreign;
    text = std::string("threw an exception: ").append(exception.what());
  }
  text.resize(std::min(text.size(), kMost));
  call.blame(call.plugin.kept(std::move(text)));
}

// On the companion's thread.
template <class Question>
auto answer_to(PluginCall& call, Question question) -> decltype(question(call)) {
  call.view.count = call.pool.size();
  call.view.clock = call.pool.clock();
  call.view.resident = call.pool.resident();
  call.view.request = call.pool.request();
  call.view.candidate = plugin_candidate;
  call.view.fits_after = plugin_fits_after;
  call.view.draw = plugin_draw;
  call.view.quotient = plugin_quotient;
  call.view.pothole = &call;
  try {
    return question(call);
  } catch (const std::exception& exception) {
    blame_for_exception(call, exception);
  } catch (...) {
    call.blame("threw an exception");
  }
  return {};
}

// What is wrong with the answer, or nothing.
template <class Answer, class Question>
std::string_view ask(PoolView& pool, const ConfiguredPolicy& configured, Question question, Answer& answer) {
  const auto& plugin = static_cast<const PluginData&>(*configured.data);
  if (plugin.lost >= kLostMax) return kNotAsked;
  const PoolView::Place place = pool.place_to_name();
  std::string_view fault;
  const auto body = [&] {
    PluginCall call{pool, plugin, configured.values};
    Answer answered = answer_to(call, question);
    answer = std::move(answered);
    fault = call.fault;
  };
  if (!call_guarded({plugin.library->file, place.trace, place.op, place.budget}, plugin.limit, body)) {
    ++plugin.lost;
    return plugin.late;
  }
  return fault;
}

StorageId choose(PoolView& pool, const ConfiguredPolicy& configured) {
  StorageId victim = kNone;
  const auto question = [](PluginCall& call) { return call.declared().score ? least_score(call) : chosen(call); };
  const std::string_view fault = ask(pool, configured, question, victim);
  return fault.empty() ? victim : pool.misbehaved(fault);
}

// Nothing where the plugin fails: the choice that is shown beside has said so.
std::vector<Ranked> rank(PoolView& pool, const ConfiguredPolicy& configured) {
  std::vector<Ranked> ranked;
  const auto question = [](PluginCall& call) {
    std::vector<Ranked> scores;
    for (StorageId s : call.pool.slots())
      if (s != kNone && call.fault.empty()) scores.push_back({s, score_of(call, s)});
    return scores;
  };
  if (!ask(pool, configured, question, ranked).empty()) ranked.clear();
  return ranked;
}

std::string text_of(double value) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

// The seconds of a limit, for people.
std::string late_text(std::chrono::nanoseconds limit) {
  return std::string(kLate) + text_of(std::chrono::duration<double>(limit).count()) + " s";
}

constexpr std::string_view kDigestMark = " (sha256 ";

}  // namespace

ConfiguredPolicy configure_plugin(const PluginRequest& request, PolicyError& error) {
  const PluginLibrary* library = load_plugin(request.file, request.limit, error);
  if (!library) return {};
  auto data = std::make_shared<PluginData>();
  data->library = library;
  data->limit = request.limit;
  data->late = late_text(request.limit);
  data->record = library->record;
  data->record.choose = choose;
  // To score again must change nothing: not what is drawn next, and not which budgets are told apart.
  const Features needs = data->record.needs;
  if (library->declared->score && !needs.has(Feature::random) && !needs.has(Feature::budget)) data->record.rank = rank;
  ConfiguredPolicy configured;
  configured.policy = &data->record;
  if (!set_parameters(configured, request.parameters, error)) return {};
  data->name = library->record.name;
  if (request.parameters) data->name += "@" + *request.parameters;
  configured.text = library->record.name;
  for (std::size_t i = 0; i < data->record.parameters.size(); ++i)
    configured.text +=
        (i == 0 ? "@" : ",") + std::string(data->record.parameters[i].key) + "=" + text_of(configured.values[i]);
  configured.text += std::string(kDigestMark) + request.sha256 + ")";
  data->record.name = data->name;
  configured.data = std::move(data);
  return configured;
}

bool is_plugin(const ConfiguredPolicy& policy) { return dynamic_cast<const PluginData*>(policy.data.get()) != nullptr; }

std::string with_short_digest(std::string_view text) {
  constexpr std::size_t kDigits = 12;
  const std::size_t mark = text.rfind(kDigestMark);
  if (mark == text.npos || !text.ends_with(')')) return std::string(text);
  const std::string_view digest = text.substr(mark + kDigestMark.size(), text.size() - mark - kDigestMark.size() - 1);
  return std::string(text.substr(0, mark + kDigestMark.size())).append(digest.substr(0, kDigits)) + ")";
}

bool was_not_asked(std::string_view why) { return why == kNotAsked; }

bool was_late(std::string_view why) { return why.starts_with(kLate); }

bool is_other_file_of_plugin(std::string_view a, std::string_view b) {
  const std::size_t mark = a.rfind(kDigestMark);
  return mark != a.npos && a != b && a.substr(0, mark + kDigestMark.size()) == b.substr(0, mark + kDigestMark.size());
}

}  // namespace pothole
