// Layers one by one and whole: products of a head's size, softmax and cross-entropy at their limits, what a
// Transformer must do whatever its weights, an encoder's input and batches. Numbers: reference.cpp.

#include "perp/model/layers.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/model/attention.hpp"
#include "perp/model/training.hpp"
#include "perp/model/transformer.hpp"
#include "perp/theory/cost.hpp"
#include "tests/lib/model/drawn.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::model;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(model_head_products)

namespace {

constexpr std::size_t sizes[] = {1, 2, 7, 8, 9, 16, 17, 24, 31, 32, 40};
constexpr std::size_t gap = 3;

/// A table whose rows lie further apart than they are long.
template <class T>
Matrix<T> spread(std::size_t rows, std::size_t cols, std::size_t seed) {
  Matrix<T> out = matrix<T>(rows, cols + gap);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols + gap; ++j)
      out(i, j) = j < cols ? static_cast<T>((i * 31 + j * 17 + seed * 7) % 13) - T{6} : T{-77};
  return out;
}
template <class T>
View<T> near(const Matrix<T>& m) {
  return block(m, 0, rows(m), cols(m) - gap);
}

/// Whether `out` is `wanted`, and what lies between its rows untouched.
template <class T>
bool holds(const Matrix<T>& out, const Matrix<T>& wanted) {
  bool same = converted<T>(near(out)) == wanted;
  for (std::size_t i = 0; i < rows(out); ++i)
    for (std::size_t j = cols(wanted); j < cols(out); ++j) same = same && out(i, j) == T{-77};
  return same;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_every_size, T, test::Both) {
  for (const std::size_t m : sizes)
    for (const std::size_t n : sizes)
      for (const std::size_t k : {1U, 5U, 8U, 32U}) {
        const Matrix<T> a = spread<T>(m, k, 1), turned = spread<T>(k, m, 2), b = spread<T>(k, n, 3);
        Matrix<T> out = spread<T>(m, n, 4), out_tn = spread<T>(m, n, 5);
        head_product(near(a), near(b), out.data(), n + gap);
        head_product_tn(near(turned), near(b), out_tn.data(), n + gap);
        BOOST_TEST(holds(out, product(near(a), near(b))));
        BOOST_TEST(holds(out_tn, product_tn(near(turned), near(b))));
      }
}

