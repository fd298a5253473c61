#pragma once
// libFuzzer's door; each fuzzer is one file that defines `fuzz`.

#include <cstddef>
#include <cstdint>

#include "check.hpp"

namespace perp::test {

/// Reads these bytes; whatever is wrong ends the process.
void fuzz(std::string_view bytes);

}  // namespace perp::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  perp::test::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
