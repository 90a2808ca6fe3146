// pothole fuzz: random and structured programs in parallel, until a property fails.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <random>

#include "cli/campaign.h"
#include "cli/case_folder.h"
#include "cli/command.h"
#include "cli/fuzz_report.h"
#include "cli/in_flight.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/property_option.h"
#include "cli/terminal.h"
#include "cli/time_limit.h"
#include "corpus/input_error.h"
#include "engine/hash.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole fuzz --policy DTR --policy LRU --time 10s\n"
    "  pothole fuzz --score '(c + e) / m' --cases 20000 --seed 7 --out found\n"
    "  pothole fuzz --generator 'random?operators=12' --generator unet --property all --findings 5\n"
    "  pothole fuzz --from corpus/seeds --time 8h --out night        stops cleanly on Ctrl-C\n"
    "  pothole fuzz --from corpus/seeds --time 8h --out night --resume\n"
    "Without --cases, --time and --findings: one minute. A case is a function of the seed and its number alone, and\n"
    "findings are kept in the order of their numbers, so that the folder is the same for any number of threads.\n"
    "Exit: 0 nothing found, 1 findings, 2 bad input, 3 a contract of pothole is broken, 5 a policy misbehaved,\n"
    "130 interrupted.";

constexpr const char* kStandardTime = "1min";
constexpr std::int64_t kStandardSteps = 100'000;

struct Options {
  CommonOptions common;
  std::vector<std::string> generators, from, properties = {"no-hole"};
  std::string seed, out = "found", time;
  std::optional<std::uint64_t> cases;
  std::optional<std::int64_t> findings;
  std::int64_t max_steps = kStandardSteps;
  std::int64_t keep = CampaignLimits().kept_per_signature;
  bool resume = false;
};

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  const bool is_word = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (!is_word || text.size() > 64)
    throw InputError("--seed", fmt::format("'{}' is not a seed", text.substr(0, 64)),
                     "give a whole number, or up to 64 letters and digits such as a commit hash");
  for (const char c : text) number = extended(number, static_cast<unsigned char>(c));
  return number;
}

std::string fresh_seed() {
  std::random_device device;
  return std::to_string(std::uint64_t{device()} << 32 | device());
}

std::vector<RecipePattern> patterns_of(const Options& options) {
  std::vector<RecipePattern> patterns;
  for (const std::string& text : options.generators) {
    RecipeError error;
    RecipePattern pattern;
    if (!read_pattern(text, pattern, error)) throw InputError("--generator", error.what, error.fix);
    const auto same = [&](const RecipePattern& p) { return text_of(p) == text_of(pattern); };
    if (std::any_of(patterns.begin(), patterns.end(), same))
      throw InputError("--generator", fmt::format("{} is given twice", text), "give each once");
    patterns.push_back(std::move(pattern));
  }
  if (patterns.empty() && options.from.empty())
    for (const Generator& generator : generators()) patterns.push_back({&generator, {}});
  return patterns;
}

bool is_trace_name(std::string_view name) {
  constexpr std::string_view kEnds[] = {".json", ".log", ".gz", ".zst"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return name.ends_with(end); });
}

// Traces and cases, those of a folder by their names.
std::vector<Trace> origins_of(const std::vector<std::string>& paths) {
  std::vector<Trace> origins;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
      origins.push_back(read_named_trace(path, {}));
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name != Campaign::file_in({}).filename() && is_trace_name(name))
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) origins.push_back(read_named_trace(file.string(), {}));
    if (files.empty()) throw InputError(path, "holds no trace", "name a folder with .json, .log, .gz or .zst files");
  }
  return origins;
}

CampaignPlan plan_of(const Options& options, const std::string& seed) {
  CampaignPlan plan;
  plan.seed_text = seed;
  plan.seed = seed_of(seed);
  plan.generators = patterns_of(options);
  plan.origins = origins_of(options.from);
  plan.policies = settings_of(options.common);
  plan.properties = checked_properties(options.properties);
  plan.folder = options.out;
  plan.steps_max = options.max_steps;
  return plan;
}

void check_same_campaign(const CampaignFile& begun, const CampaignPlan& plan, const std::vector<std::string>& wanted,
                         const std::string& file) {
  if (begun.settings == wanted) {
    if (fits_plan(begun, plan)) return;
    throw InputError(file, "is not a whole campaign: its rows or signatures are not those of its settings",
                     "start it anew in another folder");
  }
  const auto [a, b] = std::mismatch(begun.settings.begin(), begun.settings.end(), wanted.begin(), wanted.end());
  throw InputError(
      file,
      fmt::format("the campaign was begun with '{}', not '{}'", a == begun.settings.end() ? "nothing more" : *a,
                  b == wanted.end() ? "nothing more" : *b),
      "give the same options, or another --out");
}

// The campaign to go on with, or nothing for a new one.
std::optional<CampaignFile> begun_campaign(const Options& options, const std::filesystem::path& file) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(file, ignored);
  if (options.resume) {
    if (!exists) throw InputError(file.string(), "there is no campaign to resume", "leave out --resume");
    CampaignFile begun = read_campaign(file);
    if (!options.seed.empty() && options.seed != begun.seed)
      throw InputError("--seed", fmt::format("the campaign has seed {}", begun.seed), "leave out --seed");
    return begun;
  }
  if (exists)
    throw InputError(file.string(),
                     fmt::format("a campaign of {} cases is there already", read_campaign(file).next_case),
                     "go on with it by --resume, or give another --out");
  return std::nullopt;
}

