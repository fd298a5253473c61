#include "perp/io/safetensors.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"
#include "safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"

using namespace perp;
using namespace perp::test;

namespace {

std::string bytes16(std::uint16_t bits) { return items_bytes(std::vector<std::uint16_t>{bits}, false); }

// One number of that type and these bits.
double only_value(const Scratch& scratch, const std::string& dtype, std::uint16_t bits) {
  const auto path =
      scratch.file("v.safetensors", TensorWriter().add("v", dtype, "[1]", bytes16(bits)).file());
  const double value = read_tensor<double>(path, "v")(0, 0);
  const float narrow = read_tensor<float>(path, "v")(0, 0);
  BOOST_TEST((std::isnan(value) ? std::isnan(narrow) : static_cast<double>(narrow) == value));
  return value;
}

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return rows(a) == rows(b) && cols(a) == cols(b) &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_safetensors)

BOOST_AUTO_TEST_CASE(tensors_come_back_bit_for_bit) {
  const Scratch scratch;
  const std::vector<float> singles{1, -0.F, 0.1F, 1e-45F, std::numeric_limits<float>::max(), -INFINITY};
  const std::vector<double> doubles{0.1, -5e-324, 1e308};
  const auto path = scratch.file("a.safetensors", TensorWriter()
                                                      .add("w", "F32", "[2, 3]", items_bytes(singles, false))
                                                      .add("b", "F64", "[3]", items_bytes(doubles, false))
                                                      .add("mask", "BOOL", "[1, 1, 2]", "\1\1")
                                                      .add("none", "F32", "[0, 4]", "")
                                                      .file());
  const Matrix<float> w = read_tensor<float>(path, "w");
  BOOST_TEST_REQUIRE(rows(w) == 2U);
  BOOST_TEST_REQUIRE(cols(w) == 3U);
  BOOST_TEST((std::memcmp(w.data(), singles.data(), sizeof(float) * singles.size()) == 0));
  const Matrix<double> b = read_tensor<double>(path, "b");
  BOOST_TEST_REQUIRE(rows(b) == 1U);
  BOOST_TEST_REQUIRE(cols(b) == 3U);
  BOOST_TEST((std::memcmp(b.data(), doubles.data(), sizeof(double) * doubles.size()) == 0));
  BOOST_TEST(read_tensor<double>(path, "w")(0, 2) == static_cast<double>(0.1F));
  BOOST_TEST(read_tensor<float>(path, "b")(0, 0) == 0.1F);

  const std::vector<TensorInfo> tensors = list_tensors(path);
  BOOST_TEST_REQUIRE(tensors.size() == 4U);
  BOOST_TEST(tensors[0].name == "w");
  BOOST_TEST(tensors[0].dtype == "F32");
  BOOST_TEST((tensors[0].shape == std::vector<std::uint64_t>{2, 3}));
  BOOST_TEST(tensors[1].begin == 24U);
  BOOST_TEST(tensors[1].end == 48U);
  BOOST_TEST(names_text(tensors) == "'w', 'b', 'mask', 'none'");
}

BOOST_AUTO_TEST_CASE(rows_are_read_alone_across_the_pieces_of_reading) {
  const Scratch scratch;
  std::vector<float> items(700 * 300);  // over three pieces of 65,536 items
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<float>(i);
  const auto path =
      scratch.file("a.safetensors", TensorWriter()
                                        .add("before", "I8", "[3]", "abc")
                                        .add("w", "F32", "[700, 300]", items_bytes(items, false))
                                        .file());
  const Matrix<double> whole = read_tensor<double>(path, "w");
  for (std::size_t i = 0; i < items.size(); ++i)
    BOOST_TEST_REQUIRE(whole.data()[i] == static_cast<double>(i));
  for (const RowRange range : {RowRange{0, 1}, RowRange{1, 513}, RowRange{699, 700}, RowRange{0, 700}}) {
    const Matrix<float> part = read_tensor<float>(path, "w", range);
    BOOST_TEST_REQUIRE(rows(part) == range.count());
    BOOST_TEST_REQUIRE(cols(part) == 300U);
    for (std::size_t i = 0; i < part.size(); ++i)
      BOOST_TEST_REQUIRE(part.data()[i] == items[range.first * 300 + i]);
  }
  for (const RowRange range : {RowRange{0, 701}, RowRange{700, 701}, RowRange{5, 5}, RowRange{6, 5}})
    BOOST_TEST(message_of([&] { read_tensor<float>(path, "w", range); }) ==
               in_quotes(path) + ": tensor 'w': rows " + range.text() +
                   " of a table of 700; expected A:B within 0:700");
}

BOOST_AUTO_TEST_CASE(bfloat16_is_the_upper_half_of_a_float) {
  const Scratch scratch;
  for (const auto& [bits, value] : std::vector<std::pair<std::uint16_t, double>>{{0x3F80, 1},
                                                                                 {0xC020, -2.5},
                                                                                 {0x0000, 0},
                                                                                 {0x3DCD, 0.10009765625},
                                                                                 {0x7F7F, 0x1.FEp127},
                                                                                 {0x0001, 0x1p-133},
                                                                                 {0x7F80, INFINITY},
                                                                                 {0xFF80, -INFINITY}})
    BOOST_TEST(only_value(scratch, "BF16", bits) == value);
  BOOST_TEST(std::signbit(only_value(scratch, "BF16", 0x8000)));
  BOOST_TEST(std::isnan(only_value(scratch, "BF16", 0x7FC0)));
}

