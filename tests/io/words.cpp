#include "perp/io/words.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

WordTable read(std::string_view text, std::size_t max_rows = std::numeric_limits<std::size_t>::max()) {
  const Scratch scratch;
  return read_words_text(scratch.file("w.txt", text), max_rows);
}

// The message without the folder: "w.txt:2: …".
std::string refusal(std::string_view text, std::size_t max_rows = std::numeric_limits<std::size_t>::max()) {
  const auto error = error_of([&] { read(text, max_rows); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  const std::string said = error->what();
  return said.substr(said.find("w.txt"));
}

using Words = std::vector<std::string>;

void check_small(const WordTable& table) {
  BOOST_TEST((table.words == Words{"in", "for"}));
  BOOST_TEST(rows(table.vectors) == 2U);
  BOOST_TEST_REQUIRE(cols(table.vectors) == 3U);
  BOOST_TEST(table.vectors(0, 0) == 0.5F);
  BOOST_TEST(table.vectors(1, 2) == -0.25F);
  BOOST_TEST(table.zero_rows == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_words)

BOOST_AUTO_TEST_CASE(with_and_without_a_header_and_in_every_spacing) {
  for (const char* text :
       {"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n", "in 0.5 1e-3 7\nfor 1 2 -0.25\n",
        "2 3\r\nin 0.5 1e-3 7 \r\nfor 1 2 -0.25  \r\n", "2 3 \nin 0.5 1e-3 7 \nfor 1 2 -0.25",
        "in\t0.5\t1e-3\t7\nfor  1 2   -0.25\t\n\n\r\n \n",
        "\xEF\xBB\xBF"
        "2 3\nin 0.5 .001 7.\nfor 1 2 -0.25\n"})
    check_small(read(text));
}

BOOST_AUTO_TEST_CASE(words_that_look_like_something_else) {
  BOOST_TEST((read("2 1 0\n3 4 5\n").words == Words{"2", "3"}));
  BOOST_TEST((read("1 2 2\nnan 4 5\n").words == Words{"1", "nan"}));
  BOOST_TEST((read("2 2\n2 1 0\n1e5 4 5\n").words == Words{"2", "1e5"}));
  BOOST_TEST((read("2 1\na 0\nb 5\n").words == Words{"a", "b"}));  // d = 1 with a header
  BOOST_TEST((read("a 0\nb 5\n").words == Words{"a", "b"}));       // d = 1 without
  BOOST_TEST((read("x 1 2\n. . . 3 4\nat name@domain.com 5 6\n").words ==
              Words{"x", ". . .", "at name@domain.com"}));
  BOOST_TEST((read("1 2\n. .  . 3 4\n").words == Words{". .  ."}));
  BOOST_TEST((read("\xc2\xa0 1 2\n\xe2\x80\xa8 3 4\n").words == Words{"\xc2\xa0", "\xe2\x80\xa8"}));
}

BOOST_AUTO_TEST_CASE(zero_vectors_are_counted) {
  const WordTable table = read("a 0 0\nb 0 1\nc -0 0.0\n");
  BOOST_TEST(table.zero_rows == 2U);
  BOOST_TEST(rows(table.vectors) == 3U);
}

BOOST_AUTO_TEST_CASE(a_limit_reads_the_first_rows) {
  const char* text = "3 2\na 1 2\nb 3 4\nc 5 x\n";
  BOOST_TEST((read(text, 2).words == Words{"a", "b"}));
  BOOST_TEST((read(text, 1).words == Words{"a"}));
  BOOST_TEST((read("a 1 2\nb 3 4\nc 5 x\n", 1).words == Words{"a"}));
  BOOST_TEST(refusal(text, 3) == "w.txt:4: field 3 is 'x', a finite number was expected");
  BOOST_TEST(refusal("5 2\na 1 2\n", 3) == "w.txt: 1 words found, its header promises 5");
  BOOST_TEST(refusal(text, 0) == "w.txt: 0 rows wanted, at least 1 was expected");
}

BOOST_AUTO_TEST_CASE(unusable_tables_are_refused_with_line_and_finding) {
  BOOST_TEST(contains(refusal(""), "is empty or begins with an empty line"));
  BOOST_TEST(contains(refusal("\n\na 1\n"), "is empty or begins with an empty line"));
  BOOST_TEST(refusal("a 1 2\nb 1\n") == "w.txt:2: 1 numbers, 2 were expected");
  BOOST_TEST(refusal("a 1 2\nb 1 2 3\n") == "w.txt:2: more than 2 numbers, 2 were expected");
  BOOST_TEST(refusal("2 3\na 1 2\nb 1 2\n") == "w.txt:2: 2 numbers, 3 were expected");
  BOOST_TEST(refusal("a 1 2\nb 1 x\n") == "w.txt:2: field 3 is 'x', a finite number was expected");
  BOOST_TEST(refusal("a 1 x\nb 1 2\n") == "w.txt:1: field 3 is 'x', a finite number was expected");
  BOOST_TEST(refusal("a 1 nan\n") == "w.txt:1: field 3 is 'nan', a finite number was expected");
  BOOST_TEST(refusal("a 1 2\nb -inf 2\n") == "w.txt:2: field 2 is '-inf', a finite number was expected");
  BOOST_TEST(refusal("a 1 1e39\n") == "w.txt:1: field 3 is '1e39', a finite number was expected");
  BOOST_TEST(refusal("a 1 0,5\n") == "w.txt:1: field 3 is '0,5', a finite number was expected");
  BOOST_TEST(refusal("a\n") == "w.txt:1: the word 'a' without numbers");
  BOOST_TEST(refusal("a 1\n\nb 2\n") == "w.txt:2: an empty line between words");
  BOOST_TEST(refusal("a 1\n b 2\n") == "w.txt:2: begins with a blank, a word was expected");
  BOOST_TEST(refusal("2 1\na 1\nb 2\na 3\n") == "w.txt:4: more than the 2 words that its header promises");
  BOOST_TEST(refusal("3 2\na 1 1\nb 2 1\n") == "w.txt: 2 words found, its header promises 3");
  BOOST_TEST(refusal("3 2\na 1") == "w.txt:2: 1 numbers, 2 were expected");
  BOOST_TEST(refusal("3 2\n") == "w.txt: 0 words found, its header promises 3");
  BOOST_TEST(refusal("0 2\na 1 1\n") == "w.txt:1: a header of 0 words in 2 dimensions");
  BOOST_TEST(refusal("3 2\na 1 1\nb 2 1\na 3 3\n") == "w.txt:4: the word 'a' is in line 2 already");
  BOOST_TEST(refusal("a 1 1\nb 2 1\nb 3 3\na 1 1\n") == "w.txt:3: the word 'b' is in line 2 already");
  // Promises that would take all memory if they were believed.
  BOOST_TEST(contains(refusal("18446744073709551615 2\na 1 1\n"), "1 words found"));
  BOOST_TEST(refusal("2 18446744073709551615\na 1 1\n") ==
             "w.txt:2: 2 numbers, 18446744073709551615 were expected");
  BOOST_TEST(!contains(refusal(std::string("2 3\n\0\x1b\x80 \xff\n\n", 11)), "\n"));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
  const Scratch scratch;
  BOOST_TEST(contains(message_of([&] { read_words_text(scratch / "missing"); }),
                      "cannot read '" + (scratch / "missing").string() + "': No such file or directory"));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused_or_a_smaller_table) {
  const std::string rows_text = "in 0.5 1 7\n. . 1 2 -0.25\nthree 3 33 333\n";
  for (const bool header : {true, false}) {
    const std::string whole = (header ? "3 3\n" : "") + rows_text;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const auto error = error_of([&] {
        const WordTable table = read(whole.substr(0, size));
        BOOST_TEST_REQUIRE(table.words.size() == rows(table.vectors));
        BOOST_TEST_REQUIRE(table.words.size() <= 3U);
        // Only digits of the very last number may be missing once a header says what to expect.
        if (header) BOOST_TEST_REQUIRE(size >= whole.size() - 3);
      });
      if (error) BOOST_TEST_REQUIRE(!contains(error->what(), "\n"));
    }
  }
}

BOOST_AUTO_TEST_CASE(mutations_do_no_harm) {
  const Scratch scratch;
  Picks picks(7);
  const std::string_view telling = "0123456789 \t\n\r.-eaNn\xff";
  for (int repeat = 0; repeat < 5'000; ++repeat) {
    std::string text =
        std::string(repeat % 2 == 0 ? "3 3\n" : "") + "in 0.5 1 7\nof 1 2 -0.25\nto 3 33 333\n";
    for (std::uint64_t changes = 1 + picks.below(3); changes > 0; --changes) {
      const std::size_t at = picks.below(text.size());
      const char byte = telling[picks.below(telling.size())];
      switch (picks.below(4)) {
        case 0:
          text.erase(at, 1);
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text[at] = byte;
      }
    }
    scratch.file("m.txt", text);
    const auto error = error_of([&] {
      const WordTable table = read_words_text(scratch / "m.txt");
      BOOST_TEST_REQUIRE(table.words.size() == rows(table.vectors));
      for (std::size_t i = 0; i < table.vectors.size(); ++i)
        BOOST_TEST_REQUIRE(std::isfinite(table.vectors.data()[i]));
      // Whatever was read can be written, and reads back the same; a few times, since each waits for the
      // disk.
      if (repeat % 100 > 1) return;
      write_words_text(scratch / "again.txt", table);
      BOOST_TEST_REQUIRE((read_words_text(scratch / "again.txt").words == table.words), text);
    });
    if (error)
      BOOST_TEST_REQUIRE(!contains(error->what(), "would not read back"), error->what() << "\n" << text);
  }
}

BOOST_AUTO_TEST_CASE(written_tables_come_back_bit_for_bit) {
  const Scratch scratch;
  Picks picks(8);
  WordTable table{{}, matrix<float>(500, 64), 0};
  for (int i = 0; i < 500; ++i) table.words.push_back((i % 7 == 0 ? ". w" : "w") + std::to_string(i));
  for (std::size_t k = 0; k < table.vectors.size(); ++k) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(picks.below(1ULL << 32)));
    table.vectors.data()[k] = std::isfinite(value) ? value : 0.1F;
  }
  std::fill_n(row(table.vectors, 3).begin(), 64, 0.0F);
  write_words_text(scratch / "w.txt", table);
  const WordTable back = read_words_text(scratch / "w.txt");
  BOOST_TEST((back.words == table.words));
  BOOST_TEST(
      (std::memcmp(back.vectors.data(), table.vectors.data(), table.vectors.size() * sizeof(float)) == 0));
  BOOST_TEST(back.zero_rows == 1U);
}

