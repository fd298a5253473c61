// Layers one by one: softmax at its limits, LayerNorm, activations, attention's positions, counts.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/measures/layernorm.hpp"
#include "perp/model/softmax.hpp"
#include "perp/theory/cost.hpp"
#include "tests/model/slow.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(model_layers)

BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_stands_any_finite_score, T, decltype(std::tuple<float, double>())) {
  std::vector<T> one{T(1e4), T(-1e4), T(1e4)};
  model::softmax(std::span<T>(one), 3);
  BOOST_TEST(one[0] == T(0.5));
  BOOST_TEST(one[1] == T(0));
  BOOST_TEST(one[2] == T(0.5));
  const T most = std::numeric_limits<T>::max() / 4;
  std::vector<T> huge{-most, most, -most};
  model::softmax(std::span<T>(huge), 3);
  BOOST_TEST(huge[1] == T(1));
  std::vector<T> low{T(-1e4), T(-1e4 - 1)};
  model::softmax(std::span<T>(low), 2);
  BOOST_TEST(std::abs(static_cast<double>(low[0]) - 1 / (1 + std::exp(-1.0))) < 4 * roundoff<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_never_reads_what_is_masked, T, decltype(std::tuple<float, double>())) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinite = std::numeric_limits<T>::infinity();
  std::vector<T> scores{T(1), T(1), nan, infinite, -infinite};
  model::softmax(std::span<T>(scores), 2);
  BOOST_TEST(scores == (std::vector<T>{T(0.5), T(0.5), 0, 0, 0}), boost::test_tools::per_element());
  std::vector<T> alone{T(-3), nan};
  model::softmax(std::span<T>(alone), 1);
  BOOST_TEST(alone[0] == T(1));
}

BOOST_AUTO_TEST_CASE(softmax_refuses) {
  std::vector<double> two{1, 2};
  check_refusal([&] { model::softmax(std::span<double>(two), 0); }, "0 of 2");
  check_refusal([&] { model::softmax(std::span<double>(two), 3); }, "3 of 2");
  two[1] = std::nan("");
  BOOST_CHECK_EXCEPTION(model::softmax(std::span<double>(two), 2), Error,
                        [](const Error& e) { return e.exit() == Exit::failed; });
}

BOOST_AUTO_TEST_CASE(attention_stands_scores_of_ten_thousand) {
  model::Shape shape{.width = 16, .heads = 2, .inner = 32, .depth = 1};
  for (const bool causal : {false, true}) {
    shape.causal = causal;
    auto transformer = any_transformer<double>(shape);
    model::Attention<double>& attention = transformer.blocks.front().attention;
    for (double& w : std::span<double>(attention.query.weight.data(), attention.query.weight.size()))
      w *= 1e4;
    const Matrix<double> x = normal_rows<double>(11, 16, "tokens");
    const model::AttentionActivations<double> activations = model::attend(attention, x, 11);
    Rows in(11);
    for (std::size_t i = 0; i < 11; ++i) in[i].assign(row(x, i).begin(), row(x, i).end());
    // Scores of size 10⁴ are off by 10⁴ u √d, and so are the logarithms of the weights.
    BOOST_TEST(apart(activations.out, slow_attention(attention, in, 11, Knows::nothing)) <
               1e4 * model::rounding_bound(4, 16, roundoff<double>));
    for (std::size_t r = 0; r < rows(activations.weights); ++r) {
      double sum = 0;
      for (std::size_t s = 0; s < 11; ++s) {
        const double w = activations.weights(r, s);
        BOOST_TEST((w >= 0 && w <= 1));
        if (causal && s > r % 11) BOOST_TEST(w == 0);
        sum += w;
      }
      BOOST_TEST(std::abs(sum - 1) < 11 * roundoff<double>);
    }
  }
}

