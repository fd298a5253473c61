#pragma once
// Products of the size of one head: some dozens of tokens, eight or sixteen columns. A call of BLAS takes
// about as long as such a product itself. Sums run over the inner index in order, whatever the processor.

#include "perp/base/array.hpp"

namespace perp::model {

/// a b, to `out`, whose rows lie `stride` values apart; a's columns must be b's rows.
template <class T>
void head_product(View<T> a, View<T> b, T* out, std::size_t stride);
/// aᵀ b, likewise; a's rows must be b's.
template <class T>
void head_product_tn(View<T> a, View<T> b, T* out, std::size_t stride);
/// xᵀ, to cols x rows values one after the other.
template <class T>
void transpose_head(View<T> x, T* out);

}  // namespace perp::model
