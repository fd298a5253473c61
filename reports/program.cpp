#include "reports/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

/// A file in memory, without a name.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes = {}) {
    const int made = memfd_create("perpendicular", MFD_CLOEXEC);
    if (made < 0) fail("cannot create a file in memory: {}", reason(errno));
    // Not one of the three that a program starts with: they are closed where the caller had closed them.
    descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, 3);
    const int error = errno;
    ::close(made);
    if (descriptor_ < 0) fail("cannot create a file in memory: {}", reason(error));
    write(bytes);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  std::string bytes() const {
    struct stat known {};
    if (fstat(descriptor_, &known) != 0) fail("a file in memory was lost: {}", reason(errno));
    std::string all(static_cast<std::size_t>(known.st_size), '\0');
    for (std::size_t at = 0; at < all.size();) {
      const ssize_t got = pread(descriptor_, all.data() + at, all.size() - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("a file in memory was lost: {}", reason(got < 0 ? errno : EIO));
      at += static_cast<std::size_t>(got);
    }
    return all;
  }

 private:
  void write(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t put = pwrite(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) {
        const int error = put < 0 ? errno : EIO;
        ::close(descriptor_);
        fail("cannot write a file in memory: {}", reason(error));
      }
      at += static_cast<std::size_t>(put);
    }
  }

  int descriptor_ = -1;
};

/// What a program starts with: its three descriptors.
class Actions {
 public:
  Actions() { check(posix_spawn_file_actions_init(&actions_)); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  void put(const MemoryFile& file, int as) {
    check(posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), as));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) fail("cannot prepare to start a program: {}", reason(error));
  }

  posix_spawn_file_actions_t actions_{};
};

/// Starts it; 0, or why it did not start.
int start(const std::vector<std::string>& command, const MemoryFile& in, const MemoryFile& out,
          const MemoryFile& talk, pid_t& child) {
  const char* path = std::getenv("PATH");
  std::string path_variable = fmt::format("PATH={}", path ? path : ""), locale = "LC_ALL=C.UTF-8";
  std::array<char*, 3> environment{path_variable.data(), locale.data(), nullptr};
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Actions actions;
  actions.put(in, STDIN_FILENO);
  actions.put(out, STDOUT_FILENO);
  actions.put(talk, STDERR_FILENO);
  return posix_spawnp(&child, words.front().c_str(), actions.get(), nullptr, arguments.data(),
                      environment.data());
}

/// On one line: the last lines name the place and the complaint.
std::string lines_joined(const std::string& talk) {
  std::string text;
  for (const std::string& line : split(talk, '\n'))
    if (!line.empty() && line != "^") text += (text.empty() ? "" : " / ") + line;
  return text.size() > 400 ? text.substr(text.size() - 400) : text;
}

}  // namespace

Ran run_program(const std::vector<std::string>& command, std::string_view input) {
  const MemoryFile in(input), out, talk;
  pid_t child = 0;
  const int error = start(command, in, out, talk, child);
  Ran ran;
  if (error == ENOENT) return ran.found = false, ran;
  if (error != 0) fail("{} does not start: {}", command.front(), reason(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("{} was lost: {}", command.front(), reason(errno));
  ran.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ran.output = out.bytes();
  ran.complaint = lines_joined(talk.bytes());
  if (WIFSIGNALED(status) && ran.complaint.empty())
    ran.complaint = fmt::format("{} (signal {})", strsignal(WTERMSIG(status)), WTERMSIG(status));
  return ran;
}

}  // namespace perp::report
