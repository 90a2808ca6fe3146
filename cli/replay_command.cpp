// pothole replay: a verdict for every case of a corpus.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/case_folder.h"
#include "cli/case_stops.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/replay_report.h"
#include "cli/terminal.h"
#include "corpus/atomic_file.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"
#include "engine/search.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole replay                                  the cases of corpus/regressions, if it exists\n"
    "  pothole replay found one-case.json --json -\n"
    "  pothole replay corpus/regressions --junit replay.xml --time 5min\n"
    "  pothole replay corpus/regressions --policy LRU --score mine='(c + e) / m'      who fails where\n"
    "  pothole replay found/9fd5c326aeef0fbe.json --bless --reason 'MSPS breaks ties by age'\n"
    "Verdicts: same; closed, nothing is broken any more; moved, other budgets or another signature; new hole; "
    "invalid,\n"
    "no case or no such policy; nondeterministic; unresolved, by a limit. corpus/README.md defines them.\n"
    "Exit: 0 all the same, 1 a case differs from its record, 2 bad input or an invalid case, 4 unresolved or not run,\n"
    "5 a policy misbehaved, 130 interrupted.";

constexpr const char* kStandardFolder = "corpus/regressions";
constexpr std::size_t kSlotsPerThread = 8;

struct Options {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string time, case_time = "1min", junit, reason;
  std::optional<std::int64_t> max_steps;
  bool bless = false;
};

std::vector<std::string> paths_of(const Options& options) {
  if (!options.paths.empty()) return options.paths;
  std::error_code ignored;
  if (!std::filesystem::is_directory(kStandardFolder, ignored))
    throw InputError("replay", fmt::format("there is no folder {} here", kStandardFolder),
                     "name cases, or folders of cases");
  return {kStandardFolder};
}

void check_bless(const Options& options) {
  if (options.bless && options.reason.empty())
    throw InputError("--bless", "has no reason", "say why the record changes: --reason TEXT");
  if (!options.bless && !options.reason.empty())
    throw InputError("--reason", "is the reason of --bless, which is not given", "add --bless");
}

// Makes what was found the record. False if there is nothing to record.
bool bless(const CaseReplay& replay, const std::string& reason) {
  const CaseVerdict verdict = replay.judgement.verdict;
  if (!differs(verdict) || verdict == CaseVerdict::nondeterministic) return false;
  Case c = *replay.record;
  change_answer(c, replay.found, reason, POTHOLE_VERSION);
  write_file(replay.file, case_text(c));
  return true;
}

ExitCode exit_code_of(const std::vector<CaseReplay>& replays, const std::vector<bool>& blessed) {
  bool different = false, invalid = false, unresolved = false, misbehaved = false;
  for (std::size_t i = 0; i < replays.size(); ++i) {
    const CaseVerdict verdict = replays[i].judgement.verdict;
    different = different || (differs(verdict) && !blessed[i]);
    invalid = invalid || verdict == CaseVerdict::invalid;
    unresolved = unresolved || verdict == CaseVerdict::unresolved;
    misbehaved = misbehaved || replays[i].misbehaved;
    for (const OtherPolicy& other : replays[i].others) misbehaved = misbehaved || other.misbehaved;
  }
  if (interrupted()) return ExitCode::interrupted;
  if (different) return ExitCode::found;
  if (invalid) return ExitCode::bad_input;
  if (misbehaved) return ExitCode::policy_misbehaved;
  return unresolved ? ExitCode::work_left : ExitCode::nothing_found;
}

