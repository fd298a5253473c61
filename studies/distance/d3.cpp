// D3: a linear map takes p_t to p_{t+k}, the same for every t: it turns each pair of sine and cosine by ω k. What that
// errs by in every row of a long table. In words: d3.toml.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/study/experiment.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t lags[] = {1, 10, 100, 1000};
/// Row by row: a table of this many positions, so many at a time.
constexpr std::size_t length = 65536, tile = 4096;

/// R(k), of blocks [cos ω k, sin ω k; -sin ω k, cos ω k].
struct Turn {
  std::vector<double> cosines, sines;

  Turn(std::size_t d, double lag) {
    for (const double omega : frequencies(d)) {
      cosines.push_back(std::cos(omega * lag));
      sines.push_back(std::sin(omega * lag));
    }
  }
};

/// |R(k) p - q|/|p|.
double turned_apart(const Turn& turn, std::span<const double> p, std::span<const double> q) {
  double off = 0, square = 0;
  for (std::size_t i = 0; i < p.size(); i += 2) {
    const double c = turn.cosines[i / 2], s = turn.sines[i / 2];
    const double sine = c * p[i] + s * p[i + 1] - q[i], cosine = -s * p[i] + c * p[i + 1] - q[i + 1];
    off += sine * sine + cosine * cosine;
    square += p[i] * p[i] + p[i + 1] * p[i + 1];
  }
  return std::sqrt(off / square);
}

/// The largest error over four roundings of the angle t + k.
void measure(std::size_t d, Out& out) {
  std::vector<Turn> turns;
  for (const std::size_t lag : lags) turns.emplace_back(d, double(lag));
  double worst = 0;
  for (std::size_t first = 0; first < length; first += tile) {
    std::vector<std::uint64_t> positions(tile + std::ranges::max(lags));
    std::iota(positions.begin(), positions.end(), first);
    const Matrix<double> table = sinusoid_at(positions, d);
    for (std::size_t i = 0; i < turns.size(); ++i)
      for (std::size_t t = 0; t < tile; ++t) {
        const double off = turned_apart(turns[i], row(table, t), row(table, t + lags[i]));
        worst = std::max(worst, off / std::ldexp(4 * double(first + t + lags[i]), -53));
      }
  }
  out("rows", {{"worst", worst}});
}

void fold(const Frames& measured, Out& out) {
  const Frame& widths = measured["rows"];
  out("all",
      {{"l", length}, {"worst", widths.most("worst")}, {"moved", widths.size() * length * std::size(lags)}});
}

}  // namespace

Experiment shift_is_linear(const Options&) {
  Experiment claim("D3", toml_of("d3"));
  for (const std::size_t d : {16, 64, 512})
    claim.cell({{"d", whole(d)}}, 1e-3 * double(d), [=](const Streams&, Out& out) { measure(d, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
