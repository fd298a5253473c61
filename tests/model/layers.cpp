// Layers one by one: softmax at its limits, LayerNorm, activations, counts; and what a model refuses.

#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/model/adam.hpp"
#include "perp/model/cross_entropy.hpp"
#include "perp/model/head_products.hpp"
#include "perp/model/softmax.hpp"
#include "perp/theory/cost.hpp"
#include "tests/model/drawn.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace {

template <class T>
std::vector<T> softmax_of(std::vector<T> scores, std::size_t visible) {
  model::softmax(std::span<T>(scores), visible);
  return scores;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_layers)

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
}

BOOST_AUTO_TEST_CASE(layer_norm_is_that_of_measures) {
  const Matrix<double> x = normal_rows<double>(5, 33, "norm");
  const model::LayerNorm<double> norm{normals(33, "gain"), normals(33, "bias")};
  BOOST_TEST(apart(model::normalise(norm, x).out, layer_norm(x, norm.gain, norm.bias, norm.epsilon)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(counts_are_those_of_claim_a6) {
  // The block whose parameters A6 counts by formula is this one, counted by its arrays.
  for (const std::size_t width : {12U, 64U, 768U}) {
    const model::Shape shape{.width = width, .heads = 4, .inner = 4 * width, .depth = 1};
    const auto block = model::random_transformer<float>(shape, named("counted")).blocks.front();
    const theory::BlockShape counted = theory::usual_block(width);
    BOOST_TEST(model::parameters(block, shape) == theory::block_parameters(counted));
    model::Shape less = shape;
    less.feed_forward = false;
    less.norm = model::Norm::none;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width));
    less.norm = model::Norm::after;
    BOOST_TEST(model::parameters(block, less) == 4 * (width * width + width) + 2 * width);
  }
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  using Labels = std::vector<std::int32_t>;
  const auto build = [](std::size_t width, std::size_t heads, std::size_t inner) {
    model::random_transformer<float>({width, heads, inner}, named("refused"));
  };
  const auto any = any_transformer<float>({.width = 8, .heads = 2, .inner = 8});
  const auto rows_of = [](std::size_t n, std::size_t d) { return normal_rows<float>(n, d, "rows"); };
  const auto pass = [&](std::size_t n, std::size_t d, std::size_t length) {
    model::forward<float>(any, rows_of(n, d), length);
  };
  std::vector<EncodingPointer> slopes;
  const auto biased = [&](std::size_t heads, std::size_t length) {
    for (slopes.clear(); slopes.size() < heads;) slopes.push_back(alibi_encoding(slopes.size() + 1, 2));
    model::forward<float>(any, rows_of(4, 8), 4, model::biased_positions<float>(slopes, length));
  };
  const auto turn = [](const EncodingPointer& encoding) { model::rotary_positions<double>(*encoding, 4, 8); };
  const auto turned = model::rotary_positions<float>(*rotary_encoding(), 9, 6);
  const model::LayerNorm<float> norm{{1, 1}, {0, 0}};
  std::vector<double> two{1, 2}, one{1};
  const std::vector<std::span<double>> parts{two, one}, fewer{two}, longer{two, two};
  model::Adam<double> adam;
  adam.step(parts, parts, 0.1);
  Matrix<float> x = rows_of(18, 12), logits = zeros<float>(2, 3);
  const auto map = [&](std::size_t biases) {
    model::apply(model::Linear<float>{zeros<float>(3, 4), std::vector<float>(biases)}, x);
  };
  const auto ask = [&](std::int32_t second) { model::cross_entropy(logits, Labels{0, second}); };
  const Matrix<double> narrow = zeros<double>(3, 3), five = zeros<double>(5, 4);
  float out[20];
  for (const auto& [call, message] : std::vector<std::pair<std::function<void()>, const char*>>{
           {[&] { build(0, 1, 4); }, "1 heads of a width of 0"},
           {[&] { build(10, 4, 4); }, "4 heads of a width of 10"},
           {[&] { build(8, 0, 4); }, "0 heads"},
           {[&] { build(8, 2, 0); }, "inner width 0"},
           {[&] { pass(4, 7, 4); }, "width 7"},
           {[&] { pass(5, 8, 4); }, "5 tokens are no sequences of 4"},
           {[&] { pass(5, 8, 0); }, "sequences of 0"},
           {[&] { biased(1, 4); }, "biases of 1 heads"},
           {[&] { biased(2, 5); }, "5 positions"},
           {[&] { turn(rotary_encoding(1e4, Layout::half_split)); }, "interleaved"},
           {[&] { turn(sinusoidal_encoding()); }, "sinusoidal"},
           {[&] { model::rotate_heads(turned, 10, 6, x); }, "angles of 9 positions"},
           {[&] { model::rotate_heads(turned, 9, 4, x); }, "heads of 4"},
           {[&] { model::normalise(norm, rows_of(2, 3)); }, "rows of 3 values"},
           {[&] { softmax_of(two, 0); }, "0 of 2"},
           {[&] { softmax_of(two, 3); }, "3 of 2"},
           {[&] { map(2); }, "2 biases for a map"},
           {[&] { map(3); }, "product_nt"},
           {[&] { model::add_positions(rows_of(6, 4), narrow); }, "positions 3 x 3"},
           {[&] { model::append_positions(rows_of(6, 4), five); }, "positions 5 x 4"},
           {[&] { model::head_product(View(logits), View(logits), out, 2); }, "inner size of 3, then of 2"},
           {[&] { model::head_product_tn(View(logits), View(x), out, 2); }, "inner size of 2, then of 18"},
           {[&] { adam.step(fewer, fewer, 0.1); }, "1 parts"},
           {[&] { adam.step(parts, fewer, 0.1); }, "1 gradients"},
           {[&] { adam.step(longer, longer, 0.1); }, "part 1 has 2 values"},
           {[&] { adam.step(parts, longer, 0.1); }, "2 derivatives"},
           {[&] { model::warmed_up_rate(0, 0, 1); }, "no steps to warm up in"},
           {[&] { model::cross_entropy(logits, Labels{0}); }, "1 labels for 2 rows"},
           {[&] { ask(3); }, "label 3 of 3 classes"},
           {[&] { ask(-2); }, "label -2 of 3 classes"},
           {[&] { model::cross_entropy(logits, Labels(2, model::ignored_target)); }, "none of 2 rows"}})
    check_refusal(call, message);
  check_refusal([] { softmax_of<double>({1, std::nan("")}, 2); }, "not finite", Exit::failed);
}

BOOST_AUTO_TEST_SUITE_END()
