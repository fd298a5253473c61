#include "perp/io/gguf.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "gguf_bytes.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_reference.hpp"
#include "perp/io/table_rows.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

// Blocks are 32 numbers. Every number of the test is given as the integer q that a block stores for it; what
// it stands for follows from the format's definition (ggml-common.h): d q, or d q + m, less 8 or 16 where
// there is no m. d and m are powers of two or sums of few, so that float32 holds every result exactly.
struct Block {
  std::uint16_t d, m;  // binary16
  double d_value, m_value;
  std::vector<int> q;
};

// 1/4, -3/2, 2^-10 and 1.25 in binary16; the numbers 0 … `most` in an order that is nowhere monotonous.
std::vector<Block> blocks_of(int count, int least, int most) {
  const std::vector<std::pair<std::uint16_t, double>> halves{
      {0x3400, 0.25}, {0xBE00, -1.5}, {0x1400, std::ldexp(1, -10)}, {0x3D00, 1.25}};
  std::vector<Block> blocks;
  for (int b = 0; b < count; ++b) {
    const auto& [d, d_value] = halves[b % 4];
    const auto& [m, m_value] = halves[(b + 1) % 4];
    Block block{d, m, d_value, m_value, {}};
    for (int i = 0; i < 32; ++i) block.q.push_back(least + (7 * i + 5 * b + i / 16) % (most - least + 1));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

const std::string nibbles(const Block& block) {
  std::string bytes;
  for (int i = 0; i < 16; ++i) bytes += static_cast<char>((block.q[i] & 15) | (block.q[i + 16] & 15) << 4);
  return bytes;
}
const std::string fifth_bits(const Block& block) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 32; ++i) bits |= static_cast<std::uint32_t>(block.q[i] >> 4) << i;
  return le(bits);
}

struct Quantised {
  GgufType type;
  const char *dtype, *item;
  int least, most;  // of q
  std::string (*bytes)(const Block&);
  double (*value)(const Block&, int q);
};
const std::vector<Quantised> quantised{
    {q8_0, "Q8_0", "q8_0", -128, 127,
     [](const Block& b) {
       std::string bytes = le(b.d);
       for (const int q : b.q) bytes += static_cast<char>(q);
       return bytes;
     },
     [](const Block& b, int q) { return b.d_value * q; }},
    {q4_0, "Q4_0", "q4_0", 0, 15, [](const Block& b) { return le(b.d) + nibbles(b); },
     [](const Block& b, int q) { return b.d_value * (q - 8); }},
    {q4_1, "Q4_1", "q4_1", 0, 15, [](const Block& b) { return le(b.d) + le(b.m) + nibbles(b); },
     [](const Block& b, int q) { return b.d_value * q + b.m_value; }},
    {q5_0, "Q5_0", "q5_0", 0, 31, [](const Block& b) { return le(b.d) + fifth_bits(b) + nibbles(b); },
     [](const Block& b, int q) { return b.d_value * (q - 16); }},
    {q5_1, "Q5_1", "q5_1", 0, 31,
     [](const Block& b) { return le(b.d) + le(b.m) + fifth_bits(b) + nibbles(b); },
     [](const Block& b, int q) { return b.d_value * q + b.m_value; }}};

// 6 rows of 96 numbers in three blocks each, behind a tensor of other length.
constexpr std::size_t quantised_rows = 6, quantised_cols = 96;
std::string quantised_file(const Quantised& of, std::vector<double>& values) {
  std::string bytes;
  values.clear();
  for (const Block& block : blocks_of(18, of.least, of.most)) {
    bytes += of.bytes(block);
    for (const int q : block.q) values.push_back(of.value(block, q));
  }
  return GgufWriter()
      .value(gguf_value("general.architecture", 8, gguf_text("llama")))
      .add("before", {3}, f32, items_bytes(std::vector<float>{1, 2, 3}, false))
      .add("w", {quantised_cols, quantised_rows}, of.type, bytes)
      .file();
}

TableRows opened(const std::string& bytes, const std::optional<std::string>& tensor,
                 const Selection& selection = {}) {
  static std::vector<std::shared_ptr<std::string>> kept;
  kept.push_back(std::make_shared<std::string>(bytes));
  return open_table(std::make_shared<const ByteSource>("m.gguf", InMemory{*kept.back()}), tensor, selection);
}

