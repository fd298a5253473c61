#include "perp/vectors/cooccurrence.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "perp/vectors/corpus_text.hpp"
#include "tests/tolerance.hpp"
#include "tests/vectors/corpus_fixture.hpp"

namespace perp {
namespace {

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

BOOST_AUTO_TEST_SUITE(cooccurrence)

BOOST_AUTO_TEST_CASE(counts_equal_brute_force_for_any_threads) {
  const Corpus corpus = read_corpus(test::zipf_text(3000, 300), 150);
  for (const std::size_t window : {1U, 2U, 5U, 7U}) {
    const Matrix<std::uint64_t> expected = count_by_hand(corpus.tokens, 150, window, weight_unit(window));
    for (const std::size_t threads : {1U, 2U, 7U})
      BOOST_TEST((dense(count_cooccurrences(corpus.tokens, 150, window, threads)) == expected),
                 "window " << window << ", " << threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(windows_tokens_and_counts_are_checked) {
  // Weights are the least common multiple of the distances over the distance.
  BOOST_TEST(weight_unit(1) == 1U);
  BOOST_TEST(weight_unit(5) == 60U);
  BOOST_TEST(weight_unit(16) == 720720U);
  const std::vector<std::uint32_t> tokens{0, 7};
  Sparse<std::uint64_t> oblong;
  oblong.cols = 2;
  const Sparse<std::uint64_t> counts = count_cooccurrences(tokens, 8, 5, 1);
  const std::pair<const char*, std::function<void()>> refusals[] = {
      {"a window of 0 words; 1 to 16", [] { weight_unit(0); }},
      {"a window of 17 words; 1 to 16", [] { weight_unit(17); }},
      {"token 7 of a vocabulary of 3 words", [&] { count_cooccurrences(tokens, 3, 5, 1); }},
      {"a 0 x 2 matrix of counts", [&] { positive_pmi(oblong, 0.75, 1); }},
      {"context smoothing 1.5; an exponent from 0 to 1", [&] { positive_pmi(counts, 1.5, 1); }},
      {"context smoothing nan", [&] { positive_pmi(counts, std::nan(""), 1); }}};
  for (const auto& [part, call] : refusals) test::check_refusal(call, part);
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

}  // namespace
}  // namespace perp
