// What the corpus does not hold of GGUF: every type of value, rows longer than the buffer, names.

#include "perp/io/gguf.hpp"

#include <boost/test/unit_test.hpp>

#include "gguf_bytes.hpp"
#include "perp/io/table_rows.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_gguf)

// A line beyond the 256 KiB that are read at a time, whose blocks do not divide them, holds what its blocks
// hold in short lines.
BOOST_AUTO_TEST_CASE(a_row_longer_than_the_buffer) {
  constexpr std::size_t rows = 200, short_cols = 32 * 100, cols = rows * short_cols;
  Picks picks(3);
  std::string blocks;
  for (std::size_t i = 0; i < cols / 32; ++i) {
    blocks += le(static_cast<std::uint16_t>(0x3000 + picks.below(0x1000)));
    blocks += le(static_cast<std::uint16_t>(0xB000 + picks.below(0x1000)));
    for (int k = 0; k < 16; ++k) blocks += static_cast<char>(picks.below(256));
  }
  const auto numbers = [&](const std::vector<std::uint64_t>& shape, const Selection& selection) {
    const std::string file = GgufWriter().add("w", shape, q4_1, blocks).file();
    return open_table(std::make_shared<const ByteSource>("m.gguf", InMemory{file}), "w", selection)
        .all<double>();
  };
  const Matrix<double> expected = numbers({short_cols, rows}, {}), found = numbers({cols}, {});
  BOOST_TEST(std::equal(expected.begin(), expected.end(), found.begin()));
  const Matrix<double> part = numbers({cols}, {.rows = RowRange{17, cols - 3}, .transpose = true});
  BOOST_TEST(std::equal(part.begin(), part.end(), expected.begin() + 17));
}

BOOST_AUTO_TEST_CASE(tables_of_any_format_are_listed) {
  const Scratch scratch;
  const auto lines = [](const std::filesystem::path& path) {
    std::string text;
    for (const ListedTable& table : list_tables(path)) {
      text += table.tensor + " " + table.type;
      for (const std::uint64_t length : table.shape) text.append(" ").append(std::to_string(length));
      text += "\n";
    }
    return text;
  };
  const std::filesystem::path corpus = std::filesystem::path(PERP_SOURCE_DIR) / "tests/fuzz/corpus";
  BOOST_TEST(lines(corpus / "gguf/valid-q5_0") == "before F32 3\nw Q5_0 3 64\n");
  BOOST_TEST(lines(corpus / "npy/valid-f2-fortran") == " f2 4 3\n");
  BOOST_TEST(lines(corpus / "text/valid-header") == " f4 2 3\n");
  const std::filesystem::path others = corpus / "safetensors/beside-others";
  const std::string of_others =
      "ids I64 1\ncube F16 2 1 1\none F16\nmask BOOL 1 1 2\nnone F16 4 0\nrow F16 4\n";
  BOOST_TEST(lines(others) == of_others);
  std::filesystem::copy(others, scratch / "one");
  BOOST_TEST(lines(scratch.file("index", R"({"weight_map": {"ids": "one", "row": "one"}})")) == of_others);
}

BOOST_AUTO_TEST_SUITE_END()