template <class T>
bool same_numbers(const Matrix<T>& found, const std::vector<double>& expected) {
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; same && i < expected.size(); ++i)
    same = found.data()[i] == static_cast<T>(expected[i]);
  return same;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_gguf)

BOOST_AUTO_TEST_CASE(blocks_stand_for_what_the_format_says) {
  for (const Quantised& of : quantised) {
    std::vector<double> expected;
    const TableRows table = opened(quantised_file(of, expected), "w");
    BOOST_TEST(to_text(table.format()) == "GGUF");
    BOOST_TEST(table.item() == of.item);
    BOOST_TEST_REQUIRE(table.rows() == quantised_rows);
    BOOST_TEST_REQUIRE(table.cols() == quantised_cols);
    BOOST_TEST(same_numbers(table.all<double>(), expected), of.dtype);
    BOOST_TEST(same_numbers(table.all<float>(), expected), of.dtype);
  }
}

// Rows of the transposed table begin and end within blocks.
BOOST_AUTO_TEST_CASE(any_rows_of_blocks_either_way_round) {
  for (const Quantised& of : quantised) {
    std::vector<double> values;
    const std::string file = quantised_file(of, values);
    const TableRows table = opened(file, "w"), turned = opened(file, "w", {.transpose = true});
    BOOST_TEST_REQUIRE(turned.rows() == quantised_cols);
    const auto value = [&](std::size_t i, std::size_t j) { return values[i * quantised_cols + j]; };
    for (const std::size_t count : {1, 5, 31, 32, 33, 70})
      for (std::size_t first = 0; first + count <= quantised_cols; ++first) {
        std::vector<double> out(count * quantised_rows);
        turned.read(first, count, std::span<double>(out));
        bool same = true;
        for (std::size_t j = 0; j < count; ++j)
          for (std::size_t i = 0; i < quantised_rows; ++i)
            same = same && out[j * quantised_rows + i] == value(i, first + j);
        BOOST_TEST_REQUIRE(same, of.dtype << ", " << count << " columns from " << first);
      }
    std::vector<float> two(2 * quantised_cols);
    table.read(3, 2, std::span<float>(two));
    for (std::size_t i = 0; i < two.size(); ++i)
      BOOST_TEST_REQUIRE(two[i] == static_cast<float>(values[3 * quantised_cols + i]));
  }
}

