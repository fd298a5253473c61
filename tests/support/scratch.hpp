#pragma once
// What the tests of files share: a folder that goes away, a child process to spoil, and an error caught
// whole.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perp/base/error.hpp"

namespace perp::test {

/// An empty folder, removed with all it holds.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "perp-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// A file of these bytes, made without the code under test.
  std::filesystem::path file(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(path_ / name);  // cutting it to nothing would make ext4 wait for the disk
    std::ofstream out(path_ / name, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::runtime_error("no room for a test's file");
    return path_ / name;
  }
  std::size_t entries() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
    return count;
  }

 private:
  std::filesystem::path path_;
};

/// The Error that `call` throws; nothing when it returns. Anything else passes through and fails the test.
inline std::optional<Error> error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Its message, "" when `call` returns.
inline std::string message_of(const std::function<void()>& call) {
  const std::optional<Error> error = error_of(call);
  return error ? error->what() : "";
}

inline bool contains(std::string_view text, std::string_view piece) { return text.find(piece) != text.npos; }
inline std::size_t times(std::string_view text, std::string_view what) {
  std::size_t number = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++number;
  return number;
}

/// What `call` returns, run in a child process, so that limits and mounts stay there.
inline std::string in_child(const std::function<std::string()>& call) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    std::string said;
    try {
      said = call();
    } catch (const std::exception& error) {
      said = std::string("child: ") + error.what();
    }
    [[maybe_unused]] const ssize_t written = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said;
}

/// A small repeatable generator without the random floor: SplitMix64 (Steele, Lea & Flood 2014, OOPSLA);
/// tests/reference/statistics_tables.py draws the same.
class Picks {
 public:
  explicit Picks(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace perp::test
