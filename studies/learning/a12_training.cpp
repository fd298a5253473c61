#include "studies/learning/a12_training.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/reader.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/model/layers.hpp"
#include "perp/model/training.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t batch = Training::batch, tested_batches = 20;
using Labels = std::vector<std::int32_t>;

/// A table in coordinates first, first + 1 … of y. Its values follow from the raw entries, by centring and scaling.
struct Table {
  bool is_learned;
  std::size_t first;
  Matrix<float> raw, values, slope;  ///< slope: of the loss, with the values
  double size;                       ///< root of the mean square length before scaling

  Table(bool learned, std::size_t first_, const Matrix<float>& start)
      : is_learned(learned), first(first_), raw(start), slope(zeros<float>(rows(start), cols(start))) {
    scale();
  }
  void scale() {
    values = is_learned ? centred(raw) : raw;
    size = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                     double(rows(values)));
    for (float& x : values) x = float(x / size);
  }
  /// What the loss changes by with the raw entries.
  Matrix<float> raw_slope() const {
    const double along =
        std::inner_product(slope.begin(), slope.end(), values.begin(), 0.0) / double(rows(values));
    Matrix<float> out = slope;
    for (std::size_t i = 0; i < out.size(); ++i)
      out.data()[i] = float((out.data()[i] - along * values.data()[i]) / size);
    return centred(out);
  }
};

/// Samples: what was sent, and what arrives.
struct Received {
  Labels words, positions;
  Matrix<float> y;
};

class Learner {
 public:
  Learner(const Training& at, const Streams& streams, std::size_t run)
      : at_(at), streams_(streams), run_(run), words_(drawn_words()), positions_(drawn_positions()) {
    at.reader == "heads" ? start_heads() : start_classifier();
    slopes_ = reading_;
  }

  void learn(std::size_t step) {
    words_.slope.fill(0);
    positions_.slope.fill(0);
    nats("learned", step, true);
    std::vector<std::span<float>> values{{&logit_, 1}}, slopes{{&logit_slope_, 1}};
    std::vector<Matrix<float>> raw;
    raw.reserve(2);
    const auto add = [&](Matrix<float>& value, Matrix<float>& slope) {
      values.emplace_back(value.data(), value.size());
      slopes.emplace_back(slope.data(), slope.size());
    };
    for (std::size_t i = 0; i < reading_.size(); ++i) {
      add(reading_[i].weight, slopes_[i].weight);
      values.emplace_back(reading_[i].bias);
      slopes.emplace_back(slopes_[i].bias);
    }
    for (Table* table : {&words_, &positions_})
      if (table->is_learned) add(table->raw, raw.emplace_back(table->raw_slope()));
    const std::size_t warm_up = std::min<std::size_t>(200, at_.steps / 4);
    adam_.step(values, slopes, model::cosine_rate(step, warm_up, at_.steps, at_.rate));
    for (Table* table : {&words_, &positions_})
      if (table->is_learned) table->scale();
  }

  double tested_bits() {
    double bits = at_.ceiling();
    for (std::size_t i = 0; i < tested_batches; ++i)
      bits -= nats("tested", i, false) / std::numbers::ln2 / double(tested_batches);
    return bits;
  }
  double overlap() const {
    return at_.width > 0 ? 0 : perp::overlap(covariance(words()), covariance(positions()));
  }
  double share() const { return 1 / (1 + std::exp(-double(logit_))); }
  Matrix<float> words() const { return placed(words_.values, 0, at_.d); }
  Matrix<float> positions() const { return placed(positions_.values, positions_.first, at_.d); }

 private:
  Table drawn_words() const {
    require(at_.width < at_.d, "A12: {} of {} dimensions for positions leave words none", at_.width, at_.d);
    return {at_.learned != "none", 0,
            normal_matrix<float>(at_.v, at_.d - at_.width, streams_("words", run_))};
  }
  Table drawn_positions() const {
    const std::size_t width = at_.width > 0 ? at_.width : at_.narrow > 0 ? at_.narrow : at_.d;
    if (at_.learned == "words" || at_.learned == "words_narrow")
      return {false, at_.d - width, sinusoidal<float>(at_.l, width)};
    return {at_.learned != "none" && at_.learned != "words_random", at_.d - width,
            normal_matrix<float>(at_.l, width, streams_("positions", run_))};
  }
  double power() const { return 1.5 * double(at_.d); }
  double word_power() const { return (1 - share()) * power(); }
  double position_power() const { return share() * power(); }

  // ---- where reading starts

