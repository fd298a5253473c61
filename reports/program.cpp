#include "reports/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

/// Starts it, standard output to `out`, standard error to `talk`; 0, or why it did not start.
int start(const std::vector<std::string>& command, const fs::path& out, const fs::path& talk, pid_t& child) {
  const char* path = std::getenv("PATH");
  std::string path_variable = fmt::format("PATH={}", path ? path : ""), locale = "LC_ALL=C.UTF-8";
  std::array<char*, 3> environment{path_variable.data(), locale.data(), nullptr};
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, talk.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int error =
      posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// On one line: the last lines name the place and the complaint.
std::string on_one_line(const std::string& talk) {
  std::string text;
  for (const std::string& line : split(talk, '\n'))
    if (!line.empty() && line != "^") text += (text.empty() ? "" : " / ") + line;
  return text.size() > 400 ? text.substr(text.size() - 400) : text;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "perp-report-XXXXXX").string();
  if (!mkdtemp(name.data())) fail("cannot create a temporary folder {}: {}", in_quotes(name), reason(errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Ran run_program(const std::vector<std::string>& command) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", talk = folder.path() / "talk";
  pid_t child = 0;
  const int error = start(command, out, talk, child);
  Ran ran;
  if (error == ENOENT) return ran.found = false, ran;
  if (error != 0) fail("{} does not start: {}", command.front(), reason(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("{} was lost: {}", command.front(), reason(errno));
  ran.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ran.output = read_file(out);
  ran.complaint = on_one_line(read_file(talk));
  return ran;
}

}  // namespace perp::report
