#include "perp/io/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/message.hpp"

namespace perp {

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  do {
    // Without O_NONBLOCK opening a pipe waits for its writer.
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (descriptor_ < 0 && errno == EINTR);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    const int error_number = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    refuse("cannot read {}: {}", in_quotes(path_), reason(error_number));
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    if (S_ISDIR(status.st_mode)) refuse("cannot read {}: {}", in_quotes(path_), reason(EISDIR));
    refuse("{} is a device or a pipe; expected a plain file", in_quotes(path_));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  note_opened(path_, status);
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read_some(char* to, std::size_t count) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    const int error_number = errno;
    fail("cannot read {}: {}", in_quotes(path_), reason(error_number));
  }
}

void InputFile::read_at(std::uint64_t from, char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error_number = errno;
      fail("cannot read {}: {}", in_quotes(path_), reason(error_number));
    }
    if (got == 0) refuse_early_end(path_, count);
    from += static_cast<std::uint64_t>(got);
    to += got;
    count -= static_cast<std::size_t>(got);
  }
}

void refuse_early_end(const std::filesystem::path& path, std::uint64_t missing) {
  refuse("{} ended {} bytes early: copy it again, or wait until it is complete", in_quotes(path), missing);
}

ByteSource::ByteSource(const std::filesystem::path& path) : path_(path) {
  file_.emplace(path);
  size_ = file_->size();
}

ByteSource::ByteSource(std::filesystem::path name, InMemory memory)
    : path_(std::move(name)), memory_(std::move(memory)), size_(memory_.bytes.size()) {}

std::optional<std::string_view> ByteSource::memory() const noexcept {
  return file_ ? std::nullopt : std::optional(memory_.bytes);
}

void ByteSource::read(std::uint64_t from, char* to, std::size_t count) const {
  if (file_) return file_->read_at(from, to, count);
  if (from > size_ || count > size_ - from) refuse_early_end(path_, count);
  std::copy_n(memory_.bytes.data() + from, count, to);
}

std::string ByteSource::beginning(std::size_t count) const {
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, size_)), '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace perp