  void start_classifier() {
    const auto filter = [&](const Table& table, double own, double other) {
      const double beside = at_.noise * at_.noise + (at_.width > 0 ? 0 : other / double(at_.d));
      model::Linear<float> linear{placed(table.values, table.first, at_.d),
                                  std::vector<float>(rows(table.values))};
      for (float& x : linear.weight) x *= float(std::sqrt(own) / beside);
      const std::vector<double> norms = row_norms(table.values);
      for (std::size_t i = 0; i < norms.size(); ++i)
        linear.bias[i] = float(-norms[i] * norms[i] * own / beside / 2);
      return linear;
    };
    reading_ = {filter(words_, word_power(), position_power()),
                filter(positions_, position_power(), word_power())};
    for (std::size_t i = 0; i < chances_.size(); ++i) reading_[0].bias[i] += float(std::log(chances_[i]));
  }
  void start_heads() {
    require(at_.l <= at_.v && batch % at_.l == 0,
            "A12: heads need {} positions to divide {} and {} words or more", at_.l, batch, at_.l);
    const Matrix<double> w = converted<double>(words()), as_is = converted<double>(positions());
    // A sinusoid's mean, which tells no position, lies where the covariances have nothing but noise.
    const Matrix<double> p = at_.learned.starts_with("words") ? centred(as_is) : as_is;
    Matrix<double> same = product_tn(w, w), previous = product_tn(block(p, 1, at_.l), block(p, 0, at_.l - 1));
    for (double& x : same) x *= word_power() / double(at_.v);
    for (double& x : previous) x *= position_power() / double(at_.l - 1);
    Matrix<double> all = covariance(p);
    const Matrix<double> of_words = covariance(w);
    for (std::size_t i = 0; i < all.size(); ++i)
      all.data()[i] = position_power() * all.data()[i] + word_power() * of_words.data()[i];
    for (std::size_t j = 0; j < at_.d; ++j) all(j, j) += at_.noise * at_.noise;
    const Matrix<double> whiten = whitening(all), inverse = product_tn(whiten, whiten);
    for (const Matrix<double>* matched : {&previous, &same})
      reading_.push_back(
          {converted<float>(product(product(inverse, *matched), inverse)), std::vector<float>(at_.d)});
  }

  // ---- what is sent, and what arrives

  Stream samples(const char* what, const char* of, std::uint64_t number) const {
    return streams_(fmt::format("{} {}", what, of), std::uint64_t(run_) << 40U | number);
  }
  Received received(const char* what, const char* noise, std::size_t number, Labels words,
                    Labels positions) const {
    Received got{std::move(words), std::move(positions), drawn_noise(samples(what, noise, number))};
    const auto a = float(std::sqrt(word_power())), b = float(std::sqrt(position_power())),
               n = float(at_.noise);
    for (float& y : got.y) y *= n;
    for (std::size_t i = 0; i < batch; ++i) {
      add(a, row(words_.values, std::size_t(got.words[i])), row(got.y, i).first(cols(words_.values)));
      add(b, row(positions_.values, std::size_t(got.positions[i])), row(got.y, i).subspan(positions_.first));
    }
    return got;
  }
  Matrix<float> drawn_noise(const Stream& stream) const {
    if (at_.learned != "uniform") return normal_matrix<float>(batch, at_.d, stream);
    Matrix<float> noise = matrix<float>(batch, at_.d);
    fill_uniform(stream, std::span(noise.data(), noise.size()), -std::numbers::sqrt3_v<float>,
                 std::numbers::sqrt3_v<float>);
    return noise;
  }
  static void add(float factor, std::span<const float> from, std::span<float> to) {
    for (std::size_t j = 0; j < from.size(); ++j) to[j] += factor * from[j];
  }

