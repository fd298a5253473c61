#pragma once
// Runs a program: no shell, no settings of the user's, no files; what it says is kept.

#include <string>
#include <string_view>
#include <vector>

namespace perp::report {

struct Ran {
  bool found = true;  ///< false: no such program in PATH
  bool succeeded = false;
  std::string output;  ///< its standard output
  std::string
      complaint;  ///< its standard error on one line, the end of it if it is long; else a signal's name
};

/// Runs `command` (program, arguments) with PATH and a UTF-8 locale as its whole environment, `input` as its
/// standard input, which it may open as /dev/stdin, too, and waits for it. What goes in and comes out lies in
/// memory: a run that is killed leaves nothing behind. Throws Error{Exit::failed} when the program is there
/// and cannot be started.
Ran run_program(const std::vector<std::string>& command, std::string_view input = {});

}  // namespace perp::report
