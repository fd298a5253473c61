#pragma once
// The subspace that the sinusoidal positions fill, direction by direction.

#include <map>
#include <memory>
#include <mutex>

#include "perp/base/array.hpp"

namespace perp::orthogonality {

/// Right singular vectors of the sinusoidal table of `length` positions, in falling order of singular value:
/// d x d orthonormal rows, of which the first r span the r-dimensional PE subspace. Float64. For length < d
/// the rows behind the table's rank are some completion.
Matrix<double> position_basis(std::size_t length, std::size_t d);

/// Makes each basis once, when the first cell asks for it. Safe to share between threads.
class PositionBases {
 public:
  explicit PositionBases(std::size_t length) : length_(length) {}
  std::size_t length() const { return length_; }
  const Matrix<double>& operator()(std::size_t d) const;

 private:
  std::size_t length_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, Matrix<double>> bases_;
};

/// The same of any table: d x d orthonormal rows, leading directions (uncentred) first.
Matrix<double> leading_directions(View<float> table);

}  // namespace perp::orthogonality
