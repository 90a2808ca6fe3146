// One line of a batch file: which execution is wanted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/plugin_option.h"
#include "engine/run.h"

namespace pothole {

struct BatchLine {
  std::string trace;                            // a file or a recipe, or empty where `log` is given
  std::optional<std::vector<std::string>> log;  // the lines of a DTR log
  RunSettings settings;
  // Exactly one of the two.
  std::optional<Bytes> budget;
  std::optional<double> ratio;
};

// How lines name plugins.
struct BatchPlugins {
  std::filesystem::path folder;  // that files are relative to
  std::string limit = kPluginLimit;
};

// `defaults` holds what a line may leave out: dealloc, overhead limit, comparison, seed. `where` is "file:line".
// Throws InputError for anything unknown, doubled, missing or of a wrong type.
BatchLine parse_batch_line(std::string_view text, const RunSettings& defaults, const std::string& where,
                           const BatchPlugins& plugins = {});

}  // namespace pothole
