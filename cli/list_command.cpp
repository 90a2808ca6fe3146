// pothole list: what there is to choose from.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/list_report.h"
#include "cli/output.h"
#include "cli/plugin_option.h"
#include "corpus/formats.h"
#include "corpus/input_error.h"
#include "engine/nearest_word.h"
#include "engine/policy.h"
#include "properties/property.h"
#include "shrinker/pass.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole list policies\n"
    "  pothole list policies --json -\n"
    "  pothole list scores\n"
    "  pothole list properties\n"
    "  pothole list generators\n"
    "  pothole list passes\n"
    "  pothole list policies --plugin ./libmine.so\n"
    "  pothole list formats";

struct Options {
  std::string kind;
  std::string json;
  std::vector<std::string> plugins;
};

// Those of the list, or what the plugins declare.
void list_policies(const Options& options, JsonReport& json) {
  std::vector<Policy> declared;
  for (const std::string& plugin : options.plugins)
    declared.push_back(*checked_plugin(plugin, kPluginLimit, "--plugin").policy);
  const std::span<const Policy> all = options.plugins.empty() ? policies() : std::span<const Policy>(declared);
  for (const Policy& policy : all) json.add_line(policy_json(policy));
  if (!json.on_output()) write_output(policies_text(all));
}

void list_properties(JsonReport& json) {
  for (const Property& property : properties()) json.add_line(property_json(property));
  if (!json.on_output()) write_output(properties_text(properties()));
}

void list_generators(JsonReport& json) {
  for (const Generator& generator : generators()) json.add_line(generator_json(generator));
  if (!json.on_output()) write_output(generators_text(generators()));
}

void list_passes(JsonReport& json) {
  for (const Pass& pass : passes()) json.add_line(pass_json(pass));
  if (!json.on_output()) write_output(passes_text(passes()));
}

void list_formats(JsonReport& json) {
  for (const TraceFormat& format : trace_formats()) {
    json.add_line(format_json(format.name, format.sentence));
    if (!json.on_output()) write_output(fmt::format("{}\n  {}\n", format.name, format.sentence));
  }
}

void list_scores(JsonReport& json) {
  json.add_line(scores_json());
  if (!json.on_output()) write_output(scores_text());
}

ExitCode list(const Options& options) {
  const std::vector<std::string> kinds = {"policies", "properties", "scores", "generators", "passes", "formats"};
  JsonReport json(options.json);
  if (options.kind == kinds[0]) {
    list_policies(options, json);
  } else if (options.kind == kinds[1]) {
    list_properties(json);
  } else if (options.kind == kinds[2]) {
    list_scores(json);
  } else if (options.kind == kinds[3]) {
    list_generators(json);
  } else if (options.kind == kinds[4]) {
    list_passes(json);
  } else if (options.kind == kinds[5]) {
    list_formats(json);
  } else {
    const std::string nearest = nearest_word(options.kind, kinds);
    throw InputError("list", fmt::format("there is no kind '{}'", options.kind),
                     nearest.empty() ? "the kinds are policies, properties, scores, generators, passes and formats"
                                     : fmt::format("did you mean {}?", nearest));
  }
  json.commit();
  return ExitCode::nothing_found;
}

}  // namespace

CommandBody add_list_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description(
      "What there is to choose from: policies, properties, the words of scores, generators, shrink passes, formats");
  app.add_option("KIND", options->kind, "policies, properties, scores, generators, passes or formats")
      ->type_name("KIND")
      ->required();
  app.add_option("--json", options->json, "Write one JSON object per line to FILE, or to standard output if it is -")
      ->type_name("FILE|-");
  app.add_option("--plugin", options->plugins, "Policies: what this shared library declares (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.footer(kExamples);
  return [options] { return list(*options); };
}

}  // namespace pothole
