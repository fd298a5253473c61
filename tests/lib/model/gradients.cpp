// Every hand-written derivative against central differences in double, through whole predictors.

#include <boost/test/unit_test.hpp>
#include <functional>

#include "perp/base/matrix_algebra.hpp"
#include "perp/model/predictor.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/lib/model/drawn.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::model;

namespace {

constexpr std::size_t words = 9, classes = 7, length = 6;

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
  for (std::size_t h = 1; h <= heads; ++h) slopes.push_back(alibi_encoding(h, heads));
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
