#pragma once
// Runs a program: no shell, no settings of the user's, what it says kept. And a folder for what it reads.

#include <filesystem>
#include <string>
#include <vector>

namespace perp::report {

/// A folder of our own that goes away with the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Ran {
  bool found = true;  ///< false: no such program in PATH
  bool succeeded = false;
  std::string output;     ///< its standard output
  std::string complaint;  ///< its standard error on one line, the end of it if it is long
};

/// Runs `command` (program, arguments) with PATH and a UTF-8 locale as its whole environment and waits for
/// it. Throws Error{Exit::failed} when it is there and cannot be started.
Ran run_program(const std::vector<std::string>& command);

}  // namespace perp::report
