// The options that commands share, and what they mean once checked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/plugin_option.h"
#include "corpus/trace.h"
#include "engine/run.h"

namespace CLI {
class App;
}

namespace pothole {

// What --policy, --score or --plugin was given.
struct PolicyText {
  enum class Kind { policy, score, plugin };
  std::string text;
  Kind kind = Kind::policy;
};

struct CommonOptions {
  std::vector<PolicyText> policies;  // in the order of the command line; none means the default policy
  std::string plugin_limit = kPluginLimit;
  std::string dealloc = "eager";
  std::string overhead_limit = "60";
  std::string comparison = "reference";
  std::uint64_t seed = 0;
  unsigned threads = 0;  // 0: one per core
  std::string json;      // a file, "-" for standard output, or empty
  bool quiet = false;
};

inline constexpr const char* kDefaultPolicy = "DTR";

// Options about which policies there are, about how runs behave (policies among them), and about how the command
// reports.
void add_policy_options(CLI::App& app, CommonOptions& options);
void add_run_options(CLI::App& app, CommonOptions& options);
void add_settings_options(CLI::App& app, CommonOptions& options);  // those about runs, without policies
void add_report_options(CLI::App& app, CommonOptions& options);

// Why a text is no whole number from `least` to `most`, else empty: for the check of an option.
std::function<std::string(const std::string&)> whole_number(std::uint64_t least, std::uint64_t most = INT64_MAX);

// Each throws InputError where the text is not valid; `where` is an option or a place in a file.
ConfiguredPolicy checked_policy(const std::string& text, const std::string& where);
ConfiguredPolicy checked_score(const std::string& text, const std::string& where);
Comparison checked_comparison(const std::string& text, const std::string& where);
Dealloc checked_dealloc(const std::string& text, const std::string& where);
void check_runnable(const RunSettings& settings, const std::string& where);
OverheadLimit checked_overhead_limit(const std::string& text, const std::string& where);

// One per policy, in the order given; equal ones are refused, as they would give equal results.
std::vector<RunSettings> settings_of(const CommonOptions& options);

// A trace named on the command line: a file, "-" for standard input, or a recipe. Its notes go to stderr.
Trace read_named_trace(const std::string& file, const ReadOptions& options);

}  // namespace pothole
