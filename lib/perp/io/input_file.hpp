#pragma once
// An open file to read from: the checks and retries every reader needs, in one place.

#include <cstddef>
#include <cstdint>
#include <filesystem>

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

  /// Gives the descriptor away; the caller closes it.
  int release() noexcept;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Throws the Error{Exit::unusable} for a file that lacks `missing` bytes of what it had or promised.
[[noreturn]] void refuse_early_end(const std::filesystem::path& path, std::uint64_t missing);

}  // namespace perp
