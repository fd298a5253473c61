#include "perp/io/text.hpp"

#include <boost/test/unit_test.hpp>

#include "gzip.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    BOOST_TEST_REQUIRE(reader.number() == lines.size());
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(io_text)

BOOST_AUTO_TEST_CASE(plain_and_compressed_text_read_alike) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "line " + std::to_string(i) + "\n";
  BOOST_TEST((read_gzip_or_plain(scratch.file("plain", text)) == text));
  BOOST_TEST((read_gzip_or_plain(scratch.file("gzip", gzip(text))) == text));
  BOOST_TEST(
      (read_gzip_or_plain(scratch.file("dict", gzip(text, std::string("RA\4\0\1\0\1\0", 8)))) == text));
  BOOST_TEST((read_gzip_or_plain(scratch.file("two", gzip(text) + gzip("end"))) == text + "end"));
  BOOST_TEST((lines_of(scratch / "plain") == lines_of(scratch / "gzip")));
  BOOST_TEST(read_gzip_or_plain(scratch.file("empty", "")).empty());
  BOOST_TEST(read_gzip_or_plain(scratch.file("empty", gzip(""))).empty());
}

BOOST_AUTO_TEST_CASE(damaged_compressed_text_is_refused) {
  const Scratch scratch;
  const std::string text = "some words that compress, some words that compress, some words that compress";
  const std::string whole = gzip(text, std::string("RA\4\0\1\0\1\0", 8));
  for (std::size_t size = 2; size < whole.size(); ++size) {  // two bytes make it gzip
    const auto path = scratch.file("cut", whole.substr(0, size));
    const std::string said = message_of([&] { read_gzip_or_plain(path); });
    BOOST_TEST_REQUIRE(contains(said, path.string() + "' ends in the middle of its gzip data: copy it again"),
                       size);
    BOOST_TEST(message_of([&] { lines_of(path); }) == said, size);
  }
  std::string wrong = whole;
  wrong[whole.size() - 6] ^= 1;
  const std::string said = message_of([&] { read_gzip_or_plain(scratch.file("crc", wrong)); });
  BOOST_TEST(contains(said, "has damaged gzip data ("));
  BOOST_TEST(contains(said, "incorrect data check"));
}

BOOST_AUTO_TEST_CASE(too_much_text_is_refused) {
  const Scratch scratch;
  const auto path = scratch.file("bomb", gzip(std::string(30'000'000, 'x')));
  BOOST_TEST(
      contains(message_of([&] { read_gzip_or_plain(path, 29'999'999); }), "holds more than 29999999 bytes"));
  BOOST_TEST(read_gzip_or_plain(path, 30'000'000).size() == 30'000'000U);
  BOOST_TEST(contains(message_of([&] { lines_of(path); }), ":1: a line of over 16777216 bytes"));
  BOOST_TEST(contains(message_of([&] { read_gzip_or_plain(scratch / "missing"); }), "No such file"));
  BOOST_TEST(contains(message_of([&] { read_gzip_or_plain(scratch.path()); }), "this is a folder"));
}

BOOST_AUTO_TEST_CASE(what_grows_as_no_text_does_is_refused_early) {
  const Scratch scratch;
  const std::string zeros(std::size_t{80} << 20, '\0');
  const auto path = scratch.file("bomb", gzip(zeros));
  BOOST_TEST(contains(message_of([&] { read_gzip_or_plain(path); }), "grows to 200 times its size and more"));
  // As it is, the same is a text; so is a short one of repetitions.
  BOOST_TEST(read_gzip_or_plain(scratch.file("plain", zeros)).size() == zeros.size());
  BOOST_TEST(read_gzip_or_plain(scratch.file("short", gzip(std::string(1'000'000, 'x')))).size() ==
             1'000'000U);
  BOOST_TEST(contains(message_of([] { read_gzip_or_plain("/dev/zero", 1'000'000); }),
                      "'/dev/zero' is a device or a pipe; expected a plain file"));
}

BOOST_AUTO_TEST_CASE(lines_end_in_any_of_the_usual_ways_and_cross_the_buffer_anywhere) {
  const Scratch scratch;
  const std::string mark = "\xEF\xBB\xBF";
  for (const auto& [text, lines] :
       std::vector<std::pair<std::string, Lines>>{{"", {}},
                                                  {"a", {"a"}},
                                                  {"a\n", {"a"}},
                                                  {"a\r\n\r\nb\rc\r\n", {"a", "", "b\rc"}},
                                                  {"\n\n", {"", ""}},
                                                  {mark + "a\n" + mark + "b", {"a", mark + "b"}}})
    BOOST_TEST((lines_of(scratch.file("f", text)) == lines), text);
  Picks picks(3);
  Lines expected;
  std::string text;
  for (int i = 0; i < 60; ++i) {
    expected.emplace_back(picks.below(i % 20 == 19 ? 3'000'000 : 200'000), static_cast<char>('a' + i % 26));
    text += expected.back() + '\n';
  }
  BOOST_TEST((lines_of(scratch.file("f", text)) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
