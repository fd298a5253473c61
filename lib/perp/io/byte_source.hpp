#pragma once
// Files to read from: open ones, with the checks and retries every reader needs, and bytes at any place.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace perp {

/// A file open for reading, closed by the destructor. Every Error names the path.
class InputFile {
 public:
  /// Throws Error{Exit::unusable} when there is no such file, it may not be read, or it is a folder, a device
  /// or a pipe: these have no end that could be known, and a pipe nobody writes to would be waited for for
  /// ever.
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  /// Bytes in it when it was opened.
  std::uint64_t size() const noexcept { return size_; }

  /// Reads up to `count` bytes; 0 only at the end of the file. Throws Error{Exit::failed} when the disk does
  /// not answer.
  std::size_t read_some(char* to, std::size_t count);

  /// Reads `count` bytes from byte `from` on, whatever was read before, and by several threads at once.
  /// Throws as `read_some`, and Error{Exit::unusable} when the file ends before that.
  void read_at(std::uint64_t from, char* to, std::size_t count) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Throws the Error{Exit::unusable} for a file that lacks `missing` bytes of what it had or promised.
[[noreturn]] void refuse_early_end(const std::filesystem::path& path, std::uint64_t missing);

// Bytes that can be read at any place and by several threads at once: a file's, or some in memory.
//
// A file is read (pread) and not mapped. A mapping ends the process with SIGBUS when somebody cuts the file
// short meanwhile, where a read gives an error that can be told; and the pages that it touched count as
// resident memory, where a read's go through a buffer of ours. A copy out of the page cache costs less than
// any measure of what was read.

/// Bytes in memory, kept by `owner` or else by the caller.
struct InMemory {
  std::string_view bytes;
  std::shared_ptr<const void> owner = {};
};

class ByteSource {
 public:
  /// Throws Error{Exit::unusable} when it cannot be opened or is a device or a pipe.
  explicit ByteSource(const std::filesystem::path& path);

  /// Bytes in memory that go under a file's name.
  ByteSource(std::filesystem::path name, InMemory memory);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }

  /// The bytes where they lie in memory; nothing for a file.
  std::optional<std::string_view> memory() const noexcept;

  /// Bytes from, from + 1 … from + count - 1. Throws Error{Exit::unusable} when the file ends before that.
  void read(std::uint64_t from, char* to, std::size_t count) const;

  /// The first `count` bytes, or all if it has fewer.
  std::string beginning(std::size_t count) const;

 private:
  std::filesystem::path path_;
  std::optional<InputFile> file_;
  InMemory memory_;
  std::uint64_t size_ = 0;
};

}  // namespace perp
