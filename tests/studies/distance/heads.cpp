// Given positions through given weights: every head against the definition, and rotations. Dead heads
// and units: tests/cli/edges.sh.

#include "studies/distance/heads.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

std::vector<double> numbers(std::size_t n, std::uint64_t number) {
  const Matrix<double> row = normal(1, n, number);
  return {row.data(), row.data() + n};
}

GivenPositions made(std::size_t length, std::size_t d, std::size_t columns, std::size_t heads, bool biases) {
  GivenPositions given;
  given.positions = normal(length, d, 1);
  given.weights = AttentionWeights{normal(d, columns, 2), normal(d, columns, 3), {}, {}, heads};
  if (biases) {
    given.weights->query_bias = numbers(columns, 4);
    given.weights->key_bias = numbers(columns, 5);
  }
  return given;
}

/// The definition: 1 - Σ (S - mean of its lag)²/Σ (S - mean)², scores one by one.
double plain(const Matrix<double>& x, const AttentionWeights& w, std::size_t head) {
  const std::size_t length = rows(x);
  const auto projected = [&](const Matrix<double>& weights, const std::vector<double>& bias, std::size_t t,
                             std::size_t column) {
    double sum = bias.empty() ? 0.0 : bias[column];
    for (std::size_t i = 0; i < cols(x); ++i) sum += x(t, i) * weights(i, column);
    return sum;
  };
  Matrix<double> scores = zeros<double>(length, length);
  std::vector<double> by_lag(2 * length), count(2 * length);
  double mean = 0, within = 0, all = 0;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      for (std::size_t j = head * w.width(); j < (head + 1) * w.width(); ++j)
        scores(t, s) += projected(w.query, w.query_bias, t, j) * projected(w.key, w.key_bias, s, j);
      by_lag[length + s - t] += scores(t, s), ++count[length + s - t];
      mean += scores(t, s) / static_cast<double>(length * length);
    }
  const auto at = [&](std::size_t t, std::size_t s) {
    return by_lag[length + s - t] / count[length + s - t];
  };
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      within += std::pow(scores(t, s) - at(t, s), 2);
      all += std::pow(scores(t, s) - mean, 2);
    }
  return 1 - within / all;
}

