// Where results go: standard output and report files. Every failed write is noticed.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pothole {

// A result could not be written: a full disk, a closed pipe.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Both throw OutputError.
void write_output(std::string_view text);
void flush_output();

// One line or more to stderr, as a message to a person. Failures to show it are not the result's.
void write_message(std::string_view text);

// The destination of --json, or of another option that takes a file: nothing, standard output ("-") or a file.
class JsonReport {
 public:
  // Checks at once that the file could be written, so that a long search is not lost at its end.
  // Throws InputError, also where it is one of the files that the command reads or keeps, by whatever name.
  explicit JsonReport(std::string destination, const std::vector<std::string>& other_files = {},
                      const std::string& option = "--json");

  bool wanted() const { return !destination_.empty(); }
  bool on_output() const { return destination_ == "-"; }

  // Several reports on standard output would be one text that nobody can take apart. Throws InputError.
  static void check_one_on_output(std::initializer_list<const JsonReport*> reports);

  // A line without its end. Standard output gets it at once, a file on commit only.
  void add_line(std::string_view line);

  // Makes the file, complete or not at all. Throws InputError where that fails.
  void commit();

 private:
  std::string destination_;
  std::string option_;
  std::string pending_;
};

}  // namespace pothole
