#pragma once
// Runs another program: no shell in between, its environment given whole, what it writes kept in memory.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perp {

/// How a program ended.
struct Ended {
  bool found = true;  ///< false: no such program, nothing ran
  int code = 0;       ///< exit code, if it ended by itself
  int signal = 0;     ///< else the signal that ended it
  /// The one that it met, if that ended it: "300 s", "256 MB of output". Then no text is kept.
  std::string limit;
  std::string stdout_text, stderr_text;

  bool succeeded() const { return found && signal == 0 && code == 0; }
  /// Standard error on one line, the end of it if it is long; a signal's name if it is empty.
  std::string stderr_line() const;
};

/// What a program may take before it is killed.
struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  /// Of output and complaints together; seen when they are more.
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
};

using Variables = std::vector<std::pair<std::string, std::string>>;

/// This process's environment as "NAME=value", with `set` over it and without `unset`.
std::vector<std::string> environment_with(const Variables& set, const std::vector<std::string>& unset);

/// PATH and a UTF-8 locale: none of the user's settings.
std::vector<std::string> plain_environment();

/// Runs `command` (a program, looked up in PATH unless it has a slash, and its arguments) to its end.
/// `environment` is all that it gets; `input` is its standard input, which it may open as /dev/stdin, too.
/// What goes in and comes out lies in files without a name: a run that is killed leaves nothing behind, and a
/// child that lives on keeps nobody waiting. Throws Error{Exit::failed} when the program is there and cannot
/// be started, and when an interrupt that is watched for (base/parallel.hpp) has come; the program is killed then.
Ended run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                  std::string_view input = {}, const Limits& limits = {});

}  // namespace perp
