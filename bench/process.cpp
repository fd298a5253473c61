#include "bench/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

std::vector<std::string> environment(const Variables& set, const std::vector<std::string>& unset) {
  std::vector<std::string> list;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    const bool ours =
        std::any_of(set.begin(), set.end(), [&](const auto& pair) { return pair.first == name; });
    if (!ours && std::find(unset.begin(), unset.end(), name) == unset.end()) list.emplace_back(text);
  }
  for (const auto& [name, value] : set) list.push_back(fmt::format("{}={}", name, value));
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// Everything that comes through the pipe until it closes, and it is read to its end, or the writer would
/// wait.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// The child's standard error goes to `said`, its standard output nowhere.
class Actions {
 public:
  explicit Actions(int said) {
    check(posix_spawn_file_actions_init(&actions_));
    check(posix_spawn_file_actions_adddup2(&actions_, said, STDERR_FILENO));
    check(posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0));
  }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) fail("cannot prepare a process: {}", std::strerror(error));
  }
  posix_spawn_file_actions_t actions_;
};

/// 0, or why it did not start.
int start(const std::string& program, std::vector<std::string>& arguments,
          std::vector<std::string>& variables, int said, pid_t& child) {
  const Actions actions(said);
  return posix_spawn(&child, program.c_str(), actions.get(), nullptr, pointers(arguments).data(),
                     pointers(variables).data());
}

int status_at_end(pid_t child, const std::string& program) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("{} was lost: {}", program, std::strerror(errno));
  return status;
}

}  // namespace

Ended run_program(const std::string& program, std::vector<std::string> arguments, const Variables& set,
                  const std::vector<std::string>& unset) {
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> variables = environment(set, unset);
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  pid_t child = 0;
  const int error = start(program, arguments, variables, pipe_ends[1], child);
  close(pipe_ends[1]);
  const std::string said = error == 0 ? read_all(pipe_ends[0]) : "";
  close(pipe_ends[0]);
  if (error != 0) fail("cannot start {}: {}", program, std::strerror(error));
  const int status = status_at_end(child, program);
  Ended ended;
  ended.said = said;
  if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.code = WEXITSTATUS(status);
  return ended;
}

}  // namespace perp::bench
