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

BOOST_AUTO_TEST_SUITE(corpus)

BOOST_AUTO_TEST_CASE(words_of_a_topic_are_neighbours) {
  const LearnedWords learned = learn_words(test::topical_text(2000), small_options(1000, 12), 2);
  for (const std::vector<std::string>& topic : test::topics) {
    const auto neighbours = nearest_neighbours(learned.words, learned.vectors, topic, 5);
    for (std::size_t i = 0; i < topic.size(); ++i)
      for (const Neighbour& near : neighbours[i])
        BOOST_TEST(std::count(topic.begin(), topic.end(), near.word) == 1,
                   near.word << " beside " << topic[i] << ", cosine " << near.cosine);
  }
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

BOOST_AUTO_TEST_CASE(neighbours_are_ordered_and_leave_out_query_and_zeros) {
  const std::vector<std::string> words{"a", "b", "c", "zero", "d"};
  Matrix<float> vectors = zeros<float>(5, 2);
  const float values[5][2] = {{1, 0}, {2, 2}, {0, 1}, {0, 0}, {4, 4}};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 2; ++j) vectors(i, j) = values[i][j];
  const auto near = nearest_neighbours(words, vectors, {"a", "c"}, 9);
  BOOST_TEST(near.size() == 2U);
  BOOST_TEST(near[0].size() == 3U);
  BOOST_TEST(near[0][0].word == "b");  // as near as d, and earlier
  BOOST_TEST(near[0][1].word == "d");
  BOOST_TEST(near[0][2].word == "c");
  BOOST_TEST(std::abs(near[0][0].cosine - std::sqrt(0.5)) <= tolerance::closed_form);
  BOOST_TEST(near[0][2].cosine == 0.0);
  BOOST_TEST(nearest_neighbours(words, vectors, {"b"}, 1)[0].size() == 1U);
  test::check_refusal([&] { nearest_neighbours(words, vectors, {"e"}, 1); },
                      "\"e\" is not among the 5 words");
  test::check_refusal([&] { nearest_neighbours(words, vectors, {"zero"}, 1); },
                      "the vector of \"zero\" is zero");
  test::check_refusal([&] { nearest_neighbours({"a"}, vectors, {"a"}, 1); }, "1 words, but 5 vectors");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
