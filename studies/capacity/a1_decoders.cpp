// A1: decoders that know more. Both tables known and every pair compared; the subspace of positions known;
// the position itself known.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a1_size.hpp"

namespace perp::capacity {
namespace {

/// Orthonormal rows: the fewest principal directions (about the origin) that hold 99.9 % of the positions'
/// power.
Matrix<float> principal_directions(const Matrix<float>& positions) {
  const std::size_t d = cols(positions);
  Matrix<double> table = matrix<double>(rows(positions), d);
  for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] = positions.data()[i];
  const Eigen<double> eigen = symmetric_eigen(gram_columns(View<double>(table)));
  std::vector<double> descending(eigen.values.rbegin(), eigen.values.rend());
  for (double& x : descending) x = std::max(x, 0.0);
  const std::size_t r = effective_dimension(descending).r999;
  Matrix<float> basis = matrix<float>(r, d);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < d; ++j) basis(i, j) = static_cast<float>(eigen.vectors(d - 1 - i, j));
  return basis;
}

/// Sums x_w + ρ p_t + noise: n x d.
Matrix<float> sums(const Matrix<float>& noisy, const Matrix<float>& scaled,
                   const std::vector<std::uint32_t>& t) {
  Matrix<float> y = noisy;
  for (std::size_t i = 0; i < t.size(); ++i)
    for (std::size_t j = 0; j < cols(y); ++j) y(i, j) += scaled(t[i], j);
  return y;
}

/// What each decoder found, at one size.
struct Found {
  Share nothing, projected, known, joint, position, joint_position, pair;
};

void count_pairs(const std::vector<WordAndPosition>& found, const std::vector<std::uint32_t>& w,
                 const std::vector<std::uint32_t>& t, Found& into) {
  Hits word{0, w.size()}, position{0, w.size()}, both{0, w.size()};
  for (std::size_t i = 0; i < w.size(); ++i) {
    word.right += found[i].word == w[i];
    position.right += found[i].position == t[i];
    both.right += found[i] == WordAndPosition{w[i], t[i]};
  }
  into.joint.add(word);
  into.joint_position.add(position);
  into.pair.add(both);
}

}  // namespace

Records run_decoders(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), count = size_at(cell.at, "v"), length = size_at(cell.at, "l");
  const std::size_t trials = size_at(cell.at, "trials"), codebooks = size_at(cell.at, "codebooks");
  const double noise = number_at(cell.at, "noise");
  const Matrix<float> positions = unit_power_positions(length, d, size_at(cell.at, "centred") == 1);
  const Matrix<float> basis = principal_directions(positions);
  const std::vector<double> grid = sizes(d);
  std::vector<Found> found(grid.size());
  for (std::size_t c = 0; c < codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, count, d, streams("words", c)),
                        outside = project_out(words, basis);
    const std::vector<std::uint32_t> w = below(streams("word", c), trials, static_cast<std::uint32_t>(count)),
                                     t = below(streams("position", c), trials,
                                               static_cast<std::uint32_t>(length));
    Matrix<float> noisy = matrix<float>(trials, d);
    fill_normal(streams("noise", c), std::span<float>(noisy.data(), noisy.size()));
    const auto by = static_cast<float>(noise / std::sqrt(static_cast<double>(d)));
    for (std::size_t i = 0; i < trials; ++i)
      for (std::size_t j = 0; j < d; ++j) noisy(i, j) = words(w[i], j) + by * noisy(i, j);
    const Hits known = count_hits(nearest_words(noisy, words), w);  // y - ρ p_t, whatever ρ
    for (std::size_t k = 0; k < grid.size(); ++k) {
      Matrix<float> scaled = positions;
      for (float& x : std::span<float>(scaled.data(), scaled.size())) x *= static_cast<float>(grid[k]);
      const Matrix<float> y = sums(noisy, scaled, t);
      found[k].known.add(known);
      found[k].nothing.add(count_hits(nearest_words(y, words), w));
      found[k].projected.add(count_hits(nearest_words(project_out(y, basis), outside), w));
      found[k].position.add(count_hits(nearest_words(y, scaled), t));
      count_pairs(nearest_pairs(y, words, scaled), w, t, found[k]);
    }
  }
  Records records;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    Coordinates values{{"rho", grid[k]}, {"n", whole(trials * codebooks)}, {"removed", whole(rows(basis))}};
    put(values, "nothing", found[k].nothing);
    put(values, "projected", found[k].projected);
    put(values, "known", found[k].known);
    put(values, "joint", found[k].joint);
    put(values, "position", found[k].position);
    put(values, "joint_position", found[k].joint_position);
    put(values, "pair", found[k].pair);
    records.push_back({"decoders", values});
  }
  return records;
}

}  // namespace perp::capacity
