// What the fuzzers try each reader with, and libFuzzer's door: compiled once for each of them, with its name as PERP_FUZZED.
// Whatever is wrong ends the process.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "check.hpp"
#include "perp/io/npy.hpp"

namespace perp::test {

// As it is, and once more with the lengths made to fit: few changed files would get beyond them.
void fuzz_npy(std::string_view bytes) {
  try_table(bytes);
  const std::size_t end = bytes.find('}');
  if (end == bytes.npos || end < 10 || end > 2000) return;
  const std::string dictionary(bytes.substr(10, end - 9));
  StoredTable header;
  if (refused([&] { header = parse_npy_header(dictionary, "header"); })) return;
  const std::uint64_t data = header.lines * header.line_bytes();
  if (data > 4096) return;
  std::string fitted = {'\x93', 'N', 'U', 'M', 'P', 'Y', '\1', '\0'};
  fitted += static_cast<char>(dictionary.size() & 0xFF);
  fitted += static_cast<char>(dictionary.size() >> 8);
  fitted += dictionary;
  fitted += bytes.substr(end + 1);
  fitted.resize(10 + dictionary.size() + data, 'x');
  // Whatever the bytes are, they are numbers; only float64 has some that may not stand in a table.
  const std::optional<std::string> why = try_table(fitted);
  hold(!why || why->find("float32 cannot tell from 0") != why->npos, "a file of the right length is refused");
}

// As it is, and once more with the header's length made to fit: few changed files would get beyond it.
void fuzz_safetensors(std::string_view bytes) {
  try_safetensors(bytes);
  try_table(bytes);
  const std::size_t end = bytes.rfind('}');
  if (end == bytes.npos || end < 8) return;
  std::string fitted(bytes);
  for (std::size_t i = 0, length = end - 7; i < 8; ++i, length >>= 8) fitted[i] = static_cast<char>(length);
  try_safetensors(fitted);
}

void fuzz_index(std::string_view bytes) {
  try_index(bytes);
  is_safetensors_index(bytes);
}

// As it is, and once more with as many bytes of data behind it as a header of this length may speak of: few
// changed files would have the right number.
void fuzz_gguf(std::string_view bytes) {
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

// Text from memory; what is compressed by gzip from a file that lies in memory, through zlib.
void fuzz_text(std::string_view bytes) {
  try_table(bytes);
  if (!bytes.starts_with("\x1f\x8b")) return;
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0) return;
  hold(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no room");
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  refused([&] {
    const TableRows table = open_table(TableReference{name, std::nullopt}, {.limit = 1000});
    hold(table.all<float>().size() == table.rows() * table.cols(), "another size");
  });
  ::close(file);
}

}  // namespace perp::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  perp::test::PERP_FUZZED({reinterpret_cast<const char*>(data), size});
  return 0;
}
