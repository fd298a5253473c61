// How many matrices M give scores that depend on the lag alone.

#include "perp/base/linalg.hpp"
#include "perp/measures/shift.hpp"

namespace perp {
namespace {

/// Of the linear map with that matrix, which takes `unknowns` numbers.
NullSpace null_space(const Matrix<double>& equations, double cutoff, const char* where) {
  require(cutoff > 0 && cutoff < 1, "{}: a cutoff of {}; above 0 and below 1 was expected", where, cutoff);
  const std::vector<double> values = singular_values(equations);
  NullSpace out;
  out.smallest_kept = 1;
  std::size_t rank = 0;
  while (rank < values.size() && values[rank] > cutoff * values[0]) ++rank;
  if (rank > 0) out.smallest_kept = values[rank - 1] / values[0];
  if (rank > 0 && rank < values.size()) out.largest_null = values[rank] / values[0];
  out.dimension = cols(equations) - rank;
  return out;
}

}  // namespace

NullSpace shift_commutant(std::span<const double> frequencies, double cutoff) {
  const std::size_t d = 2 * frequencies.size();
  require(d <= 32, "shift_commutant: {} dimensions; at most 32 were expected (a {} x {} matrix)", d, d * d,
          d * d);
  const Matrix<double> shift = shift_map(frequencies, 1);
  Matrix<double> equations = matrix<double>(d * d, d * d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b)
          equations(i * d + j, a * d + b) = shift(a, i) * shift(b, j) - (a == i && b == j ? 1 : 0);
  return null_space(equations, cutoff, "shift_commutant");
}

NullSpace distance_only_matrices(View<double> positions, double cutoff) {
  const std::size_t n = positions.rows, d = positions.cols;
  require(n >= 2 && d >= 1,
          "distance_only_matrices: {} positions of {} dimensions; two or more were expected", n, d);
  require(n <= 1449 && d <= 1448 && (n - 1) * (n - 1) * d * d <= (std::size_t{1} << 21),
          "distance_only_matrices: {} positions of {} dimensions make a {} x {} matrix; at most 2^21 entries "
          "were expected",
          n, d, (n - 1) * (n - 1), d * d);
  Matrix<double> equations = matrix<double>((n - 1) * (n - 1), d * d);
  for (std::size_t t = 0; t + 1 < n; ++t)
    for (std::size_t s = 0; s + 1 < n; ++s)
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t b = 0; b < d; ++b)
          equations(t * (n - 1) + s, a * d + b) =
              positions(t + 1, a) * positions(s + 1, b) - positions(t, a) * positions(s, b);
  return null_space(equations, cutoff, "distance_only_matrices");
}

}  // namespace perp
