#include "studies/inspect/overlap_nulls.hpp"

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"

namespace perp::inspect {
namespace {

std::vector<double> times(const Matrix<double>& a, std::span<const double> u) {
  std::vector<double> out(rows(a));
  for (std::size_t i = 0; i < rows(a); ++i) out[i] = dot(row(a, i), u);
  return out;
}

}  // namespace

std::vector<double> permuted_overlaps(const Matrix<double>& a, const Matrix<double>& b, std::size_t count,
                                      const Streams& streams) {
  std::vector<double> overlaps;
  for (std::size_t draw = 0; draw < count; ++draw)
    overlaps.push_back(permuted_overlap(
        a, b, permutation(streams("coordinates", draw), static_cast<std::uint32_t>(rows(a)))));
  return overlaps;
}

std::vector<double> shared_direction(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> both = a;
  const double of_a = 1 / trace(a), of_b = 1 / trace(b);
  for (std::size_t i = 0; i < both.size(); ++i) both.data()[i] = of_a * a.data()[i] + of_b * b.data()[i];
  const Matrix<double> leading = leading_directions(both, 1);
  return {row(leading, 0).begin(), row(leading, 0).end()};
}

Matrix<double> without_direction(const Matrix<double>& a, std::span<const double> u) {
  const std::vector<double> along = times(a, u);
  const double twice = dot(along, u);
  Matrix<double> out = a;
  for (std::size_t i = 0; i < u.size(); ++i)
    for (std::size_t j = 0; j < u.size(); ++j)
      out(i, j) += twice * u[i] * u[j] - along[i] * u[j] - u[i] * along[j];
  return out;
}

double overlap_beside(const Matrix<double>& a, const Matrix<double>& b, std::span<const double> u) {
  constexpr double rounding = 1e-12;
  const Matrix<double> rest_a = without_direction(a, u), rest_b = without_direction(b, u);
  if (!(trace(rest_a) > rounding * trace(a) && trace(rest_b) > rounding * trace(b))) return NAN;
  return overlap(rest_a, rest_b) * double(u.size() - 1) / double(u.size());
}

std::vector<double> turned_overlaps_beside(const Matrix<double>& a, const Matrix<double>& b,
                                           std::size_t count, const Streams& streams) {
  const std::size_t d = rows(a);
  std::vector<double> overlaps;
  for (std::size_t draw = 0; draw < count; ++draw) {
    const Matrix<double> rotation = orthonormal_rows(normal_matrix<double>(d, d, streams("turn", draw)));
    const Matrix<double> turned = product_nt(product(rotation, b), rotation);
    overlaps.push_back(overlap_beside(a, turned, shared_direction(a, turned)));
  }
  return overlaps;
}

}  // namespace perp::inspect
