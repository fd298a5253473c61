#include <sys/resource.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "hostile.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"
#include "safetensors_bytes.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

// What a file of these bytes is refused with, without the file; "" when it is read.
std::string refusal(const Scratch& scratch, const std::string& bytes) {
  const auto path = scratch.file("a.safetensors", bytes);
  const auto error = error_of([&] { list_tensors(path); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  const std::string said = error->what(), file = in_quotes(path);
  BOOST_TEST_REQUIRE(said.starts_with(file), said);
  BOOST_TEST(!contains(said, "\n"), said);
  return said.substr(file.size());
}

std::string refused_header(const Scratch& scratch, const std::string& header) {
  return refusal(scratch, safetensors_file(header, six_items));
}

std::string refused_tensor(const Scratch& scratch, const std::string& dtype, const std::string& shape,
                           const std::string& offsets) {
  return refused_header(scratch, fmt::format("{{{}}}", tensor_entry("w", dtype, shape, offsets)));
}

std::string two_tensors() {
  return TensorWriter()
      .add("w", "F32", "[2, 2]", six_items.substr(0, 16))
      .add("b", "BF16", "[2, 2]", six_items.substr(16))
      .file();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_safetensors_malformed)

BOOST_AUTO_TEST_CASE(every_truncation_and_every_tail_is_refused) {
  const Scratch scratch;
  const std::string whole = two_tensors();
  BOOST_TEST(refusal(scratch, whole).empty());
  for_every_truncation(whole, [&](std::string_view cut) {
    BOOST_TEST_REQUIRE(!refusal(scratch, std::string(cut)).empty(), "cut to " << cut.size());
  });
  BOOST_TEST(refusal(scratch, "") == " is 0 bytes long, too short for a safetensors file");
  BOOST_TEST(refusal(scratch, whole + '\0') == ": 25 bytes of data; its tensors fill 24");
  BOOST_TEST(refusal(scratch, whole.substr(0, whole.size() - 1)) ==
             ": tensor 'b' lies in bytes 16 to 24 of 23 bytes of data");
}

BOOST_AUTO_TEST_CASE(hostile_lengths_are_refused_before_anything_is_allocated) {
  const Scratch scratch;
  const auto with_length = [&](std::uint64_t length, std::size_t bytes) {
    return refusal(scratch, items_bytes(std::vector<std::uint64_t>{length}, false) + std::string(bytes, '{'));
  };
  BOOST_TEST(with_length(1ULL << 63, 10) ==
             ": a header of 9223372036854775808 bytes in a file of 18; at most 10 were expected");
  BOOST_TEST(contains(with_length(~0ULL, 10), "18446744073709551615 bytes in a file of 18"));
  BOOST_TEST(contains(with_length(~0ULL - 7, 10), "at most 10"));
  BOOST_TEST(contains(with_length(11, 10), "a header of 11 bytes in a file of 18; at most 10"));
  BOOST_TEST(with_length(10, 10) == ": its header is no JSON from byte 2 on");
  BOOST_TEST(with_length(0, 10) == ": its header begins with '', { was expected");

  // 100 MB and a byte, of which the disk holds nothing.
  const auto path = scratch.file("big", items_bytes(std::vector<std::uint64_t>{100'000'001}, false));
  BOOST_TEST_REQUIRE(::truncate(path.c_str(), 200'000'000) == 0);
  BOOST_TEST(contains(message_of([&] { list_tensors(path); }),
                      "a header of 100000001 bytes in a file of 200000000; at most 100000000 were expected"));
}

BOOST_AUTO_TEST_CASE(hostile_headers_are_refused) {
  const Scratch scratch;
  const auto said = [&](const std::string& header) { return refused_header(scratch, header); };
  const std::string w = tensor_entry("w", "F32", "[6]", "[0, 24]");
  BOOST_TEST(said("{" + w + "}").empty());
  const std::string deep(200'000, '['), deep_objects = [] {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "{\"a\":";
    return text;
  }();
  BOOST_TEST(contains(said("{\"w\":" + deep), "has an array at 'w'; expected {\"name\": {\"dtype\""));
  BOOST_TEST(contains(said("{\"w\":{\"shape\":" + deep), "has an array at 'w', 'shape'"));
  BOOST_TEST(contains(said("{\"__metadata__\":{\"x\":" + deep), "has an array at '__metadata__', 'x'"));
  BOOST_TEST(contains(said(deep), "begins with '[', { was expected"));
  BOOST_TEST(contains(said(deep_objects), "tensor 'a' has the key 'a'; expected dtype, shape and"));
  BOOST_TEST(contains(said("{\"__metadata__\":" + deep_objects), "has an object at '__metadata__', 'a'"));

  BOOST_TEST(said("{" + w + "," + w + "}") == ": the key 'w' comes twice in its header");
  BOOST_TEST(
      contains(said("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}," + w + "}"), "the key 'a' comes twice"));
  BOOST_TEST(
      contains(said("{\"__metadata__\":{},\"__metadata__\":{}," + w + "}"), "'__metadata__' comes twice"));
  BOOST_TEST(
      contains(said("{\"w\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]}}"),
               "the key 'dtype' comes twice"));
  BOOST_TEST(said("{\"w\":{\"dtype\":\"F32\",\"data_offsets\":[0,24]}}") ==
             ": tensor 'w' lacks one of dtype, shape and data_offsets");
  BOOST_TEST(
      contains(said("{\"w\":{\"dtype\":7,\"shape\":[6],\"data_offsets\":[0,24]}}"), "has a number at"));
  BOOST_TEST(contains(said("{\"w\":{\"dtype\":[7]}}"), "has an array at 'w', 'dtype'"));
  BOOST_TEST(contains(said("{\"w\":{\"shape\":\"6\"}}"), "has a text at 'w', 'shape'"));
  BOOST_TEST(contains(said("{\"w\":{\"shape\":6}}"), "has a number at 'w', 'shape'"));
  BOOST_TEST(contains(said("{\"w\":7}"), "has a number at 'w'"));
  BOOST_TEST(contains(said("{\"__metadata__\":\"x\"," + w + "}"), "has a text at '__metadata__'"));
  BOOST_TEST(contains(said("{\"__metadata__\":{\"x\":null}," + w + "}"), "has null at '__metadata__', 'x'"));
  BOOST_TEST(contains(said("{\"w\":true}"), "has true or false at 'w'"));
  const std::vector<std::string> no_json{"{" + w, "{" + w + "}x",       "{" + w + ",}",    "{\"w\xff\":",
                                         "{w:1}", "{" + w + "}" + '\0', "{/**/" + w + "}", "{\n\"a\":\n\t\t"};
  for (const std::string& text : no_json)
    BOOST_TEST(contains(said(text), "its header is no JSON from byte "), text);
  BOOST_TEST(contains(said(" {" + w + "}"), "begins with ' ', { was expected"));
  BOOST_TEST(said("{" + w + "}" + '\0' + "x") == ": its header is no JSON from byte 63 on");
  BOOST_TEST(said("{}") == ": 24 bytes of data; its tensors fill 0");
}

BOOST_AUTO_TEST_CASE(hostile_shapes_and_types_are_refused) {
  const Scratch scratch;
  const auto shape = [&](const std::string& text) { return refused_tensor(scratch, "F32", text, "[0, 24]"); };
  for (const char* text : {"[2305843009213693952, 8]", "[4294967296, 4294967296]",
                           "[18446744073709551615, 18446744073709551615]", "[576460752303423489, 1]"})
    BOOST_TEST(contains(shape(text), "promises more bytes than a file can have"), text);
  BOOST_TEST(shape("[7]") == ": tensor 'w' has 24 bytes; its shape [7] of F32 promises 28");
  BOOST_TEST(shape("[2, 0]") == ": tensor 'w' has 24 bytes; its shape [2, 0] of F32 promises 0");
  BOOST_TEST(shape("[]") == ": tensor 'w' has 24 bytes; its shape [] of F32 promises 4");
  BOOST_TEST(contains(shape("[-6]"), "has a negative number at 'w', 'shape'"));
  BOOST_TEST(contains(shape("[6.0]"), "has a fraction or too large a number at 'w', 'shape'"));
  BOOST_TEST(contains(shape("[18446744073709551616]"), "has a fraction or too large a number"));
  BOOST_TEST(contains(shape("[1e999]"), "is no JSON"));
  BOOST_TEST(contains(shape("[\"6\"]"), "has a text at 'w', 'shape'"));
  BOOST_TEST(contains(shape("[[6]]"), "has an array at 'w', 'shape'"));
  std::string long_shape = "[6";
  for (int i = 0; i < 64; ++i) long_shape += ",1";
  BOOST_TEST(contains(shape(long_shape + "]"), "tensor 'w' has over 64 numbers in shape"));

  for (const char* dtype : {"F33", "", "f32", "float32", "F32 ", "C128"})
    BOOST_TEST(contains(refused_tensor(scratch, dtype, "[6]", "[0, 24]"),
                        "tensor 'w' has the unknown dtype '" + std::string(dtype) + "'"),
               dtype);
  // Types smaller than a byte fill whole bytes together or not at all.
  BOOST_TEST(refused_tensor(scratch, "F4", "[48]", "[0, 24]").empty());
  BOOST_TEST(refused_tensor(scratch, "F6_E2M3", "[4, 8]", "[0, 24]").empty());
  BOOST_TEST(!refused_tensor(scratch, "F4", "[49]", "[0, 24]").empty());
}

BOOST_AUTO_TEST_CASE(overlaps_holes_and_tails_are_refused) {
  const Scratch scratch;
  const auto said = [&](const char* first, const char* second, const char* shape = "[3]") {
    return refused_header(scratch, fmt::format("{{{}, {}}}", tensor_entry("a", "F32", shape, first),
                                               tensor_entry("b", "F32", "[3]", second)));
  };
  BOOST_TEST(said("[0, 12]", "[12, 24]").empty());
  BOOST_TEST(said("[12, 24]", "[0, 12]").empty());
  BOOST_TEST(said("[0, 12]", "[8, 20]") ==
             ": tensor 'b' begins at byte 8, which leaves an overlap; byte 12 was expected");
  BOOST_TEST(contains(said("[0, 12]", "[0, 12]"), "tensor 'b' begins at byte 0, which leaves an overlap"));
  BOOST_TEST(contains(said("[0, 24]", "[4, 16]", "[6]"), "which leaves an overlap; byte 24 was expected"));
  BOOST_TEST(contains(said("[4, 16]", "[16, 28]"), "lies in bytes 16 to 28 of 24 bytes of data"));
  BOOST_TEST(said("[0, 8]", "[12, 24]", "[2]") ==
             ": tensor 'b' begins at byte 12, which leaves a hole; byte 8 was expected");
  BOOST_TEST(contains(said("[4, 12]", "[12, 24]", "[2]"), "begins at byte 4, which leaves a hole; byte 0"));
  BOOST_TEST(said("[0, 8]", "[8, 20]", "[2]") == ": 24 bytes of data; its tensors fill 20");
  BOOST_TEST(contains(said("[12, 0]", "[12, 24]"), "lies in bytes 12 to 0 of"));
  BOOST_TEST(
      contains(said("[0, 18446744073709551615]", "[12, 24]"), "lies in bytes 0 to 18446744073709551615"));
  BOOST_TEST(contains(said("[0]", "[12, 24]"), "tensor 'a' has 1 data_offsets, 2 were expected"));
  BOOST_TEST(contains(said("[0, 1, 2]", "[12, 24]"), "tensor 'a' has 3 data_offsets"));
}

// One to three bytes changed, cut out or put in. Whatever comes of it is refused in one line or is a file
// whose tensors fill it.
BOOST_AUTO_TEST_CASE(twenty_thousand_mutations_do_no_harm) {
  const Scratch scratch;
  Picks picks(9);
  const std::string_view telling = "0123456789[]{}\",:-.eFB \\\n\x80\xff";
  const std::string original = two_tensors();
  std::size_t taken = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    std::string bytes = mutated(original, picks, telling);
    // As long a header as there is now, in half of them: else most would fail for its length alone.
    if (repeat % 2 == 0 && bytes.size() > 32) bytes[0] = static_cast<char>(bytes.size() - 32);
    const auto path = scratch.file("m.safetensors", bytes);
    const auto error = error_of([&] {
      std::uint64_t filled = 0;
      for (const TensorInfo& tensor : list_tensors(path)) {
        BOOST_TEST_REQUIRE(tensor.begin == filled);
        filled = tensor.end;
        // A mutated dtype or shape may be none that makes a matrix; that too is an Error or nothing.
        const auto unfit = error_of([&] {
          const Matrix<double> values = read_tensor<double>(path, tensor.name);
          BOOST_TEST_REQUIRE(values.size() == rows(values) * cols(values));
          BOOST_TEST_REQUIRE(values.size() * 2 <= tensor.end - tensor.begin);
        });
        if (unfit) BOOST_TEST_REQUIRE(contains(unfit->what(), "tensor '"));
      }
      BOOST_TEST_REQUIRE(filled < bytes.size());
      ++taken;
    });
    if (error) BOOST_TEST_REQUIRE(!contains(error->what(), "\n"));
  }
  BOOST_TEST(taken > 500U);  // changes in the data, in names and among blanks are harmless
  BOOST_TEST(taken < 10'000U);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  BOOST_TEST_MESSAGE("files taken: " << taken << " of 20000; peak memory " << usage.ru_maxrss / 1024
                                     << " MiB");
}

BOOST_AUTO_TEST_SUITE_END()
