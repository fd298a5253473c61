#pragma once
// A linear reader of one of two tables whose rows were added in noise (claim A7).
//
//   y = a x_w + b o_t + n z      d coordinates, z ~ N(0, I), w and t uniform and independent
//
// Who reads x knows its rows, a, n, and of b·o mean and covariance alone: a Gaussian discriminant (Fisher
// 1936), which is one matrix, one bias and a softmax,
//   ℓ_v = a (y - b ō)ᵀ S⁻¹ x_v - a² x_vᵀ S⁻¹ x_v/2,   S = n² I + b² Σ_o.
// Along the axes of Σ_o the matrix S is diagonal whatever a, b and n are: tables are turned once, and each
// setting is one product of samples and rows, tile by tile with a log-sum-exp, so that N x V never exists.

#include <cstddef>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/information.hpp"

namespace perp {

class LinearReader {
 public:
  /// Of a table alone, where linear is ideal: table V x d; sent: N of its rows; noise: N x d, rows z. The
  /// table must outlive its reader. Throws Error for shapes that do not fit, no rows, a sent row outside its
  /// table, and values that are not finite.
  LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise);
  /// Of a table beside another, L x d, of which `other_sent` were added: 2 V d² operations and a d x d
  /// eigenproblem. Keeps a turned copy of the table. Throws Error likewise.
  LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise, View<float> other,
               const std::vector<std::size_t>& other_sent);

  /// log Σ_v exp(ℓ_v - ℓ_sent) per sample, the reader's cross-entropy in nats: `channel_bits` makes bits of
  /// them, which a reader that is not the ideal one may bring below 0. scales: a as `word`, b as `position`,
  /// whichever is read. 2 N V d operations, products in float32. Throws Error for noise or a not above 0.
  std::vector<double> nats(double noise, const Scales& scales = {}) const;
  Bits bits(double noise, const Scales& scales = {}) const;

  /// Eigenvalues λ_j of Σ_o, ascending; of a table alone none.
  const std::vector<double>& interference() const { return variances_; }

 private:
  View<float> table() const { return turned_.size() > 0 ? View<float>(turned_) : alone_; }

  View<float> alone_;
  Matrix<float> turned_;           ///< V x d, along the axes of Σ_o
  std::vector<std::size_t> sent_;  ///< N
  Matrix<float> own_, noise_,
      other_;                      ///< N x d, along the same axes: x_w, z, o_t - ō (none of a table alone)
  std::vector<double> variances_;  ///< λ_j
};

}  // namespace perp
