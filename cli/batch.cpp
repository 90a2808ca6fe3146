// Every trace is read once, before anything runs; a line that cannot be run becomes an error
// object in its place. Finished lines are written as soon as all lines before them are.
#include "cli/batch.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cli/batch_line.h"
#include "cli/budget.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/recipe_trace.h"
#include "cli/run_report.h"
#include "corpus/input_error.h"
#include "corpus/regular_file.h"
#include "engine/parallel.h"
#include "generators/generator.h"

namespace pothole {
namespace {

struct Line {
  std::string text;
  std::string where;
};

// A line of the file, once understood; nothing in `wanted` if it was not.
struct Task {
  std::string where;
  std::optional<BatchLine> wanted;
  std::string error;
  std::size_t trace = 0;  // index of its trace, unless the line holds a log
};

struct LoadedTrace {
  std::string name;  // a file, or a recipe
  std::optional<Trace> trace;
  Bytes peak = 0;
  std::string error;
};

std::vector<Line> read_lines(const std::string& file) {
  std::ifstream opened;
  const bool standard = file == "-";
  if (!standard) opened = open_regular_file(file);
  std::istream& in = standard ? std::cin : opened;
  const std::string name = standard ? "standard input" : file;
  std::vector<Line> lines;
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (number == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (text.find_first_not_of(" \t\r") == text.npos) continue;
    lines.push_back({text, fmt::format("{}:{}", name, number)});
  }
  if (in.bad()) throw InputError(name, "cannot be read to its end", "");
  return lines;
}

Task understand(const Line& line, const RunSettings& defaults, const BatchPlugins& plugins) {
  Task task;
  task.where = line.where;
  try {
    task.wanted = parse_batch_line(line.text, defaults, line.where, plugins);
  } catch (const InputError& error) {
    task.error = error.what();
  }
  return task;
}

// The distinct traces of the tasks, each task pointing at its own.
std::vector<LoadedTrace> collect_traces(std::vector<Task>& tasks, const std::filesystem::path& folder) {
  std::vector<LoadedTrace> traces;
  std::map<std::string, std::size_t> indices;
  for (Task& task : tasks) {
    if (!task.wanted || task.wanted->log) continue;
    const std::string& given = task.wanted->trace;
    const std::string name = is_recipe(given) ? given : (folder / given).lexically_normal().string();
    const auto [place, is_new] = indices.emplace(name, traces.size());
    if (is_new) traces.push_back({name, std::nullopt, 0, ""});
    task.trace = place->second;
  }
  return traces;
}

void load(LoadedTrace& loaded, const ReadOptions& options) {
  try {
    loaded.trace = is_recipe(loaded.name) ? read_recipe_trace(loaded.name) : read_trace(loaded.name, options);
    loaded.peak = peak_of(loaded.trace->program);
  } catch (const InputError& error) {
    loaded.error = error.what();
  }
}

// Writes lines in the order of their indices, whichever is finished first.
class InOrder {
 public:
  InOrder(JsonReport& report, std::size_t count) : report_(report), slots_(count) {}

  enum class Kind { result, policy_error, error };

  void put(std::size_t index, std::string line, Kind kind) {
    const std::lock_guard lock(mutex_);
    slots_[index] = Slot{std::move(line), kind};
    while (written_ < slots_.size() && slots_[written_]) {
      const Slot slot = std::move(*std::exchange(slots_[written_], std::nullopt));
      report_.add_line(slot.line);
      errors_ += slot.kind == Kind::error;
      policy_errors_ += slot.kind == Kind::policy_error;
      ++written_;
    }
  }

  std::size_t written() const { return written_; }
  std::size_t errors() const { return errors_; }
  std::size_t policy_errors() const { return policy_errors_; }

 private:
  struct Slot {
    std::string line;
    Kind kind = Kind::result;
  };

  JsonReport& report_;
  std::mutex mutex_;
  std::vector<std::optional<Slot>> slots_;
  std::size_t written_ = 0;
  std::size_t errors_ = 0;
  std::size_t policy_errors_ = 0;
};

// The execution a task asks for; nothing if it was interrupted. Throws InputError if there is none.
std::optional<RunReport> execute(const Task& task, const LoadedTrace* loaded, const BatchSettings& settings) {
  const BatchLine& wanted = *task.wanted;
  std::optional<Trace> own;
  if (wanted.log) own = read_trace_lines(*wanted.log, task.where + ": log", settings.read);
  const Program& program = own ? own->program : loaded->trace->program;
  RunReport report;
  report.trace = wanted.trace;
  report.settings = wanted.settings;
  report.settings.trace = wanted.log ? task.where : wanted.trace;
  if (wanted.budget) {
    report.budget = *wanted.budget;
  } else {
    const Bytes peak = own ? peak_of(program) : loaded->peak;
    report.budget = checked_budget_at_ratio(peak, *wanted.ratio, task.where + ": ratio");
  }
  report.result = run(program, report.settings, report.budget, {settings.victims, &stop_requested()});
  if (stop_requested() && report.result.outcome == Outcome::unresolved) return std::nullopt;
  return report;
}

void run_task(std::size_t index, const Task& task, const std::vector<LoadedTrace>& traces,
              const BatchSettings& settings, InOrder& out) {
  const LoadedTrace* loaded = task.wanted && !task.wanted->log ? &traces[task.trace] : nullptr;
  if (!task.wanted) return out.put(index, error_json(task.error), InOrder::Kind::error);
  if (loaded != nullptr && !loaded->trace) {
    return out.put(index, error_json(fmt::format("{}: {}", task.where, loaded->error)), InOrder::Kind::error);
  }
  try {
    const auto report = execute(task, loaded, settings);
    if (!report) return;
    const auto kind = report->result.fault ? InOrder::Kind::policy_error : InOrder::Kind::result;
    out.put(index, run_json(*report, settings.victims), kind);
  } catch (const InputError& error) {
    out.put(index, error_json(error.what()), InOrder::Kind::error);
  }
}

}  // namespace

BatchSummary run_batch(const BatchSettings& settings, JsonReport& report) {
  std::vector<Line> lines = read_lines(settings.file);
  std::vector<Task> tasks(lines.size());
  Progress progress("run --batch " + settings.file, {"runs", ""}, settings.quiet);
  const std::filesystem::path folder =
      settings.file == "-" ? std::filesystem::path() : std::filesystem::path(settings.file).parent_path();
  parallel_for(lines.size(), [&](std::size_t i) {
    tasks[i] = understand(lines[i], settings.defaults, {folder, settings.plugin_limit});
    std::string().swap(lines[i].text);
  });
  std::vector<LoadedTrace> traces = collect_traces(tasks, folder);
  parallel_for(traces.size(), [&](std::size_t i) { load(traces[i], settings.read); });
  for (const LoadedTrace& loaded : traces) {
    if (!loaded.trace) continue;
    for (const std::string& note : loaded.trace->notes) {
      write_message(fmt::format("pothole: note: {}: {}\n", loaded.name, note));
    }
  }
  InOrder out(report, tasks.size());
  parallel_for(tasks.size(), [&](std::size_t i) {
    if (stop_requested()) return;
    run_task(i, tasks[i], traces, settings, out);
    progress.add(1, 1 / static_cast<double>(tasks.size()));
  });
  progress.finish();
  return {out.written(), out.errors(), out.policy_errors(), stop_requested() && out.written() < tasks.size()};
}

}  // namespace pothole
