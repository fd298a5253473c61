#pragma once
// Beside claim A7: a full sum whose positions were optimised as in claim A4, words fixed, for the scores of
// random pairs, against the random positions that the descent set out from.

#include "studies/capacity/split.hpp"

namespace perp::capacity {

struct Descent : Book {
  std::size_t steps;
};
PERP_ROW_OF(Descent, Book, steps)
/// Bits of both sums, the position with a third of the power, and what the fit leaves before and after.
struct Optimised : Descent {
  double noise, random, optimised, begin, end;
};
PERP_ROW_OF(Optimised, Descent, noise, random, optimised, begin, end)

std::vector<Descent> descents(Preset preset);
void measure_optimised(const Descent& at, const Streams& streams, Rows& rows);
void add_optimised(const Group<Optimised>& rows, Summary& summary);

}  // namespace perp::capacity
