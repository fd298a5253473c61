// Texts: numbers in as few digits as it takes, CSV, lines of plain and compressed files, hashes.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/io/csv.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/text.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_numbers)

BOOST_AUTO_TEST_CASE(as_few_digits_as_it_takes) {
  for (const auto& [number, text] : std::vector<std::pair<double, const char*>>{
           {0.1, "0.1"}, {-0.0, "-0"}, {1e22, "1e+22"}, {-NAN, "nan"}, {-INFINITY, "-inf"}})
    BOOST_TEST(shortest(number) == text);
  BOOST_TEST(shortest(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
  BOOST_TEST(shortest(std::uint8_t{65}) == "65");
}

BOOST_AUTO_TEST_CASE(only_numbers_parse) {
  const std::string nines(400, '9'), zeros(400, '0');
  for (const std::string& text :
       {std::string(), std::string("1 "), std::string("+1"), std::string("1,5"), std::string("0x10"),
        std::string("1e"), std::string("-1e400"), nines, "1" + zeros + "e-10"})
    BOOST_TEST(!parse_double(text).has_value(), text);
  // What an exponent's sign says is not the number's size.
  for (const std::string& text : {std::string("1e39"), fmt::format("1{:045}.5E-1", 0)})
    BOOST_TEST(!parse_float(text).has_value(), text);
  for (const auto& [text, number] :
       std::vector<std::pair<std::string, double>>{{"-1e-99999999999999999999", -0.0},
                                                   {"0." + zeros + "1e+10", 0},
                                                   {"0." + zeros + "1e+401", 1},
                                                   {"-1.5E2", -150},
                                                   {".5", 0.5},
                                                   {"-inf", -INFINITY},
                                                   {"1e-320", 1e-320}})
    BOOST_TEST(parse_double(text).value() == number, text);
  BOOST_TEST(std::isnan(parse_double("nan").value()));
  BOOST_TEST(parse_float("1e-60").value() == 0.0F);
  BOOST_TEST(std::signbit(parse_float("-0." + zeros + "1").value()));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_csv)

BOOST_AUTO_TEST_CASE(cells_are_written_as_documented) {
  CsvWriter csv({"word", "value"});
  csv.text("plain").number(0.1).end_row();
  csv.text("a,b").number(NAN).end_row();
  csv.text("say \"x\"").number(-3).end_row();
  csv.text("two\nlines").empty().end_row();
  csv.text("").number(-INFINITY).end_row();
  BOOST_TEST(csv.str() == "word,value\nplain,0.1\n\"a,b\",\n\"say \"\"x\"\"\",-3\n\"two\nlines\",\n,-inf\n");
  CsvWriter lone({"t"});  // leaves no empty line
  lone.empty().end_row();
  BOOST_TEST(lone.str() == "t\n\"\"\n");
}

BOOST_AUTO_TEST_CASE(formulas_are_defused_and_numbers_are_not) {
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"}) {
    CsvWriter csv({"t"});
    csv.text(formula).end_row();
    BOOST_TEST(csv.str() == fmt::format("t\n'{}\n", formula));
  }
  CsvWriter csv({"t", "=x"});
  csv.text("'tis").number(-1.5).end_row();
  csv.text("x=1").number(-2).end_row();
  BOOST_TEST(csv.str() == "t,'=x\n'tis,-1.5\nx=1,-2\n");
}

BOOST_AUTO_TEST_CASE(every_text_comes_back) {
  Picks picks(5);
  const std::string_view alphabet = "ab'\"=+-@,;\r\n \t\0\xc3\xa4";
  for (int repeat = 0; repeat < 2'000; ++repeat) {
    const std::size_t columns = 1 + picks.below(3), rows = picks.below(4);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < columns; ++c) names.push_back(fmt::format("c{}", c));
    CsvWriter csv(names);
    std::vector<std::vector<std::string>> expected(rows, std::vector<std::string>(columns));
    for (auto& cells : expected) {
      for (std::string& cell : cells) {
        for (std::size_t n = picks.below(6); n > 0; --n) cell += alphabet[picks.below(alphabet.size())];
        csv.text(cell);
      }
      csv.end_row();
    }
    const Csv table = parse_csv(csv.str(), "t.csv");
    BOOST_TEST_REQUIRE((table.columns == names));
    BOOST_TEST_REQUIRE((table.rows == expected), csv.str());
  }
}

BOOST_AUTO_TEST_CASE(other_writers_line_ends_are_read) {
  for (const char* text : {"a,b\r\n1,2\r\n3,\r\n", "a,b\n1,2\n3,", "\"a\",\"b\"\r\n\"1\",2\n3,\"\"\n"}) {
    const Csv table = parse_csv(text, "t.csv");
    BOOST_TEST((table.columns == std::vector<std::string>{"a", "b"}));
    BOOST_TEST_REQUIRE(table.rows.size() == 2U);
    BOOST_TEST(table.number(0, table.column("b")) == 2);
    BOOST_TEST(std::isnan(table.number(1, 1)));
  }
  BOOST_TEST(parse_csv("a\n\n", "t.csv").rows.size() == 1U);
  BOOST_TEST(parse_csv("a", "t.csv").rows.empty());
}

