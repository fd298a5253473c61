#include "studies/capacity/a7_trained.hpp"

#include <algorithm>
#include <numbers>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/reader.hpp"
#include "perp/model/adam.hpp"
#include "perp/model/cross_entropy.hpp"
#include "perp/model/feed_forward.hpp"
#include "perp/random/normal.hpp"
#include "studies/capacity/a7_measure.hpp"

namespace perp::capacity {
namespace {

constexpr std::size_t batch = 512, tile = 4096, choosers = 8, codebooks = 6;
const double ceiling = std::log2(double(shown_words * shown_length));

/// Hidden units, and Adam's highest rate.
struct Units {
  std::size_t count;
  double rate;
};
constexpr Units all_units[] = {{0, 0.03}, {64, 0.02}, {256, 0.02}, {1024, 0.008}};

/// Both tables over all d coordinates, with their amplitudes: y = words_w + positions_t + n z.
struct Channel {
  Matrix<float> words, positions;
  double noise;
};
Channel channel_of(const TrainedPlace& at, const Setting& setting, bool is_split, double noise,
                   const Streams& streams) {
  const std::size_t word_width = is_split ? at.d - setting.width : at.d;
  const auto a = float(word_amplitude(at.d, word_width, setting.share)),
             b = float(position_amplitude(at.d, setting.share));
  Matrix<float> words = word_table(shown_words, at.d, streams("words", at.codebook));
  for (std::size_t w = 0; w < shown_words; ++w)
    for (std::size_t j = 0; j < at.d; ++j) words(w, j) *= j < word_width ? a : 0;
  Matrix<float> positions = position_table(family_named(at.positions), shown_length, setting.width,
                                           streams("positions", at.codebook * 4096 + setting.width));
  for (float& x : positions) x *= b;
  return {std::move(words), placed(positions, at.d - setting.width, at.d), noise};
}

/// What arrives, at a mean square of 1, and what was sent.
struct Received {
  Matrix<float> y;  ///< N x d
  std::vector<std::int32_t> words, positions;
};
Received receive(const Channel& channel, const Samples& sent) {
  const Sizes places = sent.positions(rows(channel.positions));
  const std::size_t d = cols(sent.noise);
  const auto scale = float(1 / std::sqrt(total_power(d) / double(d) + channel.noise * channel.noise)),
             noise = float(channel.noise);
  Received got{matrix<float>(sent.words.size(), d),
               {sent.words.begin(), sent.words.end()},
               {places.begin(), places.end()}};
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < d; ++j)
      got.y(i, j) = scale * (channel.words(sent.words[i], j) + channel.positions(places[i], j) +
                             noise * sent.noise(i, j));
  return got;
}

/// The outer map's rows are words, then positions.
class LearningReader {
 public:
  LearningReader(std::size_t d, std::size_t units, const Streams& streams)
      : layer_{start(units, d, streams("inner", units)),
               start(shown_words + shown_length, units > 0 ? units : d, streams("outer", units))},
        gradient_(layer_) {}

  /// One step of Adam on the mean cross-entropy of word and position.
  void learn(const Received& batch, double rate) {
    if (is_linear()) {
      Matrix<float> logits = model::apply(layer_.outer, View(batch.y));
      nats(logits, batch);
      model::backward(layer_.outer, View(batch.y), View(logits), gradient_.outer);
    } else {
      model::FeedForwardActivations<float> made = model::feed_forward(layer_, View(batch.y));
      nats(made.out, batch);
      model::backward(layer_, made, View(batch.y), View(made.out), gradient_);
    }
    const std::vector<std::span<float>> values = parts(layer_), slopes = parts(gradient_);
    adam_.step(values, slopes, rate);
  }
  /// Mean nats of word and position.
  double nats(const Received& tested) const {
    Matrix<float> logits = is_linear() ? model::apply(layer_.outer, View(tested.y))
                                       : model::feed_forward(layer_, View(tested.y)).out;
    return nats(logits, tested);
  }

