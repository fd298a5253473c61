#pragma once
// Reading positions from the states of a model by ridge regression, sequences held out.

#include <cstddef>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::order {

/// What a read-out sees of a state: its entries, or its entries and their squares.
enum class Seen { entries, squares };

/// What is kept from learning and tested: the last quarter of the sequences, where tokens of one sequence
/// resemble one another (under a mask neighbours do); or every fourth token of each, so that every place and
/// every sequence is on both sides, where what sequences have in common is not to be learned.
enum class Held { sequences, tokens };

/// Tokens that are read: sequences of `length` tokens, the first `skipped` of each left out.
struct Split {
  std::size_t length = 0, skipped = 0;
  Held held = Held::sequences;
};

/// Held-out R² of each column of `targets` (one row per row of `states`). 1 is perfect, 0 no better than the
/// mean; a read-out of nothing is a little below 0. States that are all equal read 0. Throws Error unless
/// there are four sequences or more, all whole.
std::vector<double> read(const Matrix<float>& states, const Matrix<double>& targets, const Split& split,
                         Seen seen = Seen::entries);

/// The logarithm of the place, 1 … length, of each token of `batch` sequences.
Matrix<double> log_places(std::size_t batch, std::size_t length);

}  // namespace perp::order
