// build/bench/workloads: six pieces of work as a user would meet them, small enough to write again in NumPy, PyTorch and Eigen
// (bench/peers): same sizes, same meaning, own random numbers. Each runs on worker threads with one BLAS thread each, as the
// studies do.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <numeric>

#include "bench/workload.hpp"
#include "perp/base/array.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/program.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {
namespace {

constexpr std::uint64_t seed = 1;

/// Rows first … last-1 of a table of normals, one stream for all of them.
Matrix<float> normal_rows(const Stream& stream, std::size_t first, std::size_t last, std::size_t d) {
  return normal_matrix<float>(last - first, d, stream, first * d);
}

Numbers cosines_of_words_and_positions(std::size_t threads) {
  constexpr std::size_t count = 100'000, length = 2048, d = 512;
  constexpr std::size_t strip = 1024;  // words are made, used and forgotten in cache
  const Stream words = stream(seed, "workloads", "w1", 0, "words");
  const Matrix<float> positions = unit_rows(sinusoidal<float>(length, d)).rows;
  const std::size_t strips = (count + strip - 1) / strip;
  std::vector<double> square(strips), largest(strips);
  Histogram histogram(2000);
  std::mutex mutex;
  parallel_for(strips, threads, [&](std::size_t i) {
    const Matrix<float> some =
        unit_rows(normal_rows(words, i * strip, std::min(count, (i + 1) * strip), d)).rows;
    const CosineSummary summary = cosines_between(some, positions, histogram.bins(), 1);
    square[i] = summary.sum_square;
    largest[i] = summary.max_abs;
    const std::lock_guard lock(mutex);
    histogram.merge(summary.histogram);
  });
  const double sum = std::accumulate(square.begin(), square.end(), 0.0),
               pairs = static_cast<double>(count) * static_cast<double>(length);
  return {{"mean_square_times_d", sum / pairs * static_cast<double>(d)},
          {"largest", *std::max_element(largest.begin(), largest.end())},
          {"counted", static_cast<double>(histogram.total())},
          {"median", histogram.quantile(0.5)}};
}

Numbers angles_of_random_subspaces(std::size_t threads) {
  constexpr std::size_t d = 512, k = 128, r = 64, trials = 200;
  std::vector<double> largest(trials);
  parallel_for(trials, threads, [&](std::size_t trial) {
    const auto gaussian = [&](std::size_t rows, std::string_view purpose) {
      return normal_matrix<double>(rows, d, stream(2, "workloads", "w2", trial, purpose));
    };
    largest[trial] = principal_cosines(gaussian(k, "first"), gaussian(r, "second")).front();
  });
  const Moments moments = moments_of(largest);
  const double share = static_cast<double>(trials - 1) / static_cast<double>(trials);
  return {{"mean", moments.mean}, {"sd", std::sqrt(moments.variance * share)}};
}

Numbers distance_only_check(std::size_t threads) {
  constexpr std::size_t length = 8192, d = 512;
  const LagStatistics lags = lag_statistics(sinusoidal<float>(length, d), threads);
  return {{"worst", worst_deviation(lags)}, {"mean_of_lag_1", lags.mean.at(lags.at(1))}};
}

Numbers nearest_words_of_noisy_sums(std::size_t threads) {
  constexpr std::size_t count = 8192, vocabulary = 50'000, length = 512, d = 256;
  constexpr float sigma = 0.5F;
  const auto purpose = [](std::string_view what) { return stream(seed, "workloads", "w4", 0, what); };
  const std::vector<std::uint32_t> word = below(purpose("which word"), count, vocabulary),
                                   place = below(purpose("which position"), count, length);
  const Matrix<float> positions = centred(sinusoidal<float>(length, d));
  Matrix<float> words = matrix<float>(vocabulary, d), sums = matrix<float>(count, d);
  constexpr std::size_t strip = 2048;
  parallel_for((vocabulary + strip - 1) / strip, threads, [&](std::size_t i) {
    const std::size_t first = i * strip, last = std::min(vocabulary, first + strip);
    fill_normal(purpose("words"), std::span<float>(words.data() + first * d, (last - first) * d), first * d);
  });
  fill_normal(purpose("noise"), std::span<float>(sums.data(), sums.size()));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j)
      sums(i, j) = words(word[i], j) + positions(place[i], j) + sigma * sums(i, j);
  const std::vector<std::uint32_t> answers = nearest_words(sums, words, Nearness::distance, threads);
  return {{"share", count_hits(answers, word).share()}};
}

