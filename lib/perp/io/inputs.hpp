#pragma once
// Inputs go into results under the SHA-256 of their bytes, and are read before that or long after it. So each
// is watched from its first opening on: what was measured of a file that changed meanwhile belongs to no hash.

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace perp {

/// The digest of an input's bytes; expect_inputs_unchanged asks for this file from here on. Throws Error as
/// InputFile does.
std::string input_sha256(const std::filesystem::path& path);

/// Throws Error{Exit::unusable} that names the first input that is no longer the file that was first opened in
/// this run: another one, of another size, or with other times of change.
void expect_inputs_unchanged();

/// Lives as long as a run, at whose beginning and end no file was opened yet.
class InputWatch {
 public:
  InputWatch();
  ~InputWatch();
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;
};

/// What InputFile tells of every file that it opens.
void note_opened(const std::filesystem::path& path, const struct stat& status);

}  // namespace perp
