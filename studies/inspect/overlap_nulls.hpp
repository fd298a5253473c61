#pragma once
// What the overlap of two covariances is held against: other orders of the coordinates, and what is left
// without the direction that both share most.

#include <span>
#include <vector>

#include "perp/measures/overlap.hpp"
#include "perp/study/experiment.hpp"

namespace perp::inspect {

/// permuted_overlap in `count` random orders.
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

}  // namespace perp::inspect
