#include "perp/io/alone.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"

namespace perp {
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
  ::setenv("PERP_ALONE", whole.c_str(), 1);  // to what this process writes (io/file.cpp) and starts
}

Alone::~Alone() {
  std::error_code holds_something;
  for (fs::path part = folder_; !made_.empty(); part = part.parent_path())
    if (!fs::remove(part, holds_something) || part == made_) break;
  if (descriptor_ < 0) return;
  ::unsetenv("PERP_ALONE");
  ::close(descriptor_);
}

}  // namespace perp