std::vector<double> column(const Matrix<double>& draws, std::size_t head) {
  const Matrix<double> heads = transposed(draws);
  return {row(heads, head).begin(), row(heads, head).end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_heads)

BOOST_AUTO_TEST_CASE(heads_by_the_definition) {
  for (const bool biases : {false, true})
    for (const bool normed : {false, true}) {
      GivenPositions given = made(9, 6, 12, 3, biases);
      if (normed) given.layer_norm = LayerNormWeights{numbers(6, 6), numbers(6, 7)};
      const Matrix<double> input = normalised(*given.positions, given);
      BOOST_TEST((std::abs(input(3, 0) - (*given.positions)(3, 0)) > 1e-3) == normed);
      const std::vector<double> r2 = head_r2(*given.positions, given);
      BOOST_TEST(r2.size() == 3U);
      for (std::size_t h = 0; h < r2.size(); ++h) {
        BOOST_TEST(std::abs(r2[h] - plain(input, *given.weights, h)) < tolerance::gram_variance);
      }
    }
}

BOOST_AUTO_TEST_CASE(draws_are_keyed_and_shared_by_heads_and_threads) {
  GivenPositions given = made(20, 8, 8, 2, false);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (Matrix<double>* weights : {&given.weights->query, &given.weights->key})
        (*weights)(i, 4 + j) = (*weights)(i, j);  // two equal heads
  const auto drawn = [&](int what, const Streams& streams, std::size_t threads) {
    if (what < 2) return turned_r2(*given.positions, given, Turned(what), streams, 24, threads);
    Matrix<double> draws = matrix<double>(24, 2);
    const std::vector<HeadControl> controls = head_controls(*given.positions, given, streams, 24, threads);
    for (std::size_t i = 0; i < draws.size(); ++i) draws.data()[i] = controls[i % 2].draws[i / 2];
    return draws;
  };
  for (const int what : {0, 1, 2}) {
    const Matrix<double> one = drawn(what, {1, "test", "layer 0"}, 1);
    BOOST_TEST(column(one, 0) == column(drawn(what, {1, "test", "layer 0"}, 2), 0),
               boost::test_tools::per_element());
    BOOST_TEST(column(one, 0) == column(one, 1), boost::test_tools::per_element());
    for (const Streams& other :
         {Streams{2, "test", "layer 0"}, Streams{1, "other", "layer 0"}, Streams{1, "test", "layer 1"}})
      BOOST_TEST(column(one, 0) != column(drawn(what, other, 1), 0));
  }
}

BOOST_AUTO_TEST_CASE(turned_heads_by_the_definition) {
  // A sinusoid of 10 dimensions, two heads of 4 with spectra far from flat, biases: W_Q R W_Kᵀ and O W_Q from
  // rotations of their own, 400 draws on either side; means within five standard errors.
  GivenPositions given = made(40, 10, 8, 2, true);
  given.positions = sinusoidal<double>(40, 10);
  AttentionWeights& w = *given.weights;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 8; ++j) w.key(i, j) = w.query(i, j) *= std::pow(0.3, j % 4);
  const std::size_t draws = 400;
  for (const Turned what : {Turned::pairing, Turned::alignment}) {
    const Matrix<double> found = turned_r2(*given.positions, given, what, {1, "test", "heads"}, draws, 1);
    Matrix<double> expected = matrix<double>(draws, 2);
    for (std::size_t draw = 0; draw < draws; ++draw) {
      const Stream own = stream(20240607, "tests", "heads", draw, "rotation");
      GivenPositions turned = given;
      if (what == Turned::alignment)
        turned.weights->query = product(Matrix<double>(random_rotation(10, own)), w.query);
      else {
        // Queries and their bias, W R for each head.
        const Matrix<double> r = random_rotation(4, own);
        Matrix<double> both = zeros<double>(8, 8);
        for (std::size_t i = 0; i < 8; ++i)
          for (std::size_t j = 0; j < 4; ++j) both(i, i / 4 * 4 + j) = r(i % 4, j);
        turned.weights->query = product(w.query, both);
        const View<double> bias(w.query_bias.data(), 1, 8, 8);
        std::ranges::copy(row(product(bias, both), 0), turned.weights->query_bias.begin());
      }
      std::ranges::copy(head_r2(*given.positions, turned), row(expected, draw).begin());
    }
    for (std::size_t h = 0; h < 2; ++h) {
      const Moments one = moments_of(column(found, h)), two = moments_of(column(expected, h));
      BOOST_TEST(std::abs(one.mean - two.mean) <
                     tolerance::five_sigma(std::sqrt((one.variance + two.variance) / draws)),
                 "head " << h << ": " << one.mean << " against " << two.mean);
    }
  }
}

BOOST_AUTO_TEST_CASE(gpt2, *needs_tables()) {
  const auto table = real_table("gpt2-small-block0.safetensors");
  if (!table) return;
  const auto tensor = [&](const char* name) { return table->string() + ":" + name; };
  Options options;
  options.extra = {{"positions", tensor("wpe")},
                   {"rows", "1:513"},
                   {"query", tensor("h0.query.weight")},
                   {"key", tensor("h0.key.weight")},
                   {"heads", "12"}};
  const auto check_mean = [&](const std::optional<Matrix<double>>& positions, double known) {
    const GivenPositions given = load_positions(options);
    const double mean = moments_of(head_r2(positions ? *positions : *given.positions, given)).mean;
    BOOST_TEST(std::abs(mean - known) <= tolerance::rounded(1e-3), mean << " against " << known);
  };
  for (const auto& [layout, share] : {std::pair{Layout::interleaved, .175}, {Layout::half_split, .228}})
    check_mean(sinusoidal<double>(512, 768, usual_base, layout), share);  // positions 0 … 511
  options.extra.insert({{"query-bias", tensor("h0.query.bias")}, {"key-bias", tensor("h0.key.bias")}});
  check_mean({}, .750);
  options.extra["layernorm"] = tensor("h0.ln.weight") + "," + tensor("h0.ln.bias");
  check_mean({}, .773);
}

BOOST_AUTO_TEST_SUITE_END()
