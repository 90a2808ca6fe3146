// Text stays text until it is checked here, so that every refusal can teach.
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>

#include "cli/output.h"
#include "cli/recipe_trace.h"
#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "engine/nearest_word.h"
#include "engine/scores/score_policy.h"
#include "generators/generator.h"

namespace pothole {
namespace {

const char* option_of(PolicyText::Kind kind) {
  switch (kind) {
    case PolicyText::Kind::policy:
      return "--policy";
    case PolicyText::Kind::score:
      return "--score";
    case PolicyText::Kind::plugin:
      return "--plugin";
  }
  return "";
}

ConfiguredPolicy policy_of(const PolicyText& given, const std::string& plugin_limit) {
  const char* const option = option_of(given.kind);
  switch (given.kind) {
    case PolicyText::Kind::policy:
      return checked_policy(given.text, option);
    case PolicyText::Kind::score:
      return checked_score(given.text, option);
    case PolicyText::Kind::plugin:
      return checked_plugin(given.text, plugin_limit, option);
  }
  return {};
}

}  // namespace

void add_policy_options(CLI::App& app, CommonOptions& options) {
  const auto add_policies = [&](const char* name, PolicyText::Kind kind, const char* help) {
    const auto keep = [&options, kind](const std::string& text) { options.policies.push_back({text, kind}); };
    return app.add_option_function<std::string>(name, keep, help)->trigger_on_parse();
  };
  add_policies("--policy", PolicyText::Kind::policy,
               "Eviction policy, NAME or NAME@key=value,... (repeatable; default DTR; see pothole list policies)")
      ->type_name("NAME");
  add_policies(
      "--score", PolicyText::Kind::score,
      "Eviction policy that evicts the least score, EXPRESSION or NAME=EXPRESSION, such as '(c + e) / (m * s)' "
      "(repeatable; see pothole list scores)")
      ->type_name("EXPRESSION");
  add_policies("--plugin", PolicyText::Kind::plugin,
               "Eviction policy from a shared library, FILE or FILE@key=value,... (repeatable; see pothole_policy.h)")
      ->type_name("FILE");
  app.add_option("--plugin-limit", options.plugin_limit, "A plugin that takes longer for one choice is a policy error")
      ->type_name("DURATION")
      ->capture_default_str();
}

void add_run_options(CLI::App& app, CommonOptions& options) {
  add_policy_options(app, options);
  add_settings_options(app, options);
}

void add_settings_options(CLI::App& app, CommonOptions& options) {
  app.add_option("--comparison", options.comparison,
                 "How scores that are quotients are compared: reference rounds them once, exact takes them as "
                 "they are, naive divides doubles")
      ->type_name("reference|exact|naive")
      ->capture_default_str();
  app.add_option("--dealloc", options.dealloc,
                 "What the last release of a storage does: eager evicts it, ignore nothing, banish evicts it for good")
      ->type_name("eager|ignore|banish")
      ->capture_default_str();
  app.add_option("--overhead-limit", options.overhead_limit, "Compute overhead above which a run counts as thrashed")
      ->type_name("X")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of policies that draw at random")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
}

void add_report_options(CLI::App& app, CommonOptions& options) {
  app.add_option("-j,--threads", options.threads, "Threads; the result never depends on it (default: one per core)")
      ->type_name("N")
      ->check(whole_number(1, 4096));
  app.add_option("--json", options.json, "Write the result as JSON to FILE, or to standard output if it is -")
      ->type_name("FILE|-");
  app.add_flag("--quiet", options.quiet, "No progress");
}

std::function<std::string(const std::string&)> whole_number(std::uint64_t least, std::uint64_t most) {
  return [least, most](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return "";
    return fmt::format("{} is not a whole number from {} to {}", in_quotes(text), least, most);
  };
}

ConfiguredPolicy checked_policy(const std::string& text, const std::string& where) {
  PolicyError error;
  ConfiguredPolicy configured = configure_policy(text, error);
  if (configured.policy == nullptr) throw InputError(where, error.what, error.fix);
  return configured;
}

ConfiguredPolicy checked_score(const std::string& text, const std::string& where) {
  PolicyError error;
  ConfiguredPolicy configured = configure_score(text, error);
  if (configured.policy == nullptr) throw InputError(where, error.what, error.fix);
  return configured;
}

Comparison checked_comparison(const std::string& text, const std::string& where) {
  for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive}) {
    if (name_of(comparison) == text) return comparison;
  }
  throw InputError(where, fmt::format("unknown comparison mode '{}'", text), "use reference, exact or naive");
}

Dealloc checked_dealloc(const std::string& text, const std::string& where) {
  for (const Dealloc dealloc : kDeallocs) {
    if (name_of(dealloc) == text) return dealloc;
  }
  throw InputError(where, fmt::format("unknown dealloc mode '{}'", text), "use eager, ignore or banish");
}

OverheadLimit checked_overhead_limit(const std::string& text, const std::string& where) {
  const auto limit = OverheadLimit::parse(text);
  if (!limit) {
    throw InputError(where, fmt::format("'{}' is not an overhead limit", text),
                     "write a decimal number from 1 to 1000000000, such as 60 or 2.5");
  }
  return *limit;
}

void check_runnable(const RunSettings& settings, const std::string& where) {
  const std::string_view why = why_not_runnable(settings);
  if (why.empty()) return;
  throw InputError(where, fmt::format("policy {} cannot be run: {}", settings.policy.text, why),
                   "use --dealloc eager, or a policy such as DTRUnopt, which walks afresh, DTRLocal or LRU");
}

std::vector<RunSettings> settings_of(const CommonOptions& options) {
  parse_duration(options.plugin_limit, "--plugin-limit");
  std::vector<PolicyText> texts = options.policies;
  if (texts.empty()) texts.push_back({kDefaultPolicy});
  std::vector<RunSettings> all;
  for (const PolicyText& given : texts) {
    RunSettings settings;
    settings.policy = policy_of(given, options.plugin_limit);
    settings.comparison = checked_comparison(options.comparison, "--comparison");
    settings.dealloc = checked_dealloc(options.dealloc, "--dealloc");
    settings.overhead_limit = checked_overhead_limit(options.overhead_limit, "--overhead-limit");
    settings.seed = options.seed;
    check_runnable(settings, "--dealloc " + options.dealloc);
    const auto same = [&](const RunSettings& other) { return other.policy == settings.policy; };
    if (std::any_of(all.begin(), all.end(), same)) {
      throw InputError(option_of(given.kind), fmt::format("{} is given twice", given.text),
                       given.kind == PolicyText::Kind::score ? "give each score once" : "name each policy once");
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool score = given.kind == PolicyText::Kind::score || texts[i].kind == PolicyText::Kind::score;
      if (score && all[i].policy.label() == settings.policy.label())
        throw InputError("--score", fmt::format("the name '{}' is given twice", settings.policy.label()),
                         "give each score a name of its own");
    }
    all.push_back(std::move(settings));
  }
  return all;
}

Trace read_named_trace(const std::string& file, const ReadOptions& options) {
  if (is_recipe(file)) return read_recipe_trace(file);
  Trace trace = file == "-" ? read_trace(std::cin, "standard input", options) : read_trace(file, options);
  for (const std::string& note : trace.notes) write_message(fmt::format("pothole: note: {}: {}\n", file, note));
  return trace;
}

}  // namespace pothole
