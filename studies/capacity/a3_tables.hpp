#pragma once
// Tables of words and positions for the bilinear fits (claims A3 and A4), in float64: ranks matter there.
// Power as in split.hpp: words mean ‖x‖² = d, positions `power`·d, whatever width each of them has.

#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/study/experiment.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {

/// The rows of two tables of one width, one after the other.
Matrix<double> stacked(const Matrix<double>& above, const Matrix<double>& below);

/// One draw of words and targets, from which every table is made.
struct Draw {
  std::size_t words = 0, positions = 0, d = 0;
  Matrix<double> word_entries, position_entries;  ///< V x d and L x d, N(0, 1)
  Matrix<double> targets;                         ///< n x n, N(0, 1)
};
Draw draw(std::size_t words, std::size_t positions, std::size_t d, const Streams& streams,
          std::size_t replicate = 0);

/// positions: L x width of mean ‖p‖² = power·d, on average for random ones (the first columns of the draw's).
Matrix<double> exact_positions(Positions kind, const Draw& draw, std::size_t width, double power);
/// [W; P], n x d: all d dimensions for both.
Matrix<double> added_table(const Draw& draw, Positions kind, double power);
/// [W 0; 0 P]: positions in the last `width` dimensions, words in the others. 0 < width < d.
Matrix<double> split_table(const Draw& draw, Positions kind, std::size_t width, double power);

/// The split of least residual among `widths` of the positions.
struct BestSplit {
  std::size_t width = 0;
  BilinearResidual fit;
};
BestSplit best_split_of(const Draw& draw, const BilinearTargets& targets, Positions kind, double power,
                        const std::vector<std::size_t>& widths, double cutoff);
/// Widths step, 2 step … below d; step even.
std::vector<std::size_t> even_widths(std::size_t d, std::size_t step);

}  // namespace perp::capacity
