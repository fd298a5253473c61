#include "perp/measures/position_readout.hpp"

#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"

namespace perp {
namespace {

struct Fit {
  std::vector<double> mean, weights;  // of the rows; per dimension
  double centre = 0;                  // mean row number
};

Fit fit_without(const Matrix<double>& positions, const std::vector<std::uint32_t>& fold, std::size_t left_out,
                double cutoff) {
  const std::size_t d = cols(positions);
  std::vector<std::size_t> taken;
  for (std::size_t t = 0; t < rows(positions); ++t)
    if (fold[t] != left_out) taken.push_back(t);
  const double n = static_cast<double>(taken.size());
  Fit fit{std::vector<double>(d, 0.0), std::vector<double>(d, 0.0), 0};
  for (const std::size_t t : taken) {
    fit.centre += static_cast<double>(t) / n;
    for (std::size_t j = 0; j < d; ++j) fit.mean[j] += positions(t, j) / n;
  }
  Matrix<double> centred = matrix<double>(taken.size(), d);
  for (std::size_t i = 0; i < taken.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) centred(i, j) = positions(taken[i], j) - fit.mean[j];
  const Singular<double> parts = singular_decomposition(std::move(centred));
  for (std::size_t k = 0; k < parts.values.size() && parts.values[k] > cutoff * parts.values[0]; ++k) {
    double along = 0;
    for (std::size_t i = 0; i < taken.size(); ++i)
      along += parts.left(i, k) * (static_cast<double>(taken[i]) - fit.centre);
    for (std::size_t j = 0; j < d; ++j) fit.weights[j] += along / parts.values[k] * parts.right(k, j);
  }
  return fit;
}

}  // namespace

double index_error(const Matrix<double>& positions, const std::vector<std::uint32_t>& fold, std::size_t folds,
                   double cutoff) {
  expect(fold.size() == rows(positions), "index_error: {} folds named for {} rows", fold.size(),
         rows(positions));
  require(folds >= 2, "index_error: {} folds; expected at least 2", folds);
  require(cutoff >= 1e-15 && cutoff < 1, "index_error: a cutoff of {}; expected 1e-15 to 1", cutoff);
  std::vector<std::size_t> size(folds, 0);
  for (const std::uint32_t f : fold) {
    require(f < folds, "index_error: fold {} of {}", f, folds);
    ++size[f];
  }
  for (std::size_t f = 0; f < folds; ++f)
    require(size[f] > 0, "index_error: fold {} of {} is empty", f, folds);
  double error = 0;
  for (std::size_t f = 0; f < folds; ++f) {
    const Fit fit = fit_without(positions, fold, f, cutoff);
    for (std::size_t t = 0; t < rows(positions); ++t) {
      if (fold[t] != f) continue;
      double read = fit.centre;
      for (std::size_t j = 0; j < cols(positions); ++j)
        read += fit.weights[j] * (positions(t, j) - fit.mean[j]);
      error += std::abs(read - static_cast<double>(t));
    }
  }
  return error / static_cast<double>(rows(positions));
}

std::vector<std::uint32_t> even_folds(const std::vector<std::uint32_t>& place, std::size_t folds) {
  std::vector<std::uint32_t> out(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) out[i] = place[i] % static_cast<std::uint32_t>(folds);
  return out;
}

}  // namespace perp