Numbers sinusoidal_table(std::size_t threads) {
  constexpr std::size_t length = 200'000, d = 512;
  const Matrix<float> table = sinusoidal<float>(length, d, usual_base, threads);
  double sum = 0;
  for (const float x : row(table, length - 1)) sum += static_cast<double>(x);
  return {{"sum_of_last_row", sum}};
}

Numbers many_normals(std::size_t threads) {
  constexpr std::size_t count = 50'000'000, piece = std::size_t{1} << 16, part = 4096;
  const Stream numbers = stream(6, "workloads", "w6", 0, "normals");
  Matrix<float> values = matrix<float>(1, count);
  const std::size_t pieces = (count + piece - 1) / piece;
  std::vector<double> sum(pieces), square(pieces);
  parallel_for(pieces, threads, [&](std::size_t i) {
    const std::size_t end = std::min(count, (i + 1) * piece);
    for (std::size_t first = i * piece; first < end; first += part) {
      const std::span<float> some(values.data() + first, std::min(part, end - first));
      fill_normal(numbers, some, first);
      // Summed while it is in the first-level cache, in lanes that a compiler may keep in registers.
      constexpr std::size_t lanes = 32;
      float s[lanes] = {}, q[lanes] = {};
      std::size_t j = 0;
      for (; j + lanes <= some.size(); j += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          s[lane] += some[j + lane];
          q[lane] += some[j + lane] * some[j + lane];
        }
      for (; j < some.size(); ++j) {
        s[0] += some[j];
        q[0] += some[j] * some[j];
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sum[i] += static_cast<double>(s[lane]);
        square[i] += static_cast<double>(q[lane]);
      }
    }
  });
  const double n = static_cast<double>(count), mean = std::accumulate(sum.begin(), sum.end(), 0.0) / n,
               mean_square = std::accumulate(square.begin(), square.end(), 0.0) / n;
  return {{"sd", std::sqrt(mean_square - mean * mean)}, {"mean", mean}};
}

/// Of orthonormal rows, k of length d: Householder's factorisation, and as much again to write them out (Golub and Van Loan
/// 2013, section 5.2).
constexpr double of_orthonormal_rows(double d, double k) { return 2 * (2 * d * k * k - 2 * k * k * k / 3); }

const std::vector<Workload> workloads{
    {"w1",
     "cosines of 100,000 Gaussian words with 2,048 sinusoidal positions, d = 512: histogram, mean square, "
     "largest",
     cosines_of_words_and_positions,
     {"f32", 2.0 * 100'000 * 2048 * 512}},
    {"w2",
     "largest principal-angle cosine of 200 random pairs of subspaces, d = 512, k = 128, r = 64",
     angles_of_random_subspaces,
     {"f64", 200 * (of_orthonormal_rows(512, 128) + of_orthonormal_rows(512, 64) + 2.0 * 128 * 512 * 64)}},
    {"w3",
     "mean and worst deviation per lag of the 8,192 x 8,192 Gram matrix of sinusoidal positions, d = 512",
     distance_only_check,
     {"f32", 1.0 * 8192 * 8193 * 512}},  // one half of it
    {"w4",
     "nearest of 50,000 words for 8,192 noisy sums, d = 256",
     nearest_words_of_noisy_sums,
     {"f32", 2.0 * 8192 * 50'000 * 256}},
    {"w5",
     "sinusoidal table 200,000 x 512, float32 of float64 angles",
     sinusoidal_table,
     {"", 4.0 * 200'000 * 512}},
    {"w6", "50 million float32 normals and their standard deviation", many_normals, {"", 4.0 * 50'000'000}}};

Side this_library(const WorkloadOptions& o) {
  const BlasIdentity blas = loaded_blas();
  std::error_code error;
  if (!o.blas.empty() && !std::filesystem::equivalent(o.blas, blas.path, error))
    refuse("{} was named, but {} answers", o.blas, blas.path.empty() ? "nothing" : blas.path);
  return {"perpendicular", blas.name, blas.version, blas.path, o.threads};
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("workloads", [&] {
    perp::settle_blas(argv);
    if (const std::string& warning = perp::kernel_settlement().warning; !warning.empty())
      perp::print_message("workloads: {}\n", warning);
    return perp::bench::run_workloads(argc, argv, perp::bench::workloads, perp::bench::this_library);
  });
}
