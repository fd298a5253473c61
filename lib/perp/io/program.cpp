#include "perp/io/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <sstream>
#include <string>

#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

// 0 once all is written, else the error number.
int write_to(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return EIO;
    } else if (errno == EAGAIN) {  // a pipe that somebody else has set so
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int complain(std::string_view name, std::string_view what, Exit exit) {
  print_message("{}: {}\n", name, on_one_line(what));
  return static_cast<int>(exit);
}

/// What the standard library could not do with a path. Where that is the path's own, the input is unusable.
int complain(std::string_view name, const std::filesystem::filesystem_error& error) {
  const int number = error.code().value();
  const bool of_path = number == ENOENT || number == ENOTDIR || number == EISDIR || number == ELOOP ||
                       number == ENAMETOOLONG || number == EACCES || number == EPERM;
  const std::string second = error.path2().empty() ? "" : fmt::format(" with {}", in_quotes(error.path2()));
  return complain(name,
                  fmt::format("cannot use {}{}: {}", in_quotes(std::string_view(error.path1().native())),
                              second, reason(number)),
                  of_path ? Exit::unusable : Exit::failed);
}

}  // namespace

void print_data(std::string_view data) {
  if (const int error_number = write_to(STDOUT_FILENO, data); error_number != 0)
    fail("cannot write to standard output: {}", reason(error_number));
}

void print_message(std::string_view text) noexcept { static_cast<void>(write_to(STDERR_FILENO, text)); }

std::string wrong_folder(const std::string& name) {
  if (name.empty()) return "the name of a folder is empty; '.' is the current one";
  const bool shows = std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7F; }) &&
                     with_marks_shown(name) == name;
  return shows ? ""
               : fmt::format("{} holds a control character, which a figure cannot show", in_quotes(name));
}

namespace {

/// Takes the places of standard streams that are closed, before a file opened later gets one of their numbers
/// and is written into.
void keep_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // Open for reading alone: what is written there fails, as it does when the stream is closed.
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", O_RDONLY));  // takes the lowest number that is free
}

/// The running program's name; empty once it has come to its end.
std::string unfinished;

/// A library that calls exit in the midst of a computation would end it as if all had gone well.
void complain_of_an_end() {
  if (unfinished.empty()) return;
  print_message("{}: a library ended the program before it was done\n", unfinished);
  ::_exit(static_cast<int>(Exit::failed));
}

int run_guarded(std::string_view name, const std::function<int()>& body) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then an error with a message, not a death
  try {
    return body();
  } catch (const Error& error) {
    return complain(name, error.what(), error.exit());
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(name, error);
  } catch (const std::bad_alloc&) {
    return complain(name, "out of memory: " + memory_limit_text(), Exit::failed);
  } catch (const std::exception& error) {
    return complain(name, error.what(), Exit::failed);
  }
}

}  // namespace

int run_program(std::string_view name, const std::function<int()>& body) {
  keep_standard_streams();
  unfinished = name;
  std::atexit(complain_of_an_end);
  const int code = run_guarded(name, body);
  unfinished.clear();
  return code;
}

void end_program(int code) {
  unfinished.clear();
  std::exit(code);
}

namespace {

namespace fs = std::filesystem;

/// "process 4711 (perp report …)"; "another run" where /proc does not say.
std::string holder(int descriptor) {
  struct stat folder {};
  ::fstat(descriptor, &folder);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    // 12: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF
    std::istringstream words(line);
    std::string number, kind, strict, access, process, file;
    if (!(words >> number >> kind >> strict >> access >> process >> file)) continue;
    if (kind != "FLOCK" || !file.ends_with(fmt::format(":{}", folder.st_ino))) continue;
    std::ifstream command("/proc/" + process + "/cmdline");
    std::string text((std::istreambuf_iterator<char>(command)), {});
    for (char& c : text)
      if (c == '\0') c = ' ';
    if (!text.empty()) return fmt::format("process {} ({})", process, on_one_line(text.substr(0, 80)));
  }
  return "another run";
}

/// Whether the folder is still the one that was opened: it may have been removed and made anew.
bool is_still(const fs::path& folder, int descriptor) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(folder.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Returns the topmost folder that was not there before; empty if all were.
fs::path make(const fs::path& folder, const std::string& shown) {
  std::error_code error;
  fs::path made;
  for (fs::path part = folder; !part.empty() && !fs::exists(part, error); part = part.parent_path())
    made = part;
  fs::create_directories(folder, error);
  require(!error && fs::is_directory(folder),
          "cannot make the folder {}: {}; expected the name of a folder that is there or can be made", shown,
          error ? error.message() : "it is no folder");
  return made;
}

/// 0 once the lock is had, else the error number; `wait` is called before it waits for another run.
int lock(int descriptor, const std::function<void()>& wait) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno != EWOULDBLOCK) return errno;
  wait();
  while (::flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

Alone::Alone(std::string_view name, const fs::path& folder) {
  const std::string shown = on_one_line(folder.string());
  folder_ = folder;
  made_ = make(folder, shown);
  const std::string whole = fs::canonical(folder).string();
  const char* const held_by = std::getenv("PERP_ALONE");
  if (held_by && held_by == whole) return;  // whoever has started this process holds it
  for (bool held = false; !held;) {
    if (descriptor_ >= 0) ::close(descriptor_);
    make(folder, shown);
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == ENOENT) continue;  // removed just now
    const int error = descriptor_ < 0 ? errno : lock(descriptor_, [&] {
      print_message("{}: {} is in use by {}; waiting until it has ended\n", name, shown, holder(descriptor_));
    });
    if (error != 0) {
      print_message("{}: {} cannot be locked; nothing keeps a second run out of it\n", name, shown);
      return;
    }
    held = is_still(folder, descriptor_);
  }
  ::setenv("PERP_ALONE", whole.c_str(), 1);  // to what this process starts
}

Alone::~Alone() {
  // No folder any more, it is somebody's.
  for (fs::path part = folder_; !made_.empty(); part = part.parent_path())
    if (::rmdir(part.c_str()) != 0 || part == made_) break;
  if (descriptor_ < 0) return;
  ::unsetenv("PERP_ALONE");
  ::close(descriptor_);
}

}  // namespace perp
