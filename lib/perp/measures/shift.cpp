#include "perp/measures/shift.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"

namespace perp {
namespace {

void check_square(const Matrix<double>& map, const char* where) {
  expect(rows(map) == cols(map) && rows(map) > 0, "{}: a {} x {} matrix; a square one was expected", where,
         rows(map), cols(map));
}

double frobenius(const Matrix<double>& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.data()[i] * a.data()[i];
  return std::sqrt(sum);
}

}  // namespace

Matrix<double> shift_map(std::span<const double> frequencies, double lag) {
  require(!frequencies.empty(), "shift_map: no frequencies");
  const std::size_t d = 2 * frequencies.size();
  Matrix<double> map = zeros<double>(d, d);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double angle = frequencies[i] * lag;
    require(std::isfinite(angle), "shift_map: frequency {} is {}, the lag {}; finite values were expected", i,
            frequencies[i], lag);
    map(2 * i, 2 * i) = map(2 * i + 1, 2 * i + 1) = std::cos(angle);
    map(2 * i, 2 * i + 1) = std::sin(angle);
    map(2 * i + 1, 2 * i) = -std::sin(angle);
  }
  return map;
}

MapError map_error(View<double> from, View<double> to, const Matrix<double>& map) {
  check_square(map, "map_error");
  expect(from.rows == to.rows && from.cols == rows(map) && to.cols == rows(map) && from.rows > 0,
         "map_error: from is {} x {}, to {} x {}, the map {} x {}; equally many rows of the map's size were "
         "expected",
         from.rows, from.cols, to.rows, to.cols, rows(map), cols(map));
  constexpr std::size_t tile = 1024;
  double off_square = 0, square = 0;
  MapError error;
  for (std::size_t first = 0; first < from.rows; first += tile) {
    const std::size_t last = std::min(from.rows, first + tile);
    const Matrix<double> made = product_nt(block(from, first, last, from.cols), map);
    for (std::size_t r = first; r < last; ++r)
      for (std::size_t j = 0; j < to.cols; ++j) {
        const double off = made(r - first, j) - to(r, j);
        off_square += off * off;
        square += to(r, j) * to(r, j);
        error.worst = std::max(error.worst, std::abs(off));
      }
  }
  require(square > 0, "map_error: all {} rows that should be reached are 0", to.rows);
  error.relative = std::sqrt(off_square / square);
  return error;
}

double map_distance(const Matrix<double>& a, const Matrix<double>& b) {
  expect(rows(a) == rows(b) && cols(a) == cols(b), "map_distance: maps of {} x {} and {} x {}", rows(a),
         cols(a), rows(b), cols(b));
  const double size = frobenius(b);
  require(size > 0, "map_distance: the {} x {} map to compare with is 0", rows(b), cols(b));
  Matrix<double> off = a;
  for (std::size_t i = 0; i < off.size(); ++i) off.data()[i] -= b.data()[i];
  return frobenius(off) / size;
}

}  // namespace perp
