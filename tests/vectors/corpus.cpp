#include "perp/vectors/corpus.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/tolerance.hpp"
#include "tests/vectors/corpus_fixture.hpp"

namespace perp {
namespace {

CorpusOptions small_options(std::size_t vocabulary, std::size_t dimension) {
  return {.vocabulary = vocabulary, .dimension = dimension, .oversampling = 24, .power_iterations = 3};
}

/// The words of largest cosine with `word`, itself left out.
std::vector<std::string> nearest(const LearnedWords& learned, const std::string& word, std::size_t count) {
  const Matrix<float> unit = unit_rows(learned.vectors).rows;
  const auto self = static_cast<std::size_t>(std::ranges::find(learned.words, word) - learned.words.begin());
  std::vector<std::pair<double, std::string>> others;
  for (std::size_t i = 0; i < learned.words.size(); ++i)
    if (i != self)
      others.emplace_back(-dot(View<float>(unit).row(i), View<float>(unit).row(self)), learned.words[i]);
  std::ranges::sort(others);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(others[i].second);
  return words;
}

BOOST_AUTO_TEST_SUITE(corpus)

BOOST_AUTO_TEST_CASE(words_of_a_topic_are_neighbours) {
  const LearnedWords learned = learn_words(test::topical_text(2000), small_options(1000, 12), 2);
  for (const std::vector<std::string>& topic : test::topics) {
    for (const std::string& word : topic)
      for (const std::string& near : nearest(learned, word, 5))
        BOOST_TEST(std::ranges::count(topic, near) == 1, near << " beside " << word);
  }
}

BOOST_AUTO_TEST_CASE(shapes_and_counts_are_those_of_the_text_and_columns_carry_the_singular_values) {
  std::vector<double> told;
  const LearnedWords learned =
      learn_words(test::zipf_text(5000, 400), small_options(150, 30), 2,
                  [&](double fraction, std::string_view) { told.push_back(fraction); });
  BOOST_TEST(learned.words.size() == 150U);
  BOOST_TEST((rows(learned.vectors) == 150 && cols(learned.vectors) == 30));
  BOOST_TEST(learned.tokens == 5000U);
  BOOST_TEST(learned.distinct > 300U);
  BOOST_TEST(learned.distinct <= 400U);
  BOOST_TEST(std::is_sorted(learned.singular_values.rbegin(), learned.singular_values.rend()));
  // Rows U sqrt(S): the squares of column j add up to its singular value.
  for (std::size_t j = 0; j < 30; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 150; ++i) sum += std::pow(static_cast<double>(learned.vectors(i, j)), 2);
    BOOST_TEST(std::abs(sum / learned.singular_values[j] - 1) <= tolerance::orthonormal_float(150));
  }
  BOOST_TEST(std::is_sorted(told.begin(), told.end()));
  BOOST_TEST(told.front() == 0.0);
  BOOST_TEST(told.back() == 1.0);
}

BOOST_AUTO_TEST_CASE(bytes_do_not_depend_on_threads) {
  const std::string text = test::zipf_text(60000, 4000);
  const CorpusOptions options = small_options(2500, 40);
  const LearnedWords one = learn_words(text, options, 1);
  for (const std::size_t threads : {2U, 7U}) {
    const LearnedWords many = learn_words(text, options, threads);
    BOOST_TEST((many.words == one.words && many.vectors == one.vectors &&
                many.singular_values == one.singular_values),
               threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(texts_with_too_few_words_are_refused) {
  test::check_refusal([] { learn_words("", {}, 1); }, "the text has no words");
  test::check_refusal([] { learn_words("12 34 [king]", {}, 1); }, "the text has no words");
  test::check_refusal(
      [] { learn_words("the king and the queen", {}, 1); },
      "4 of the text's 4 different words are kept (vocabulary 20000); vectors of 300 dimensions need "
      "at least 301");
  test::check_refusal([] { learn_words(test::zipf_text(5000, 400), small_options(30, 30), 1); },
                      "(vocabulary 30); vectors of 30 dimensions need at least 31");
}

BOOST_AUTO_TEST_CASE(a_limit_of_bytes_reads_the_beginning_of_the_text) {
  const std::string text = test::topical_text(400);
  CorpusOptions options = small_options(1000, 5);
  const LearnedWords beginning = learn_words(text.substr(0, 10000), options, 1);
  options.text_bytes = 10000;
  const LearnedWords limited = learn_words(text, options, 1);
  BOOST_TEST((limited.vectors == beginning.vectors && limited.tokens == beginning.tokens));
  BOOST_TEST(limited.words.size() == limited.distinct);  // of a larger vocabulary all words of the text
  BOOST_TEST(describe(options).ends_with("seed 1, first 10000 bytes"));
  BOOST_TEST(describe({}) ==
             "learned words, algorithm 2: vocabulary 20000, dimension 300, window 5, smoothing 0.75, "
             "oversampling 84, power iterations 16, seed 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
