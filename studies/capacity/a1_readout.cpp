// A1: what a linear map reads of position from sums, one eigenfunction of position after another. Words are
// drawn anew for every row: V ≫ d.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/capacity/a1_size.hpp"

namespace perp::capacity {
namespace {

constexpr std::size_t functions = 64;
constexpr double ridge = 1e-6;  // of the mean eigenvalue: keeps the factor safe, changes no shown digit

/// Eigenvalues of the positions' covariance, descending, and the eigenfunctions t -> (p_t - p̄)·e_i/√λ_i: L x
/// k.
struct Functions {
  std::vector<double> eigenvalues;
  Matrix<double> values;
};

Functions eigenfunctions(const Matrix<double>& positions) {
  const std::size_t length = rows(positions), d = cols(positions);
  Matrix<double> centred = positions;
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < length; ++t) mean += positions(t, j) / static_cast<double>(length);
    for (std::size_t t = 0; t < length; ++t) centred(t, j) -= mean;
  }
  const Eigen<double> eigen = symmetric_eigen(gram_columns(View<double>(centred)));
  Matrix<double> axes = matrix<double>(functions, d);
  Functions result;
  for (std::size_t i = 0; i < functions; ++i) {
    result.eigenvalues.push_back(eigen.values[d - 1 - i] / static_cast<double>(length));
    for (std::size_t j = 0; j < d; ++j) axes(i, j) = eigen.vectors(d - 1 - i, j);
  }
  result.values = product_nt<double>(centred, axes);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < functions; ++i) result.values(t, i) /= std::sqrt(result.eigenvalues[i]);
  return result;
}

struct Sample {
  Matrix<double> inputs, targets;
};

/// Rows x + p_t + noise of standard deviation `sd` per dimension about p_t, and the eigenfunctions at t.
Sample draw(const Matrix<double>& positions, const Functions& functions_of, std::size_t count, double sd,
            const Streams& streams, const std::string& purpose, std::size_t replicate) {
  const std::size_t d = cols(positions);
  std::vector<float> normal(count * d);
  fill_normal(streams(purpose + " sums", replicate), std::span<float>(normal));
  const std::vector<std::uint32_t> t =
      below(streams(purpose + " positions", replicate), count, static_cast<std::uint32_t>(rows(positions)));
  Sample sample{matrix<double>(count, d), matrix<double>(count, functions)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      sample.inputs(i, j) = positions(t[i], j) + sd * static_cast<double>(normal[i * d + j]);
    for (std::size_t k = 0; k < functions; ++k) sample.targets(i, k) = functions_of.values(t[i], k);
  }
  return sample;
}

}  // namespace

Records run_read_out(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), count = size_at(cell.at, "rows");
  const double word = number_at(cell.at, "sigma"), noise = number_at(cell.at, "noise");
  const Matrix<double> positions = sinusoidal<double>(size_at(cell.at, "l"), d);
  const Functions of = eigenfunctions(positions);
  const double sd = std::hypot(word, noise);  // Gaussian words and Gaussian noise: one draw
  std::vector<MomentSums> r2(functions);
  for (std::size_t c = 0; c < size_at(cell.at, "codebooks"); ++c) {
    const Sample train = draw(positions, of, count, sd, streams, "train", c),
                 test = draw(positions, of, count / 4, sd, streams, "test", c);
    const std::vector<double> values =
        read_out_r2({train.inputs, train.targets}, {test.inputs, test.targets}, ridge);
    for (std::size_t i = 0; i < functions; ++i) r2[i].add(values[i]);
  }
  Records records;
  for (std::size_t i = 0; i < functions; ++i) {
    const Moments moments = r2[i].moments();
    const Interval interval = mean_interval(moments, shown_level);
    records.push_back({"readout",
                       {{"i", whole(i)},
                        {"eigenvalue", of.eigenvalues[i]},
                        {"r2", moments.mean},
                        {"r2_low", interval.low},
                        {"r2_high", interval.high},
                        {"n", whole(count / 4 * moments.count)},
                        {"line", theory::eigenfunction_r2(of.eigenvalues[i], word * word, noise * noise)}}});
  }
  return records;
}

}  // namespace perp::capacity