BOOST_AUTO_TEST_CASE(turning_and_sums_of_columns) {
  for (const std::size_t n : sizes) {
    const Matrix<float> x = spread<float>(9, n, 1), y = spread<float>(9, n, 2),
                        products = product_tn(near(x), near(y));
    std::vector<float> sums(n, 5), squares(n, 5);
    Matrix<float> turned = matrix<float>(n, 9);
    column_sums(near(x), sums.data());
    column_sums(near(x), near(y), squares.data());
    transpose_head(near(x), turned.data());
    BOOST_TEST((turned == transposed(near(x))));
    for (std::size_t j = 0; j < n; ++j) {
      BOOST_TEST(squares[j] == products(j, j));
      BOOST_TEST(sums[j] == std::accumulate(row(turned, j).begin(), row(turned, j).end(), 0.0F));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(model_layers)

namespace {

template <class T>
std::vector<T> softmax_of(std::vector<T> scores, std::size_t visible) {
  model::softmax(std::span<T>(scores), visible);
  return scores;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_at_its_limits, T, Both) {
  const T most = std::numeric_limits<T>::max() / 4, nan = std::numeric_limits<T>::quiet_NaN(),
          infinite = std::numeric_limits<T>::infinity();
  BOOST_TEST((softmax_of<T>({T(1e4), T(-1e4), T(1e4)}, 3) == std::vector<T>{T(0.5), 0, T(0.5)}));
  BOOST_TEST((softmax_of<T>({-most, most, -most}, 3) == std::vector<T>{0, 1, 0}));
  BOOST_TEST(std::abs(static_cast<double>(softmax_of<T>({T(-1e4), T(-1e4 - 1)}, 2)[0]) -
                      1 / (1 + std::exp(-1.0))) < 4 * roundoff<T>);
  // What is masked is never read.
  BOOST_TEST((softmax_of<T>({1, 1, nan, infinite, -infinite}, 2) == std::vector<T>{T(0.5), T(0.5), 0, 0, 0}));
  BOOST_TEST((softmax_of<T>({-3, nan}, 1) == std::vector<T>{1, 0}));
  check_refusal([=] { softmax_of<T>({1, nan}, 2); }, "not finite", Exit::failed);
}

BOOST_AUTO_TEST_CASE(counts_are_those_of_claim_a6) {
  // The block whose parameters A6 counts by formula is this one, counted by its arrays.
  for (const std::size_t width : {12U, 64U, 768U}) {
    const model::Shape shape{.width = width, .heads = 4, .inner = 4 * width, .depth = 1};
    const auto block = model::random_transformer<float>(shape, named("counted")).blocks.front();
    BOOST_TEST(model::parameters(block, shape) == theory::block_parameters(width));
    model::Shape less = shape;
    less.feed_forward = false;
    less.norm = model::Norm::none;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width));
    less.norm = model::Norm::after;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width) + 2 * width);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(model_training)

namespace {

using Labels = std::vector<std::int32_t>;

template <class T>
Matrix<T> filled(std::size_t rows, std::size_t cols, T value) {
  return Matrix<T>(std::array<std::size_t, 2>{rows, cols}, value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_logits_cost_the_logarithm_of_the_classes) {
  for (const std::size_t classes : {1U, 2U, 32U, 4001U})
    for (const double logit : {0.0, -300.0, 1e6}) {
      Matrix<double> logits = filled(3, classes, logit);
      Matrix<float> narrow = filled(3, classes, static_cast<float>(logit));
      const double expected = std::log(static_cast<double>(classes)),
                   share = 1 / static_cast<double>(classes);
      BOOST_TEST(std::abs(cross_entropy(logits, Labels{0, 0, 0}).nats - expected) <=
                 tolerance::cross_entropy);
      BOOST_TEST(std::abs(cross_entropy(narrow, Labels{0, 0, 0}).nats - expected) <=
                 tolerance::float_cross_entropy);
      // (1/C - 1)/3 where the label is, 1/(3 C) elsewhere.
      BOOST_TEST(std::abs(logits(1, 0) - (share - 1) / 3) <= tolerance::cross_entropy);
      BOOST_TEST(std::abs(logits(2, classes - 1) - (share - (classes == 1)) / 3) <= tolerance::cross_entropy);
    }
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_largest_logits_answers) {
  Matrix<double> logits = filled(4, 5, 0.0);
  for (std::size_t r = 0; r < 4; ++r) logits(r, 1) = logits(r, 3) = 2;
  const LossAndAccuracy result = cross_entropy(logits, Labels{1, 3, 0, ignored_target});
  BOOST_TEST((result.asked == 3U && result.right == 1U));
}

BOOST_AUTO_TEST_CASE(only_a_row_that_is_asked_has_to_be_finite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> spoiled = filled(2, 3, 0.0F);
    spoiled(1, 2) = bad;
    Matrix<float> unread = spoiled;
    test::check_refusal([&] { cross_entropy(spoiled, Labels{0, 1}); }, "row 1", Exit::failed);
    BOOST_TEST(cross_entropy(unread, Labels{0, ignored_target}).asked == 1U);
  }
}

BOOST_AUTO_TEST_CASE(first_step_is_the_rate_towards_less) {
  // m̂ = g and v̂ = g²: a step of rate · g/(|g| + epsilon), whatever the size of g; none where g is 0.
  std::vector<double> values(4, 1), gradients{3e-4, -500, 0, 1e-9};
  const std::vector<std::span<double>> parts{values}, derivatives{gradients};
  Adam<double>().step(parts, derivatives, 0.25);
  const std::vector<double> expected{0.75, 1.25, 1, 1 - 0.25 / 2};
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(std::abs(values[i] - expected[i]) <= tolerance::adam_first_step * 0.25, values[i]);
}

BOOST_AUTO_TEST_CASE(rate_rises_then_stays) {
  BOOST_TEST(warmed_up_rate(0, 10, 0.5) == 0.05);
  BOOST_TEST(std::abs(warmed_up_rate(5, 10, 0.5) - 0.3) < 1e-15);
  for (const std::size_t step : {9U, 10U, 1000U}) BOOST_TEST(warmed_up_rate(step, 10, 0.5) == 0.5);
  BOOST_TEST(warmed_up_rate(0, 1, 0.5) == 0.5);
  // And down again as half a cosine.
  BOOST_TEST(cosine_rate(5, 10, 110, 0.5) == warmed_up_rate(5, 10, 0.5));
  BOOST_TEST(cosine_rate(10, 10, 110, 0.5) == 0.5);
  BOOST_TEST(std::abs(cosine_rate(60, 10, 110, 0.5) - 0.25) < 1e-15);
  BOOST_TEST(std::abs(cosine_rate(35, 10, 110, 0.5) - 0.25 * (1 + std::sqrt(0.5))) < 1e-15);
  BOOST_TEST(cosine_rate(110, 10, 110, 0.5) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(model_forward)

using model::Shape;

namespace {

constexpr std::size_t length = 7;
const Shape usual{.width = 24, .heads = 3, .inner = 40, .depth = 3};
const double bound = model::permutation_bound(usual, usual.depth, length, roundoff<double>);

}  // namespace

BOOST_AUTO_TEST_CASE(permuting_tokens_permutes_outputs) {
  // Every order of one sequence without an encoding: each output row where its token went.
  const auto transformer = any_transformer<double>(usual);
  Shape causal = usual;
  causal.causal = true;
  const Matrix<double> x = normal_rows<double>(length, usual.width, "tokens"),
                       before = model::forward<double>(transformer, x, length);
  for (std::size_t shift = 1; shift < length; ++shift) {
    std::vector<std::size_t> from(length);
    for (std::size_t i = 0; i < length; ++i) from[(i * 3 + shift) % length] = i;
    const Matrix<double> moved = select_rows(x, from), expected = select_rows(before, from);
    BOOST_TEST(apart(model::forward<double>(transformer, moved, length), expected) < bound);
    BOOST_TEST(apart(model::forward<double>(any_transformer<double>(causal), moved, length), expected) >
               0.01);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(mask_hides_what_comes_later, T, Both) {
  // Not one bit of an earlier output moves when a later token does, however large it becomes.
  Shape shape{.width = 32, .heads = 4, .inner = 64, .depth = 4, .causal = true};
  constexpr std::size_t n = 17;
  const auto transformer = any_transformer<T>(shape);
  const Matrix<T> x = normal_rows<T>(2 * n, shape.width, "tokens");
  const Matrix<T> before = model::forward<T>(transformer, x, n);
  for (const std::size_t changed : {std::size_t{1}, std::size_t{9}, n - 1}) {
    Matrix<T> other = x;
    for (T& value : row(other, changed)) value = -1000 * value + 5;
    const Matrix<T> after = model::forward<T>(transformer, other, n);
    for (std::size_t i = 0; i < 2 * n; ++i)
      BOOST_TEST(std::ranges::equal(row(before, i), row(after, i)) == (i < changed || i >= n),
                 "row " << i << " with token " << changed << " changed");
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(model_encoder)

namespace {

constexpr std::size_t length = 5, texts = 7, width = 24, vocabulary = 11;
const model::Shape bert{.width = width, .heads = 3, .inner = 40, .depth = 3, .norm = model::Norm::after};

template <class T>
model::Encoder<T> any_encoder() {
  const model::LayerNorm<T> norm = any_transformer<T>(bert).blocks[0].first;
  return {normal_rows<T>(vocabulary, width, "words"),
          normal_rows<T>(length + 2, width, "positions"),
          normal_rows<T>(2, width, "types"),
          {norm.gain, norm.bias, T(model::bert_epsilon)},
          any_transformer<T>(bert)};
}

std::vector<std::int32_t> any_tokens() {
  std::vector<std::int32_t> tokens;
  for (std::size_t r = 0; r < texts * length; ++r) tokens.push_back(std::int32_t(r * r * 3 + r) % vocabulary);
  return tokens;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(input_is_the_normalised_sum, T, Both) {
  // Word, position and type 0 added, then normalised.
  const auto encoder = any_encoder<T>();
  const auto tokens = any_tokens();
  Matrix<T> sum = matrix<T>(tokens.size(), width);
  for (std::size_t r = 0; r < tokens.size(); ++r)
    for (std::size_t j = 0; j < width; ++j)
      sum(r, j) = encoder.words(tokens[r], j) + encoder.positions(r % length, j) + encoder.types(0, j);
  BOOST_TEST(apart(model::embed<T>(encoder, tokens, length), model::normalise(encoder.norm, sum).out) <
             model::rounding_bound(1, width, roundoff<T>));
}

// What a block keeps hangs on the batch, what it computes does not: 7 texts in batches of 1, 2, 7 and more.
BOOST_AUTO_TEST_CASE_TEMPLATE(batches_give_every_depth_of_the_whole, T, Both) {
  const auto encoder = any_encoder<T>();
  const Matrix<T> x = model::embed<T>(encoder, any_tokens(), length);
  std::vector<Matrix<T>> whole;
  const Matrix<T> end = model::forward<T>(
      encoder.body, x, length, {}, [&](std::size_t, const Matrix<T>& states) { whole.push_back(states); });
  BOOST_REQUIRE((whole.size() == 4 && whole.front() == x && whole.back() == end));
  const double bound = model::permutation_bound(bert, bert.depth, length, roundoff<T>);
  for (const std::size_t together : {1U, 2U, 7U, 20U}) {
    std::size_t next = 0;
    const Matrix<T> last = model::forward_in_batches<T>(
        encoder.body, x, length, together, [&](std::size_t depth, const Matrix<T>& states) {
          BOOST_TEST(depth == next++);
          BOOST_TEST(apart(states, whole.at(depth)) < bound, "depth " << depth << ", " << together);
        });
    BOOST_TEST(next == 4U);
    BOOST_TEST(apart(last, end) < bound);
  }
}

BOOST_AUTO_TEST_SUITE_END()
