// Every hand-written derivative against central differences in double: one layer at a time, then whole
// predictors. A layer's loss is Σ c_i out_i with normal c, so that nothing cancels by symmetry.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "perp/base/matrix_algebra.hpp"
#include "perp/model/predictor.hpp"
#include "perp/model/softmax.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/model/slow.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::model;

namespace {

using Part = std::span<double>;

Part all(Matrix<double>& m) { return {m.data(), m.size()}; }

double weighted(const Matrix<double>& coefficients, const Matrix<double>& out) {
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) sum += coefficients.data()[i] * out.data()[i];
  return sum;
}

/// The largest |gradient - difference| over the part's largest derivative. Up to `most` entries of a part are
/// moved, evenly spread.
double worst(const std::function<double()>& loss, Part values, std::span<const double> gradient,
             std::size_t most = 60) {
  BOOST_REQUIRE_EQUAL(values.size(), gradient.size());
  double largest = 0, off = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  const std::size_t step = std::max<std::size_t>(1, values.size() / most);
  for (std::size_t i = 0; i < values.size(); i += step) {
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

void check_part(const char* what, const std::function<double()>& loss, Part values,
                std::span<const double> gradient) {
  BOOST_TEST_CONTEXT(what) { BOOST_TEST(worst(loss, values, gradient) < tolerance::gradient); }
}

Linear<double> any_linear(std::size_t out, std::size_t in, const char* name) {
  Linear<double> map{normal_rows<double>(out, in, name), std::vector<double>(out)};
  fill_normal(stream(1, "bias", name, 0, "test"), std::span<double>(map.bias));
  return map;
}

std::vector<double> normals(std::size_t n, std::string_view name) {
  std::vector<double> values(n);
  fill_normal(stream(1, "values", name, 0, "test"), std::span<double>(values));
  return values;
}

Attention<double> any_attention(std::size_t width, std::size_t heads, bool causal) {
  Attention<double> attention{any_linear(width, width, "q"),
                              any_linear(width, width, "k"),
                              any_linear(width, width, "v"),
                              any_linear(width, width, "o"),
                              heads,
                              causal};
  for (Linear<double>* map : {&attention.query, &attention.key})
    for (double& w : all(map->weight)) w /= std::sqrt(static_cast<double>(width));
  return attention;
}

Predictor<double> any_predictor(const Shape& shape, Combination combination, bool learned, std::size_t words,
                                std::size_t length, std::size_t classes) {
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
  for (double& w : all(predictor.head.weight)) w /= std::sqrt(static_cast<double>(d));
  return predictor;
}

Batch any_batch(std::size_t sequences, std::size_t length, std::int32_t words, std::int32_t classes) {
  Batch batch{length, {}, {}};
  for (std::size_t r = 0; r < sequences * length; ++r) {
    batch.tokens.push_back(static_cast<std::int32_t>((r * 7 + r * r % 11) % static_cast<std::size_t>(words)));
    batch.labels.push_back(
        r % 3 == 1 ? ignored_target : static_cast<std::int32_t>((r * 5) % static_cast<std::size_t>(classes)));
  }
  return batch;
}

void check_predictor(Predictor<double> predictor, const Batch& batch) {
  Predictor<double> gradient = predictor, unused = predictor;
  // Listed before: the gradient must stay in its memory.
  const std::vector<Part> values = parts(predictor), derivatives = parts(gradient);
  loss(predictor, batch, gradient);
  BOOST_REQUIRE_EQUAL(values.size(), derivatives.size());
  const auto nats = [&] { return loss(predictor, batch, unused).nats; };
  for (std::size_t i = 0; i < values.size(); ++i) {
    BOOST_TEST_CONTEXT("part " << i << " of " << values.size()) {
      BOOST_TEST(worst(nats, values[i], derivatives[i], 12) < tolerance::gradient);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_gradients)

BOOST_AUTO_TEST_CASE(of_a_linear_map) {
  Linear<double> map = any_linear(5, 7, "map"), gradient = map;
  Matrix<double> x = normal_rows<double>(6, 7, "x");
  const Matrix<double> c = normal_rows<double>(6, 5, "c");
  const auto value = [&] { return weighted(c, model::apply(map, x)); };
  const Matrix<double> dx = backward(map, x, c, gradient);
  check_part("x", value, all(x), {dx.data(), dx.size()});
  check_part("weight", value, all(map.weight), all(gradient.weight));
  check_part("bias", value, map.bias, gradient.bias);
}

BOOST_AUTO_TEST_CASE(of_softmax) {
  std::vector<double> scores = normals(9, "scores");
  const std::vector<double> c = normals(9, "c");
  for (const std::size_t visible : {9U, 4U, 1U}) {
    const auto weights = [&] {
      std::vector<double> w = scores;
      softmax(std::span<double>(w), visible);
      return w;
    };
    const auto value = [&] {
      const std::vector<double> w = weights();
      return std::inner_product(w.begin(), w.end(), c.begin(), 0.0);
    };
    std::vector<double> d = c;
    softmax_backward(std::span<const double>(weights()), std::span<double>(d));
    check_part("scores", value, scores, d);
  }
}

BOOST_AUTO_TEST_CASE(of_layer_norm) {
  LayerNorm<double> norm{normals(8, "gain"), normals(8, "bias")}, gradient = norm;
  Matrix<double> x = normal_rows<double>(5, 8, "x");
  const Matrix<double> c = normal_rows<double>(5, 8, "c");
  const auto value = [&] { return weighted(c, normalise(norm, x).out); };
  const Matrix<double> dx = backward(norm, normalise(norm, x), c, gradient);
  check_part("x", value, all(x), {dx.data(), dx.size()});
  check_part("gain", value, norm.gain, gradient.gain);
  check_part("bias", value, norm.bias, gradient.bias);
}

BOOST_AUTO_TEST_CASE(of_the_feed_forward_layer) {
  for (const Activation activation : {Activation::gelu, Activation::relu}) {
    FeedForward<double> layer{any_linear(12, 6, "inner"), any_linear(6, 12, "outer"), activation};
    FeedForward<double> gradient = layer;
    Matrix<double> x = normal_rows<double>(7, 6, "x");
    const Matrix<double> c = normal_rows<double>(7, 6, "c");
    const auto value = [&] { return weighted(c, feed_forward(layer, x).out); };
    const Matrix<double> dx = backward(layer, feed_forward(layer, x), x, c, gradient);
    check_part("x", value, all(x), {dx.data(), dx.size()});
    check_part("inner", value, all(layer.inner.weight), all(gradient.inner.weight));
    check_part("inner bias", value, layer.inner.bias, gradient.inner.bias);
    check_part("outer", value, all(layer.outer.weight), all(gradient.outer.weight));
  }
}

BOOST_AUTO_TEST_CASE(of_attention) {
  constexpr std::size_t width = 8, length = 5, batch = 2;
  for (const std::size_t heads : {1U, 2U, 4U})
    for (const bool causal : {false, true})
      for (const char* inside : {"nothing", "rotary", "alibi"}) {
        AttentionPositions<double> positions;
        if (std::string_view(inside) == "rotary")
          positions = rotary_positions<double>(*rotary_encoding(), length, width / heads);
        if (std::string_view(inside) == "alibi") {
          std::vector<EncodingPointer> slopes;
          for (std::size_t h = 0; h < heads; ++h) slopes.push_back(alibi_encoding(h + 1, heads));
          positions = biased_positions<double>(slopes, length);
        }
        std::vector<Matrix<double>> biases(positions.bias.size(), zeros<double>(length, length));
        if (!biases.empty()) positions.bias_gradient = &biases;
        Attention<double> layer = any_attention(width, heads, causal), gradient = layer;
        Matrix<double> x = normal_rows<double>(batch * length, width, "x");
        const Matrix<double> c = normal_rows<double>(batch * length, width, "c");
        const auto value = [&] { return weighted(c, attend(layer, x, length, positions).out); };
        const Matrix<double> dx =
            backward(layer, attend(layer, x, length, positions), x, length, positions, c, gradient);
        BOOST_TEST_CONTEXT(heads << " heads, causal " << causal << ", " << inside) {
          check_part("x", value, all(x), {dx.data(), dx.size()});
          check_part("query", value, all(layer.query.weight), all(gradient.query.weight));
          check_part("query bias", value, layer.query.bias, gradient.query.bias);
          check_part("key", value, all(layer.key.weight), all(gradient.key.weight));
          check_part("value", value, all(layer.value.weight), all(gradient.value.weight));
          check_part("output", value, all(layer.output.weight), all(gradient.output.weight));
          for (std::size_t h = 0; h < biases.size(); ++h)
            check_part("bias", value, all(positions.bias[h]), all(biases[h]));
        }
      }
}

BOOST_AUTO_TEST_CASE(of_a_block_of_every_kind) {
  constexpr std::size_t length = 4;
  for (const Norm norm : {Norm::before, Norm::after, Norm::none})
    for (const bool residual : {true, false})
      for (const bool feed_forward : {true, false}) {
        const Shape shape{.width = 6,
                          .heads = 2,
                          .inner = 10,
                          .depth = 1,
                          .norm = norm,
                          .residual = residual,
                          .feed_forward = feed_forward};
        Block<double> block = any_transformer<double>(shape).blocks.front(), gradient = block;
        Matrix<double> x = normal_rows<double>(2 * length, 6, "x");
        const Matrix<double> c = normal_rows<double>(2 * length, 6, "c");
        const auto value = [&] { return weighted(c, pass(block, shape, x, length).out(shape)); };
        const Matrix<double> dx =
            backward(block, shape, pass(block, shape, x, length), x, length, {}, c, gradient);
        BOOST_TEST_CONTEXT(to_text(norm) << ", residual " << residual << ", feed-forward " << feed_forward) {
          check_part("x", value, all(x), {dx.data(), dx.size()});
          check_part("value", value, all(block.attention.value.weight), all(gradient.attention.value.weight));
          if (norm != Norm::none) check_part("first gain", value, block.first.gain, gradient.first.gain);
          if (norm != Norm::none && feed_forward)
            check_part("second gain", value, block.second.gain, gradient.second.gain);
          if (feed_forward)
            check_part("inner", value, all(block.feed_forward.inner.weight),
                       all(gradient.feed_forward.inner.weight));
        }
      }
}

BOOST_AUTO_TEST_CASE(of_cross_entropy) {
  Matrix<double> logits = normal_rows<double>(4, 5, "logits");
  const std::vector<std::int32_t> labels{3, ignored_target, 0, 4};
  const auto value = [&] {
    Matrix<double> copy = logits;
    return cross_entropy(copy, labels).nats;
  };
  Matrix<double> gradient = logits;
  cross_entropy(gradient, labels);
  check_part("logits", value, all(logits), all(gradient));
}

BOOST_AUTO_TEST_CASE(of_whole_predictors_however_words_meet_positions) {
  const Batch batch = any_batch(3, 6, 9, 7);
  for (const Combination combination :
       {Combination::alone, Combination::add, Combination::concatenate, Combination::project})
    for (const bool learned : {false, true}) {
      if (combination == Combination::alone && learned) continue;
      const Shape shape{.width = 8, .heads = 2, .inner = 12, .depth = 2, .causal = learned};
      BOOST_TEST_CONTEXT("combination " << static_cast<int>(combination) << ", learned " << learned)
      check_predictor(any_predictor(shape, combination, learned, 9, 6, 7), batch);
    }
}

BOOST_AUTO_TEST_CASE(of_whole_predictors_with_rotary_attention) {
  const Shape shape{
      .width = 8, .heads = 2, .inner = 12, .depth = 3, .norm = Norm::after, .activation = Activation::relu};
  Predictor<double> predictor = any_predictor(shape, Combination::alone, false, 9, 6, 7);
  predictor.attention_positions = rotary_positions<double>(*rotary_encoding(), 6, 4);
  check_predictor(std::move(predictor), any_batch(3, 6, 9, 7));
}

BOOST_AUTO_TEST_CASE(of_whole_predictors_with_learned_biases) {
  // Two blocks, which share them, and sequences longer than one bucket's lag.
  for (const bool causal : {false, true}) {
    const Shape shape{.width = 8, .heads = 2, .inner = 12, .depth = 2, .causal = causal};
    Predictor<double> predictor = any_predictor(shape, Combination::alone, false, 9, 12, 7);
    predictor.bucket_biases = normal_rows<double>(2, t5_buckets, "biases");
    BOOST_TEST(parts(predictor).back().size() == 2 * t5_buckets);
    check_predictor(std::move(predictor), any_batch(3, 12, 9, 7));
  }
}

BOOST_AUTO_TEST_CASE(float_and_double_agree) {
  const Shape shape{.width = 8, .heads = 2, .inner = 12, .depth = 2};
  Predictor<double> exact = any_predictor(shape, Combination::add, true, 9, 6, 7), exact_gradient = exact;
  Predictor<float> quick;
  quick.embedding.combination = Combination::add;
  quick.embedding.learned_positions = true;
  quick.embedding.words = converted<float>(exact.embedding.words);
  quick.embedding.positions = converted<float>(exact.embedding.positions);
  quick.body = any_transformer<float>(shape);
  quick.last = {std::vector<float>(8), std::vector<float>(8)};
  quick.head = {zeros<float>(7, 8), std::vector<float>(7)};
  const std::vector<Part> from = parts(exact);
  const std::vector<std::span<float>> to = parts(quick);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < from[i].size(); ++j) to[i][j] = static_cast<float>(from[i][j]);
  Predictor<float> quick_gradient = quick;
  const Batch batch = any_batch(3, 6, 9, 7);
  const LossAndAccuracy a = loss(exact, batch, exact_gradient), b = loss(quick, batch, quick_gradient);
  BOOST_TEST(std::abs(a.nats - b.nats) < tolerance::float_loss * a.nats);
  const std::vector<Part> d = parts(exact_gradient);
  const std::vector<std::span<float>> e = parts(quick_gradient);
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
