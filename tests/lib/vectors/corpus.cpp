// Words learned from text: its words, their counts, positive PMI, the truncated decomposition, what is kept.

#include "perp/vectors/corpus.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/file.hpp"
#include "perp/io/sha256.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/embedding.hpp"
#include "tests/lib/base/differences.hpp"
#include "tests/lib/vectors/corpus_fixture.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

namespace fs = std::filesystem;

namespace perp {
namespace {

BOOST_AUTO_TEST_SUITE(corpus_text)

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

BOOST_AUTO_TEST_CASE(words_are_runs_of_letters_in_lower_case_outside_short_brackets) {
  const std::string forty(40, 'x'), long_one = forty + "x";
  std::string accented;  // characters, not bytes
  for (int i = 0; i < 40; ++i) accented += "\xC3\xA9";
  const std::string longer = accented + "\xC3\xA9";
  const auto in_bracket = [](const std::string& word) { return "a [" + word + "] b"; };
  const std::vector<std::pair<std::string, Words>> cases{
      {"The KING's 2nd dog-house; A_b", {"the", "king", "s", "nd", "dog", "house", "a", "b"}},
      {" 12 .\n", {}},
      {"@[`{", {}},  // the neighbours of A, Z, a, z in ASCII
      {std::string("a\0b\r\nc", 6), {"a", "b", "c"}},
      // Bytes beyond ASCII stay inside words, unchanged.
      {"Fa\xC3\xA7"
       "ade \xC3\x89"
       "cole \xFFx",
       {"fa\xC3\xA7"
        "ade",
        "\xC3\x89"
        "cole",
        "\xFFx"}},
      {"a [1913 Webster] b l[aum]r []c", {"a", "b", "l", "r", "c"}},
      {"a [1913\n   Webster] b", {"a", "b"}},
      // One of 40 characters is dropped, one of 41 is text.
      {in_bracket(forty), {"a", "b"}},
      {in_bracket(long_one), {"a", long_one, "b"}},
      {in_bracket(accented), {"a", "b"}},
      {in_bracket(longer), {"a", longer, "b"}},
      // Unclosed and nested ones are text.
      {"a b[", {"a", "b"}},
      {"a [b [c] d] e", {"a", "b", "d", "e"}},
      {"a ] b [c", {"a", "b", "c"}}};
  for (const auto& [text, words] : cases) BOOST_TEST((words_of(text) == words), text);
}

BOOST_AUTO_TEST_CASE(vocabulary_is_by_frequency_then_by_bytes) {
  const Corpus corpus = read_corpus("b d c b a c b", 3);
  BOOST_TEST(corpus.words == (Words{"b", "c", "a"}), boost::test_tools::per_element());
  BOOST_TEST(corpus.distinct == 4U);
  const std::uint32_t out = outside_vocabulary;
  BOOST_TEST(corpus.tokens == (std::vector<std::uint32_t>{0, out, 1, 0, 2, 1, 0}),
             boost::test_tools::per_element());
  BOOST_TEST((read_corpus("x y x", 100).words == Words{"x", "y"}));
}

BOOST_AUTO_TEST_CASE(words_that_are_not_utf8_are_never_kept) {
  // Latin-1, an overlong slash, a surrogate, beyond U+10FFFF, cut off: all but the first and last words here.
  const Corpus corpus = read_corpus(
      "caf\xC3\xA9 caf\xE9 a\xC0\xAF b\xED\xA0\x80 c\xF4\x90\x80\x80 d\xE2\x82 e\xE0\x80\xAF "
      "f\xF0\x80\x80\xAF "
      "\xF0\x9F\x90\x95\xE2\x82\xAC",
      10);
  BOOST_TEST(corpus.words == (Words{"caf\xC3\xA9", "\xF0\x9F\x90\x95\xE2\x82\xAC"}),
             boost::test_tools::per_element());
  BOOST_TEST(corpus.distinct == 9U);
  BOOST_TEST(corpus.tokens[1] == outside_vocabulary);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cooccurrence)

template <class T>
Matrix<T> dense(const Sparse<T>& sparse) {
  Matrix<T> out = zeros<T>(sparse.rows, sparse.cols);
  for (std::size_t i = 0; i < sparse.rows; ++i)
    for (std::uint64_t k = sparse.starts[i]; k < sparse.starts[i + 1]; ++k)
      out(i, sparse.columns[k]) += sparse.values[k];
  return out;
}

/// Every pair of places looked at: the definition.
Matrix<std::uint64_t> count_by_hand(const std::vector<std::uint32_t>& tokens, std::size_t vocabulary,
                                    std::size_t window, std::uint64_t unit) {
  Matrix<std::uint64_t> out = zeros<std::uint64_t>(vocabulary, vocabulary);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t j = i + 1; j < tokens.size(); ++j) {
      if (j - i > window || tokens[i] == outside_vocabulary || tokens[j] == outside_vocabulary) continue;
      out(tokens[i], tokens[j]) += unit / (j - i);
      out(tokens[j], tokens[i]) += unit / (j - i);
    }
  return out;
}

BOOST_AUTO_TEST_CASE(counts_equal_brute_force_for_any_threads) {
  const Corpus corpus = read_corpus(test::zipf_text(3000, 300), 150);
  for (const std::size_t window : {1U, 2U, 5U, 7U}) {
    const Matrix<std::uint64_t> expected = count_by_hand(corpus.tokens, 150, window, weight_unit(window));
    for (const std::size_t threads : {1U, 2U, 7U})
      BOOST_TEST((dense(count_cooccurrences(corpus.tokens, 150, window, threads)) == expected),
                 "window " << window << ", " << threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(weights_are_the_least_common_multiple_of_the_distances_over_the_distance) {
  BOOST_TEST(weight_unit(1) == 1U);
  BOOST_TEST(weight_unit(5) == 60U);
  BOOST_TEST(weight_unit(16) == 720720U);
}

BOOST_AUTO_TEST_CASE(positive_pmi_is_its_formula) {
  const Corpus corpus = read_corpus(test::zipf_text(4000, 300), 200);
  const Sparse<std::uint64_t> counts = count_cooccurrences(corpus.tokens, 200, 5, 2);
  const Matrix<std::uint64_t> n = dense(counts);
  for (const double smoothing : {0.0, 0.75, 1.0}) {
    const SparsePair pmi = positive_pmi(counts, smoothing, 1), seven = positive_pmi(counts, smoothing, 7);
    BOOST_TEST((pmi.matrix.values == seven.matrix.values && pmi.matrix.columns == seven.matrix.columns &&
                pmi.matrix.starts == seven.matrix.starts &&
                pmi.transposed.values == seven.transposed.values));
    const Matrix<float> found = dense(pmi.matrix), turned = dense(pmi.transposed);
    std::vector<double> sums(200, 0);
    double total = 0, worst = 0;
    for (std::size_t a = 0; a < 200; ++a)
      for (std::size_t b = 0; b < 200; ++b) sums[a] += static_cast<double>(n(a, b));
    for (const double sum : sums) total += std::pow(sum, smoothing);
    bool transposes = true;
    for (std::size_t a = 0; a < 200; ++a)
      for (std::size_t b = 0; b < 200; ++b) {
        const double odds = static_cast<double>(n(a, b)) * total / (sums[a] * std::pow(sums[b], smoothing));
        const double expected = n(a, b) == 0 ? 0 : std::max(0.0, std::log(odds));
        worst = std::max(worst, std::abs(static_cast<double>(found(a, b)) - expected) / (1 + expected));
        transposes = transposes && found(a, b) == turned(b, a);
      }
    BOOST_TEST(worst <= tolerance::stored_pmi);
    BOOST_TEST(transposes);
    BOOST_TEST(pmi.matrix.nonzeros() > 1000U);
    BOOST_TEST(pmi.matrix.nonzeros() < counts.nonzeros());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(embedding)

Sparse<float> sparse_of(const Matrix<float>& dense) {
  std::vector<SparseRows<float>> parts(1);
  for (std::size_t i = 0; i < rows(dense); ++i) {
    for (std::size_t j = 0; j < cols(dense); ++j)
      if (dense(i, j) != 0) parts[0].add(static_cast<std::uint32_t>(j), dense(i, j));
    parts[0].end_row();
  }
  return stack(cols(dense), std::move(parts));
}

/// m x n, every fifth entry or so from 0 to 1, row i weighted 1/sqrt(1 + i) for a falling spectrum; row 3 is
/// empty.
Matrix<float> falling_matrix(std::size_t m, std::size_t n) {
  test::Picks picks(12345);
  Matrix<float> a = zeros<float>(m, n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (picks.below(5) == 0 && i != 3)
        a(i, j) = static_cast<float>(picks.below(1000)) / 1000 / std::sqrt(1 + static_cast<float>(i));
  return a;
}

Matrix<float> normals(std::size_t m, std::size_t n) {
  return normal_matrix<float>(m, n, stream(7, "test", "", 0, "dense"));
}

SparsePair pair_of(const Matrix<float>& a) { return {sparse_of(a), sparse_of(transposed(View<float>(a)))}; }

const Stream sketch = stream(1, "test", "", 0, "sketch");

BOOST_AUTO_TEST_CASE(sparse_product_equals_the_dense_one_for_every_width) {
  const Matrix<float> a = falling_matrix(70, 90);
  // Below one vector, whole vectors, a tail, a panel, panels and a tail.
  for (const std::size_t width : {1U, 16U, 37U, 128U, 300U, 384U}) {
    const Matrix<float> x = normals(90, width), expected = product(a, x);
    Matrix<float> found = matrix<float>(70, width);
    product_into(sparse_of(a), x, 2, found.data());
    // |a| <= 1, |x| < 6: the terms of one sum add up to less than 90 * 6 in magnitude.
    BOOST_TEST(test::worst_difference(found, expected) <= tolerance::float_sum(90, 90 * 6),
               "width " << width);
  }
}

BOOST_AUTO_TEST_CASE(orthonormal_columns_span_the_same_space) {
  const Matrix<float> before = normals(2500, 30);
  Matrix<float> y = before;
  orthonormalise_columns(y, 2);
  BOOST_TEST(test::skew(gram_columns(y)) <= tolerance::orthonormal_float(2500));
  // Projecting on the new columns leaves the old ones as they were.
  BOOST_TEST(test::worst_difference(product(y, product_tn(y, before)), before) <=
             tolerance::float_sum(2500, 60));
}

BOOST_AUTO_TEST_CASE(leading_values_and_vectors_equal_the_dense_ones) {
  const Matrix<float> a = falling_matrix(180, 140);
  const std::vector<float> expected = singular_values(a);
  std::vector<double> told;
  const TruncatedSvd svd =
      truncated_svd(pair_of(a), {20, 20, 30}, sketch, 2, [&](double f) { told.push_back(f); });
  BOOST_TEST(told.size() == 32U);
  BOOST_TEST(told.front() == 1.0 / 32);
  BOOST_TEST(std::is_sorted(told.begin(), told.end()));
  BOOST_TEST(told.back() == 1.0);
  BOOST_TEST(svd.values.size() == 20U);
  for (std::size_t i = 0; i < 20; ++i)
    BOOST_TEST(std::abs(svd.values[i] - static_cast<double>(expected[i])) <=
               tolerance::singular_value(180) * static_cast<double>(expected[0]));
  BOOST_TEST(test::skew(gram_columns(svd.left)) <= tolerance::orthonormal_float(180));
  // The definition: A Aᵀ u = s² u, relative to the largest s².
  Matrix<float> scaled = svd.left;
  for (std::size_t i = 0; i < 180; ++i)
    for (std::size_t j = 0; j < 20; ++j) scaled(i, j) *= static_cast<float>(svd.values[j] * svd.values[j]);
  BOOST_TEST(test::worst_difference(product(a, product_tn(a, svd.left)), scaled) <=
             tolerance::singular_vector * svd.values[0] * svd.values[0]);
}

BOOST_AUTO_TEST_CASE(ranks_that_are_not_there_are_refused) {
  Matrix<float> thin = normals(30, 20);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 4; j < 20; ++j) thin(i, j) = thin(i, j % 4);
  const auto svd = [](const SparsePair& of) { truncated_svd(of, {5, 5, 2}, sketch, 1); };
  test::check_refusals({{"the matrix has rank 4 only", [&] { svd(pair_of(thin)); }},
                        {"the matrix has rank 0 only", [&] { svd(pair_of(zeros<float>(30, 20))); }}});
}

BOOST_AUTO_TEST_SUITE_END()

/// The words of largest cosine with `word`, itself left out.
std::vector<std::string> nearest(const LearnedWords& learned, const std::string& word, std::size_t count) {
  const View<float> rows = learned.vectors;
  const auto self = static_cast<std::size_t>(std::ranges::find(learned.words, word) - learned.words.begin());
  std::vector<std::pair<double, std::string>> others;
  for (std::size_t i = 0; i < learned.words.size(); ++i)
    if (i != self)
      others.emplace_back(-dot(rows.row(i), rows.row(self)) / std::sqrt(dot(rows.row(i), rows.row(i))),
                          learned.words[i]);
  std::ranges::sort(others);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(others[i].second);
  return words;
}

BOOST_AUTO_TEST_SUITE(corpus)

CorpusOptions small_options(std::size_t vocabulary, std::size_t dimension) {
  return {.vocabulary = vocabulary, .dimension = dimension, .oversampling = 24, .power_iterations = 3};
}

BOOST_AUTO_TEST_CASE(words_of_a_topic_are_neighbours) {
  const LearnedWords learned = learn_words(test::topical_text(2000), small_options(1000, 12), 2);
  for (const std::vector<std::string>& topic : test::topics) {
    for (const std::string& word : topic)
      for (const std::string& near : nearest(learned, word, 5))
        BOOST_TEST(std::ranges::count(topic, near) == 1, near << " beside " << word);
  }
}

BOOST_AUTO_TEST_CASE(bytes_do_not_depend_on_threads) {
  const std::string text = test::zipf_text(60000, 4000);
  const CorpusOptions options = small_options(2500, 40);
  const LearnedWords one = learn_words(text, options, 1);
  for (const std::size_t threads : {2U, 7U}) {
    const LearnedWords many = learn_words(text, options, threads);
    BOOST_TEST((many.words == one.words && many.vectors == one.vectors), threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(texts_with_too_few_words_are_refused) {
  test::check_refusal([] { learn_words("12 34 [king]", {}, 1); }, "the text has no words");
  test::check_refusal(
      [] { learn_words("the king and the queen", {}, 1); },
      "4 of the text's 4 different words are kept (vocabulary 20000); vectors of 300 dimensions need "
      "at least 301");
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

/// A folder with a text in it.
struct Kept {
  test::Scratch scratch;
  std::string text = test::topical_text(300);
  fs::path text_path = scratch.file("text.txt", text), cache = scratch.path() / "deep" / "cache";
  CorpusOptions options{.vocabulary = 60, .dimension = 8, .oversampling = 8, .power_iterations = 2};

  CachedWords learn() const { return learn_words_cached(text_path, options, cache, 1); }
  CacheEntry entry() const { return cache_entry(cache, options, sha256_hex(text)); }
};

bool same(const LearnedWords& a, const LearnedWords& b) {
  return a.words == b.words && a.vectors == b.vectors && a.tokens == b.tokens && a.distinct == b.distinct;
}

BOOST_FIXTURE_TEST_SUITE(corpus_cache, Kept)

BOOST_AUTO_TEST_CASE(the_second_time_comes_from_the_cache_and_is_the_same) {
  const CachedWords first = learn();
  BOOST_TEST(!first.from_cache);
  BOOST_TEST(first.text_sha256 == sha256_hex(text));
  BOOST_TEST(same(first.learned, learn_words(text, options, 1)));
  const CachedWords second = learn();
  BOOST_TEST(second.from_cache);
  BOOST_TEST(second.text_sha256 == first.text_sha256);
  BOOST_TEST(same(first.learned, second.learned));
  // Another text or option is another entry.
  options.seed = 2;
  BOOST_TEST(!learn().from_cache);
  write_whole(text_path, text + " dog");
  BOOST_TEST(!learn().from_cache);
  write_whole(text_path, text);
  options.seed = 1;
  BOOST_TEST(learn().from_cache);
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_is_learned_again) {
  const CachedWords first = learn();
  const auto check_replaced = [&](const char* damage) {
    const CachedWords again = learn();
    BOOST_TEST(!again.from_cache, damage);
    BOOST_TEST(same(again.learned, first.learned), damage);
    BOOST_TEST(learn().from_cache, damage);
  };
  for (const fs::path& file : {entry().vectors, entry().words}) {
    const std::string bytes = read_file(file);
    std::string flipped = bytes;
    flipped[bytes.size() - 100] = static_cast<char>(flipped[bytes.size() - 100] ^ 1);
    write_whole(file, flipped);
    check_replaced("a bit flipped");
    write_whole(file, bytes.substr(0, bytes.size() / 2));
    check_replaced("cut off");
    write_whole(file, "");
    check_replaced("empty");
    fs::remove(file);
    check_replaced("lost");
  }
  // What matches its checksum but makes no sense.
  const std::string good = read_file(entry().words);
  const std::string head = good.substr(0, good.find('\n', good.find('\n') + 1) + 1);
  for (const std::string& body : {head, head + "x\n", head + "1\n2\nabc\n", head + "1\nx\nabc\n"}) {
    write_whole(entry().words, body + sha256_hex(body) + "\n");
    check_replaced(body.c_str());
  }
}

BOOST_AUTO_TEST_CASE(a_missing_text_is_refused_with_its_path) {
  fs::remove(text_path);
  test::check_refusal([&] { learn(); }, text_path.string());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
