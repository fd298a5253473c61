// Decoders, against the definition in double, and against the exact line.

#include "perp/measures/decoding.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/random/sphere.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/recovery.hpp"
#include "tests/measures/made.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

double inner(View<float> a, std::size_t i, View<float> b, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < a.cols; ++k) sum += static_cast<double>(a(i, k)) * static_cast<double>(b(j, k));
  return sum;
}

double score(View<float> queries, std::size_t i, View<float> words, std::size_t v, Nearness nearness) {
  const double product = inner(queries, i, words, v), square = inner(words, v, words, v);
  if (nearness == Nearness::distance) return product - square / 2;
  return nearness == Nearness::cosine ? product / std::sqrt(square) : product;
}

/// Whether `answer` is the best row in double, up to the rounding of a float product.
bool is_best(View<float> queries, std::size_t i, View<float> words, Nearness nearness, std::uint32_t answer) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < words.rows; ++v) best = std::max(best, score(queries, i, words, v, nearness));
  const double slack = tolerance::decoding_score(words.cols) *
                       std::sqrt(inner(queries, i, queries, i) * inner(words, answer, words, answer));
  return answer < words.rows && score(queries, i, words, answer, nearness) >= best - slack;
}

/// y = a_i + f b_s(i).
Matrix<float> sums(const Matrix<float>& a, const Matrix<float>& b, const std::vector<std::uint32_t>& which,
                   float f) {
  Matrix<float> y = a;
  for (std::size_t i = 0; i < which.size(); ++i)
    for (std::size_t j = 0; j < cols(a); ++j) y(i, j) += f * b(which[i], j);
  return y;
}

constexpr Nearness all[] = {Nearness::distance, Nearness::cosine, Nearness::inner_product};

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_decoding)

BOOST_AUTO_TEST_CASE(nearest_words_by_the_definition) {
  // Sizes on both sides of the tiles: 256 queries, 512 words, 32 lanes.
  for (const std::size_t v : {1U, 31U, 512U, 1100U})
    for (const std::size_t n : {1U, 256U, 300U}) {
      const Matrix<float> words = made::normal<float>(v, 24, 1), queries = made::normal<float>(n, 24, 2);
      for (const Nearness nearness : all) {
        const std::vector<std::uint32_t> found = nearest_words(queries, words, nearness);
        BOOST_REQUIRE(found.size() == n);
        bool right = true;
        for (std::size_t i = 0; i < n; ++i) right = right && is_best(queries, i, words, nearness, found[i]);
        BOOST_TEST(right, "V " << v << ", N " << n);
        BOOST_TEST((nearest_words(queries, words, nearness, 2) == found));
      }
    }
  BOOST_TEST(nearest_words(zeros<float>(0, 3), made::normal<float>(4, 3, 1)).empty());
}

BOOST_AUTO_TEST_CASE(a_word_is_nearest_to_itself_and_ties_go_to_the_lower_row) {
  Matrix<float> words = made::normal<float>(1500, 16, 3);
  for (std::size_t j = 0; j < 16; ++j) words(1400, j) = words(700, j) = words(40, j);
  const std::vector<std::uint32_t> found = nearest_words(words, words);
  for (std::uint32_t v = 0; v < 1500; ++v) BOOST_TEST(found[v] == (v == 700 || v == 1400 ? 40U : v));
}

BOOST_AUTO_TEST_CASE(rows_apart_in_memory) {
  const Matrix<float> wide = made::normal<float>(600, 20, 4), queries = made::normal<float>(50, 8, 5);
  Matrix<float> narrow = matrix<float>(600, 8);
  for (std::size_t i = 0; i < 600; ++i)
    for (std::size_t j = 0; j < 8; ++j) narrow(i, j) = wide(i, j);
  BOOST_TEST((nearest_words(queries, block(wide, 0, 600, 8)) == nearest_words(queries, narrow)));
}

