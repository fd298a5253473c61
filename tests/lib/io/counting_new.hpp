#pragma once

#include <cstddef>
#include <functional>

namespace perp::test {

struct Memory {
  std::size_t largest = 0;  ///< bytes of the largest piece asked for
  std::size_t peak = 0;     ///< bytes held at once at most, beyond those held before
};

/// What `call` takes by operator new in this thread. zlib's few hundred KiB are not in it.
Memory memory_of(const std::function<void()>& call);

}  // namespace perp::test
