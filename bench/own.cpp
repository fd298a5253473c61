// The library's own kernels, in the shapes the studies give them. Each is held to a plain version of itself
// on a part that can be done by hand.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/call.hpp"
#include "bench/reference.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {
namespace {

template <class T>
class Positions final : public Call {
 public:
  explicit Positions(const Shape& s) : shape_(s) {}
  void run() override { table_ = sinusoidal<T>(shape_.m, shape_.n, usual_base, available_threads()); }
  Check check() override {
    double worst = 0;
    const double d = static_cast<double>(shape_.n);
    for (std::size_t t = 0; t < shape_.m; t += 97)
      for (std::size_t j = 0; j < shape_.n; ++j) {
        const double angle =
            static_cast<double>(t) * std::pow(usual_base, -static_cast<double>(j / 2 * 2) / d);
        const double expected = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
        keep_worst(worst, std::abs(static_cast<double>(table_(t, j)) - expected));
      }
    const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    return {worst, u + 0x1p-53 * (8 + 8 * static_cast<double>(shape_.m)),
            "rounding of the table, and of angles up to L in double precision"};
  }

 private:
  Shape shape_;
  Matrix<T> table_;
};

class Normals final : public Call {
 public:
  explicit Normals(const Shape& s) : values_(s.m) {}
  void run() override {
    // One fill a thread, as the studies' cells do.
    const std::size_t threads = available_threads(), tile = (values_.size() / threads + 63) / 64 * 64;
    parallel_for(threads, threads, [&](std::size_t i) {
      const std::size_t first = std::min(values_.size(), i * tile),
                        last = std::min(values_.size(), first + tile);
      fill_normal(stream(7, "bench", "own", 0, "normals"), std::span(values_).subspan(first, last - first),
                  first);
    });
  }
  Check check() override {
    double mean = 0, square = 0;
    const double n = static_cast<double>(values_.size());
    for (const float v : values_) {
      mean += static_cast<double>(v);
      square += static_cast<double>(v) * static_cast<double>(v);
    }
    return {std::max(std::abs(mean / n), std::abs(square / n - 1) / std::numbers::sqrt2) * std::sqrt(n), 6,
            "mean 0 and variance 1 within six standard errors"};
  }

 private:
  std::vector<float> values_;
};

class CosineHistogram final : public Call {
 public:
  explicit CosineHistogram(const Shape& s)
      : a_(unit_rows(normal_matrix<float>(s.m, s.k, 21)).rows),
        b_(unit_rows(normal_matrix<float>(s.n, s.k, 22)).rows) {}
  void run() override { sum_square_ = cosines_between(a_, b_, 2000, available_threads()).sum_square; }
  Check check() override {
    // Σ cos² = <AᵀA, BᵀB>, without a cosine.
    const Matrix<float> ga = gram_columns(a_), gb = gram_columns(b_);
    double sum = 0;
    for (std::size_t i = 0; i < ga.size(); ++i)
      sum += static_cast<double>(ga.data()[i]) * static_cast<double>(gb.data()[i]);
    return {std::abs(sum_square_ / sum - 1), 1e-5, "Σcos² = <AᵀA, BᵀB>; d u relative each"};
  }

 private:
  Matrix<float> a_, b_;
  double sum_square_ = 0;
};

class Angles final : public Call {
 public:
  explicit Angles(const Shape& s)
      : a_(normal_matrix<double>(s.m, s.k, 23)), b_(normal_matrix<double>(s.n, s.k, 24)) {}
  void run() override { cosines_ = principal_cosines(a_, b_); }
  Check check() override {
    const Matrix<double> qa = orthonormal_rows(a_), qb = orthonormal_rows(b_);
    const std::vector<double> expected = singular_values(product_nt(qa, qb));
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      keep_worst(worst, std::abs(cosines_.at(i) - std::min(1.0, expected[i])));
    return {worst, 2e-12, "Björck & Golub 1973 by Householder QR; u κ² of the whitening"};
  }

 private:
  Matrix<double> a_, b_;
  std::vector<double> cosines_;
};

class NearestWord final : public Call {
 public:
  explicit NearestWord(const Shape& s)
      : queries_(normal_matrix<float>(s.m, s.k, 25)), words_(normal_matrix<float>(s.n, s.k, 26)) {}
  void run() override { found_ = nearest_words(queries_, words_, Nearness::distance, available_threads()); }
  Check check() override {
    // By how much a word beats the answer, in units of rounding of its score.
    double worst = 0;
    const auto score = [&](std::size_t q, std::size_t w) {
      double product = 0, norm = 0;
      for (std::size_t j = 0; j < cols(words_); ++j) {
        const double x = static_cast<double>(words_(w, j));
        product += x * static_cast<double>(queries_(q, j));
        norm += x * x;
      }
      return product - norm / 2;
    };
    for (std::size_t q = 0; q < rows(queries_); q += 101) {
      const double answer = score(q, found_.at(q));
      for (std::size_t w = 0; w < rows(words_); w += w < 4096 ? 1 : 61)
        keep_worst(worst, score(q, w) - answer);
    }
    const double d = static_cast<double>(cols(words_));
    return {worst, 0x1p-24 * 4 * d * std::sqrt(d), "plain loops; rounding of a float32 product of d terms"};
  }

 private:
  Matrix<float> queries_, words_;
  std::vector<std::uint32_t> found_;
};

class LagStatisticsCall final : public Call {
 public:
  explicit LagStatisticsCall(const Shape& s) : table_(sinusoidal<float>(s.m, s.k)) {}
  void run() override { statistics_ = lag_statistics(table_, available_threads()); }
  Check check() override {
    double worst = 0;
    const std::vector<double> w = frequencies(cols(table_));
    for (std::size_t k = 0; k < rows(table_); k += 7) {
      double expected = 0;
      for (const double f : w) expected += std::cos(f * static_cast<double>(k));
      keep_worst(worst,
                 std::abs(statistics_.mean.at(statistics_.at(static_cast<std::int64_t>(k))) - expected));
    }
    const double d = static_cast<double>(cols(table_));
    return {worst, 0x1p-24 * 2 * d, "Σ cos ω k; |ΔG| <= u d of a float32 table, twice for the product"};
  }

 private:
  Matrix<float> table_;
  LagStatistics statistics_;
};

}  // namespace

std::unique_ptr<Call> make_own(const Row& row) {
  const Shape& s = row.shape;
  if (row.operation == "positions") {
    if (row.type == Type::f32) return std::make_unique<Positions<float>>(s);
    return std::make_unique<Positions<double>>(s);
  }
  if (row.operation == "normals") return std::make_unique<Normals>(s);
  if (row.operation == "cosine_histogram") return std::make_unique<CosineHistogram>(s);
  if (row.operation == "angles") return std::make_unique<Angles>(s);
  if (row.operation == "nearest_word") return std::make_unique<NearestWord>(s);
  if (row.operation == "lag_statistics") return std::make_unique<LagStatisticsCall>(s);
  return nullptr;
}

}  // namespace perp::bench
