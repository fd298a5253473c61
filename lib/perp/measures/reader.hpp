#pragma once
// A linear reader of one of two tables whose rows were added in noise (claim A7).
//
//   y = a x_w + b o_t + n z      d coordinates, z ~ N(0, I), w and t uniform and independent
//
// Who reads x knows its rows, a, n, and of b·o mean and covariance alone: a Gaussian discriminant (Fisher
// 1936), which is one matrix, one bias and a softmax,
//   ℓ_v = a (y - b ō)ᵀ S⁻¹ x_v - a² x_vᵀ S⁻¹ x_v/2,   S = n² I + b² Σ_o,
// to which ln π_v is added, and by which ō and Σ_o are weighted, where rows are sent with unequal chances π.
// Along the axes of Σ_o the matrix S is diagonal whatever a, b and n are: tables are turned once, and each
// setting is one product of samples and rows, tile by tile with a log-sum-exp, so that N x V never exists.

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/information.hpp"

namespace perp {

/// What a reader knows of the other table: its mean, and the axes of its covariance.
class Interference {
 public:
  /// other: L x d', in the last d' of the reader's d coordinates; chances: of each of its rows, of sum 1, or none
  /// where all are alike. A d' x d' eigenproblem, whose axes serve any number of readers.
  explicit Interference(View<float> other, std::span<const double> chances = {});

  std::size_t width() const { return variances_.size(); }  ///< d'
  /// Eigenvalues λ_j of Σ_o, ascending: d'.
  const std::vector<double>& variances() const { return variances_; }
  /// `rows` with their last d' columns along the axes.
  Matrix<float> turned(View<float> rows) const;
  /// o_t - ō of these rows, along the axes.
  Matrix<float> sent(const std::vector<std::size_t>& rows) const;

 private:
  Matrix<float> centred_, axes_;
  std::vector<double> variances_;
};

class LinearReader {
 public:
  /// Of a table alone, where linear is ideal: table V x d; sent: N of its rows; noise: N x d, rows z. The
  /// table must outlive its reader.
  LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise);
  /// Of a table beside another, of which `other_sent` were added: 2 V d'² operations. Keeps a turned copy of
  /// the table.
  LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise, const Interference& other,
               const std::vector<std::size_t>& other_sent);

  /// Of a sample: log Σ_v exp(ℓ_v - ℓ_sent), the reader's cross-entropy in nats, and whether no row has a
  /// higher ℓ than the sent one.
  struct Reading {
    double nats;
    bool found;
  };
  /// scales: a as `word`, b as `position`, whichever is read; chances: of the table's rows, above 0 and of sum 1, or
  /// none where all are alike. 2 N V d operations, products in float32.
  std::vector<Reading> read(double noise, const Scales& scales = {},
                            std::span<const double> chances = {}) const;
  /// Entropy of what is sent, less the mean of the nats, which a reader that is not the ideal one may bring below 0.
  Bits bits(double noise, const Scales& scales = {}, std::span<const double> chances = {}) const;

 private:
  View<float> table() const { return turned_.size() > 0 ? View<float>(turned_) : alone_; }

  View<float> alone_;
  Matrix<float> turned_;           ///< V x d, along the axes of Σ_o
  std::vector<std::size_t> sent_;  ///< N
  Matrix<float> own_, noise_;      ///< N x d, along the same axes: x_w, z
  Matrix<float> other_;            ///< N x d', o_t - ō; none of a table alone
  std::vector<double> variances_;  ///< λ_j of the last d' coordinates
};

/// Of chances above 0 whose sum is 1.
double entropy_bits(std::span<const double> chances);

}  // namespace perp
