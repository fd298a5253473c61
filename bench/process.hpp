#pragma once
// A program started with an environment of its own, and how it ended.

#include <string>
#include <utility>
#include <vector>

namespace perp::bench {

struct Ended {
  int code = 0;      ///< exit code, if it ended by itself
  int signal = 0;    ///< else the signal that ended it
  std::string said;  ///< its standard error
};

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs a program to its end, its standard output thrown away. `set` goes over this process's environment,
/// `unset` leaves it. Throws Error if it cannot be started.
Ended run_program(const std::string& program, std::vector<std::string> arguments, const Variables& set,
                  const std::vector<std::string>& unset);

}  // namespace perp::bench