BOOST_AUTO_TEST_CASE(found_at_these_factors_and_no_others) {
  const Matrix<float> words = made::normal<float>(1100, 24, 6), first = made::normal<float>(300, 24, 7),
                      second = made::normal<float>(9, 24, 8);
  const std::vector<std::uint32_t> which = below(stream(1, "tests", "decoding", 0, "which"), 300, 9);
  for (const Nearness nearness : all) {
    // What is found at one factor has a range around it, which others bound on either side.
    const std::vector<std::uint32_t> right = nearest_words(sums(first, second, which, 1), words, nearness);
    const std::vector<Range> ranges = found_between(first, second, which, words, right, nearness);
    std::size_t within = 0, from = 0;
    for (const float f : {0.0F, 0.5F, 0.9F, 1.0F, 1.3F, 2.0F, 30.0F}) {
      const std::vector<std::uint32_t> found = nearest_words(sums(first, second, which, f), words, nearness);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < 300; ++i) {
        // Two words that are equally near but for rounding may change places.
        const bool close = std::abs(f - ranges[i].from) < 1e-4F || std::abs(f - ranges[i].to) < 1e-4F;
        wrong += !close && ranges[i].holds(f) != (found[i] == right[i]);
        within += ranges[i].holds(f);
      }
      BOOST_TEST(wrong == 0U, "factor " << f);
    }
    for (const Range& range : ranges) from += range.from > 0;
    BOOST_TEST(within > 300U);
    BOOST_TEST(from > 30U);
  }
  // A word that is nearest at no factor has no range; one without others is found at all of them.
  const std::vector<std::uint32_t> none{0}, far{1};
  const Matrix<float> line = [] {
    Matrix<float> m = matrix<float>(3, 1);
    m(0, 0) = 0, m(1, 0) = -1, m(2, 0) = 1;
    return m;
  }();
  const auto between = [&](const std::vector<std::uint32_t>& right, std::size_t count) {
    return found_between(block(line, 0, 1), block(line, 2, 3), none, block(line, 0, count), right).front();
  };
  BOOST_TEST((between(none, 3).from == 0.0F && between(none, 3).to == 0.5F));  // half way from 0 to 1
  BOOST_TEST(!(between(far, 3).from < between(far, 3).to));
  BOOST_TEST(std::isinf(between(none, 1).to));
}

BOOST_AUTO_TEST_CASE(pairs_by_the_definition) {
  const Matrix<float> words = made::normal<float>(60, 12, 9), positions = made::normal<float>(35, 12, 10),
                      queries = made::normal<float>(130, 12, 11);
  const std::vector<WordAndPosition> found = nearest_pairs(queries, words, positions);
  BOOST_REQUIRE(found.size() == 130U);
  for (std::size_t i = 0; i < 130; ++i) {
    double least = 1e300, of_found = 0;
    for (std::size_t w = 0; w < 60; ++w)
      for (std::size_t t = 0; t < 35; ++t) {
        double square = 0;
        for (std::size_t j = 0; j < 12; ++j) {
          const double gap = static_cast<double>(queries(i, j)) - words(w, j) - positions(t, j);
          square += gap * gap;
        }
        least = std::min(least, square);
        if (found[i] == WordAndPosition{static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(t)})
          of_found = square;
      }
    BOOST_TEST(of_found <= least * (1 + 100 * tolerance::decoding_score(12)));
  }
}

BOOST_AUTO_TEST_CASE(a_sum_is_its_own_pair) {
  const Matrix<float> words = made::normal<float>(512, 32, 12), positions = made::normal<float>(512, 32, 13);
  const std::vector<std::uint32_t> w = below(stream(1, "tests", "decoding", 0, "w"), 100, 512),
                                   t = below(stream(1, "tests", "decoding", 0, "t"), 100, 512);
  Matrix<float> y = matrix<float>(100, 32);
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t j = 0; j < 32; ++j) y(i, j) = words(w[i], j) + positions(t[i], j);
  const std::vector<WordAndPosition> found = nearest_pairs(y, words, positions);
  for (std::size_t i = 0; i < 100; ++i) BOOST_TEST((found[i] == WordAndPosition{w[i], t[i]}));
}

BOOST_AUTO_TEST_CASE(projection_removes_the_subspace_and_nothing_else) {
  const Matrix<float> basis = orthonormal_rows(made::normal<float>(7, 40, 14)),
                      table = made::normal<float>(30, 40, 15), out = project_out(table, basis);
  const double bound = tolerance::inner_product<float>(40) * 10;
  for (std::size_t i = 0; i < 30; ++i) {
    double kept = inner(out, i, out, i), inside = 0;
    for (std::size_t r = 0; r < 7; ++r) {
      BOOST_TEST(std::abs(inner(out, i, basis, r)) < bound);
      inside += std::pow(inner(table, i, basis, r), 2);
    }
    BOOST_TEST(std::abs(kept + inside - inner(table, i, table, i)) < 40 * bound);
  }
  // Whatever lies inside does not reach the decoder.
  Matrix<float> moved = table;
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 40; ++j) moved(i, j) += 100 * basis(i % 7, j);
  const std::vector<std::uint32_t> found = nearest_words(project_out(moved, basis), out);
  for (std::uint32_t i = 0; i < 30; ++i) BOOST_TEST(found[i] == i);
}

