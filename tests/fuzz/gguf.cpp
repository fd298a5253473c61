#include "fuzzer.hpp"

// As it is, and once more with as many bytes of data behind it as a header of this length may speak of: few
// changed files would have the right number.
void perp::test::fuzz(std::string_view bytes) {
  try_gguf(bytes);
  try_table(bytes);
  std::string longer(bytes);
  for (int i = 0; i < 8; ++i) {
    const auto said = try_gguf(longer);
    if (!said) return;
    // "tensor 'w' lies in bytes 32 to 50 of 49 bytes of data", "65 bytes of data; its tensors fill 50"
    const std::size_t of = said->find(" bytes of data");
    if (of == said->npos || longer.size() > bytes.size() + 4096) return;
    longer.append(32, 'x');
  }
}