  /// Mean nats that stay unknown. With `is_learning` slopes are filled, those of tables added to.
  double nats(const char* what, std::size_t number, bool is_learning) {
    logit_slope_ = 0;
    return at_.reader == "heads" ? heads_nats(what, number, is_learning)
                                 : classifier_nats(what, number, is_learning);
  }
  double classifier_nats(const char* what, std::size_t number, bool is_learning) {
    const Stream which = samples(what, "words", number), where = samples(what, "positions", number);
    const std::vector<std::uint32_t> words = chances_.empty() ? below(which, batch, std::uint32_t(at_.v))
                                                              : drawn_text(batch, chances_, which),
                                     positions = below(where, batch, std::uint32_t(at_.l));
    const Received got = received(what, "noise", number, Labels(words.begin(), words.end()),
                                  Labels(positions.begin(), positions.end()));
    double nats = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      Matrix<float> logits = model::apply(reading_[i], View(got.y));
      nats += model::cross_entropy(logits, std::span<const std::int32_t>(i == 0 ? got.words : got.positions))
                  .nats;
      if (is_learning) back(got, model::backward(reading_[i], View(got.y), View(logits), slopes_[i]));
    }
    return nats;
  }
  double heads_nats(const char* what, std::size_t number, bool is_learning) {
    const std::size_t texts = batch / at_.l;
    Labels words, shuffled, places, before, wanted;
    for (std::size_t i = 0; i < texts; ++i) {
      const auto text = permutation(samples(what, "text", number * texts + i), std::uint32_t(at_.v)),
                 order = permutation(samples(what, "order", number * texts + i), std::uint32_t(at_.l));
      for (std::size_t t = 0; t < at_.l; ++t) {
        places.push_back(std::int32_t(t));
        before.push_back(t == 0 ? model::ignored_target : std::int32_t(t - 1));
        words.push_back(std::int32_t(text[t]));
        wanted.push_back(std::int32_t(order[t]));
        shuffled.push_back(std::int32_t(text[order[t]]));
      }
    }
    const Received keys = received(what, "noise", number, words, places),
                   again = received(what, "noise again", number, shuffled, places);
    return head_nats(0, keys, keys, before, is_learning) + head_nats(1, again, keys, wanted, is_learning);
  }
  /// Head i: scores of every query with the keys of its text.
  double head_nats(std::size_t i, const Received& queries, const Received& keys, const Labels& wanted,
                   bool is_learning) {
    const model::Linear<float>& head = reading_[i];
    const std::size_t l = at_.l;
    const Matrix<float> turned = product(queries.y, head.weight);
    Matrix<float> scores = matrix<float>(batch, l);
    for (std::size_t first = 0; first < batch; first += l)
      product_nt_into(block(turned, first, first + l), block(keys.y, first, first + l),
                      row(scores, first).data());
    std::vector<float> biases(l);
    for (std::size_t first = 0; first < batch; first += l) {
      for (std::size_t j = 0; j < l; ++j) {
        const std::span<const float> key = row(keys.y, first + j);
        biases[j] = std::inner_product(key.begin(), key.end(), head.bias.begin(), 0.0F);
      }
      for (std::size_t q = first; q < first + l; ++q) add(1, biases, row(scores, q));
    }
    const double nats = model::cross_entropy(scores, std::span<const std::int32_t>(wanted)).nats;
    if (!is_learning) return nats;
    Matrix<float> turned_slope = matrix<float>(batch, at_.d), key_slope = matrix<float>(batch, at_.d);
    std::ranges::fill(slopes_[i].bias, 0.0F);
    for (std::size_t first = 0; first < batch; first += l) {
      const View<float> own = block(scores, first, first + l), key = block(keys.y, first, first + l);
      std::ranges::copy(product(own, key), row(turned_slope, first).data());
      std::ranges::copy(product_tn(own, block(turned, first, first + l)), row(key_slope, first).data());
      std::vector<float> of_keys(l);
      for (std::size_t q = 0; q < l; ++q) add(1, own.row(q), of_keys);
      for (std::size_t j = 0; j < l; ++j) {
        add(of_keys[j], head.bias, row(key_slope, first + j));
        add(of_keys[j], key.row(j), slopes_[i].bias);
      }
    }
    slopes_[i].weight = product_tn(queries.y, turned_slope);
    back(queries, product_nt(turned_slope, head.weight));
    back(keys, key_slope);
    return nats;
  }

  /// From y to tables and share.
  void back(const Received& got, const Matrix<float>& slope) {
    const double a = std::sqrt(word_power()), b = std::sqrt(position_power());
    double with_a = 0, with_b = 0;
    for (std::size_t i = 0; i < batch; ++i) {
      const auto one = [&](Table& table, std::int32_t at, double amplitude, double& with) {
        const std::span<const float> own = row(slope, i).subspan(table.first, cols(table.values));
        add(float(amplitude), own, row(table.slope, std::size_t(at)));
        with += double(
            std::inner_product(own.begin(), own.end(), row(table.values, std::size_t(at)).begin(), 0.0F));
      };
      one(words_, got.words[i], a, with_a);
      one(positions_, got.positions[i], b, with_b);
    }
    logit_slope_ += float((with_b * b * (1 - share()) - with_a * a * share()) / 2);
  }

  Training at_;
  Streams streams_;
  std::size_t run_;
  std::vector<double> chances_ = at_.learned == "zipf" ? zipf_chances(at_.v) : std::vector<double>();
  Table words_, positions_;
  float logit_ = -std::numbers::ln2_v<float>, logit_slope_ = 0;  ///< of the share: a third to begin with
  std::vector<model::Linear<float>> reading_, slopes_;
  model::Adam<float> adam_;
};

}  // namespace

double Training::ceiling() const {
  return (learned == "zipf" ? entropy_bits(zipf_chances(v)) : std::log2(double(reader == "heads" ? l : v))) +
         std::log2(double(l));
}

LearnedTables learn_tables(const Training& training, const Streams& streams, std::size_t run) {
  Learner learner(training, streams, run);
  LearnedTables result;
  result.overlap_before = learner.overlap();
  for (std::size_t step = 0; step < training.steps; ++step) {
    expect_no_interrupt();
    learner.learn(step);
  }
  result.bits = learner.tested_bits();
  result.overlap = learner.overlap();
  result.share = learner.share();
  result.words = learner.words();
  result.positions = learner.positions();
  return result;
}

double learning_cost(const Training& at) {
  const double products = at.reader == "heads" ? 2.0 * double(at.d + at.l) : double(at.v + at.l);
  return double(at.steps) * Training::batch * (3e-9 * double(at.d) + 1e-10 * products * double(at.d + 20));
}

}  // namespace perp::learning