BOOST_AUTO_TEST_CASE(read_out_of_a_linear_function_is_exact) {
  const Matrix<double> x = made::normal<double>(200, 6, 16), z = made::normal<double>(50, 6, 17);
  const auto targets = [](const Matrix<double>& inputs) {
    Matrix<double> f = matrix<double>(rows(inputs), 3);
    for (std::size_t i = 0; i < rows(inputs); ++i) {
      f(i, 0) = 5 + 2 * inputs(i, 0) - inputs(i, 4);
      f(i, 1) = 7;  // no variance
      f(i, 2) = inputs(i, 1);
    }
    return f;
  };
  const Matrix<double> f = targets(x), g = targets(z);
  const std::vector<double> exact = read_out_r2({x, f}, {z, g}, 0);
  BOOST_TEST(std::abs(exact[0] - 1) < tolerance::closed_form);
  BOOST_TEST(std::isnan(exact[1]));
  BOOST_TEST(std::abs(exact[2] - 1) < tolerance::closed_form);
  // An overwhelming ridge leaves the training mean: R² near or below 0.
  BOOST_TEST(read_out_r2({x, f}, {z, g}, 1e9)[0] < 1e-3);
}

BOOST_AUTO_TEST_CASE(read_out_against_normal_equations) {
  // One input: slope sxy/(sxx (1 + ridge)), written out.
  const Matrix<double> x = made::normal<double>(40, 1, 18), f = made::normal<double>(40, 1, 19),
                       z = made::normal<double>(30, 1, 20), g = made::normal<double>(30, 1, 21);
  const auto mean = [](const Matrix<double>& m) {
    return std::accumulate(m.data(), m.data() + m.size(), 0.0) / static_cast<double>(m.size());
  };
  double xy = 0, xx = 0, missed = 0, all_ = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    xy += (x(i, 0) - mean(x)) * (f(i, 0) - mean(f));
    xx += (x(i, 0) - mean(x)) * (x(i, 0) - mean(x));
  }
  const double slope = xy / (xx * 1.25);
  for (std::size_t i = 0; i < 30; ++i) {
    missed += std::pow(g(i, 0) - mean(f) - slope * (z(i, 0) - mean(x)), 2);
    all_ += std::pow(g(i, 0) - mean(g), 2);
  }
  BOOST_TEST(std::abs(read_out_r2({x, f}, {z, g}, 0.25)[0] - (1 - missed / all_)) < tolerance::closed_form);
  // The same input twice: the ridge is in units of the mean eigenvalue, one column's, and both share the
  // slope, which is 2 sxy/(sxx (2 + ridge)): at twice the ridge that of one.
  const auto twice = [](const Matrix<double>& m) {
    Matrix<double> both = matrix<double>(rows(m), 2);
    for (std::size_t i = 0; i < rows(m); ++i) both(i, 0) = both(i, 1) = m(i, 0);
    return both;
  };
  const Matrix<double> xx2 = twice(x), zz2 = twice(z);
  BOOST_TEST(std::abs(read_out_r2({xx2, f}, {zz2, g}, 0.5)[0] - (1 - missed / all_)) <
             tolerance::closed_form);
}

BOOST_AUTO_TEST_CASE(unit_words_follow_the_exact_line) {
  // Ten codebooks, each with positions of its own for every trial: trials share competitors only.
  constexpr std::size_t d = 300, count = 1000, trials = 2000, books = 10;
  std::uint64_t right[2] = {0, 0};
  const std::vector<float> factors{4, 5};
  for (std::uint64_t book = 0; book < books; ++book) {
    Matrix<float> words = matrix<float>(count, d), positions = matrix<float>(trials, d);
    fill_sphere(stream(3, "tests", "decoding", book, "words"), words);
    fill_sphere(stream(3, "tests", "decoding", book, "positions"), positions);
    std::vector<std::uint32_t> which(trials),
        w = below(stream(3, "tests", "decoding", book, "w"), trials, count);
    std::iota(which.begin(), which.end(), 0U);
    Matrix<float> first = matrix<float>(trials, d);
    for (std::size_t i = 0; i < trials; ++i) std::ranges::copy(row(words, w[i]), row(first, i).begin());
    for (const Range& range : found_between(first, positions, which, words, w))
      for (std::size_t f = 0; f < 2; ++f) right[f] += range.holds(factors[f]);
  }
  for (std::size_t f = 0; f < 2; ++f) {
    const double line = theory::recovered(d, count, factors[f]), n = double{books * trials};
    BOOST_TEST(std::abs(static_cast<double>(right[f]) / n - line) < tolerance::hit_share(line, n));
  }
}

