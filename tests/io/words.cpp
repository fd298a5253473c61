// What the corpus does not hold of words as text: limits, what we write, what we do not.

#include "perp/io/words.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>

#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Words = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(io_words)

// Of limits tests/io/table_rows.cpp asks.
BOOST_AUTO_TEST_CASE(zero_vectors_are_counted_and_words_that_were_promised) {
  const Scratch scratch;
  BOOST_TEST(read_words_text(scratch.file("w", "a 0 0\nb 0 1\nc -0 0.0\n")).zero_rows == 2U);
  const auto few = scratch.file("w", "5 2\na 1 2\n");
  for (const auto& [most, part] :
       {std::pair{3U, ": 1 words found, its header promises 5"}, {0U, ": 0 rows wanted, at least 1 was"}})
    BOOST_TEST(contains(message_of([&, m = most] { read_words_text(few, m); }), part));
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
