#include "perp/measures/energy.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/squares.hpp"

namespace perp {
namespace {

constexpr double orthonormal_to = 1e-4;

void check_orthonormal(const Matrix<float>& basis) {
  const Matrix<float> gram = gram_rows(basis);
  for (std::size_t i = 0; i < rows(gram); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double off = std::abs(gram(i, j) - (i == j ? 1.0 : 0.0));
      require(off <= orthonormal_to,
              "energy_inside: basis rows {} and {} of {} have product {}; orthonormal rows were expected", i,
              j, rows(gram), gram(i, j));
    }
}

}  // namespace

std::vector<double> energy_inside(View<float> words, const Matrix<float>& basis) {
  require(words.cols == cols(basis),
          "energy_inside: words are {} x {}, the basis {} x {}; both need the same number of columns",
          words.rows, words.cols, rows(basis), cols(basis));
  check_orthonormal(basis);
  constexpr std::size_t tile = 1024;
  Matrix<float> inside = matrix<float>(std::min(tile, words.rows), rows(basis));
  std::vector<double> energy;
  energy.reserve(words.rows);
  for (std::size_t first = 0; first < words.rows; first += tile) {
    const std::size_t last = std::min(words.rows, first + tile);
    product_nt_into(block(words, first, last, words.cols), basis, inside.data());
    for (std::size_t i = first; i < last; ++i) {
      const double whole = sum_of_squares(words.row(i));
      require(std::isfinite(whole),
              "energy_inside: row {} of the {} x {} words holds a value that is not finite", i, words.rows,
              words.cols);
      if (whole > 0) energy.push_back(std::min(1.0, sum_of_squares(row(inside, i - first)) / whole));
    }
  }
  return energy;
}

}  // namespace perp
