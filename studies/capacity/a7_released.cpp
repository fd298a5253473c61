#include "studies/capacity/a7_released.hpp"

#include <boost/math/tools/roots.hpp>
#include <cstdint>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/reader.hpp"
#include "perp/measures/rows.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

constexpr double carried = 0.9;
constexpr std::size_t rotations = 8;

/// Nats of both tables, sample by sample.
Values heard(const LinearReader& words, const LinearReader& positions, double noise) {
  const auto of_words = words.read(noise), of_positions = positions.read(noise);
  Values nats;
  for (std::size_t i = 0; i < of_words.size(); ++i) nats.push_back(of_words[i].nats + of_positions[i].nats);
  return nats;
}

}  // namespace

std::vector<ReleasedBits> measure_reading(std::size_t samples, const Matrix<float>& words,
                                          const Matrix<float>& positions, const Streams& streams) {
  const std::size_t v = rows(words), l = rows(positions), d = cols(words);
  const Samples sent = draw_samples(samples, v, d, streams("sent"), streams("noise"));
  const Sizes places = sent.positions(l);
  const LinearReader word(words, sent.words, sent.noise), position(positions, places, sent.noise);
  const auto beyond = [&](double log_noise) {
    const double n = std::exp(log_noise);
    return word.bits(n).value + position.bits(n).value - carried * std::log2(double(v) * double(l));
  };
  const double size = std::log(mean_square_length(words) / double(d)) / 2, least = size - 6, most = size + 4;
  if (!(beyond(least) > 0 && beyond(most) < 0)) return {};
  std::uintmax_t steps = 40;
  const auto [low, high] = boost::math::tools::toms748_solve(
      beyond, least, most, [](double a, double b) { return b - a < 1e-6; }, steps);
  const double n = std::exp((low + high) / 2);

  const Values alone = heard(word, position, n);
  std::vector<ReleasedBits> found;
  const auto add = [&](const char* standing, std::size_t rotation, const Values& nats) {
    MomentSums sums;
    for (std::size_t i = 0; i < samples; ++i) sums.add((nats[i] - alone[i]) / std::numbers::ln2);
    const Moments lost = sums.moments();
    found.push_back({standing, rotation, lost.mean, standard_error(lost)});
  };
  const Interference of_words{View<float>(words)};
  const auto beside = [&](const Matrix<float>& table, const Matrix<float>& noise) {
    return heard(LinearReader(words, sent.words, sent.noise, Interference(table), places),
                 LinearReader(table, places, noise, of_words, sent.words), n);
  };
  // Noise turns with the positions: alone they are read as before, and what changes is the words' doing.
  const auto turned = [&](const Matrix<float>& rotation) {
    return beside(product(positions, rotation), product(sent.noise, rotation));
  };
  add("as_released", 0, beside(positions, sent.noise));
  for (std::size_t r = 0; r < rotations; ++r)
    add("random", r, turned(random_rotation(d, streams("rotation", r))));
  return found;
}

}  // namespace perp::capacity
