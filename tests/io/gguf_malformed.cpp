#include <boost/test/unit_test.hpp>

#include "gguf_bytes.hpp"
#include "hostile.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "tests/fuzz/check.hpp"

using namespace perp;
using namespace perp::test;

namespace {

// What a file of these bytes is refused with, without the file; "" when it is read.
std::string refusal(const std::string& bytes) {
  const ByteSource source("a/m.gguf", InMemory{bytes});
  const auto said = refused([&] { read_gguf_header(source); });
  if (!said) return "";
  const std::string file = in_quotes("a/m.gguf");
  BOOST_TEST_REQUIRE(said->starts_with(file), *said);
  return said->substr(file.size());
}

const std::string block(18, '\1');
const std::string six = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

std::string two_tensors() {
  return GgufWriter()
      .value(gguf_value("general.architecture", 8, gguf_text("llama")))
      .value(gguf_value("list", 9,
                        le(std::uint32_t{8}) + le(std::uint64_t{2}) + gguf_text("ab") + gguf_text("")))
      .add("w", {3, 2}, f32, six)
      .add("b", {32}, q4_0, block)
      .file();
}

// One tensor's entry and 64 bytes of data, with a value before it.
std::string with_tensor(const std::string& entry, const std::string& value = gguf_count("x", 1)) {
  std::string bytes = gguf_start(1, 1) + value + entry;
  bytes.resize((bytes.size() + 31) / 32 * 32);
  return bytes + repeated(64);
}
std::string with_value(const std::string& value) { return gguf_start(0, 1) + value; }

}  // namespace

BOOST_AUTO_TEST_SUITE(io_gguf_malformed)

BOOST_AUTO_TEST_CASE(every_truncation_and_every_tail_is_refused) {
  const std::string whole = two_tensors();
  BOOST_TEST(refusal(whole).empty());
  for_every_truncation(whole, [&](std::string_view cut) {
    BOOST_TEST_REQUIRE(!refusal(std::string(cut)).empty(), "cut to " << cut.size());
  });
  BOOST_TEST(refusal("GGUF") == " is no GGUF file: it does not begin with GGUF and a version");
  // The last tensor, too, is padded up to the alignment: 32 + 18 bytes, and 14 more.
  BOOST_TEST(refusal(whole + repeated(14)).empty());
  BOOST_TEST(refusal(whole + repeated(15)) == ": 65 bytes of data; its tensors fill 50");
  BOOST_TEST(refusal(whole.substr(0, whole.size() - 1)) ==
             ": tensor 'b' lies in bytes 32 to 50 of 49 bytes of data");
}

BOOST_AUTO_TEST_CASE(versions) {
  const auto of_version = [](std::uint32_t version) {
    return refusal(GgufWriter().add("w", {3, 2}, f32, six).file(version));
  };
  BOOST_TEST(of_version(2).empty());
  BOOST_TEST(of_version(3).empty());
  BOOST_TEST(of_version(1) == ": version 1 of GGUF, 2 or 3 was expected");
  BOOST_TEST(of_version(4) == ": version 4 of GGUF, 2 or 3 was expected");
  BOOST_TEST(of_version(3U << 24) == " is a big-endian GGUF file; a little-endian one was expected");
}