BOOST_AUTO_TEST_CASE(hits) {
  const std::vector<std::uint32_t> answers{1, 2, 3, 4}, truth{1, 2, 0, 4};
  const Hits hits = count_hits(answers, truth);
  BOOST_TEST(hits.right == 3U);
  BOOST_TEST(hits.n == 4U);
  BOOST_TEST(hits.share() == 0.75);
  BOOST_TEST(hits.interval(0.95).low == wilson(3, 4, 0.95).low);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Matrix<float> words = made::normal<float>(5, 4, 22), other = made::normal<float>(5, 3, 23);
  Matrix<float> broken = words, empty = words;
  broken(2, 1) = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t j = 0; j < 4; ++j) empty(3, j) = 0;
  const std::vector<std::uint32_t> which{0, 1, 2, 3, 9}, few{0};
  check_refusal([&] { nearest_words(other, words); }, "queries are 5 x 3, words 5 x 4");
  check_refusal([&] { nearest_words(words, zeros<float>(0, 4)); }, "a table of 0 words");
  check_refusal([&] { nearest_words(broken, words); }, "row 2 of the 5 x 4 queries is not finite");
  check_refusal([&] { nearest_words(words, broken); }, "row 2 of the 5 x 4 words is not finite");
  check_refusal([&] { nearest_words(words, empty, Nearness::cosine); }, "word 3 of 5 has length 0");
  check_refusal([&] { found_between(words, words, which, words, few); }, "index 9 into a table of 5 rows");
  check_refusal([&] { found_between(words, words, few, words, few); }, "1 indices for 5 queries");
  check_refusal(
      [&] {
        found_between(block(words, 0, 1), words, few, words, {which.data() + 4, 1});
      },
      "index 9 into a table of 5 rows");
  check_refusal([&] { found_between(block(words, 0, 1), words, few, words, which); },
                "5 indices for 1 queries");
  check_refusal([&] { nearest_pairs(words, words, other); }, "positions 5 x 3");
  check_refusal([&] { nearest_pairs(words, words, zeros<float>(0, 4)); }, "5 words and 0 positions");
  check_refusal([&] { nearest_pairs(words, zeros<float>(513, 4), zeros<float>(512, 4)); },
                "513 words x 512 positions; expected at most 262144 pairs");
  check_refusal([&] { nearest_pairs(broken, words, words); }, "row 2 of the 5 x 4 queries is not finite");
  check_refusal([&] { nearest_pairs(words, broken, words); }, "row 2 of the 5 x 4 words is not finite");
  check_refusal([&] { project_out(words, other); }, "the basis 5 x 3");
  check_refusal([&] { project_out(words, words); }, "expected orthonormal rows");
  check_refusal([&] { project_out(broken, zeros<float>(0, 4)); }, "row 2 of the 5 x 4 table is not finite");
  check_refusal([&] { count_hits(few, which); }, "1 answers to 5 questions");
  Matrix<double> x = made::normal<double>(8, 2, 24), twins = x, one = made::normal<double>(1, 2, 25),
                 holed = x;
  for (std::size_t i = 0; i < 8; ++i) twins(i, 1) = twins(i, 0);
  holed(0, 1) = std::numeric_limits<double>::infinity();
  check_refusal([&] { read_out_r2({x, one}, {x, x}, 0); }, "8 inputs with 1 targets");
  check_refusal([&] { read_out_r2({one, one}, {x, x}, 0); }, "1 inputs with 1 targets");
  check_refusal(
      [&] {
        read_out_r2({x, x}, {made::normal<double>(8, 3, 26), x}, 0);
      },
      "learned from 2 columns for 2 targets, tested on 3 for 2");
  check_refusal([&] { read_out_r2({x, x}, {x, x}, -1); }, "a ridge of -1");
  check_refusal([&] { read_out_r2({twins, x}, {x, x}, 0); }, "is singular at ridge 0");
  check_refusal([&] { read_out_r2({holed, x}, {x, x}, 0); }, "column 1 of a 8 x 2 table is not finite");
}

BOOST_AUTO_TEST_SUITE_END()