// Replays cases beside each other and hands them on in their order.
void replay_all(const std::vector<std::filesystem::path>& files, const ReplayPlan& plan, unsigned threads,
                Seconds case_time, const std::function<void(CaseReplay)>& on_replayed) {
  const std::size_t workers = threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
  const std::size_t slots = workers * kSlotsPerThread;
  CaseStops stops(slots, case_time);
  std::vector<CaseReplay> results(slots);
  OrderedStream stream;
  stream.more = [&](std::size_t i) { return i < files.size(); };
  stream.work = [&](std::size_t i, std::size_t slot) {
    if (stop_requested()) {
      results[slot] = case_not_run(files[i]);
      return;
    }
    const std::atomic<bool>& stop = stops.begin(slot);
    alone([&] { results[slot] = replay_case(files[i], plan, stop); });
    stops.end(slot);
  };
  stream.fold = [&](std::size_t, std::size_t slot) { on_replayed(std::exchange(results[slot], CaseReplay())); };
  with_threads(threads, [&] { parallel_in_order(slots, stream); });
}

ExitCode replay(const Options& options) {
  check_bless(options);
  ReplayPlan plan;
  if (!options.common.policies.empty()) plan.policies = settings_of(options.common);
  plan.steps_max = options.max_steps.value_or(SearchLimits::kNone);
  const Seconds case_time = parse_duration(options.case_time, "--case-time");
  const auto time = options.time.empty() ? std::nullopt : std::optional(parse_duration(options.time, "--time"));
  const std::vector<std::filesystem::path> files = case_files(paths_of(options));
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.string());
  if (options.junit == "-") throw InputError("--junit", "takes a file", "name one, such as replay.xml");
  JsonReport junit(options.junit, names, "--junit");
  if (!options.junit.empty()) names.push_back(options.junit);
  JsonReport json(options.common.json, names);

  Progress progress("replay", {"cases", ""}, options.common.quiet);
  const TimeLimit time_limit(time);
  std::vector<CaseReplay> replays;
  std::vector<bool> blessed;
  replay_all(files, plan, options.common.threads, case_time, [&](CaseReplay replayed) {
    blessed.push_back(options.bless && bless(replayed, options.reason));
    if (json.wanted()) json.add_line(replay_json(replayed, plan, blessed.back()));
    if (!json.on_output()) progress.say_result(replay_text(replayed, blessed.back(), has_colours(Stream::output)));
    replays.push_back(std::move(replayed));
    progress.add(1, 1.0 / static_cast<double>(files.size()));
  });
  progress.finish();

  if (json.wanted()) json.add_line(replay_summary_json(replays));
  if (!json.on_output()) {
    write_output("\n" + replay_summary_text(replays, has_colours(Stream::output)));
    if (!plan.policies.empty()) write_output("\n" + policies_text(replays, plan));
  }
  json.commit();
  if (junit.wanted()) junit.add_line(replay_junit(replays));
  junit.commit();
  if (interrupted()) write_message("pothole: interrupted; what was not run is listed as unresolved\n");
  return exit_code_of(replays, blessed);
}

}  // namespace

CommandBody add_replay_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description(
      "Replays cases: whether each policy still does what the record says, and what other policies do there");
  app.add_option("CASE", options->paths, "Cases, or folders of them (default corpus/regressions, if it exists)")
      ->type_name("DIR|FILE");
  app.add_flag("--bless", options->bless, "Record what is found; the old record stays in the case's history");
  app.add_option("--reason", options->reason, "Why, with --bless")->type_name("TEXT");
  app.add_option("--time", options->time, "Stop after DURATION, such as 90s or 5min; cases not run are listed")
      ->type_name("DURATION");
  app.add_option("--case-time", options->case_time, "Give up a case after DURATION")
      ->type_name("DURATION")
      ->capture_default_str();
  app.add_option("--max-steps", options->max_steps, "Give up an execution beyond so many materializations")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--junit", options->junit, "Write the verdicts as JUnit XML to FILE")->type_name("FILE");
  add_policy_options(app, options->common);
  app.get_option("--policy")
      ->description("Replay every case under this policy too, NAME or NAME@key=value,... (repeatable)");
  app.get_option("--score")->description("Likewise under the policy that evicts the least score (repeatable)");
  app.get_option("--plugin")
      ->description("Likewise under a policy from a shared library, which cases recorded for it need too (repeatable)");
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return replay(*options); };
}

}  // namespace pothole
