// Standard output goes through stdio, whose errors are asked for after every write and at the end.
#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "corpus/atomic_file.h"
#include "corpus/input_error.h"

namespace pothole {
namespace {

[[noreturn]] void fail(const std::string& destination, int error) {
  throw OutputError(destination + ": cannot write: " + std::generic_category().message(error));
}

}  // namespace

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail("standard output", errno);
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail("standard output", errno);
}

void write_message(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

JsonReport::JsonReport(std::string destination, const std::vector<std::string>& other_files, const std::string& option)
    : destination_(std::move(destination)), option_(option) {
  if (!wanted() || on_output()) return;
  const std::filesystem::path file(destination_);
  std::error_code error;
  for (const std::string& other : other_files) {
    if (other == destination_ || std::filesystem::equivalent(file, other, error))
      throw InputError(option, "'" + destination_ + "' is the same file as '" + other + "', which would be lost",
                       "name another file");
  }
  if (std::filesystem::is_directory(file, error)) {
    throw InputError(option, "'" + destination_ + "' is a folder", "name a file in it, or - for standard output");
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error)) {
    throw InputError(option, "there is no folder '" + folder.string() + "'", "make it first");
  }
  const std::filesystem::path written = std::filesystem::exists(file, error) ? file : folder;
  if (access(written.c_str(), W_OK) != 0) {
    throw InputError(option, "'" + written.string() + "' cannot be written to", "");
  }
}

void JsonReport::check_one_on_output(std::initializer_list<const JsonReport*> reports) {
  const JsonReport* first = nullptr;
  for (const JsonReport* report : reports) {
    if (!report->on_output()) continue;
    if (first != nullptr)
      throw InputError(report->option_, first->option_ + " goes to standard output already",
                       "name a file for one of them");
    first = report;
  }
}

void JsonReport::add_line(std::string_view line) {
  if (on_output()) {
    write_output(line);
    write_output("\n");
    flush_output();
  } else if (wanted()) {
    pending_.append(line).push_back('\n');
  }
}

void JsonReport::commit() {
  if (!wanted() || on_output()) return;
  write_file(destination_, pending_);
  pending_.clear();
}

}  // namespace pothole
