#pragma once
// Bytes that can be read at any place and by several threads at once: a file's, or some in memory.
//
// A file is read (pread) and not mapped. A mapping ends the process with SIGBUS when somebody cuts the file
// short meanwhile, where a read gives an error that can be told; and the pages that it touched count as
// resident memory, where a read's go through a buffer of ours. A copy out of the page cache costs less than
// any measure of what was read.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "perp/io/input_file.hpp"

namespace perp {

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
