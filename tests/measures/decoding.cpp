// Decoders, against the definition in double. Linear ones' numbers: reference.cpp.

#include "perp/measures/decoding.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/uniform.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

using Numbers = std::vector<std::uint32_t>;

double score(std::span<const float> query, std::span<const float> word, Nearness nearness) {
  const double product = dot(query, word), square = dot(word, word);
  return nearness == Nearness::distance ? product - square / 2 : product;
}

/// Whether `answer` is the best row in double, up to the rounding of a float product.
bool is_best(std::span<const float> query, View<float> words, Nearness nearness, std::uint32_t answer) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < words.rows; ++v) best = std::max(best, score(query, words.row(v), nearness));
  const std::span<const float> word = words.row(answer);
  const double slack = tolerance::decoding_score(words.cols) * std::sqrt(dot(query, query) * dot(word, word));
  return answer < words.rows && score(query, word, nearness) >= best - slack;
}

/// y = a_i + f b_s(i).
Matrix<float> sums(const Matrix<float>& a, const Matrix<float>& b, const Numbers& which, float f) {
  Matrix<float> y = a;
  for (std::size_t i = 0; i < which.size(); ++i)
    for (std::size_t j = 0; j < cols(a); ++j) y(i, j) += f * b(which[i], j);
  return y;
}

Numbers in_turn(std::size_t n, std::size_t count) {
  Numbers classes(n);
  for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<std::uint32_t>(i % count);
  return classes;
}

constexpr Nearness all[] = {Nearness::distance, Nearness::inner_product};

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_decoding)

BOOST_AUTO_TEST_CASE(nearest_words_by_the_definition) {
  // Sizes on both sides of the tiles: 256 queries, 512 words, 32 lanes.
  for (const std::size_t v : {1U, 31U, 512U, 1100U})
    for (const std::size_t n : {1U, 256U, 300U}) {
      const Matrix<float> words = made::normal<float>(v, 24, 1), queries = made::normal<float>(n, 24, 2);
      for (const Nearness nearness : all) {
        const Numbers found = nearest_words(queries, words, nearness);
        BOOST_REQUIRE(found.size() == n);
        bool right = true;
        for (std::size_t i = 0; i < n; ++i)
          right = right && is_best(row(queries, i), words, nearness, found[i]);
        BOOST_TEST(right, "V " << v << ", N " << n);
        BOOST_TEST((nearest_words(queries, words, nearness, 2) == found));
      }
    }
  BOOST_TEST(nearest_words(zeros<float>(0, 3), made::normal<float>(4, 3, 1)).empty());
}

BOOST_AUTO_TEST_CASE(a_word_is_nearest_to_itself_and_ties_go_to_the_lower_row) {
  Matrix<float> words = made::normal<float>(1500, 16, 3);
  for (std::size_t j = 0; j < 16; ++j) words(1400, j) = words(700, j) = words(40, j);
  const Numbers found = nearest_words(words, words);
  for (std::uint32_t v = 0; v < 1500; ++v) BOOST_TEST(found[v] == (v == 700 || v == 1400 ? 40U : v));
}

BOOST_AUTO_TEST_CASE(found_at_these_factors_and_no_others) {
  const Matrix<float> words = made::normal<float>(1100, 24, 6), first = made::normal<float>(300, 24, 7),
                      second = made::normal<float>(9, 24, 8);
  const Numbers which = below(stream(1, "tests", "decoding", 0, "which"), 300, 9);
  for (const Nearness nearness : all) {
    // What is found at one factor has a range around it, which others bound on either side.
    const Numbers right = nearest_words(sums(first, second, which, 1), words, nearness);
    const std::vector<Range> ranges = found_between(first, second, which, words, right, nearness);
    std::size_t within = 0, wrong = 0;
    for (const float f : {0.0F, 0.5F, 0.9F, 1.0F, 1.3F, 2.0F, 30.0F}) {
      const Numbers found = nearest_words(sums(first, second, which, f), words, nearness);
      for (std::size_t i = 0; i < 300; ++i) {
        // Two words that are equally near but for rounding may change places.
        const bool close = std::abs(f - ranges[i].from) < 1e-4F || std::abs(f - ranges[i].to) < 1e-4F;
        wrong += !close && ranges[i].holds(f) != (found[i] == right[i]);
        within += ranges[i].holds(f);
      }
    }
    BOOST_TEST(wrong == 0U);
    BOOST_TEST(within > 300U);
    BOOST_TEST(std::ranges::count_if(ranges, [](const Range& range) { return range.from > 0; }) > 30);
  }
  // A word that is nearest at no factor has no range; one without others is found at all of them.
  Matrix<float> line = zeros<float>(3, 1);
  line(1, 0) = -1, line(2, 0) = 1;
  const auto between = [&](std::uint32_t right, std::size_t count) {
    return found_between(block(line, 0, 1), block(line, 2, 3), Numbers{0}, block(line, 0, count),
                         Numbers{right})[0];
  };
  BOOST_TEST((between(0, 3).from == 0.0F && between(0, 3).to == 0.5F));  // half way from 0 to 1
  BOOST_TEST(!(between(1, 3).from < between(1, 3).to));
  BOOST_TEST(std::isinf(between(0, 1).to));
}

BOOST_AUTO_TEST_CASE(projection_removes_the_subspace_and_nothing_else) {
  const Matrix<float> basis = orthonormal_rows(made::normal<float>(7, 40, 14)),
                      table = made::normal<float>(30, 40, 15), out = project_out(table, basis);
  const double bound = tolerance::inner_product<float>(40) * 10;
  Matrix<float> moved = table;
  for (std::size_t i = 0; i < 30; ++i) {
    double inside = 0;
    for (std::size_t r = 0; r < 7; ++r) {
      BOOST_TEST(std::abs(dot(row(out, i), row(basis, r))) < bound);
      inside += std::pow(dot(row(table, i), row(basis, r)), 2);
    }
    BOOST_TEST(std::abs(dot(row(out, i), row(out, i)) + inside - dot(row(table, i), row(table, i))) <
               40 * bound);
    for (std::size_t j = 0; j < 40; ++j) moved(i, j) += 100 * basis(i % 7, j);
  }
  // Whatever lies inside does not reach the decoder.
  BOOST_TEST(nearest_words(project_out(moved, basis), out) == in_turn(30, 30));
}

BOOST_AUTO_TEST_SUITE_END()
