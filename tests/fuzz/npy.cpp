#include "perp/io/npy.hpp"

#include "fuzzer.hpp"

// As it is, and once more with the lengths made to fit: few changed files would get beyond them.
void perp::test::fuzz(std::string_view bytes) {
  try_table(bytes);
  const std::size_t end = bytes.find('}');
  if (end == bytes.npos || end < 10 || end > 2000) return;
  const std::string dictionary(bytes.substr(10, end - 9));
  NpyHeader header;
  if (refused([&] { header = parse_npy_header(dictionary, "header"); })) return;
  const std::uint64_t data = header.count() * header.item_bytes;
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
