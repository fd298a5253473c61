#include "perp/io/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

int open_retrying(const std::filesystem::path& path, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

// 0, or the error number. File systems that cannot flush say EINVAL; there is nothing to wait for then.
int flush(int descriptor) {
  int status = 0;
  do {
    status = ::fsync(descriptor);
  } while (status != 0 && errno == EINTR);
  return status == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

// A half-written file is locked by whoever writes it, and the kernel takes the lock away when that process
// ends, however it ends. A number of a process would not do: another may have got it, and one that was killed
// keeps its number until somebody asks about it.
bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// A file may have got its own name, and another this one, since it was opened here.
bool is_still(const std::filesystem::path& path, int descriptor) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

// An access control list, for one: without it the group had what the list's mask says.
void copy_attributes(const std::filesystem::path& from, int to) {
  std::string names(std::size_t{1} << 16, '\0'), value = names;  // Linux has no longer ones
  const ssize_t listed = ::llistxattr(from.c_str(), names.data(), names.size());
  for (ssize_t at = 0; at < listed;) {
    const char* const name = names.data() + at;
    const ssize_t size = ::lgetxattr(from.c_str(), name, value.data(), value.size());
    if (size >= 0) static_cast<void>(::fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0));
    at += static_cast<ssize_t>(std::string_view(name).size()) + 1;
  }
}

/// A file that is written into a temporary one in the same folder (".perp-<process>-<n>.tmp") and flushed to the disk;
/// `commit` renames it over `path`. Without `commit` nothing happened. Any failure removes the temporary file, leaves the
/// previous file as it was and throws Error{Exit::failed} with one line: the path, the reason, what to do.
class NewFile {
 public:
  NewFile(std::filesystem::path path, std::string_view bytes)
      : path_(std::move(path)), folder_(path_.has_parent_path() ? path_.parent_path() : ".") {
    if (!path_.has_filename()) fail("cannot write {}: it names no file", in_quotes(path_));
    struct stat known {};
    const bool there = ::lstat(path_.c_str(), &known) == 0;
    if (there) {
      if (S_ISDIR(known.st_mode)) give_up(EISDIR);
      // Renaming over a device would replace it for the whole machine.
      if (!S_ISREG(known.st_mode) && !S_ISLNK(known.st_mode))
        fail("cannot write {}: it is a device or a pipe; name a plain file", in_quotes(path_));
    }
    open_temporary();
    // Whose it is, and what may be read, or run, stays so; where that is not to be had (as on FAT) the file is written all the same.
    if (there && S_ISREG(known.st_mode)) {
      [[maybe_unused]] const int given = ::fchown(descriptor_, known.st_uid, known.st_gid);
      static_cast<void>(::fchmod(descriptor_, known.st_mode & 0777U));
      copy_attributes(path_, descriptor_);
    }
    write(bytes);
    if (const int error_number = flush(descriptor_); error_number != 0) give_up(error_number);
  }
  ~NewFile() { discard(); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void commit() {
    // Closed, and with that unlocked, only under its own name.
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) give_up(errno);
    temporary_.clear();
    ::close(std::exchange(descriptor_, -1));  // its bytes are flushed: nothing is left to fail
    flush_folder();
  }

 private:
  void open_temporary() {
    constexpr unsigned attempts = 100'000;
    for (unsigned n = 0; n < attempts; ++n) {
      temporary_ = folder_ / fmt::format(".perp-{}-{}.tmp", ::getpid(), n);
      descriptor_ = open_retrying(temporary_, O_WRONLY | O_CREAT | O_EXCL, 0666);
      if (descriptor_ >= 0) {
        // Who removes leftovers may have had the file before it was locked.
        const bool taken = !lock(descriptor_) && errno == EWOULDBLOCK;
        if (!taken && is_still(temporary_, descriptor_)) return;
        ::close(std::exchange(descriptor_, -1));
      } else if (errno != EEXIST) {
        break;
      }
    }
    const int error_number = errno;
    temporary_.clear();  // not ours to remove
    give_up(error_number);
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (written == 0) {
        give_up(EIO);
      } else if (errno != EINTR) {
        give_up(errno);
      }
    }
  }

  void flush_folder() {
    const int folder = open_retrying(folder_, O_RDONLY | O_DIRECTORY);
    // A folder that may be written but not listed cannot be flushed; the file itself is safe.
    if (folder < 0 && errno == EACCES) return;
    const int error_number = folder < 0 ? errno : flush(folder);
    if (folder >= 0) ::close(folder);
    if (error_number != 0)
      fail("{} is written, but its folder is not flushed: {}", in_quotes(path_), reason(error_number));
  }

  void discard() noexcept {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  [[noreturn]] void give_up(int error_number) {
    discard();
    fail("cannot write {}: {}{}", in_quotes(path_), reason(error_number),
         error_number == ENOENT ? ", or create the folder first" : "");
  }

  std::filesystem::path path_, folder_, temporary_;
  int descriptor_ = -1;
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const InputFile file(path);
  require(file.size() <= max_bytes, "cannot read {}: it is {} bytes long, at most {} were expected",
          in_quotes(path), file.size(), max_bytes);
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(0, bytes.data(), bytes.size());
  return bytes;
}

void write_whole(const std::filesystem::path& path, std::string_view bytes) { NewFile(path, bytes).commit(); }

void write_together(const NamedBytes& files, const std::function<void()>& last_look) {
  std::vector<std::unique_ptr<NewFile>> ready;
  std::set<std::filesystem::path> folders;
  for (const auto& [path, bytes] : files)
    folders.insert(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
  for (const std::filesystem::path& folder : folders) remove_leftovers(folder);
  for (const auto& [path, bytes] : files) ready.push_back(std::make_unique<NewFile>(path, bytes));
  if (last_look) last_look();
  for (const std::unique_ptr<NewFile>& file : ready) file->commit();
}

// ".perp-<process>-<n>.tmp", as NewFile gives it.
bool is_temporary_name(std::string_view name) {
  constexpr std::string_view begin = ".perp-", end = ".tmp";
  if (!name.starts_with(begin) || !name.ends_with(end)) return false;
  name.remove_prefix(begin.size());
  name.remove_suffix(end.size());
  const std::size_t dash = name.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  return dash != name.npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

void remove_leftovers(const std::filesystem::path& folder) noexcept {
  try {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (!is_temporary_name(name)) continue;
      const int descriptor = open_retrying(entry.path(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
      if (descriptor < 0) continue;
      if (lock(descriptor) && is_still(entry.path(), descriptor)) ::unlink(entry.path().c_str());
      ::close(descriptor);
    }
  } catch (const std::exception&) {  // a folder that cannot be read holds nothing that we could remove
  }
}

void set_aside(const std::filesystem::path& path) noexcept {
  struct stat known {};
  if (::lstat(path.c_str(), &known) != 0 || S_ISREG(known.st_mode) || S_ISLNK(known.st_mode)) return;
  std::error_code ignored;  // what cannot be moved is said when the file is written
  std::filesystem::path aside = path;
  aside += ".aside";
  if (::lstat(aside.c_str(), &known) != 0) std::filesystem::rename(path, aside, ignored);
}

void make_folders(const std::filesystem::path& path) {
  std::filesystem::path part;
  for (const std::filesystem::path& name : path) {
    part /= name;
    std::error_code ignored;
    if (std::filesystem::is_directory(part, ignored)) continue;
    if (::mkdir(part.c_str(), 0777) == 0) continue;
    const int error_number = errno;
    // Another process may have been faster.
    if (error_number == EEXIST && std::filesystem::is_directory(part, ignored)) continue;
    if (error_number == EEXIST && !std::filesystem::exists(part, ignored))
      fail("cannot create the folder {}: it is a symbolic link that leads to nothing; choose another path",
           in_quotes(part));
    // A file in a folder's place is a mistake of whoever named it.
    if (error_number == EEXIST || error_number == ENOTDIR)
      refuse("cannot create the folder {}: {}", in_quotes(part), reason(ENOTDIR));
    fail("cannot create the folder {}: {}", in_quotes(part), reason(error_number));
  }
}

}  // namespace perp
