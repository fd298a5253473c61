// V3: a word in the plane of two dimensions and the circle of its sums. In words: v3.toml.

#include <algorithm>
#include <cmath>

#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

/// Pairs whose planes are drawn, how many words are seen there, and at how many positions.
constexpr std::size_t drawn_pairs[] = {0, 64, 255}, cloud = 150, drawn_positions = 16;

/// Gaussian words of unit variance per dimension, as PyTorch draws an embedding.
Matrix<float> gaussian_words(std::size_t count, const Streams& streams) {
  return draw_words(Family::gaussian, count, width, streams("words"));
}

/// Sums of a few words with all positions, pair by pair: are they on the unit circle around the word?
void measure_circle(const Streams& streams, Out& out) {
  constexpr std::size_t count = 8;
  const Matrix<double> positions = sinusoidal<double>(text_length, width);
  const Matrix<float> words = gaussian_words(count, streams);
  double worst = 0, whole_sum = 0;
  for (std::size_t w = 0; w < count; ++w)
    for (std::size_t t = 0; t < text_length; ++t) {
      double square = 0;
      for (std::size_t i = 0; i < width / 2; ++i) {
        const double x = words(w, 2 * i), y = words(w, 2 * i + 1);
        const double across = x + positions(t, 2 * i), up = y + positions(t, 2 * i + 1);
        const double radius = std::hypot(across - x, up - y);
        // Adding and taking away rounds each coordinate by u times its size, twice.
        const double bound = radius_bound() + 2 * roundoff * (std::abs(x) + std::abs(y) + 2);
        worst = std::max(worst, std::abs(radius - 1) / bound);
        square += radius * radius;
      }
      whole_sum = std::max(whole_sum, std::abs(std::sqrt(square / (width / 2)) - 1));
    }
  constexpr std::size_t sums = count * text_length;
  out("circle", {{"radius", worst}, {"points", sums * width / 2}, {"whole", whole_sum}, {"sums", sums}});
}

/// The word nearest to the middle of the cloud's right upper quarter: off the centre, and not at the rim.
std::size_t chosen(const Matrix<float>& words, std::size_t column) {
  std::size_t best = 0;
  const auto off = [&](std::size_t w) {
    return std::hypot(words(w, column) - 0.5, words(w, column + 1) - 0.4);
  };
  for (std::size_t w = 0; w < rows(words); ++w)
    if (off(w) < off(best)) best = w;
  return best;
}

void draw_planes(const Streams& streams, Out& out) {
  const Matrix<double> positions = sinusoidal<double>(drawn_positions, width);
  const Matrix<float> words = gaussian_words(cloud, streams);
  for (const std::size_t pair : drawn_pairs) {
    const std::size_t column = 2 * pair, word = chosen(words, column);
    const auto add = [&](const char* kind, std::int64_t position, double x, double y) {
      out("planes", {{"pair", pair},
                     {"kind", kind},
                     {"position", position},
                     {"x", four_decimals(x)},
                     {"y", four_decimals(y)}});
    };
    const double x = words(word, column), y = words(word, column + 1);
    for (std::size_t w = 0; w < cloud; ++w)
      if (w != word) add("word", -1, words(w, column), words(w, column + 1));
    add("chosen", -1, x, y);
    for (std::size_t t = 0; t < drawn_positions; ++t)
      add("sum", std::int64_t(t), x + positions(t, column), y + positions(t, column + 1));
  }
}

}  // namespace

Experiment circle_of_sums(const Options&) {
  Experiment claim("V3", toml_of("v3"));
  claim.cell({{"part", "circle"}, {"l", whole(text_length)}}, 0.1, measure_circle);
  claim.cell({{"part", "planes"}, {"l", whole(drawn_positions)}}, 0.01, draw_planes);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
