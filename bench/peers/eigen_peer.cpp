// The six workloads in Eigen, as one would write them in C++: whole-matrix expressions, tables in pieces
// where the result would not fit into memory comfortably, products on all threads (OpenMP), random numbers of
// the standard library. Sizes and meaning are those of bench/workload_*.cpp; random numbers agree in law and
// not digit by digit.

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Eigen::Index;
using Table = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Numbers = std::vector<std::pair<std::string, double>>;

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

Numbers w1() {
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

Numbers w2() {
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

Numbers w3() {
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

Numbers w4() {
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

Numbers w5() {
  const Table table = sinusoids(200'000, 512);
  return {{"sum_of_last_row", table.row(table.rows() - 1).cast<double>().sum()}};
}

Numbers w6() {
  constexpr Index count = 50'000'000;
  std::mt19937_64 random(6);
  const Eigen::ArrayXf values = normals<Eigen::VectorXf>(count, 1, random).array();
  // Sums of 50 million floats need double precision.
  const double mean = values.cast<double>().mean();
  return {{"sd", std::sqrt((values.cast<double>() - mean).square().mean())}, {"mean", mean}};
}

const std::map<std::string, Numbers (*)()>& workloads() {
  static const std::map<std::string, Numbers (*)()> all{{"w1", w1}, {"w2", w2}, {"w3", w3},
                                                        {"w4", w4}, {"w5", w5}, {"w6", w6}};
  return all;
}

/// One line of JSON, as build/bench/workloads prints.
void run(const std::string& name, int repeats) {
  std::string seconds, numbers;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Numbers found = workloads().at(name)();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    char text[64];
    std::snprintf(text, sizeof text, "%s%.9g", i == 0 ? "" : ",", took.count());
    seconds += text;
    numbers.clear();
    for (const auto& [key, value] : found) {
      std::snprintf(text, sizeof text, "%s\"%s\":%.9g", numbers.empty() ? "" : ",", key.c_str(), value);
      numbers += text;
    }
  }
  std::printf(
      "{\"side\":\"Eigen\",\"workload\":\"%s\",\"threads\":%d,\"blas\":\"\",\"version\":\"Eigen %d.%d.%d\","
      "\"path\":\"its own kernels\",\"seconds\":[%s],\"numbers\":{%s}}\n",
      name.c_str(), Eigen::nbThreads(), EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
      seconds.c_str(), numbers.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::string only = "w1,w2,w3,w4,w5,w6";
  int repeats = 2;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
    if (std::strcmp(argv[i], "--repeats") == 0) repeats = std::max(1, std::atoi(argv[i + 1]));
  }
  std::vector<std::string> names;
  for (std::size_t first = 0; first <= only.size();) {
    const std::size_t comma = std::min(only.find(',', first), only.size());
    names.push_back(only.substr(first, comma - first));
    first = comma + 1;
  }
  for (const std::string& name : names)
    if (!workloads().contains(name)) {
      std::fprintf(stderr, "eigen_peer: there is no workload '%s'; there are w1 to w6\n", name.c_str());
      return 2;
    }
  const Table square = Table::Ones(256, 256);  // starts the threads outside of any timing
  if ((square * square)(0, 0) != 256) return 1;
  for (const std::string& name : names) run(name, repeats);
}