 private:
  using Layer = model::FeedForward<float>;
  bool is_linear() const { return rows(layer_.inner.weight) == 0; }
  /// Entries of variance 1/in, so that what comes out is of the size of what goes in.
  static model::Linear<float> start(std::size_t out, std::size_t in, const Stream& stream) {
    model::Linear<float> linear{normal_matrix<float>(out, in, stream), std::vector<float>(out, 0.0F)};
    for (float& entry : linear.weight) entry /= std::sqrt(float(in));
    return linear;
  }
  static std::vector<std::span<float>> parts(Layer& layer) {
    return {{layer.inner.weight.data(), layer.inner.weight.size()},
            layer.inner.bias,
            {layer.outer.weight.data(), layer.outer.weight.size()},
            layer.outer.bias};
  }
  /// Of both; logits become what it changes by with each.
  static double nats(Matrix<float>& logits, const Received& asked) {
    const auto head = [&](std::size_t first, std::size_t count, const std::vector<std::int32_t>& labels) {
      Matrix<float> own = matrix<float>(rows(logits), count);
      for (std::size_t i = 0; i < rows(logits); ++i)
        std::copy_n(row(logits, i).begin() + std::ptrdiff_t(first), count, row(own, i).begin());
      const double nats = model::cross_entropy(own, labels).nats;
      for (std::size_t i = 0; i < rows(logits); ++i)
        std::ranges::copy(row(own, i), row(logits, i).begin() + std::ptrdiff_t(first));
      return nats;
    };
    return head(0, shown_words, asked.words) + head(shown_words, shown_length, asked.positions);
  }

  Layer layer_, gradient_;
  model::Adam<float> adam_;
};

/// The same samples for all readers of a codebook: tile by tile.
template <class Use>
void for_each_tested(const TrainedPlace& at, const Streams& streams, const Use& use) {
  for (std::size_t i = 0; i * tile < at.tested; ++i)
    use(draw_samples(tile, shown_words, at.d, streams("tested", at.codebook * 4096 + i),
                     streams("tested noise", at.codebook * 4096 + i)),
        double(tile) / double(at.tested));
}

double trained_bits(const TrainedPlace& at, const Channel& channel, std::size_t units, double rate,
                    const Streams& streams) {
  LearningReader reader(at.d, units, streams);
  const std::size_t steps = at.samples / batch;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t number = at.codebook << 20U | step;
    reader.learn(receive(channel, draw_samples(batch, shown_words, at.d, streams("sent", number),
                                               streams("noise", number))),
                 model::cosine_rate(step, std::max<std::size_t>(1, steps / 20), steps, rate));
  }
  double bits = ceiling;
  for_each_tested(at, streams, [&](const Samples& sent, double part) {
    bits -= reader.nats(receive(channel, sent)) * part / std::numbers::ln2;
  });
  return bits;
}

}  // namespace

void measure_trained(const TrainedPlace& at, const Streams& own, Rows& out) {
  // One choice for all codebooks, which the choosers come before.
  const Streams streams{own.seed, own.experiment, fmt::format("trained {} {}", at.d, at.positions)};
  const Chosen chosen = chosen_of({at.d, shown_words, shown_length, at.positions, 90, coarse_grid, choosers,
                                   at.choosing_samples, 0, 0, 0, 0},
                                  streams);
  for (const bool is_split : {true, false}) {
    const Setting& setting = is_split ? chosen.split : chosen.linear;
    const Channel channel = channel_of(at, setting, is_split, chosen.noise, streams);
    const Interference of_words{View<float>(channel.words)}, of_positions{View<float>(channel.positions)};
    double linear = 0, separate = 0;
    for_each_tested(at, streams, [&](const Samples& sent, double part) {
      const Sizes places = sent.positions(shown_length);
      linear += part * (LinearReader(channel.words, sent.words, sent.noise, of_positions, places)
                            .bits(chosen.noise)
                            .value +
                        LinearReader(channel.positions, places, sent.noise, of_words, sent.words)
                            .bits(chosen.noise)
                            .value);
      const SharedBits ideal = shared_bits(code_products(channel.words, sent.noise, sent.words),
                                           code_products(channel.positions, sent.noise, places),
                                           cross_table(channel.words, channel.positions), chosen.noise);
      separate += part * (ideal.word.value + ideal.position.value);
    });
    for (const Units& units : all_units)
      if (units.count <= at.most_units)
        out.add(Trained{at, is_split ? "split" : "sum", chosen.noise, units.count, units.rate,
                        trained_bits(at, channel, units.count, units.rate, streams), linear, separate});
  }
}

