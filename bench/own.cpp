// The library's own kernels, in the shapes the studies give them. Each is held to a plain version of itself
// on a part that can be done by hand.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "bench/call.hpp"
#include "bench/reference.hpp"
#include "perp/base/error.hpp"
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

/// A call of `kernel`, whose result `held` holds.
template <class Kernel, class Held>
Call call_of(const Kernel& kernel, const Held& held) {
  const auto result = std::make_shared<decltype(kernel())>();
  return {[=] { *result = kernel(); }, [=] { return held(*result); }};
}

/// What both functions of a call read.
template <class T>
std::shared_ptr<const T> shared(T value) {
  return std::make_shared<const T>(std::move(value));
}

template <class T>
Call positions(const Shape& s) {
  const auto held = [s](const Matrix<T>& table) -> Check {
    double worst = 0;
    const double d = static_cast<double>(s.n);
    for (std::size_t t = 0; t < s.m; t += 97)
      for (std::size_t j = 0; j < s.n; ++j) {
        const double angle =
            static_cast<double>(t) * std::pow(usual_base, -static_cast<double>(j / 2 * 2) / d);
        const double expected = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
        keep_worst(worst, std::abs(static_cast<double>(table(t, j)) - expected));
      }
    return {worst, unit_roundoff<T> + 0x1p-53 * (8 + 8 * static_cast<double>(s.m)),
            "rounding of the table, and of angles up to L in double precision"};
  };
  return call_of([s] { return sinusoidal<T>(s.m, s.n, usual_base, available_threads()); }, held);
}

Call normals(const Shape& s) {
  const auto values = std::make_shared<std::vector<float>>(s.m);
  const auto run = [values] {
    // One fill a thread, as the studies' cells do.
    const std::size_t size = values->size(), threads = available_threads(),
                      tile = (size / threads + 63) / 64 * 64;
    parallel_for(threads, threads, [&](std::size_t i) {
      const std::size_t first = std::min(size, i * tile), last = std::min(size, first + tile);
      fill_normal(stream(7, "bench", "own", 0, "normals"), std::span(*values).subspan(first, last - first),
                  first);
    });
  };
  return {run, [values]() -> Check {
            double mean = 0, square = 0;
            const double n = static_cast<double>(values->size());
            for (const double v : *values) {
              mean += v;
              square += v * v;
            }
            const double error = std::max(std::abs(mean / n), std::abs(square / n - 1) / std::numbers::sqrt2);
            return {error * std::sqrt(n), 6, "mean 0 and variance 1 within six standard errors"};
          }};
}

Call cosine_histogram(const Shape& s) {
  const auto a = shared(unit_rows(normal_matrix<float>(s.m, s.k, 21)).rows),
             b = shared(unit_rows(normal_matrix<float>(s.n, s.k, 22)).rows);
  // Σ cos² = <AᵀA, BᵀB>, without a cosine.
  const auto held = [=](double sum_square) -> Check {
    const Matrix<float> ga = gram_columns(*a), gb = gram_columns(*b);
    const double sum = std::inner_product(ga.data(), ga.data() + ga.size(), gb.data(), 0.0, std::plus{},
                                          [](double x, double y) { return x * y; });
    return {std::abs(sum_square / sum - 1), 1e-5, "Σcos² = <AᵀA, BᵀB>; d u relative each"};
  };
  return call_of([=] { return cosines_between(*a, *b, 2000, available_threads()).sum_square; }, held);
}

Call angles(const Shape& s) {
  const auto a = shared(normal_matrix<double>(s.m, s.k, 23)), b = shared(normal_matrix<double>(s.n, s.k, 24));
  const auto held = [=](const std::vector<double>& cosines) -> Check {
    const std::vector<double> expected =
        singular_values(product_nt(orthonormal_rows(*a), orthonormal_rows(*b)));
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      keep_worst(worst, std::abs(cosines.at(i) - std::min(1.0, expected[i])));
    return {worst, 2e-12, "Björck & Golub 1973 by Householder QR; u κ² of the whitening"};
  };
  return call_of([=] { return principal_cosines(*a, *b); }, held);
}

Call nearest_word(const Shape& s) {
  const auto queries = shared(normal_matrix<float>(s.m, s.k, 25)),
             words = shared(normal_matrix<float>(s.n, s.k, 26));
  // By how much a word beats the answer, in units of rounding of its score.
  const auto held = [=](const std::vector<std::uint32_t>& found) -> Check {
    const auto score = [&](std::size_t q, std::size_t w) {
      double product = 0, norm = 0;
      for (std::size_t j = 0; j < s.k; ++j) {
        const double x = static_cast<double>((*words)(w, j));
        product += x * static_cast<double>((*queries)(q, j));
        norm += x * x;
      }
      return product - norm / 2;
    };
    double worst = 0;
    for (std::size_t q = 0; q < s.m; q += 101) {
      const double answer = score(q, found.at(q));
      for (std::size_t w = 0; w < s.n; w += w < 4096 ? 1 : 61) keep_worst(worst, score(q, w) - answer);
    }
    const double d = static_cast<double>(s.k);
    return {worst, 0x1p-24 * 4 * d * std::sqrt(d), "plain loops; rounding of a float32 product of d terms"};
  };
  return call_of([=] { return nearest_words(*queries, *words, Nearness::distance, available_threads()); },
                 held);
}

Call lag_statistics_of_positions(const Shape& s) {
  const auto table = shared(sinusoidal<float>(s.m, s.k));
  const auto held = [=](const LagStatistics& lags) -> Check {
    double worst = 0;
    const std::vector<double> w = frequencies(s.k);
    for (std::size_t k = 0; k < s.m; k += 7) {
      double expected = 0;
      for (const double f : w) expected += std::cos(f * static_cast<double>(k));
      keep_worst(worst, std::abs(lags.mean.at(lags.at(static_cast<std::int64_t>(k))) - expected));
    }
    return {worst, 0x1p-24 * 2 * static_cast<double>(s.k),
            "Σ cos ω k; |ΔG| <= u d of a float32 table, twice for the product"};
  };
  return call_of([=] { return lag_statistics(*table, available_threads()); }, held);
}

}  // namespace

Call make_own(const Row& row) {
  const Shape& s = row.shape;
  if (row.operation == "positions") return row.type == Type::f32 ? positions<float>(s) : positions<double>(s);
  if (row.operation == "normals") return normals(s);
  if (row.operation == "cosine_histogram") return cosine_histogram(s);
  if (row.operation == "angles") return angles(s);
  if (row.operation == "nearest_word") return nearest_word(s);
  if (row.operation == "lag_statistics") return lag_statistics_of_positions(s);
  fail("no such call: {}", row.name());
}

}  // namespace perp::bench
