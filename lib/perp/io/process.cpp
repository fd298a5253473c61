#include "perp/io/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::size_t longest_line = 400;

/// A file in memory, without a name.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes = {}) {
    const int made = memfd_create("perpendicular", MFD_CLOEXEC);
    if (made < 0) fail("cannot create a file in memory: {}", reason(errno));
    // Not the number of a standard stream that is closed here: what somebody writes there would lie in it.
    descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, 3);
    const int error = errno;
    ::close(made);
    if (descriptor_ < 0) fail("cannot create a file in memory: {}", reason(error));
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t put = pwrite(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) {
        const int error_number = put < 0 ? errno : EIO;
        ::close(descriptor_);
        fail("cannot write a file in memory: {}", reason(error_number));
      }
      at += static_cast<std::size_t>(put);
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  std::size_t size() const {
    struct stat known {};
    if (fstat(descriptor_, &known) != 0) fail("a file in memory was lost: {}", reason(errno));
    return static_cast<std::size_t>(known.st_size);
  }

  std::string bytes() const {
    std::string all(size(), '\0');
    for (std::size_t at = 0; at < all.size();) {
      const ssize_t got = pread(descriptor_, all.data() + at, all.size() - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("a file in memory was lost: {}", reason(got < 0 ? errno : EIO));
      at += static_cast<std::size_t>(got);
    }
    return all;
  }

 private:
  int descriptor_ = -1;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// Signals that end this process while a child runs, unless somebody watches for them or they are ignored: they are noted, so
/// that the child goes first.
class NotedSignals {
 public:
  NotedSignals() {
    struct sigaction note {};
    note.sa_handler = [](int signal) { noted = signal; };
    for (std::size_t i = 0; i < signals.size(); ++i) {
      sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_DFL) sigaction(signals[i], &note, nullptr);
    }
  }
  ~NotedSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (before_[i].sa_handler == SIG_DFL) sigaction(signals[i], &before_[i], nullptr);
    if (const int signal = std::exchange(noted, 0); signal != 0) std::raise(signal);
  }
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;
  static bool any() { return noted != 0; }

 private:
  static constexpr std::array signals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  static inline volatile std::sig_atomic_t noted = 0;
  std::array<struct sigaction, signals.size()> before_{};
};

/// 0, or why it did not start. The copies are for an interface that would take what it does not change.
int start(std::vector<std::string> command, std::vector<std::string> environment, const MemoryFile& in,
          const MemoryFile& out, const MemoryFile& err, pid_t& child) {
  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&streams);
  posix_spawnattr_init(&attributes);
  // A group of its own, so that its children end with it.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int error = 0;
  for (const auto& [file, stream] :
       {std::pair{&in, STDIN_FILENO}, {&out, STDOUT_FILENO}, {&err, STDERR_FILENO}})
    if (error == 0) error = posix_spawn_file_actions_adddup2(&streams, file->descriptor(), stream);
  if (error == 0)
    error = posix_spawnp(&child, command.front().c_str(), &streams, &attributes, pointers(command).data(),
                         pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  return error;
}

/// Waits for the end of the program, which is killed when it has met a limit or somebody interrupts this one.
int status_at_end(pid_t child, const std::string& program, const Limits& limits, const MemoryFile& out,
                  const MemoryFile& err, std::string& met) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, met.empty() ? WNOHANG : 0);
    if (ended > 0) return status;
    if (ended < 0 && errno != EINTR) fail("{} was lost: {}", program, reason(errno));
    if (ended < 0) continue;
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (passed.count() > limits.seconds) met = fmt::format("{:g} s", limits.seconds);
    if (out.size() + err.size() > limits.bytes) met = fmt::format("{} MB of output", limits.bytes >> 20U);
    if (interrupt_requested() || NotedSignals::any()) met = "an interrupt";
    if (!met.empty())
      ::kill(-child, SIGKILL);
    else  // a look every hundredth of the time so far, so that short runs are not made longer
      std::this_thread::sleep_for(
          std::clamp(passed / 100, std::chrono::duration<double>(1e-4), std::chrono::duration<double>(1e-2)));
  }
}

}  // namespace

std::string Ended::stderr_line() const {
  std::string all;
  for (std::size_t from = 0; from < stderr_text.size();) {
    const std::size_t end = std::min(stderr_text.find('\n', from), stderr_text.size());
    const std::string_view line = trim(std::string_view(stderr_text).substr(from, end - from));
    if (!line.empty() && line != "^") all += fmt::format("{}{}", all.empty() ? "" : " / ", line);
    from = end + 1;
  }
  if (all.empty() && signal != 0) return fmt::format("{} (signal {})", strsignal(signal), signal);
  return all.size() > longest_line ? all.substr(all.size() - longest_line) : all;  // the end names the place
}

std::vector<std::string> environment_with(const Variables& set, const std::vector<std::string>& unset) {
  std::vector<std::string> list;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    const bool is_set =
        std::any_of(set.begin(), set.end(), [&](const auto& variable) { return variable.first == name; });
    if (!is_set && std::find(unset.begin(), unset.end(), name) == unset.end()) list.emplace_back(text);
  }
  for (const auto& [name, value] : set) list.push_back(fmt::format("{}={}", name, value));
  return list;
}

std::vector<std::string> plain_environment() {
  const char* path = std::getenv("PATH");
  return {fmt::format("PATH={}", path ? path : ""), "LC_ALL=C.UTF-8"};
}

Ended run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                  std::string_view input, const Limits& limits) {
  expect_no_interrupt();
  const MemoryFile in(input), out, err;
  pid_t child = 0;
  const NotedSignals signals;
  const int error = start(command, environment, in, out, err, child);
  Ended ended;
  if (error == ENOENT) {
    ended.found = false;
    return ended;
  }
  if (error != 0) fail("{} does not start: {}", command.front(), reason(error));
  const int status = status_at_end(child, command.front(), limits, out, err, ended.limit);
  struct rlimit files {};
  if (::getrlimit(RLIMIT_FSIZE, &files) == 0 && out.size() >= files.rlim_cur)
    ended.limit = fmt::format("{} bytes of output, the limit on file sizes (ulimit -f)", files.rlim_cur);
  expect_no_interrupt();  // it may have had the signal, too
  if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.code = WEXITSTATUS(status);
  if (!ended.limit.empty()) return ended;
  ended.stdout_text = out.bytes();
  ended.stderr_text = err.bytes();
  return ended;
}

}  // namespace perp