std::vector<TrainedPlace> trained_readers(Preset preset) {
  std::vector<TrainedPlace> all;
  if (preset != Preset::long_) return all;
  for (std::size_t book = 0; book < codebooks; ++book)
    all.push_back({"trained", shown_d, "random", 512, choosers + book, 1'000'000, 65'536, 1024});
  return all;
}

double training_cost(const TrainedPlace& at) {
  double cost = 0;
  for (const Units& units : all_units)
    cost += 2e-8 * double(at.d) + 9e-11 * double(units.count) * double(at.d + shown_words + shown_length);
  return cost * double(at.samples) * 2;
}

namespace {

/// One reader, one codebook.
struct Both {
  std::string positions;
  std::size_t d, units;
  Trained split, sum;

  /// What the concatenation carries more, of the bits sent.
  double gain() const { return (split.bits - sum.bits) / ceiling; }
  double linear() const { return (split.linear - sum.linear) / ceiling; }
  double separate() const { return (split.separate - sum.separate) / ceiling; }
};
std::vector<Both> both_of(const std::vector<Trained>& rows) {
  std::vector<Both> both;
  for (const Trained& sum : rows) {
    if (sum.joined != "sum") continue;
    const auto split = std::ranges::find_if(rows, [&](const Trained& row) {
      return row.joined == "split" && row.codebook == sum.codebook && row.units == sum.units;
    });
    both.push_back({sum.positions, sum.d, sum.units, *split, sum});
  }
  return both;
}

}  // namespace

void add_trained_readers(const Cells& cells, Summary& summary) {
  using Books = Group<Both>;
  const auto groups = group_by(both_of(rows_of<Trained>(cells)), &Both::positions, &Both::d, &Both::units);
  const auto over_books = [](auto get) {
    return [get](const Books& books) { return over_codebooks(books.values(get)); };
  };
  const auto positions = exact("positions", "random", &Both::positions);
  const auto d = exact("d", "dimension", &Both::d);
  const auto units = exact("units", "hidden; 0: softmax regression", &Both::units);
  const auto gain = sampled("gain_share",
                            "bits of the best concatenation less those of the best flat sum, over log2(VL), "
                            "both read by a reader that was trained on them; noise, dₚ and share of power as "
                            "chosen for the linear reader; 99% interval over pairs of tables",
                            over_books(&Both::gain))
                        .n(&Books::size);
  const auto mean_of = [](const char* name, const char* meaning, auto get) {
    return sampled(name, meaning,
                   [get](const Books& books) { return over_codebooks(books.values(get)).value; });
  };
  summary.table(
      "a7_trained.csv", groups,
      {positions, d, units, exact("rate", "Adam's, the highest", [](const Both& b) { return b.sum.rate; }),
       mean_of("split", "bits of the concatenation", [](const Both& b) { return b.split.bits; }).unit("bits"),
       mean_of("sum", "bits of the sum", [](const Both& b) { return b.sum.bits; }).unit("bits"),
       with_ends(gain),
       mean_of("linear", "the same by the linear reader that knows mean and covariance", &Both::linear),
       mean_of("separate", "the same by the ideal reader of each by itself", &Both::separate),
       exact("codebooks", "tables drawn", &Books::size)});
  summary.each(groups, {positions, d, units}, {gain.as("trained_gain_share")});
}

}  // namespace perp::capacity