// What a killed campaign left of a file that it was writing.
void remove_torn_files(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (name.starts_with(".pothole-") && name.ends_with(".tmp")) std::filesystem::remove(entry.path(), ignored);
  }
}

void tell_of_crash(const Options& options, const std::string& seed) {
  const std::vector<std::uint64_t> left = left_in_flight(Campaign::in_flight_in(options.out));
  if (left.empty()) return;
  write_message(
      fmt::format("pothole: note: the campaign ended without warning while these cases of seed {} were under "
                  "way: {}\n",
                  seed, fmt::join(left, ", ")));
}

ExitCode exit_code_of(const CampaignFile& campaign, const CampaignPlan& plan) {
  bool broken = false, promise = false, errors = false;
  for (const CampaignRow& row : campaign.rows) errors = errors || row.policy_errors > 0;
  for (const CampaignSignature& s : campaign.signatures) {
    const auto settings = std::find_if(plan.policies.begin(), plan.policies.end(),
                                       [&](const RunSettings& p) { return p.policy.text == s.policy; });
    const Breach breach = breach_of(*find_property(s.property), settings->policy);
    broken = broken || breach == Breach::contract;
    promise = promise || breach == Breach::promise;
  }
  if (broken) return ExitCode::contract_broken;
  if (interrupted()) return ExitCode::interrupted;
  if (promise || errors) return ExitCode::policy_misbehaved;
  return campaign.signatures.empty() ? ExitCode::nothing_found : ExitCode::found;
}

ExitCode fuzz(const Options& options) {
  const std::filesystem::path folder = options.out, file = Campaign::file_in(folder);
  std::optional<FolderLock> lock(folder);
  std::optional<CampaignFile> begun = begun_campaign(options, file);
  const std::string seed = begun ? begun->seed : options.seed.empty() ? fresh_seed() : options.seed;
  const CampaignPlan plan = plan_of(options, seed);
  const CampaignLimits limits{options.cases, options.findings, options.keep};
  if (begun) check_same_campaign(*begun, plan, settings_lines(plan, limits), file.string());
  const bool unlimited = options.time.empty() && !options.cases && !options.findings;
  const std::string time = unlimited ? kStandardTime : options.time;
  const auto seconds = time.empty() ? std::nullopt : std::optional(parse_duration(time, "--time"));
  JsonReport json(options.common.json);
  make_case_folder(folder);
  if (!begun) {
    lock.reset();  // of a folder that was not there
    lock.emplace(folder);
  }
  remove_torn_files(folder);
  if (begun) tell_of_crash(options, seed);

  Campaign campaign(plan, limits, folder, std::move(begun));
  if (!json.on_output()) write_output(fmt::format("fuzz with seed {}\n", seed));
  flush_output();
  Progress progress("fuzz", {"cases", ""}, options.common.quiet);
  const TimeLimit time_limit(seconds);
  const auto start = std::chrono::steady_clock::now();
  double shown = 0;
  const auto on_kept = [&](const KeptFinding& finding) {
    if (json.wanted()) json.add_line(finding_json(finding));
    if (json.on_output() || !finding.new_signature) return;
    progress.say_result(finding_text(finding, has_colours(Stream::output)));
  };
  const auto on_fold = [&](const CampaignFile& so_far) {
    double share = options.cases ? static_cast<double>(so_far.next_case) / static_cast<double>(*options.cases) : 0;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (seconds) share = std::max(share, passed / *seconds);
    progress.add(1, share - shown);
    shown = share;
    progress.set_label(fmt::format("fuzz  {} findings, {} signatures", campaign.findings(), so_far.signatures.size()));
  };
  campaign.run(options.common.threads, stop_requested(), on_kept, on_fold);
  progress.finish();

  if (json.wanted()) json.add_line(campaign_summary_json(campaign.so_far(), folder));
  if (!json.on_output())
    write_output("\n" + campaign_summary_text(campaign.so_far(), folder, has_colours(Stream::output)));
  json.commit();
  if (interrupted())
    write_message(fmt::format("pothole: interrupted after {} cases; --resume goes on\n", campaign.so_far().next_case));
  return exit_code_of(campaign.so_far(), plan);
}

}  // namespace

CommandBody add_fuzz_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Random and structured programs in parallel, until a property of a policy fails; keeps what fails");
  app.add_option("--generator", options->generators,
                 "Draw from NAME or NAME?key=value&..., the rest drawn (repeatable; default all; see pothole list "
                 "generators)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--from", options->from, "Mutate this trace or case, or those of a folder (repeatable)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  app.add_option("--property", options->properties, "all, or NAME[,NAME...] (see pothole list properties)")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--cases", options->cases, "Stop after so many cases, with those before --resume")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--time", options->time, "Stop after DURATION, such as 90s, 5min or 8h")->type_name("DURATION");
  app.add_option("--findings", options->findings, "Stop after so many findings")
      ->type_name("N")
      ->check(whole_number(1));
  app.add_option("--out", options->out, "The folder for findings and counts")->type_name("DIR")->capture_default_str();
  app.add_flag("--resume", options->resume, "Go on with the campaign in the folder; give the same options");
  app.add_option("--keep", options->keep, "Files to keep of findings that look alike; more are counted only")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--max-steps", options->max_steps, "Give up an execution beyond so many materializations")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  add_run_options(app, options->common);
  // The campaign's seed decides what policies draw, too.
  app.remove_option(app.get_option("--seed"));
  app.add_option("--seed", options->seed, "Number or commit hash that decides all cases (default: fresh, and printed)")
      ->type_name("SEED");
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return fuzz(*options); };
}

}  // namespace pothole
