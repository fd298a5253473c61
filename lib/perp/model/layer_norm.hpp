#pragma once
// Layer normalisation of every row (Ba, Kiros & Hinton 2016, arXiv 1607.06450, eq. 4), with what its
// derivative needs. `perp::layer_norm` of measures is the same for tables of doubles.

#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::model {

template <class T>
struct LayerNorm {
  std::vector<T> gain, bias;  ///< d each
  T epsilon = T(1e-5);

  std::uint64_t parameters() const { return gain.size() + bias.size(); }
};

template <class T>
struct Normalised {
  Matrix<T> out;           ///< gain · standard + bias
  Matrix<T> standard;      ///< (x - x̄)/√(var x + epsilon), var over d
  std::vector<T> inverse;  ///< 1/√(var x + epsilon) of each row
};

/// x: rows x d. Throws Error for another d and for d = 0.
template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, ViewLike<T> x);

/// Backwards: with s the standard rows, e = gain · dout and means over a row,
/// dx = inverse (e - mean(e) - s mean(e s)). `gradient` becomes what the loss changes by with gain, Σ dout s,
/// and bias, Σ dout. Throws Error for shapes that do not fit.
template <class T>
Matrix<T> backward(const LayerNorm<T>& norm, const Normalised<T>& normalised, ViewLike<T> dout,
                   LayerNorm<T>& gradient);

}  // namespace perp::model
