#pragma once
// A10: what can be answered without knowing the order.

#include <cstddef>
#include <string_view>

namespace perp::learning {

/// Mean of the largest of the counts when `balls` fall into `bins` independently and uniformly. Exact:
/// P(largest <= m) = n! [x^n] (Σ_{j<=m} x^j/j!)^k / k^n. Throws Error{unusable} for no bins.
double mean_largest_count(std::size_t balls, std::size_t bins);

/// Share right of the best guesser who sees which words a sequence holds, the token that asks, and not where
/// they stand: in "copy" any of the 31 other words may be the one before, in "named" any of the 16 words may
/// stand at the place, in "bite" any of the 16 somebodies may be asked for, so the word that occurs most
/// often is the best guess; in "count" the order is not needed. Throws Error{unusable} for another task.
double order_blind_share(std::string_view task);

/// Share right of whoever sees nothing and always gives the likeliest answer.
double constant_share(std::string_view task);

}  // namespace perp::learning
