// The process: the table of subcommands, the one place where errors become messages and exit codes.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "corpus/input_error.h"
#include "engine/nearest_word.h"
#include "engine/plugin/guarded_call.h"

namespace pothole {
namespace {

struct CommandEntry {
  const char* name;
  CommandBody (*add)(CLI::App&);
};
constexpr CommandEntry kCommands[] = {
    {"hunt", add_hunt_command},       {"run", add_run_command},       {"check", add_check_command},
    {"fuzz", add_fuzz_command},       {"shrink", add_shrink_command}, {"smallest", add_smallest_command},
    {"explain", add_explain_command}, {"replay", add_replay_command}, {"compare", add_compare_command},
    {"gate", add_gate_command},       {"list", add_list_command},
};

void print_error(const std::string& text) {
  std::string shown = text;  // names and values are quoted as they were given, whatever is in them
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return (c < ' ' && c != '\n') || c == 0x7F; }, '?');
  write_message(paint("pothole: error:", Colour::red, has_colours(Stream::error)) + " " + shown + "\n");
}

std::vector<std::string> known_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Says which argument was not understood and what it may have been meant to be.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help = chosen.empty() ? "pothole --help" : "pothole " + command.get_name() + " --help";
  std::string what = error.what();
  std::string nearest;
  if (chosen.empty() && !arguments.empty() && !arguments[0].starts_with("-")) {
    std::vector<std::string> names;
    for (const CommandEntry& entry : kCommands) names.emplace_back(entry.name);
    what = "unknown command '" + arguments[0] + "'";
    nearest = nearest_word(arguments[0], names);
  } else if (const auto extras = app.remaining(true); !extras.empty()) {
    const std::string word = extras.front().substr(0, extras.front().find('='));
    const bool is_option = word.starts_with("-");
    what = is_option ? "unknown option '" + word + "'" : "unexpected argument '" + word + "'";
    if (is_option) nearest = nearest_word(word, known_options(command));
  }
  return what + "\n  " + (nearest.empty() ? "see " + help : "did you mean " + nearest + "? See " + help);
}

// An option that is given and empty would seem not to be given.
void refuse_empty_values(CLI::App& command) {
  const auto check = [](const std::string& text) { return std::string(text.empty() ? "its value is empty" : ""); };
  for (CLI::Option* option : command.get_options())
    if (option->get_type_size() > 0) option->check(check, "");
}

int run_command_line(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  CLI::App app(
      "Finds and certifies memory budgets at which a tensor-rematerialization policy runs out of memory\n"
      "although less memory suffices.",
      "pothole");
  app.set_version_flag("--version", std::string("pothole ") + POTHOLE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Start with: pothole hunt TRACE\nExit: 0 nothing found, 1 a finding such as a hole, 2 bad input or usage, "
      "3 internal error,\n4 a limit stopped the search, 5 a policy misbehaved, 130 interrupted.");
  CommandBody chosen;
  for (const CommandEntry& entry : kCommands) {
    CLI::App* command = app.add_subcommand(entry.name);
    command->parse_complete_callback([&chosen, body = entry.add(*command)] { chosen = body; });
    refuse_empty_values(*command);
  }
  try {
    app.parse(argc, argv);
    const ExitCode code = chosen();
    flush_output();
    return static_cast<int>(code);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    write_output(text.str());
    flush_output();
    return 0;
  } catch (const CLI::ParseError& error) {
    print_error(usage_error(app, error, arguments));
  }
  return static_cast<int>(ExitCode::bad_input);
}

int guarded_main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const InputError& error) {
    print_error(error.what());
  } catch (const OutputError& error) {
    print_error(error.what());
  } catch (const std::exception& error) {
    print_error(std::string("internal error: ") + error.what());
    return static_cast<int>(ExitCode::contract_broken);
  }
  return static_cast<int>(ExitCode::bad_input);
}

}  // namespace
}  // namespace pothole

int main(int argc, char** argv) {
  pothole::install_signal_handlers();
  const int code = pothole::guarded_main(argc, argv);
  // Whoever was left behind in a plugin would see the process taken apart around it.
  if (pothole::companions_left_behind() > 0) _exit(code);
  return code;
}
