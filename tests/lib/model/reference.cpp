// Layers, losses and steps against NumPy's: tests/reference/model.py; and every hand-written derivative against
// central differences in double, through whole predictors.

#include "tests/support/reference.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "perp/base/matrix_algebra.hpp"
#include "perp/model/predictor.hpp"
#include "perp/model/training.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/lib/model/drawn.hpp"
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
  for (std::size_t h = 1; h <= heads; ++h)
    slopes.push_back(encoding_named("alibi", {.head = h, .heads = heads}));
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

namespace {

constexpr std::size_t words = 9, classes = 7;

/// The largest |gradient - difference| over the part's largest derivative. A dozen entries of a part are
/// moved, evenly spread.
double worst(const std::function<double()>& loss, std::span<double> values,
             std::span<const double> gradient) {
  BOOST_REQUIRE_EQUAL(values.size(), gradient.size());
  double largest = 0, off = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < values.size(); i += std::max<std::size_t>(1, values.size() / 12)) {
    const double kept = values[i], h = 1e-5;
    values[i] = kept + h;
    const double above = loss();
    values[i] = kept - h;
    const double below = loss();
    values[i] = kept;
    off = std::max(off, std::abs((above - below) / (2 * h) - gradient[i]));
  }
  // A key's bias moves all scores of a query alike: its derivative is 0, up to rounding.
  return off / std::max(largest, 1e-4);
}

Linear<double> any_linear(std::size_t out, std::size_t in, const char* name) {
  Linear<double> map{normal_rows<double>(out, in, name), normals(out, name)};
  for (double& w : map.weight) w /= std::sqrt(static_cast<double>(in));
  return map;
}

Predictor<double> any_predictor(const Shape& shape, Combination combination, bool learned) {
  const std::size_t d = shape.width, d_p = combination == Combination::add ? d : 4,
                    d_w = combination == Combination::concatenate ? d - d_p : d;
  Predictor<double> predictor;
  predictor.embedding.combination = combination;
  predictor.embedding.words = normal_rows<double>(words, d_w, "words");
  if (combination != Combination::alone) predictor.embedding.positions = sinusoidal<double>(length, d_p);
  predictor.embedding.learned_positions = learned;
  if (combination == Combination::project)
    predictor.embedding.projection = any_linear(d, d_w + d_p, "projection");
  predictor.body = any_transformer<double>(shape);
  predictor.last = {normals(d, "last gain"), normals(d, "last bias")};
  predictor.head = any_linear(classes, d, "head");
  return predictor;
}

Batch any_batch() {
  Batch batch{length, {}, {}};
  for (std::int32_t r = 0; r < std::int32_t{3 * length}; ++r) {
    batch.tokens.push_back((r * 7 + r * r % 11) % std::int32_t{words});
    batch.labels.push_back(r % 3 == 1 ? ignored_target : r * 5 % std::int32_t{classes});
  }
  return batch;
}

void check_predictor(Predictor<double> predictor) {
  const Batch batch = any_batch();
  Predictor<double> gradient = predictor, unused = predictor;
  // Listed before: the gradient must stay in its memory.
  const std::vector<std::span<double>> values = parts(predictor), derivatives = parts(gradient);
  loss(predictor, batch, gradient);
  BOOST_REQUIRE_EQUAL(values.size(), derivatives.size());
  const auto nats = [&] { return loss(predictor, batch, unused).nats; };
  for (std::size_t i = 0; i < values.size(); ++i)
    BOOST_TEST(worst(nats, values[i], derivatives[i]) < tolerance::gradient,
               "part " << i << " of " << values.size());
}

enum class Inside { nothing, rotary, alibi };

