// Layers, losses and steps against NumPy's: tests/reference/model.py.

#include <boost/test/unit_test.hpp>

#include "perp/base/matrix_algebra.hpp"
#include "perp/model/training.hpp"
#include "tests/lib/model/drawn.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/support/waves.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::model;

namespace {

constexpr std::size_t width = 24, heads = 3, inner = 40, length = 7, batch = 3;

template <class T>
std::vector<T> vector_of(std::size_t n, double offset, std::size_t seed) {
  std::vector<T> out;
  for (const double x : waves<double>(1, n, seed)) out.push_back(static_cast<T>(offset + .3 * x));
  return out;
}

template <class T>
Linear<T> linear(std::size_t out, std::size_t in, std::size_t seed, double factor = 1) {
  Matrix<double> weight = waves<double>(out, in, seed);
  for (double& w : weight) w *= factor * std::sqrt(2 / static_cast<double>(in));
  return {converted<T>(weight), vector_of<T>(out, 0, seed + 1)};
}

template <class T>
LayerNorm<T> norm(std::size_t seed) {
  return {vector_of<T>(width, 1, seed), vector_of<T>(width, 0, seed + 1)};
}

template <class T>
Transformer<T> transformer_of(const ReferenceRow& row) {
  const Shape shape{.width = width,
                    .heads = heads,
                    .inner = inner,
                    .depth = row.whole("depth"),
                    .causal = row["causal"] > 0,
                    .norm = std::array{Norm::before, Norm::after, Norm::none}.at(row.whole("norm")),
                    .activation = row["feed"] > 1 ? Activation::relu : Activation::gelu,
                    .residual = row["residual"] > 0,
                    .feed_forward = row["feed"] > 0};
  Transformer<T> out{shape, {}};
  for (std::size_t seed = 0; seed < 100 * shape.depth; seed += 100)
    out.blocks.push_back(
        {{linear<T>(width, width, seed + 1, row["sharp"]), linear<T>(width, width, seed + 3),
          linear<T>(width, width, seed + 5), linear<T>(width, width, seed + 7), heads, shape.causal},
         {linear<T>(inner, width, seed + 11), linear<T>(width, inner, seed + 13), shape.activation},
         norm<T>(seed + 21),
         norm<T>(seed + 23)});
  return out;
}

template <class T>
AttentionPositions<T> positions_of(const ReferenceRow& row) {
  if (row["knows"] == 0) return {};
  if (row["knows"] == 1) return rotary_positions<T>(*rotary_encoding(), length, width / heads);
  std::vector<EncodingPointer> slopes;
  for (std::size_t h = 1; h <= heads; ++h) slopes.push_back(alibi_encoding(h, heads));
  return biased_positions<T>(slopes, length);
}

double product_of(const Matrix<double>& a, const Matrix<double>& b) {
  return dot(std::span(a.data(), a.size()), std::span(b.data(), b.size()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_reference)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_switch_of_a_transformer, T, Both) {
  for (const ReferenceRow& row : reference_table("model_forward")) {
    const Transformer<T> transformer = transformer_of<T>(row);
    const auto out = converted<double>(
        forward<T>(transformer, waves<T>(batch * length, width, 99), length, positions_of<T>(row)));
    // Scores of size 10⁴ are off by 10⁴ u √d, and so are the logarithms of the weights.
    const double bound =
        row["sharp"] * permutation_bound(transformer.shape, transformer.shape.depth, length, roundoff<T>);
    for (const auto& [column, seed] : {std::pair{"first", 77U}, {"second", 78U}}) {
      const Matrix<double> probe = waves<double>(batch * length, width, seed);
      const double got = product_of(probe, out), off = std::abs(got - row[column]);
      BOOST_TEST(off <= bound * std::sqrt(product_of(probe, probe) * product_of(out, out)),
                 row.place << ": " << got);
    }
  }
}

BOOST_AUTO_TEST_CASE(cross_entropies) {
  Matrix<double> logits = waves<double>(40, 13, 2);
  for (double& x : logits) x *= 5;
  Matrix<float> narrow = converted<float>(logits);
  std::vector<std::int32_t> labels;
  for (std::int32_t r = 0; r < 40; ++r) labels.push_back(r % 4 == 1 ? ignored_target : r * 7 % 13);
  const LossAndAccuracy exact = cross_entropy(logits, labels), in_float = cross_entropy(narrow, labels);
  BOOST_TEST((exact.asked == 30 && in_float.asked == 30 && in_float.right == exact.right));
  const auto check = [](const LossAndAccuracy& result, const auto& gradient, double bound) {
    check_reference(
        "model_cross_entropy", "nats", [&](const auto&) { return result.nats; }, within(bound));
    check_reference(
        "model_cross_entropy", "derivative",
        [&](const ReferenceRow& row) { return double(gradient(row.whole("row"), row.whole("column"))); },
        within(bound));
  };
  check(exact, logits, tolerance::cross_entropy);
  check(in_float, narrow, tolerance::float_cross_entropy);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(steps_of_adam, T, Both) {
  const Matrix<T> gradients = waves<T>(200, 10, 4), start = waves<T>(1, 10, 3);
  const auto value = [&](const ReferenceRow& row) {
    // Two parts.
    std::vector<T> theta(start.data(), start.data() + 10);
    const std::vector<std::span<T>> parts{std::span(theta).first(7), std::span(theta).last(3)};
    Adam<T> adam({row["beta1"], row["beta2"], row["epsilon"]});
    for (std::size_t step = 0; step < row.whole("steps"); ++step) {
      std::vector<T> g(&gradients(step, 0), &gradients(step, 0) + 10);
      const std::vector<std::span<T>> all{std::span(g).first(7), std::span(g).last(3)};
      adam.step(parts, all, 0.01 * static_cast<double>(1 + step % 5));
    }
    return static_cast<double>(theta.at(row.whole("index")));
  };
  // In float a few 2⁻²⁴ of a value near one each step.
  check_reference("model_adam", "expected", value,
                  within(sizeof(T) == 8 ? tolerance::adam_steps : 200 * roundoff<float>));
}

BOOST_AUTO_TEST_SUITE_END()
