#pragma once
// Rows of a released table that training never met: unused entries of a vocabulary, positions beyond every
// text.

#include <vector>

#include "perp/io/table_rows.hpp"

namespace perp {

/// A row shorter than this share of the median row counts as never trained: it kept the small entries that it
/// was given at the start. By length alone, so that what is then measured has no part in the choice. (Of
/// BERT's vocabulary 993 of the 994 entries called [unusedN] are left out so, of GPT-2's positions the last.)
inline constexpr double trained_length = 0.5;

/// For each row's length whether training met it. Of an empty list none.
std::vector<bool> trained_rows(const std::vector<double>& lengths);

/// The longest run of rows in a row that training met, the first of several; 0:0 without one.
RowRange trained_run(const std::vector<bool>& trained);

}  // namespace perp
