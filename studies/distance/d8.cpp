// D8: sine and cosine bring "a kind of orthogonality": of the columns of the table, over L positions. In words: d8.toml.
// Spacings are counted in turns: ΔL/2π, the circles by which two frequencies Δ apart part company over L positions.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

/// |cosine| below this is what this study calls nearly orthogonal; frequencies from this many turns apart on are well
/// spaced.
constexpr double nearly_orthogonal = 0.1, spaced_turns = 4;

/// PᵀP over positions 0 … length-1, summed tile by tile: no more than a tile of the table is held.
Matrix<double> column_gram(std::size_t length, std::size_t d) {
  constexpr std::size_t tile = 512;
  Matrix<double> sum = zeros<double>(d, d);
  std::vector<std::uint64_t> positions;
  for (std::size_t first = 0; first < length; first += tile) {
    positions.clear();
    for (std::size_t t = first; t < std::min(length, first + tile); ++t) positions.push_back(t);
    const Matrix<double> part = gram_columns(sinusoid_at(positions, d));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

/// Of |cosines| of pairs of columns.
struct Cosines {
  std::size_t count = 0, small = 0;

  void add(double cosine) {
    ++count;
    small += cosine < nearly_orthogonal;
  }
  double share() const { return count ? double(small) / double(count) : NAN; }
};

void measure(std::size_t d, std::size_t l, Out& out) {
  const double turn = 2 * std::numbers::pi / double(l);
  const std::vector<double> omega = frequencies(d);
  const Matrix<double> gram = column_gram(l, d);
  const auto cosine = [&](std::size_t a, std::size_t b) {
    return std::abs(gram(a, b)) / std::sqrt(gram(a, a) * gram(b, b));
  };
  Cosines all, spaced;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::size_t sine = 2 * i;
    all.add(cosine(sine, sine + 1));
    for (std::size_t j = i + 1; j < omega.size(); ++j) {
      const std::size_t other = 2 * j;
      const double turns = (omega[i] - omega[j]) / turn;
      for (const double each : {cosine(sine, other), cosine(sine, other + 1), cosine(sine + 1, other),
                                cosine(sine + 1, other + 1)}) {
        all.add(each);
        if (turns >= spaced_turns) spaced.add(each);
      }
    }
  }
  out("share", {{"positions", l},
                {"pairs", all.count},
                {"share", all.share()},
                {"chance", 1 - theory::cosine_exceeds(l, nearly_orthogonal)},
                {"spaced_pairs", spaced.count},
                {"spaced_share", spaced.share()}});
}

void fold(const Frames& measured, Out& out) {
  const Frame& shapes = measured["share"];
  out("all", {{"spaced_share", shapes.least("spaced_share")}, {"pairs", shapes.sum("spaced_pairs")}});
}

}  // namespace

Experiment columns(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  Experiment claim("D8", toml_of("d8"));
  for (const std::size_t d : pick<Sizes>(options.preset, {64, 512}, doubling(64, 1024), doubling(64, 2048)))
    for (const std::size_t l : pick<Sizes>(options.preset, {64, 512, 8192}, doubling(64, 8192),
                                           {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536}))
      claim.cell({{"d", whole(d)}, {"l", whole(l)}}, 1e-10 * double(l * d * d) + 2e-8 * double(d * (l + d)),
                 [=](const Streams&, Out& out) { measure(d, l, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
