// The six workloads in Eigen, as one would write them in C++: whole-matrix expressions, tables in pieces
// where the result would not fit into memory comfortably, products on all threads (OpenMP), random numbers of
// the standard library. Sizes and meaning are those of bench/workloads.cpp; random numbers agree in law and
// not digit by digit.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "bench/workload.hpp"
#include "perp/base/error.hpp"
#include "perp/io/program.hpp"

namespace {

using Eigen::Index;
using Table = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using perp::bench::Numbers;

/// length x dim: sines in even columns, cosines in odd ones, angles in double precision.
Table sinusoids(Index length, Index dim) {
  const Eigen::ArrayXd omega = (Eigen::ArrayXd::LinSpaced(dim / 2, 0, static_cast<double>(dim - 2)) *
                                (-std::log(1e4) / static_cast<double>(dim)))
                                   .exp();
  Table table(length, dim);
  for (Index i = 0; i < length; ++i) {
    const Eigen::ArrayXd angles = static_cast<double>(i) * omega;
    for (Index j = 0; j < dim / 2; ++j) {
      table(i, 2 * j) = static_cast<float>(std::sin(angles(j)));
      table(i, 2 * j + 1) = static_cast<float>(std::cos(angles(j)));
    }
  }
  return table;
}

template <class Matrix>
Matrix normals(Index rows, Index columns, std::mt19937_64& random) {
  std::normal_distribution<typename Matrix::Scalar> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(random); });
}

Numbers w1(std::size_t) {
  constexpr Index count = 100'000, length = 2048, dim = 512, bins = 2000, piece = 8192;
  std::mt19937_64 random(1);
  const Table positions = sinusoids(length, dim).rowwise().normalized();
  std::vector<std::int64_t> histogram(bins);
  double square = 0, largest = 0;
  for (Index first = 0; first < count; first += piece) {
    const Table words = normals<Table>(std::min(piece, count - first), dim, random).rowwise().normalized();
    const Table cosines = words * positions.transpose();
    for (const float c : cosines.reshaped())
      ++histogram[static_cast<std::size_t>(std::clamp((c + 1) / 2 * bins, 0.0F, bins - 1.0F))];
    for (Index i = 0; i < cosines.rows(); ++i) square += cosines.row(i).cast<double>().squaredNorm();
    largest = std::max(largest, static_cast<double>(cosines.cwiseAbs().maxCoeff()));
  }
  std::int64_t counted = 0;
  for (const std::int64_t n : histogram) counted += n;
  return {{"mean_square_times_d", square / (count * length) * dim},
          {"largest", largest},
          {"counted", static_cast<double>(counted)}};
}

Numbers w2(std::size_t) {
  constexpr Index dim = 512, k = 128, r = 64, trials = 200;
  std::mt19937_64 random(2);
  const auto basis = [&](Index columns) -> Eigen::MatrixXd {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(normals<Eigen::MatrixXd>(dim, columns, random));
    return qr.householderQ() * Eigen::MatrixXd::Identity(dim, columns);
  };
  Eigen::ArrayXd largest(trials);
  for (Index trial = 0; trial < trials; ++trial) {
    const Eigen::MatrixXd a = basis(k), b = basis(r);
    largest(trial) = Eigen::BDCSVD<Eigen::MatrixXd>(a.transpose() * b).singularValues()(0);
  }
  return {{"mean", largest.mean()}, {"sd", std::sqrt((largest - largest.mean()).square().mean())}};
}

Numbers w3(std::size_t) {
  constexpr Index length = 8192, dim = 512;
  const Table table = sinusoids(length, dim);
  const Table gram = table * table.transpose();
  double worst = 0, first_lag = 0;
  for (Index lag = 0; lag < length; ++lag) {
    const Eigen::ArrayXd diagonal = gram.diagonal(lag).cast<double>();
    const double mean = diagonal.mean();
    worst = std::max(worst, (diagonal - mean).abs().maxCoeff());
    if (lag == 1) first_lag = mean;
  }
  return {{"worst", worst}, {"mean_of_lag_1", first_lag}};
}

Numbers w4(std::size_t) {
  constexpr Index vocabulary = 50'000, length = 512, dim = 256, count = 8192, piece = 1024;
  constexpr float sigma = 0.5F;
  std::mt19937_64 random(4);
  const Table words = normals<Table>(vocabulary, dim, random);
  Table positions = sinusoids(length, dim);
  positions.rowwise() -= positions.colwise().mean().eval();
  const Eigen::RowVectorXf half_square = words.rowwise().squaredNorm().transpose() / 2;
  std::uniform_int_distribution<Index> any_word(0, vocabulary - 1), any_place(0, length - 1);
  Index right = 0;
  for (Index first = 0; first < count; first += piece) {
    Table sums = sigma * normals<Table>(piece, dim, random);
    std::vector<Index> word(piece);
    for (Index i = 0; i < piece; ++i) {
      word[static_cast<std::size_t>(i)] = any_word(random);
      sums.row(i) += words.row(word[static_cast<std::size_t>(i)]) + positions.row(any_place(random));
    }
    const Table nearness = (sums * words.transpose()).rowwise() - half_square;
    for (Index i = 0; i < piece; ++i) {
      Index best = 0;
      nearness.row(i).maxCoeff(&best);
      right += best == word[static_cast<std::size_t>(i)];
    }
  }
  return {{"share", static_cast<double>(right) / count}};
}

Numbers w5(std::size_t) {
  const Table table = sinusoids(200'000, 512);
  return {{"sum_of_last_row", table.row(table.rows() - 1).cast<double>().sum()}};
}

Numbers w6(std::size_t) {
  constexpr Index count = 50'000'000;
  std::mt19937_64 random(6);
  const Eigen::ArrayXf values = normals<Eigen::VectorXf>(count, 1, random).array();
  // Sums of 50 million floats need double precision.
  const double mean = values.cast<double>().mean();
  return {{"sd", std::sqrt((values.cast<double>() - mean).square().mean())}, {"mean", mean}};
}

const std::vector<perp::bench::Workload> workloads{{"w1", "", w1}, {"w2", "", w2}, {"w3", "", w3},
                                                   {"w4", "", w4}, {"w5", "", w5}, {"w6", "", w6}};

/// As many threads as OMP_NUM_THREADS says; a product starts them outside of any timing.
perp::bench::Side eigen(const perp::bench::WorkloadOptions&) {
  const Table square = Table::Ones(256, 256);
  perp::require((square * square)(0, 0) == 256, "a product of ones");
  return {"Eigen", "",
          fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
          "its own kernels", static_cast<std::size_t>(Eigen::nbThreads())};
}

}  // namespace

int main(int argc, char** argv) {
  return perp::run_program("eigen_peer",
                           [&] { return perp::bench::run_workloads(argc, argv, workloads, eigen); });
}
