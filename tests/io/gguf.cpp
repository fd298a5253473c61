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

BOOST_AUTO_TEST_CASE(a_header_of_every_type_of_value) {
  const std::string list =
      le(std::uint32_t{4}) + le(std::uint64_t{2}) + le(std::uint32_t{7}) + le(std::uint32_t{8});
  const std::string texts = le(std::uint32_t{8}) + le(std::uint64_t{2}) + gguf_text("a") + gguf_text("");
  const std::string bytes = GgufWriter(64)
                                .value(gguf_value("u8", 0, le(std::uint8_t{200})))
                                .value(gguf_value("i8", 1, le(std::int8_t{-100})))
                                .value(gguf_value("u16", 2, le(std::uint16_t{60'000})))
                                .value(gguf_value("i16", 3, le(std::int16_t{-30'000})))
                                .value(gguf_count("u32", 4'000'000'000))
                                .value(gguf_value("i32", 5, le(std::int32_t{-2'000'000'000})))
                                .value(gguf_value("f32", 6, le(1.5F)))
                                .value(gguf_value("yes", 7, "\1"))
                                .value(gguf_value("text", 8, gguf_text("llama")))
                                .value(gguf_value("list", 9, list))
                                .value(gguf_value("texts", 9, texts))
                                .value(gguf_value("u64", 10, le(std::uint64_t{1} << 63)))
                                .value(gguf_value("i64", 11, le(std::int64_t{5})))
                                .value(gguf_value("f64", 12, le(-0.1)))
                                .value(gguf_count("general.alignment", 64))
                                .add("a", {2}, f32, items_bytes(std::vector<float>{1, 2}, false))
                                .add("b", {1}, f32, items_bytes(std::vector<float>{3}, false))
                                .file();
  const GgufHeader header = read_gguf_header(ByteSource("m", InMemory{bytes}));
  const auto whole = [&](const char* name) { return std::get<std::int64_t>(header.metadata.at(name)); };
  const auto real = [&](const char* name) { return std::get<double>(header.metadata.at(name)); };
  const auto array = [&](const char* name) { return std::get<GgufArray>(header.metadata.at(name)); };
  for (const auto& [name, count] : std::vector<std::pair<const char*, std::uint64_t>>{
           {"u8", 200}, {"u16", 60'000}, {"u32", 4'000'000'000}, {"u64", 1ULL << 63}, {"i64", 5}})
    BOOST_TEST(header.count(name).value() == count, name);
  for (const char* name : {"i32", "text", "none"}) BOOST_TEST(!header.count(name), name);
  for (const char* name : {"u8", "none"}) BOOST_TEST(!header.text(name), name);
  BOOST_TEST(header.text("text").value() == "llama");
  BOOST_TEST(whole("i8") == -100);
  BOOST_TEST(whole("i16") == -30'000);
  BOOST_TEST(whole("i32") == -2'000'000'000);
  BOOST_TEST(real("f32") == 1.5);
  BOOST_TEST(real("f64") == -0.1);
  BOOST_TEST(std::get<bool>(header.metadata.at("yes")));
  BOOST_TEST(array("list").length == 2U);
  BOOST_TEST(array("list").item == "UINT32");
  BOOST_TEST(array("texts").item == "STRING");
  BOOST_TEST(header.data_begin % 64 == 0U);
  BOOST_TEST_REQUIRE(header.tensors.size() == 2U);
  BOOST_TEST(header.tensors[1].begin == 64U);
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
