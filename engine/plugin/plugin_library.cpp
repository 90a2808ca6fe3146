#include "engine/plugin/plugin_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "engine/plugin/guarded_call.h"

namespace pothole {
namespace {

constexpr const char* kSymbol = "pothole_policy_plugin";

constexpr std::uint32_t bit(Feature feature) { return static_cast<std::uint32_t>(feature); }
static_assert(POTHOLE_FORWARD == bit(Feature::forward) && POTHOLE_REVERSE == bit(Feature::reverse) &&
              POTHOLE_UNION == bit(Feature::union_walk) && POTHOLE_CLASSES == bit(Feature::classes) &&
              POTHOLE_RANDOM == bit(Feature::random) && POTHOLE_BUDGET == bit(Feature::budget) &&
              POTHOLE_EVICTIONS == bit(Feature::evictions));
constexpr std::uint32_t kFeatures = POTHOLE_FORWARD | POTHOLE_REVERSE | POTHOLE_UNION | POTHOLE_CLASSES |
                                    POTHOLE_RANDOM | POTHOLE_BUDGET | POTHOLE_EVICTIONS;
static_assert(POTHOLE_PARAMETERS_MAX == kParametersMax);

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char byte) {
           return std::isalnum(static_cast<unsigned char>(byte)) || byte == '_' || byte == '-';
         });
}

// Copies a declaration into the library's record, and says what is wrong with it.
class DeclarationReader {
 public:
  explicit DeclarationReader(PluginLibrary& library) : library_(library), declared_(*library.declared) {}

  // The first thing that is wrong; empty if nothing is.
  std::string read() {
    Policy& record = library_.record;
    record.name = name(declared_.name, "name");
    if (find_policy(record.name))
      refuse("has the name " + quoted(record.name) + ", which is a policy of pothole's own");
    record.sentence = text(declared_.sentence, "sentence");
    record.formula = declared_.formula ? text(declared_.formula, "formula") : "not stated";
    record.source = library_.file;
    record.needs.bits = static_cast<decltype(record.needs.bits)>(declared_.features);
    const std::uint32_t unknown = declared_.features & ~kFeatures;
    if (unknown) refuse("declares features that there are not: " + std::to_string(unknown));
    if (!declared_.score == !declared_.choose)
      refuse(declared_.score ? "has both score and choose" : "has neither score nor choose");
    const std::uint32_t count = declared_.parameter_count;
    if (count > POTHOLE_PARAMETERS_MAX)
      refuse("declares " + std::to_string(count) + " parameters, more than " + std::to_string(POTHOLE_PARAMETERS_MAX));
    else if (count > 0 && !declared_.parameters)
      refuse("declares parameters, but has none");
    else
      for (std::uint32_t i = 0; i < count; ++i) add_parameter(declared_.parameters[i]);
    return problem_;
  }

 private:
  static std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

  void refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  std::string_view text(const char* given, const std::string& what) {
    constexpr std::size_t kMost = 300;
    const std::string_view view = given ? std::string_view(given, strnlen(given, kMost + 1)) : std::string_view();
    const auto is_control = [](char byte) { return std::iscntrl(static_cast<unsigned char>(byte)) != 0; };
    if (view.empty()) refuse("has no " + what);
    if (view.size() > kMost || std::any_of(view.begin(), view.end(), is_control))
      refuse("has a " + what + " that is not one line of at most " + std::to_string(kMost) + " bytes");
    return library_.texts.emplace_back(view);
  }

  std::string_view name(const char* given, const std::string& what) {
    const std::string_view view = text(given, what);
    if (!is_name(view))
      refuse("has the " + what + " " + quoted(view) + ", which is not a letter and then letters, digits, '_' or '-'");
    return view;
  }

  void add_parameter(const pothole_parameter& p) {
    Parameter parameter;
    parameter.key = name(p.key, "parameter");
    for (const Parameter& other : library_.record.parameters)
      if (other.key == parameter.key) refuse("has the parameter " + quoted(parameter.key) + " twice");
    parameter.help = text(p.help, "help of parameter " + quoted(parameter.key));
    parameter.standard = p.standard;
    parameter.least = p.least;
    parameter.most = p.most;
    parameter.integer = p.integer != 0;
    const bool finite = std::isfinite(p.least) && std::isfinite(p.standard) && std::isfinite(p.most);
    if (!finite || p.standard < p.least || p.standard > p.most)
      refuse("has the parameter " + quoted(parameter.key) + ", whose standard is not from its least to its most");
    if (parameter.integer && p.standard != std::floor(p.standard))
      refuse("has the parameter " + quoted(parameter.key) + ", whose standard is not a whole number");
    library_.record.parameters.push_back(parameter);
  }

  PluginLibrary& library_;
  const pothole_policy& declared_;
  std::string problem_;
};

PolicyError open_library(PluginLibrary& library) {
  void* const handle = dlopen(library.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {std::string("cannot be loaded: ") + dlerror(), "build it as a shared library for this machine"};
  library.declared = static_cast<const pothole_policy*>(dlsym(handle, kSymbol));
  if (!library.declared)
    return {std::string("has no symbol ") + kSymbol, "define it as the installed pothole_policy.h says"};
  if (library.declared->abi != POTHOLE_POLICY_ABI)
    return {"was built for version " + std::to_string(library.declared->abi) +
                " of pothole_policy.h, this is version " + std::to_string(POTHOLE_POLICY_ABI),
            "build it again with the header that was installed with this pothole"};
  return {DeclarationReader(library).read(), "see the installed pothole_policy.h"};
}

}  // namespace

const PluginLibrary* load_plugin(const std::string& file, std::chrono::nanoseconds limit, PolicyError& error) {
  struct Loading {
    PluginLibrary library;
    PolicyError error;
  };
  // Never destroyed: what was loaded, or is still being loaded, may be in use to the end.
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::map<std::string, Loading>;
  const std::lock_guard lock(mutex);
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  const auto [at, is_new] = all.try_emplace(path);
  Loading& loading = at->second;
  if (is_new) {
    loading.library.file = path;
    const auto body = [&] {
      PluginLibrary& library = loading.library;
      PolicyError found;
      {
        // Constructors run, and the declaration is memory of theirs.
        const Foreign foreign;
        found = open_library(library);
      }
      loading.error = std::move(found);
    };
    if (!call_guarded({loading.library.file, {}, kNone, 0}, limit, body))
      loading.error = {"was not loaded in time", "a constructor of the library does not return; see --plugin-limit"};
  }
  error = loading.error;
  return error.what.empty() ? &loading.library : nullptr;
}

}  // namespace pothole