BOOST_AUTO_TEST_CASE(tables_that_would_not_read_back_are_not_written) {
  const Scratch scratch;
  const auto said = [&](Words words, float value = 1) {
    WordTable table{std::move(words), zeros<float>(2, 2), 0};
    table.vectors(1, 1) = value;
    return message_of([&] { write_words_text(scratch / "w.txt", table); });
  };
  BOOST_TEST(said({"a"}) == "word table: 1 words for 2 x 2 vectors");
  BOOST_TEST(said({"a", "a"}) == "word table:2: the word 'a' is in line 1 already");
  BOOST_TEST(said({"a", "b"}, INFINITY) == "word table: row 2: inf is not finite");
  for (const char* word : {"", " b", "b ", "b\nc", "b 1", "\t"})
    BOOST_TEST(contains(said({"a", word}), "word table: row 2: the word '"), word);
  BOOST_TEST(scratch.entries() == 0U);
  BOOST_TEST(said({"1", "b c"}).empty());
}

BOOST_AUTO_TEST_CASE(real_word_vectors_are_read, *needs_tables()) {
  const auto path = real_table("word2vec-google-1000x300.txt");
  if (!path) return;
  const WordTable table = read_words_text(*path);
  BOOST_TEST(table.words.size() == 1000U);
  BOOST_TEST(table.words[0] == "in");
  BOOST_TEST(cols(table.vectors) == 300U);
  BOOST_TEST(table.zero_rows == 0U);
  for (std::size_t i = 0; i < 1000; ++i) {
    double sum = 0;
    for (const float x : row(table.vectors, i)) sum += static_cast<double>(x) * x;
    BOOST_TEST(std::abs(std::sqrt(sum) - 1) < tolerance::unit_norm_of_printed_words);
  }
}

BOOST_AUTO_TEST_SUITE_END()