/// What attention knows of positions.
void tell(Predictor<double>& predictor, Inside inside) {
  const std::size_t heads = predictor.body.shape.heads;
  std::vector<EncodingPointer> slopes;
  for (std::size_t h = 1; h <= heads; ++h)
    slopes.push_back(encoding_named("alibi", {.head = h, .heads = heads}));
  if (inside == Inside::rotary)
    predictor.attention_positions =
        rotary_positions<double>(*rotary_encoding(), length, predictor.body.shape.head_width());
  if (inside == Inside::alibi) predictor.attention_positions = biased_positions<double>(slopes, length);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_gradients)

BOOST_AUTO_TEST_CASE(of_every_kind_of_block) {
  std::size_t number = 0;
  for (const Norm norm : {Norm::before, Norm::after, Norm::none})
    for (const bool residual : {true, false})
      for (const bool feed_forward : {true, false})
        for (const Inside inside : {Inside::nothing, Inside::rotary, Inside::alibi})
          for (const bool causal : {true, false}) {
            // Two blocks, which share what attention knows.
            const Shape shape{.width = 8,
                              .heads = std::size_t{1} << (number + number / 6) % 3,
                              .inner = 12,
                              .depth = 2,
                              .causal = causal,
                              .norm = norm,
                              .activation = number % 5 < 2 ? Activation::relu : Activation::gelu,
                              .residual = residual,
                              .feed_forward = feed_forward};
            Predictor<double> predictor = any_predictor(shape, Combination::alone, false);
            tell(predictor, inside);
            BOOST_TEST_CONTEXT("kind " << number++) { check_predictor(std::move(predictor)); }
          }
}

BOOST_AUTO_TEST_CASE(however_words_meet_positions) {
  for (const Combination combination : {Combination::add, Combination::concatenate, Combination::project})
    for (const bool learned : {false, true}) {
      const Shape shape{.width = 8, .heads = 2, .inner = 12, .depth = 2};
      BOOST_TEST_CONTEXT("combination " << static_cast<int>(combination) << ", learned " << learned) {
        Predictor<double> predictor = any_predictor(shape, combination, learned);
        check_predictor(predictor);
        if (combination != Combination::add) continue;
        predictor.embedding.positions = sinusoidal<double>(length, 4);  // to the last coordinates alone
        check_predictor(predictor);
      }
    }
}

BOOST_AUTO_TEST_CASE(float_and_double_agree) {
  const Shape shape{.width = 8, .heads = 2, .inner = 12, .depth = 2};
  Predictor<double> exact = any_predictor(shape, Combination::add, true), exact_gradient = exact;
  Predictor<float> quick;
  quick.embedding.combination = Combination::add;
  quick.embedding.learned_positions = true;
  quick.embedding.words = converted<float>(exact.embedding.words);
  quick.embedding.positions = converted<float>(exact.embedding.positions);
  quick.body = any_transformer<float>(shape);
  quick.last = {std::vector<float>(8), std::vector<float>(8)};
  quick.head = {zeros<float>(classes, 8), std::vector<float>(classes)};
  const std::vector<std::span<double>> from = parts(exact), d = parts(exact_gradient);
  const std::vector<std::span<float>> to = parts(quick);
  for (std::size_t i = 0; i < from.size(); ++i) std::ranges::copy(from[i], to[i].begin());
  Predictor<float> quick_gradient = quick;
  const std::vector<std::span<float>> e = parts(quick_gradient);
  const LossAndAccuracy a = loss(exact, any_batch(), exact_gradient),
                        b = loss(quick, any_batch(), quick_gradient);
  BOOST_TEST(std::abs(a.nats - b.nats) < tolerance::float_loss * a.nats);
  for (std::size_t i = 0; i < d.size(); ++i) {
    double largest = 0, off = 0;
    for (std::size_t j = 0; j < d[i].size(); ++j) {
      largest = std::max(largest, std::abs(d[i][j]));
      off = std::max(off, std::abs(d[i][j] - static_cast<double>(e[i][j])));
    }
    BOOST_TEST(off <= tolerance::float_loss * largest + 1e-7);  // a key's bias has no derivative but rounding
  }
}

BOOST_AUTO_TEST_SUITE_END()
