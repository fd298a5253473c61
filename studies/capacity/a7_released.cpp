#include "studies/capacity/a7_released.hpp"

#include <boost/math/tools/roots.hpp>
#include <cstdint>
#include <numbers>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/reader.hpp"
#include "perp/measures/squares.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

constexpr double carried = 0.9;
constexpr std::size_t rotations = 8;

/// What readers of either table make of the samples.
struct Heard {
  Values nats;  ///< of both
  double word, position;

  Heard(const LinearReader& words, std::size_t v, const LinearReader& positions, std::size_t l, double noise)
      : word(std::log2(double(v))), position(std::log2(double(l))) {
    const auto of_words = words.read(noise), of_positions = positions.read(noise);
    const double bit = double(of_words.size()) * std::numbers::ln2;
    for (std::size_t i = 0; i < of_words.size(); ++i) {
      nats.push_back(of_words[i].nats + of_positions[i].nats);
      word -= of_words[i].nats / bit;
      position -= of_positions[i].nats / bit;
    }
  }
};

/// Of one standing, or the mean over rotations.
Estimate lost_share(const Group<ReleasedBits>& group) {
  const ReleasedBits& one = group.front();
  if (group.size() > 1) return group.estimate([](const ReleasedBits& r) { return r.lost / r.ceiling(); });
  const MeanSpread spread{one.lost_error / one.ceiling(), double(one.samples - 1)};
  return estimated(one.lost / one.ceiling(), {spread, {}, one.samples});
}

}  // namespace

void measure_reading(const ReleasedTables& at, const Matrix<float>& words, const Matrix<float>& positions,
                     const Streams& streams, Rows& out) {
  const std::size_t v = rows(words), l = rows(positions), d = cols(words);
  const Samples sent = draw_samples(at.samples, v, d, streams("sent"), streams("noise"));
  const Sizes places = sent.positions(l);
  const LinearReader word(words, sent.words, sent.noise), position(positions, places, sent.noise);
  const auto beyond = [&](double log_noise) {
    const double n = std::exp(log_noise);
    return word.bits(n).value + position.bits(n).value - carried * std::log2(double(v) * double(l));
  };
  const double size = std::log(mean_square_length(words) / double(d)) / 2, least = size - 6, most = size + 4;
  if (!(beyond(least) > 0 && beyond(most) < 0)) return;
  std::uintmax_t steps = 40;
  const auto [low, high] = boost::math::tools::toms748_solve(
      beyond, least, most, [](double a, double b) { return b - a < 1e-6; }, steps);
  const double n = std::exp((low + high) / 2);

  const Heard alone(word, v, position, l, n);
  const auto add = [&](const char* standing, std::size_t rotation, const Heard& heard) {
    MomentSums sums;
    for (std::size_t i = 0; i < at.samples; ++i)
      sums.add((heard.nats[i] - alone.nats[i]) / std::numbers::ln2);
    const Moments lost = sums.moments();
    out.add(ReleasedBits{at, v, l, d, n, standing, rotation, heard.word, heard.position, lost.mean,
                         standard_error(lost)});
  };
  const Interference of_words{View<float>(words)};
  const auto beside = [&](const Matrix<float>& table, const Matrix<float>& noise) {
    return Heard(LinearReader(words, sent.words, sent.noise, Interference(table), places), v,
                 LinearReader(table, places, noise, of_words, sent.words), l, n);
  };
  // Noise turns with the positions: alone they are read as before, and what changes is the words' doing.
  const auto turned = [&](const Matrix<float>& rotation) {
    return beside(product(positions, rotation), product(sent.noise, rotation));
  };
  add("as_released", 0, beside(positions, sent.noise));
  for (std::size_t r = 0; r < rotations; ++r)
    add("random", r, turned(random_rotation(d, streams("rotation", r))));
  add("alone", 0, alone);
}

void measure_released_readers(Experiment& claim, const inspect::Models& models, Preset preset) {
  std::vector<ReleasedTables> cells;
  for (const inspect::ModelUnderTest& model : *models)
    if (has_both(model)) cells.push_back({"read", model.name, pick<std::size_t>(preset, 256, 1024, 4096)});
  const auto cost = [models](const ReleasedTables& at) {
    const inspect::ModelUnderTest& model = model_named(models, at.model);
    return 1.2e-9 * double(model.tables.words->rows() * model.dim() * at.samples);
  };
  claim.measure(cells, cost, [models](const ReleasedTables& at, const Streams& streams, Rows& rows) {
    const inspect::Tables& tables = model_named(models, at.model).tables;
    measure_reading(at, tables.words->all<float>(), converted<float>(*tables.positions), streams, rows);
  });
}

void add_released_readers(const Cells& cells, Summary& summary) {
  using R = ReleasedBits;
  const auto groups = group_by(rows_of<R>(cells), &R::model, &R::standing);
  const auto model = exact("model", "name of the model", &R::model);
  const auto standing = exact("standing", "of positions: as released, turned at random, alone", &R::standing);
  const auto lost =
      sampled("lost",
              "bits less than of words and positions each alone, over log2(VL), in the noise where these "
              "carry 90%; 99% interval over samples, of random rotations over these on the same samples",
              lost_share)
          .n([](const Group<R>& group) { return group.size() > 1 ? group.size() : group.front().samples; });
  summary.table(
      "a7_released.csv", groups,
      {model, exact("v", "words", &R::v), exact("l", "positions", &R::l), exact("d", "dimension", &R::d),
       sampled("noise", "standard deviation of a coordinate", &R::noise), standing,
       mean("word_bits", "bits of words", &R::word).unit("bits"),
       mean("position_bits", "bits of positions", &R::position).unit("bits"), with_ends(lost),
       rows_in<R>("rotations", "rotations, or 1"), exact("samples", "sums read", &R::samples)});
  summary.each(where(groups, [](const Group<R>& group) { return group.front().standing != "alone"; }),
               {standing, model}, {lost.as("released_lost")});
}

}  // namespace perp::capacity
