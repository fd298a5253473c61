#pragma once
// What the claims of this study share: how a model is told where its words stand.

#include <string_view>

#include "perp/base/matrix_algebra.hpp"
#include "perp/model/transformer.hpp"
#include "perp/study/experiment.hpp"

namespace perp::order {

inline constexpr std::string_view no_encoding = "none";

/// What an encoding gives a model of one shape for one length: vectors to add, or what attention reads.
template <class T>
struct PositionalInput {
  Matrix<double> added = zeros<double>(0, 0);  ///< length x width; empty if nothing is added
  model::AttentionPositions<T> attention;
};

/// `encoding` is a name of perp::encodings() or "none". ALiBi gets its slope per head; T5's biases are drawn
/// per head; random ones read `streams`.
template <class T>
PositionalInput<T> positional_input(std::string_view encoding, std::size_t length, const model::Shape& shape,
                                    const Streams& streams);

/// The words (one row per token) with what is added to them.
template <class T>
Matrix<T> input(const Matrix<T>& words, const PositionalInput<T>& positions);

/// Streams that all cells of one draw share, whatever else differs: the same words, the same weights.
Streams of_draw(const Streams& streams, std::size_t draw);

}  // namespace perp::order
