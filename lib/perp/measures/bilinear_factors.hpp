#pragma once
// For bilinear*.cpp only: the decomposed sums and what the targets look like from inside their range.

#include "perp/base/linalg.hpp"
#include "perp/measures/bilinear.hpp"

namespace perp {

struct BilinearFactors {
  Singular<double> sums;    ///< A = UΣQᵀ, all of it
  std::size_t rank = 0;     ///< how many singular values count
  Matrix<double> targeted;  ///< RTRᵀ U, n+1 x rank
  Matrix<double> inside;    ///< B = Uᵀ RTRᵀ U, rank x rank
  double energy = 0;        ///< ‖B‖²

  View<double> u() const { return block(sums.left, 0, rows(sums.left), rank); }
};
BilinearFactors bilinear_factors(const Matrix<double>& table, const BilinearTargets& targets, double cutoff);

inline double sum_of_squares(const Matrix<double>& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i) sum += m.data()[i] * m.data()[i];
  return sum;
}

}  // namespace perp
