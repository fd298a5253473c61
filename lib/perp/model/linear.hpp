#pragma once
// A linear map of every row: y = x Wᵀ + b, W: out x in, as frameworks store it.

#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::model {

template <class T>
struct Linear {
  Matrix<T> weight;     ///< out x in
  std::vector<T> bias;  ///< out

  std::uint64_t parameters() const { return weight.size() + bias.size(); }
};

/// x: rows x in -> rows x out, one product. Throws Error for an x of another width. With a Matrix call it
/// model::apply: unqualified, std::apply would be found by way of the matrix and fit better.
template <class T>
Matrix<T> apply(const Linear<T>& linear, ViewLike<T> x);

/// Backwards: from what a loss changes by with y (rows x out) to what it changes by with x (rows x in),
/// dx = dy W. `gradient`, of the map's shape, becomes what it changes by with weight, dyᵀ x, and bias, the
/// column sums of dy; its memory stays where it is, here and in every other backward. Throws Error for shapes
/// that do not fit.
template <class T>
Matrix<T> backward(const Linear<T>& linear, ViewLike<T> x, ViewLike<T> dy, Linear<T>& gradient);

}  // namespace perp::model
