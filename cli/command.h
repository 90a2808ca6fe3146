// A subcommand: its options, and what to do once they are parsed.
//
// To add one: a file cli/<name>_command.cpp that defines the function, its declaration here and a
// line in the table of cli/main.cpp.
#pragma once

#include <functional>

#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace pothole {

// Adds the options to `app`. The function returned runs the command; it throws InputError for bad
// input and OutputError where its result could not be written.
using CommandBody = std::function<ExitCode()>;

CommandBody add_check_command(CLI::App& app);
CommandBody add_compare_command(CLI::App& app);
CommandBody add_explain_command(CLI::App& app);
CommandBody add_fuzz_command(CLI::App& app);
CommandBody add_gate_command(CLI::App& app);
CommandBody add_hunt_command(CLI::App& app);
CommandBody add_list_command(CLI::App& app);
CommandBody add_replay_command(CLI::App& app);
CommandBody add_run_command(CLI::App& app);
CommandBody add_shrink_command(CLI::App& app);
CommandBody add_smallest_command(CLI::App& app);

}  // namespace pothole
