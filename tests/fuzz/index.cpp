#include "fuzzer.hpp"

void perp::test::fuzz(std::string_view bytes) {
  try_index(bytes);
  is_safetensors_index(bytes);
}