BOOST_AUTO_TEST_CASE(unusable_tables_are_refused) {
  for (const auto& [text, message] : std::vector<std::pair<const char*, const char*>>{
           {"", " is empty, a header of column names was expected"},
           {"a,\n", ": column 2 has no name"},
           {"a,b,a\n", ": two columns are named 'a'"},
           {"a,b\n1,2\n3\n", ":3: 1 fields, 2 were expected"},
           {"a,b\n\"1\n\n\",2\n3,4,5\n", ":5: 3 fields, 2 were expected"},
           {"a\n\"1\n", ":2: a quote is opened here and never closed"},
           {"a\n\"1\"\"", ":2: a quote is opened here and never closed"},
           {"a\n\"1\"x\n", ":2: text behind a closing quote"},
           {"a\nx\"1\"\n", ":2: a quote inside a field that does not begin with one"},
           {"a\n1\r2\n", ":2: a carriage return inside a line"}})
    BOOST_TEST(message_of([&, csv = text] { parse_csv(csv, "t.csv"); }) == std::string("t.csv") + message);
  const Scratch scratch;
  const auto path = scratch.file("t.csv", "a,b\n1\n");
  BOOST_TEST(message_of([&] { read_csv(path); }) == path.string() + ":2: 1 fields, 2 were expected");
  BOOST_TEST(read_csv(scratch.file("t.csv", "a\n'=1\n'2\n")).rows.at(0).at(0) == "=1");

  const Csv table = parse_csv("a,b\n1,x y\n", "t.csv");
  BOOST_TEST(message_of([&] { table.column("c"); }) == "t.csv has no column 'c'; it has a, b");
  BOOST_TEST(message_of([&] { table.number(0, 1); }) ==
             "t.csv: row 1, column 'b': found 'x y', a number was expected");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_text)

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
  for (const std::string& rest : {std::string(512, '\0'), text, gzip(text).replace(0, 1, "x")})
    check_refusal([&] { read_gzip_or_plain(scratch.file("behind", gzip(text) + rest)); },
                  "has damaged gzip data (");
  BOOST_TEST(contains(said, "incorrect data check"));
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_refused) {
  const Scratch scratch;
  std::string late(3'000'000, 'x');
  late += '\0';
  for (const std::string& bytes : {std::string("\xFD"
                                               "7zXZ\0\0\4",
                                               8),
                                   std::string("w\0o\0", 4), late, gzip(late)})
    check_refusal([&] { read_gzip_or_plain(scratch.file("bytes", bytes)); },
                  "/bytes' is no text (it holds a byte 0); expected plain text");
  BOOST_TEST(read_gzip_or_plain(scratch.file("latin", "caf\xe9")) == "caf\xe9");
}

BOOST_AUTO_TEST_CASE(too_much_text_is_refused) {
  const Scratch scratch;
  const auto path = scratch.file("bomb", gzip(std::string(30'000'000, 'x')));
  BOOST_TEST(
      contains(message_of([&] { read_gzip_or_plain(path, 29'999'999); }), "holds more than 29999999 bytes"));
  BOOST_TEST(read_gzip_or_plain(path, 30'000'000).size() == 30'000'000U);
  BOOST_TEST(contains(message_of([&] { lines_of(path); }), ":1: a line of over 16777216 bytes"));
}

BOOST_AUTO_TEST_CASE(what_grows_as_no_text_does_is_refused_early) {
  const Scratch scratch;
  const std::string zeros(std::size_t{80} << 20, '0');
  const auto path = scratch.file("bomb", gzip(zeros));
  BOOST_TEST(contains(message_of([&] { read_gzip_or_plain(path); }), "grows to 200 times its size and more"));
  // As it is, the same is a text.
  BOOST_TEST(read_gzip_or_plain(scratch.file("plain", zeros)).size() == zeros.size());
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

BOOST_AUTO_TEST_SUITE(io_sha256)

// NIST, "Examples with Intermediate Values" and the SHA-2 additional test vectors.
BOOST_AUTO_TEST_CASE(known_answers) {
  const char* two_blocks =
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
      "lmnopqrsmnopqrstnopqrstu";
  for (const auto& [text, digest] : std::vector<std::pair<std::string, const char*>>{
           {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
           {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
           {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
           {two_blocks, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
           {std::string(55, '\0'), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
           {std::string(56, '\0'), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
           {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}})
    BOOST_TEST(sha256_hex(text) == digest);
}

BOOST_AUTO_TEST_CASE(pieces_and_files_give_the_same_digest) {
  Picks picks(2);
  std::string bytes;
  for (int i = 0; i < 2'500'000; ++i) bytes += static_cast<char>(i * 131 >> 7);
  Sha256 hash;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = picks.below(at < 100'000 ? 130 : 50'000);
    hash.append(std::string_view(bytes).substr(at, size));
    at += std::min<std::size_t>(size, bytes.size() - at);
  }
  const Scratch scratch;
  BOOST_TEST(hash.hex() == sha256_hex(bytes));
  BOOST_TEST(hash.hex() == hash.hex());
  BOOST_TEST(sha256_file(scratch.file("f", bytes)) == hash.hex());
  BOOST_TEST(sha256_file(scratch.file("f", "")) == sha256_hex(""));
}

BOOST_AUTO_TEST_SUITE_END()
