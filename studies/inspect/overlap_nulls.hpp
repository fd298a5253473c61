#pragma once
// What the overlap of two covariances is held against, and how sure it is: other orders of the coordinates,
// what is left without the direction that both share most, the words by halves.

#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/study/experiment.hpp"

namespace perp::inspect {

/// d tr(AB)/(tr A tr B): 1 by chance. A, B: d x d, symmetric, of traces above 0.
double overlap(const Matrix<double>& a, const Matrix<double>& b);

/// The same with the coordinates of B in a random order, `count` times. Two tables that lie along the axes,
/// as those with a few large coordinates do, overlap so without a direction in common.
std::vector<double> permuted_overlaps(const Matrix<double>& a, const Matrix<double>& b, std::size_t count,
                                      const Streams& streams);

/// The direction along which both together vary most, each over its own trace: leading eigenvector of
/// A/tr A + B/tr B.
std::vector<double> shared_direction(const Matrix<double>& a, const Matrix<double>& b);
/// A without what lies along the unit vector u: (1-uuᵀ) A (1-uuᵀ).
Matrix<double> without_direction(const Matrix<double>& a, std::span<const double> u);
/// Overlap in the d - 1 dimensions beside the shared direction. NaN if A or B has nothing else.
double overlap_beside(const Matrix<double>& a, const Matrix<double>& b, std::span<const double> u);
/// That of A with B turned at random, `count` times, each without the direction that *they* share most.
/// Its mean is not 1, because the direction was chosen.
std::vector<double> turned_overlaps_beside(const Matrix<double>& a, const Matrix<double>& b,
                                           std::size_t count, const Streams& streams);

/// Words as an overlap with positions sees them.
struct SeenWords {
  RowStream stream;
  const std::vector<bool>& kept;         ///< which rows
  bool is_centred;                       ///< about their mean, else about the origin
  std::span<const double> without = {};  ///< a direction that is left out, or none
};
/// Groups of words, halves of which are compared.
inline constexpr std::size_t word_groups = 16;
/// Standard error of the overlap of `words` with the positions' covariance (or outer product), as another
/// choice of words would move it; the positions stay. Balanced repeated halves (McCarthy 1969, Rev. Int.
/// Stat. Inst. 37, 239): words in 16 groups at random, 15 ways to halve them that are orthogonal to one
/// another; half of the root mean square difference of the two halves. No resampling with replacement, which
/// would make covariances more alike than they are. NaN below eight words a group.
double split_half_error(SeenWords words, const Matrix<double>& positions, const Streams& streams);

}  // namespace perp::inspect
