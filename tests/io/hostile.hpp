#pragma once
// What every reader is tried with: files cut short at each byte, changed at a few, and a count of the memory
// that reading takes.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "tests/support/scratch.hpp"

namespace perp::test {

/// `whole` cut to 0, 1 … all but one bytes.
inline void for_every_truncation(std::string_view whole, const std::function<void(std::string_view)>& use) {
  for (std::size_t size = 0; size < whole.size(); ++size) use(whole.substr(0, size));
}

/// One to three bytes changed, cut out or put in, most of them to one of `telling`.
inline std::string mutated(std::string bytes, Picks& picks, std::string_view telling) {
  for (std::uint64_t changes = 1 + picks.below(3); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = picks.below(bytes.size());
    const char byte =
        picks.below(3) == 0 ? static_cast<char>(picks.below(256)) : telling[picks.below(telling.size())];
    switch (picks.below(4)) {
      case 0:
        bytes.erase(at, 1);
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      default:
        bytes[at] = byte;
    }
  }
  return bytes;
}

struct Memory {
  std::size_t largest = 0;  ///< bytes of the largest piece asked for
  std::size_t peak = 0;     ///< bytes held at once at most, beyond those held before
};

/// What `call` takes by operator new in this thread. zlib's few hundred KiB are not in it.
Memory memory_of(const std::function<void()>& call);

}  // namespace perp::test