BOOST_AUTO_TEST_CASE(uniform_causal_attention_is_a_running_mean) {
  // Queries of zero: weights 1/t, so mean values of the first t values.
  model::Shape shape{.width = 8, .heads = 2, .inner = 8, .depth = 1, .causal = true};
  auto transformer =
      model::random_transformer<double>(shape, model::Initialisation::fan_in, named("uniform"));
  model::Attention<double>& attention = transformer.blocks.front().attention;
  std::fill_n(attention.query.weight.data(), attention.query.weight.size(), 0.0);
  const Matrix<double> x = normal_rows<double>(6, 8, "tokens");
  const model::AttentionActivations<double> activations = model::attend(attention, x, 6);
  for (std::size_t j = 0; j < 8; ++j) {
    double sum = 0;
    for (std::size_t t = 0; t < 6; ++t) {
      sum += activations.value(t, j);
      BOOST_TEST(std::abs(activations.mixed(t, j) - sum / static_cast<double>(t + 1)) <
                 20 * roundoff<double>);
    }
  }
}

BOOST_AUTO_TEST_CASE(layer_norm_is_that_of_measures) {
  const Matrix<double> x = normal_rows<double>(5, 33, "norm");
  model::LayerNorm<double> norm{std::vector<double>(33), std::vector<double>(33)};
  for (std::size_t j = 0; j < 33; ++j) {
    norm.gain[j] = 1 + 0.1 * static_cast<double>(j);
    norm.bias[j] = -0.2 * static_cast<double>(j);
  }
  const model::Normalised<double> fast = model::normalise(norm, x);
  const Matrix<double> other = layer_norm(x, norm.gain, norm.bias, norm.epsilon);
  for (std::size_t i = 0; i < 5; ++i) {
    double mean = 0, square = 0;
    for (std::size_t j = 0; j < 33; ++j) {
      BOOST_TEST(std::abs(fast.out(i, j) - other(i, j)) < 1e-13);
      mean += fast.standard(i, j) / 33;
      square += fast.standard(i, j) * fast.standard(i, j) / 33;
    }
    BOOST_TEST(std::abs(mean) < 1e-14);
    // var/(var + ε) = 1 - ε inverse².
    BOOST_TEST(std::abs(square - (1 - 1e-5 * fast.inverse[i] * fast.inverse[i])) < 1e-13);
  }
  check_refusal([&] { model::normalise(norm, View<double>(x.data(), 5, 32, 33)); }, "rows of 32 values");
}

BOOST_AUTO_TEST_CASE(gelu_known_values) {
  // Φ(1) = .8413447460685429, Φ(2) = .9772498680518208.
  BOOST_TEST(std::abs(model::gelu(1.0) - 0.8413447460685429) < 4 * roundoff<double>);
  BOOST_TEST(std::abs(model::gelu(-1.0) - (0.8413447460685429 - 1)) < 4 * roundoff<double>);
  BOOST_TEST(std::abs(model::gelu(2.0) - 2 * 0.9772498680518208) < 8 * roundoff<double>);
  BOOST_TEST(model::gelu(0.0) == 0);
  BOOST_TEST(model::gelu(-50.0F) == 0);
  BOOST_TEST(model::gelu(50.0F) == 50);
}

BOOST_AUTO_TEST_CASE(heads_are_rotated_as_the_encoding_does) {
  const std::size_t length = 9, width = 6;
  const EncodingPointer rotary = rotary_encoding();
  const auto positions = model::rotary_positions<double>(*rotary, length, width);
  Matrix<double> x = normal_rows<double>(2 * length, 2 * width, "turned"), plain = x;
  model::rotate_heads(positions, length, width, x);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 2; ++h) {
      Matrix<double> head = matrix<double>(length, width);
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t j = 0; j < width; ++j) head(t, j) = plain(b * length + t, h * width + j);
      rotary->rotate(head, 0);
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t j = 0; j < width; ++j)
          BOOST_TEST(std::abs(x(b * length + t, h * width + j) - head(t, j)) < 1e-14);
    }
  check_refusal([&] { model::rotary_positions<double>(*rotary_encoding(1e4, Layout::half_split), 4, 8); },
                "interleaved");
  check_refusal([&] { model::rotary_positions<double>(*sinusoidal_encoding(), 4, 8); }, "sinusoidal");
  check_refusal([&] { model::rotate_heads(positions, length + 1, width, x); }, "angles of 9 positions");
  check_refusal([&] { model::rotate_heads(positions, length, 4, x); }, "heads of 4");
}

