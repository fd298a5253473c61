#pragma once
// Many tests at once.

#include <vector>

namespace perp {

/// p-values adjusted so that with probability 1 - level no test of a true hypothesis has one below `level`, whatever the
/// dependence between the tests. Holm 1979, Scand. J. Statist. 6:65.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace perp
