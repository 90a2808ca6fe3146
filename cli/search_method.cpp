#include "cli/search_method.h"

#include <fmt/format.h>

#include <array>

#include "corpus/input_error.h"

namespace pothole {
namespace {

constexpr std::array kMethods = {SearchMethod::certify, SearchMethod::executions, SearchMethod::bisect,
                                 SearchMethod::grid};

}  // namespace

std::string_view name_of(SearchMethod method) {
  switch (method) {
    case SearchMethod::certify:
      return "certify";
    case SearchMethod::executions:
      return "executions";
    case SearchMethod::bisect:
      return "bisect";
    case SearchMethod::grid:
      return "grid";
  }
  return "";
}

SearchMethod checked_method(const std::string& text) {
  for (const SearchMethod method : kMethods)
    if (name_of(method) == text) return method;
  throw InputError("--method", fmt::format("unknown method '{}'", text), "use certify, executions, bisect or grid");
}

void check_certifiable(SearchMethod method, const RunSettings& settings) {
  if (method != SearchMethod::certify) return;
  const std::string_view why = why_not_certifiable(settings);
  if (why.empty()) return;
  throw InputError("--policy", fmt::format("{} cannot be certified: {}", settings.policy.label(), why),
                   "use --method bisect");
}

FeasibilityMap search_by(SearchMethod method, const SearchTask& task, const SearchControl& control) {
  const auto& [program, settings, range, grid, known, under_way] = task;
  switch (method) {
    case SearchMethod::certify:
      break;
    case SearchMethod::executions:
      return map_by_executions(program, settings, range, control, known);
    case SearchMethod::bisect:
      return map_by_bisection(program, settings, range, control, known);
    case SearchMethod::grid:
      return map_by_grid(program, settings, range, grid, control);
  }
  return map_by_sweep(program, settings, range, control, known, under_way);
}

}  // namespace pothole