BOOST_AUTO_TEST_CASE(counts_and_lengths_beyond_the_file) {
  const std::uint64_t huge = ~std::uint64_t{0};
  BOOST_TEST(refusal(gguf_start(huge, 0)) ==
             ": byte 8: 18446744073709551615 tensors; 8 bytes are left for them, which hold 0 at most");
  BOOST_TEST(refusal(gguf_start(0, huge)) ==
             ": byte 16: 18446744073709551615 values; 0 bytes are left for them, which hold 0 at most");
  BOOST_TEST(contains(refusal(with_value(le(huge) + repeated(30, 'x'))),
                      ": byte 24: a value's name of 18446744073709551615 bytes; at most 65535"));
  BOOST_TEST(contains(refusal(with_value(le(std::uint64_t{60'000}) + repeated(30, 'x'))),
                      ": byte 32: a value's name takes 60000 bytes; 30 are left in the file"));
  BOOST_TEST(contains(refusal(with_value(gguf_text("x") + le(std::uint32_t{8}) + le(huge))), "a text of"));
  const auto list = [&](std::uint32_t type, std::uint64_t length, const std::string& items) {
    return refusal(with_value(gguf_value("x", 9, le(type) + le(length) + items)));
  };
  BOOST_TEST(contains(list(0, huge, "abc"), "18446744073709551615 items of a list; 3 bytes are left"));
  BOOST_TEST(contains(list(12, 3, repeated(16, 'x')),
                      "3 items of a list; 16 bytes are left for them, which hold 2 at most"));
  BOOST_TEST(contains(list(12, (huge >> 3) + 2, repeated(16, 'x')), "which hold 2 at most"));
  BOOST_TEST(
      contains(list(8, 2, gguf_text("a") + le(std::uint64_t{1})), "a text in a list takes 1 bytes; 0"));
  BOOST_TEST(contains(list(8, 1, le(huge)), "a text in a list takes 18446744073709551615 bytes"));
  BOOST_TEST(contains(list(9, 0, ""), "a list of lists"));
  BOOST_TEST(contains(list(13, 0, ""), "a value of type 13; 0 to 12 were expected"));
}

BOOST_AUTO_TEST_CASE(values_that_are_none) {
  BOOST_TEST(contains(refusal(with_value(gguf_value("x", 13, "abcd"))), "a value of type 13; 0 to 12"));
  BOOST_TEST(contains(refusal(with_value(gguf_value("x", 7, "\2"))), "a truth value of 2; 0 or 1"));
  BOOST_TEST(refusal(gguf_start(0, 2) + gguf_count("x", 1) + gguf_count("x", 2)) ==
             ": the value 'x' comes twice in its header");
  const auto aligned = [](const std::string& value) {
    return refusal(with_tensor(gguf_tensor("w", {4}, f32, 0), value));
  };
  const char* expected = "a power of 2 up to 1048576 was expected";
  for (const std::uint32_t alignment : {0U, 24U, 1U << 21, ~0U})
    BOOST_TEST(contains(aligned(gguf_count("general.alignment", alignment)), expected));
  BOOST_TEST(
      contains(aligned(gguf_value("general.alignment", 8, gguf_text("32"))), "is no whole number from 0"));
  BOOST_TEST(contains(aligned(gguf_value("general.alignment", 5, le(std::int32_t{-32}))), expected));
}

BOOST_AUTO_TEST_CASE(tensors_that_are_none) {
  BOOST_TEST(refusal(with_tensor(gguf_tensor("w", {16}, f32, 0))).empty());
  const auto said = [](const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                       std::uint64_t begin) {
    return refusal(with_tensor(gguf_tensor("w", dimensions, type, begin)));
  };
  BOOST_TEST(said({1, 1, 1, 1, 1}, f32, 0) == ": tensor 'w' has 5 dimensions, at most 4 were expected");
  BOOST_TEST(contains(said({4}, 99, 0), ": tensor 'w' is of the unknown type 99; F64, F32"));
  BOOST_TEST(said({48}, q4_0, 0) == ": tensor 'w' has rows of 48 numbers; Q4_0 has blocks of 32");
  BOOST_TEST(said({17}, f32, 0) == ": tensor 'w' lies in bytes 0 to 68 of 64 bytes of data");
  BOOST_TEST(said({4}, f32, 4) == ": tensor 'w' begins at byte 4 of the data; a multiple of 32 was expected");
  BOOST_TEST(said({4}, f32, 32) ==
             ": tensor 'w' begins at byte 32 of the data, which leaves a hole; byte 0 was expected");
  BOOST_TEST(contains(said({1ULL << 32, 1ULL << 32}, f32, 0), "promises more bytes than a file can have"));
  BOOST_TEST(contains(said({1ULL << 63, 2}, q8_0, 0), "promises more bytes"));
  BOOST_TEST(contains(said({4}, f32, ~0ULL - 7), "behind every file's end"));
  BOOST_TEST(
      contains(said({4}, f32, ~0ULL - 31), "lies in bytes 18446744073709551584 to 18446744073709551600"));
  const auto two = [](const std::string& first, const std::string& second) {
    std::string bytes = gguf_start(2, 0) + first + second;
    bytes.resize((bytes.size() + 31) / 32 * 32);
    return refusal(bytes + repeated(64));
  };
  BOOST_TEST(
      contains(two(gguf_tensor("a", {12}, f32, 0), gguf_tensor("b", {4}, f32, 32)), "leaves an overlap"));
  BOOST_TEST(two(gguf_tensor("a", {8}, f32, 0), gguf_tensor("a", {8}, f32, 32)) ==
             ": the tensor 'a' comes twice in its header");
  // The order of the entries is not that of the bytes.
  BOOST_TEST(two(gguf_tensor("b", {8}, f32, 32), gguf_tensor("a", {8}, f32, 0)).empty());
}

BOOST_AUTO_TEST_CASE(tensors_that_are_no_tables) {
  const auto opened = [](const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                         std::size_t bytes) {
    const std::string file = GgufWriter().add("w", dimensions, type, std::string(bytes, '\0')).file();
    return refused([&] { open_table(std::make_shared<const ByteSource>("m", InMemory{file}), "w"); })
        .value_or("");
  };
  BOOST_TEST(opened({2, 3}, f32, 24).empty());
  BOOST_TEST(opened({256}, q6_k, 210) ==
             "'m': tensor 'w' holds items of type Q6_K; F64, F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1 or Q8_0 "
             "was expected");
  BOOST_TEST(opened({2, 3, 1}, f32, 24) == "'m': tensor 'w' has 3 dimensions, 1 or 2 were expected");
  BOOST_TEST(opened({}, f32, 4) == "'m': tensor 'w' has 0 dimensions, 1 or 2 were expected");
  BOOST_TEST(opened({0, 3}, f32, 0) == "'m': tensor 'w' holds no numbers, its shape is [3, 0]");
}

BOOST_AUTO_TEST_CASE(ten_thousand_mutations_do_no_harm) {
  Picks picks(11);
  const std::string whole = two_tensors();
  const std::string telling("\0\1\2\3\6\7\x08\x09\x20\x40\x80\xff", 12);
  std::size_t taken = 0;
  for (int repeat = 0; repeat < 10'000; ++repeat) taken += try_gguf(mutated(whole, picks, telling)) ? 0 : 1;
  BOOST_TEST(taken > 100U);  // numbers, names and padding become others
  BOOST_TEST(taken < 9'900U);
}

BOOST_AUTO_TEST_SUITE_END()