// A line beyond the 256 KiB that are read at a time, whose blocks do not divide them.
BOOST_AUTO_TEST_CASE(a_row_longer_than_the_buffer) {
  const Quantised& of = quantised[2];
  const std::size_t cols = 32 * 20'000;
  std::string bytes;
  std::vector<double> expected;
  for (const Block& block : blocks_of(20'000, of.least, of.most)) {
    bytes += of.bytes(block);
    for (const int q : block.q) expected.push_back(of.value(block, q));
  }
  const std::string file = GgufWriter().add("w", {cols}, of.type, bytes).file();
  BOOST_TEST(same_numbers(opened(file, "w").all<double>(), expected));
  const Matrix<double> part =
      opened(file, "w", {.rows = RowRange{17, cols - 3}, .transpose = true}).all<double>();
  BOOST_TEST(same_numbers(part, std::vector<double>(expected.begin() + 17, expected.end() - 3)));
}

BOOST_AUTO_TEST_CASE(plain_numbers_of_four_types) {
  const std::vector<float> six{1, -2, 0.5, 3, 1e-3F, -7};
  const auto check = [&](GgufType type, const std::string& bytes, const std::vector<double>& expected,
                         const char* item) {
    const TableRows table = opened(GgufWriter().add("w", {3, 2}, type, bytes).file(2), std::nullopt);
    BOOST_TEST(table.item() == item);
    BOOST_TEST(table.tensor() == "w");
    BOOST_TEST_REQUIRE(table.rows() == 2U);
    BOOST_TEST(same_numbers(table.all<double>(), expected), item);
  };
  const std::vector<double> floats(six.begin(), six.end());
  check(f32, items_bytes(six, false), floats, "f4");
  check(f64, items_bytes(floats, false), floats, "f8");
  check(f16, items_bytes(std::vector<std::uint16_t>{0x3C00, 0xC000, 0x3800, 0x4200, 0x0001, 0xC700}, false),
        {1, -2, 0.5, 3, std::ldexp(1, -24), -7}, "f2");
  check(bf16, items_bytes(std::vector<std::uint16_t>{0x3F80, 0xC000, 0x3F00, 0x4040, 0x3F81, 0xC0E0}, false),
        {1, -2, 0.5, 3, 1.0078125, -7}, "bf2");
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
  const ByteSource source("m", InMemory{bytes});
  const GgufHeader header = read_gguf_header(source);
  BOOST_TEST(header.count("u8").value() == 200U);
  BOOST_TEST(std::get<std::int64_t>(header.metadata.at("i8")) == -100);
  BOOST_TEST(header.count("u16").value() == 60'000U);
  BOOST_TEST(std::get<std::int64_t>(header.metadata.at("i16")) == -30'000);
  BOOST_TEST(header.count("u32").value() == 4'000'000'000U);
  BOOST_TEST(!header.count("i32"));
  BOOST_TEST(std::get<double>(header.metadata.at("f32")) == 1.5);
  BOOST_TEST(std::get<bool>(header.metadata.at("yes")));
  BOOST_TEST(header.text("text").value() == "llama");
  BOOST_TEST(!header.count("text"));
  BOOST_TEST(!header.text("u8"));
  BOOST_TEST(!header.text("none"));
  BOOST_TEST(std::get<GgufArray>(header.metadata.at("list")).length == 2U);
  BOOST_TEST(std::get<GgufArray>(header.metadata.at("list")).item == "UINT32");
  BOOST_TEST(std::get<GgufArray>(header.metadata.at("texts")).item == "STRING");
  BOOST_TEST(header.count("u64").value() == std::uint64_t{1} << 63);
  BOOST_TEST(header.count("i64").value() == 5U);
  BOOST_TEST(std::get<double>(header.metadata.at("f64")) == -0.1);
  BOOST_TEST(header.data_begin % 64 == 0U);
  BOOST_TEST_REQUIRE(header.tensors.size() == 2U);
  BOOST_TEST(header.tensors[1].begin == 64U);
  BOOST_TEST(opened(bytes, "b").all<double>()(0, 0) == 3);
}

BOOST_AUTO_TEST_CASE(a_table_is_named_as_in_a_safetensors_file) {
  const Scratch scratch;
  std::vector<double> values;
  const auto path = scratch.file("m.gguf", quantised_file(quantised[0], values));
  const Matrix<double> read = read_table<double>(parse_table_reference(path.string() + ":w"), RowRange{1, 3});
  BOOST_TEST(same_numbers(read, std::vector<double>(values.begin() + 96, values.begin() + 3 * 96)));
  BOOST_TEST(message_of([&] {
               open_table({path, std::nullopt});
             }) == in_quotes(path) + " holds 2 tensors; expected FILE:TENSOR with one of 'before', 'w'");
  BOOST_TEST(message_of([&] {
               open_table({path, "v"});
             }) == in_quotes(path) + " has no tensor 'v'; it has 'before', 'w'");
}

BOOST_AUTO_TEST_CASE(tables_of_any_format_are_listed) {
  const Scratch scratch;
  std::vector<double> values;
  const auto lines = [&](const std::filesystem::path& path) {
    std::string text;
    for (const ListedTable& table : list_tables(path)) {
      text += table.tensor + " " + table.type;
      for (const std::uint64_t length : table.shape) text.append(" ").append(std::to_string(length));
      text += "\n";
    }
    return text;
  };
  BOOST_TEST(lines(scratch.file("m.gguf", quantised_file(quantised[3], values))) ==
             "before F32 3\nw Q5_0 6 96\n");
  BOOST_TEST(lines(scratch.file("a.npy", npy_file(npy_dictionary("<f2", false, "(3, 4)"),
                                                  std::string(24, '\0')))) == " f2 3 4\n");
  BOOST_TEST(lines(scratch.file("words", "2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n")) == " f4 2 3\n");
  const std::string header =
      R"({"w":{"dtype":"F32","shape":[1,1,2],"data_offsets":[0,8]},"i":{"dtype":"I8","shape":[],"data_offsets":[8,9]}})";
  scratch.file("one", le(std::uint64_t{header.size()}) + header + "123456789");
  BOOST_TEST(lines(scratch / "one") == "w F32 1 1 2\ni I8\n");
  BOOST_TEST(lines(scratch.file("index", R"({"weight_map": {"w": "one", "i": "one"}})")) ==
             "w F32 1 1 2\ni I8\n");
}

BOOST_AUTO_TEST_SUITE_END()
