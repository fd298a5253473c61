#include "perp/io/inputs.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/sha256.hpp"

namespace perp {
namespace {

struct Seen {
  struct stat status;
  bool is_input = false;
};

// What several threads have opened in this run.
std::mutex mutex;
std::map<std::filesystem::path, Seen> opened;

bool is_same(const struct stat& a, const struct stat& b) {
  const auto key = [](const struct stat& s) {
    return std::tuple(s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_ctim.tv_sec,
                      s.st_ctim.tv_nsec);
  };
  return key(a) == key(b);
}

void forget() {
  const std::lock_guard lock(mutex);
  opened.clear();
}

}  // namespace

std::string input_sha256(const std::filesystem::path& path) {
  std::string digest = sha256_file(path);  // which opens it, if nobody did
  const std::lock_guard lock(mutex);
  if (const auto file = opened.find(path); file != opened.end()) file->second.is_input = true;
  return digest;
}

void expect_inputs_unchanged() {
  const std::lock_guard lock(mutex);
  for (const auto& [path, seen] : opened) {
    if (!seen.is_input) continue;
    struct stat now {};
    require(::stat(path.c_str(), &now) == 0 && is_same(seen.status, now),
            "{} was changed while it was read; leave it as it is and measure again", in_quotes(path));
  }
}

InputWatch::InputWatch() { forget(); }
InputWatch::~InputWatch() { forget(); }

void note_opened(const std::filesystem::path& path, const struct stat& status) {
  const std::lock_guard lock(mutex);
  opened.try_emplace(path, Seen{status});
}

}  // namespace perp