BOOST_AUTO_TEST_CASE(biases_must_fit) {
  const model::Shape shape{.width = 8, .heads = 2, .inner = 8, .depth = 1};
  const auto transformer = any_transformer<float>(shape);
  std::vector<EncodingPointer> heads;
  heads.push_back(alibi_encoding(1, 2));
  const Matrix<float> x = normal_rows<float>(4, 8, "biased");
  check_refusal([&] { model::forward<float>(transformer, x, 4, model::biased_positions<float>(heads, 4)); },
                "biases of 1 heads");
  heads.push_back(alibi_encoding(2, 2));
  check_refusal([&] { model::forward<float>(transformer, x, 4, model::biased_positions<float>(heads, 5)); },
                "5 positions");
  const auto positions = model::biased_positions<float>(heads, 4);
  BOOST_TEST(positions.bias[1](3, 0) == -3 * std::exp2(-8.0F));
}

BOOST_AUTO_TEST_CASE(words_meet_positions) {
  const Matrix<float> words = normal_rows<float>(6, 4, "words");
  Matrix<double> positions = matrix<double>(3, 4);
  for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] = static_cast<double>(i) / 4;
  const Matrix<float> sum = model::add_positions(words, positions);
  const Matrix<float> both = model::append_positions(words, positions);
  BOOST_TEST(cols(both) == 8U);
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t j = 0; j < 4; ++j) {
      const float p = static_cast<float>((r % 3) * 4 + j) / 4;
      BOOST_TEST(sum(r, j) == words(r, j) + p);
      BOOST_TEST(both(r, j) == words(r, j));
      BOOST_TEST(both(r, 4 + j) == p);
    }
  const Matrix<double> narrow = zeros<double>(3, 3), five = zeros<double>(5, 4);
  check_refusal([&] { model::add_positions(words, narrow); }, "positions 3 x 3");
  check_refusal([&] { model::append_positions(words, five); }, "positions 5 x 4");
}

BOOST_AUTO_TEST_CASE(counts_are_those_of_claim_a6) {
  // The block that A6 counts by formula is this one, counted by its arrays.
  for (const std::size_t width : {12U, 64U, 768U}) {
    const model::Shape shape{.width = width, .heads = 4, .inner = 4 * width, .depth = 1};
    const auto transformer =
        model::random_transformer<float>(shape, model::Initialisation::gpt2, named("counted"));
    const model::Block<float>& block = transformer.blocks.front();
    const theory::BlockShape counted = theory::usual_block(width);
    BOOST_TEST(model::parameters(block, shape) == theory::block_parameters(counted));
    for (const std::uint64_t tokens : {1U, 10U, 1024U})
      BOOST_TEST(model::multiplications(block, shape, 1, tokens) ==
                 theory::block_operations(counted, tokens));
    BOOST_TEST(model::multiplications(block, shape, 5, 10) == 5 * theory::block_operations(counted, 10));
    model::Shape less = shape;
    less.feed_forward = false;
    less.norm = model::Norm::none;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width));
    less.norm = model::Norm::after;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width) + 2 * width);
  }
}

BOOST_AUTO_TEST_CASE(maps_must_fit) {
  model::Linear<float> map{zeros<float>(3, 4), {0, 0}};
  const Matrix<float> x = zeros<float>(2, 4), narrow = zeros<float>(2, 3);
  check_refusal([&] { model::apply(map, x); }, "2 biases for a map of 3 x 4");
  map.bias.push_back(1);
  BOOST_TEST(model::apply(map, x)(1, 2) == 1);
  check_refusal([&] { model::apply(map, narrow); }, "product_nt");
}

BOOST_AUTO_TEST_SUITE_END()
