// What a whole Transformer must do whatever its weights, and what random ones are. Its numbers:
// reference.cpp.

#include <boost/test/unit_test.hpp>

#include "perp/base/matrix_algebra.hpp"
#include "tests/model/drawn.hpp"

using namespace perp;
using namespace perp::test;
using model::Shape;

namespace {

constexpr std::size_t length = 7;
const Shape usual{.width = 24, .heads = 3, .inner = 40, .depth = 3};
const double bound = model::permutation_bound(usual, usual.depth, length, roundoff<double>);

}  // namespace

BOOST_AUTO_TEST_SUITE(model_forward)

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

BOOST_AUTO_TEST_CASE(weights_have_the_usual_scales) {
  Shape shape{.width = 128, .heads = 4, .inner = 512, .depth = 2};
  const auto check = [](const model::Linear<double>& map, double expected) {
    double sum = 0;
    for (const double w : map.weight) sum += w * w;
    // A mean of 16,384 squares of normals or more: relative deviation √(2/16384) = .011; six of them.
    BOOST_TEST(std::abs(sum / static_cast<double>(map.weight.size()) / expected - 1) < 6 * .011);
  };
  const auto blocks = [&] { return model::random_transformer<double>(shape, named("scales")).blocks; };
  for (const model::Block<double>& a : blocks()) {
    for (const auto* map : {&a.attention.query, &a.attention.key, &a.attention.value, &a.feed_forward.inner})
      check(*map, 1.0 / 128);
    check(a.attention.output, 1.0 / 128 / 4);  // 2 depth = 4
    check(a.feed_forward.outer, 1.0 / 512 / 4);
  }
  shape.residual = false;
  check(blocks()[0].attention.output, 1.0 / 128);
}

BOOST_AUTO_TEST_SUITE_END()