BOOST_AUTO_TEST_CASE(half_precision_with_its_subnormals) {
  const Scratch scratch;
  for (const auto& [bits, value] : std::vector<std::pair<std::uint16_t, double>>{{0x3C00, 1},
                                                                                 {0xC100, -2.5},
                                                                                 {0x0000, 0},
                                                                                 {0x2E66, 0.0999755859375},
                                                                                 {0x7BFF, 65504},
                                                                                 {0x0400, 0x1p-14},
                                                                                 {0x03FF, 1023 * 0x1p-24},
                                                                                 {0x0001, 0x1p-24},
                                                                                 {0x8001, -0x1p-24},
                                                                                 {0x7C00, INFINITY},
                                                                                 {0xFC00, -INFINITY}})
    BOOST_TEST(only_value(scratch, "F16", bits) == value);
  BOOST_TEST(std::signbit(only_value(scratch, "F16", 0x8000)));
  BOOST_TEST(std::isnan(only_value(scratch, "F16", 0x7E00)));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_table_says_why) {
  const Scratch scratch;
  TensorWriter writer;
  writer.add("ids", "I64", "[1]", std::string(8, '\0')).add("cube", "F16", "[1, 1, 1]", "ab");
  writer.add("one", "F16", "[]", "ab").add("none", "F16", "[4, 0]", "").add("row", "F16", "[2]", "abcd");
  for (int i = 0; i < 20; ++i) writer.add("layer" + std::to_string(i), "F16", "[1]", "ab");
  const auto path = scratch.file("a.safetensors", writer.file());
  const auto said = [&](const std::string& name, std::optional<RowRange> range = std::nullopt) {
    const auto error = error_of([&] { read_tensor<float>(path, name, range); });
    if (!error) return std::string();
    BOOST_TEST(static_cast<int>(error->exit()) == 2);
    const std::string text = error->what(), file = in_quotes(path);
    BOOST_TEST_REQUIRE(text.starts_with(file));
    return text.substr(file.size());
  };
  BOOST_TEST(said("row").empty());
  BOOST_TEST(said("row", RowRange{0, 1}).empty());
  BOOST_TEST(said("row", RowRange{0, 2}) ==
             ": tensor 'row': rows 0:2 of a table of 1; expected A:B within 0:1");
  BOOST_TEST(said("ids") == ": tensor 'ids' holds items of dtype I64; F64, F32, F16 or BF16 was expected");
  BOOST_TEST(said("cube") == ": tensor 'cube' has 3 dimensions, 1 or 2 were expected");
  BOOST_TEST(said("one") == ": tensor 'one' has 0 dimensions, 1 or 2 were expected");
  BOOST_TEST(said("none") == ": tensor 'none' holds no numbers, its shape is [4, 0]");
  const std::string absent = said("Row\n");
  BOOST_TEST(absent.starts_with(" has no tensor 'Row\\x0a'; it has 'ids', 'cube', "));
  BOOST_TEST(contains(absent, "'layer14' and 5 more"));
  BOOST_TEST(!contains(absent, "'layer15'"));
  BOOST_TEST(contains(message_of([&] { list_tensors(scratch / "absent"); }), "No such file"));
}

BOOST_AUTO_TEST_CASE(metadata_and_padding_are_stepped_over) {
  const Scratch scratch;
  const std::string entry = tensor_entry("\\u00e4", "F16", "[1]", "[0, 2]");
  const auto path = scratch.file(
      "a.safetensors",
      safetensors_file(
          "{\"__metadata__\": {\"format\": \"pt\", \"dtype\": \"x\", \"\": \"\"}, " + entry + "}     ",
          bytes16(0x3C00)));
  BOOST_TEST(is_safetensors(ByteSource(path).beginning(9)));
  BOOST_TEST(list_tensors(path).size() == 1U);
  BOOST_TEST(read_tensor<float>(path, "\xc3\xa4")(0, 0) == 1.F);
  BOOST_TEST(list_tensors(scratch.file("b.safetensors", safetensors_file("{}", ""))).empty());
}

BOOST_AUTO_TEST_CASE(real_tensors_are_read, *needs_tables()) {
  const auto table = real_table("gpt2-small-block0.safetensors");
  if (!table) return;
  const std::filesystem::path& path = *table;
  BOOST_TEST(names_text(list_tensors(path)) ==
             "'wpe', 'h0.ln.weight', 'h0.ln.bias', 'h0.query.weight', 'h0.query.bias', 'h0.key.weight', "
             "'h0.key.bias'");
  const Matrix<float> positions = read_tensor<float>(path, "wpe");
  BOOST_TEST(rows(positions) == 1024U);
  BOOST_TEST(cols(positions) == 768U);
  BOOST_TEST(cols(read_tensor<double>(path, "h0.key.bias")) == 768U);
  BOOST_TEST(rows(read_tensor<double>(path, "h0.query.weight", RowRange{1, 513})) == 512U);
  const std::filesystem::path alone = path.parent_path() / "gpt2-small-wpe.npy";
  if (std::filesystem::exists(alone)) BOOST_TEST(same_bits(positions, read_npy<float>(alone)));
}

BOOST_AUTO_TEST_SUITE_END()
