// w1 and w4: products of tables, and what is made of them while they are in cache.

#include <cblas.h>

#include <algorithm>
#include <mutex>

#include "bench/workloads.hpp"
#include "perp/base/array.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {
namespace {

constexpr std::uint64_t seed = 1;

/// Rows first … last-1 of a table of normals, one stream for all of them.
Matrix<float> normal_rows(const Stream& stream, std::size_t first, std::size_t last, std::size_t d) {
  return normal_matrix<float>(last - first, d, stream, first * d);
}

void take_off_mean_row(Matrix<float>& table) {
  std::vector<double> mean(cols(table));
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += static_cast<double>(table(i, j));
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j)
      table(i, j) -= static_cast<float>(mean[j] / static_cast<double>(rows(table)));
}

}  // namespace

Numbers cosines_of_words_and_positions(std::size_t threads) {
  constexpr std::size_t count = products_of_w1.m, length = products_of_w1.n, d = products_of_w1.k;
  constexpr std::size_t strip = 1024;  // words are made, used and forgotten in cache
  const Stream words = stream(seed, "workloads", "w1", 0, "words");
  const Matrix<float> positions = unit_rows(sinusoidal<float>(length, d)).rows;
  const std::size_t strips = (count + strip - 1) / strip;
  std::vector<double> square(strips), largest(strips);
  Histogram histogram(-1, 1, 2000);
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
  double sum = 0;
  for (const double s : square) sum += s;
  const double pairs = static_cast<double>(count) * static_cast<double>(length);
  return {{"mean_square_times_d", sum / pairs * static_cast<double>(d)},
          {"largest", *std::max_element(largest.begin(), largest.end())},
          {"counted", static_cast<double>(histogram.total())},
          {"median", histogram.quantile(0.5)}};
}

Numbers nearest_words_of_noisy_sums(std::size_t threads) {
  constexpr std::size_t count = products_of_w4.m, vocabulary = products_of_w4.n, d = products_of_w4.k;
  constexpr std::size_t length = 512;
  constexpr float sigma = 0.5F;
  const auto purpose = [](std::string_view what) { return stream(seed, "workloads", "w4", 0, what); };
  const std::vector<std::uint32_t> word = below(purpose("which word"), count, vocabulary),
                                   place = below(purpose("which position"), count, length);
  Matrix<float> positions = sinusoidal<float>(length, d), words = matrix<float>(vocabulary, d),
                sums = matrix<float>(count, d);
  take_off_mean_row(positions);
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

void multiply_only(const Products& p, std::size_t strip, std::size_t threads) {
  const Stream values = stream(seed, "workloads", "products", 0, "both");
  const Matrix<float> a = normal_rows(values, 0, strip, p.k),
                      b = normal_rows(values, strip, strip + p.n, p.k);
  threads = std::max<std::size_t>(1, threads);
  std::vector<Matrix<float>> out;
  for (std::size_t i = 0; i < threads; ++i) out.push_back(zeros<float>(strip, p.n));
  parallel_for(threads, threads, [&](std::size_t thread) {
    for (std::size_t first = thread * strip; first < p.m; first += threads * strip)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(std::min(strip, p.m - first)),
                  static_cast<int>(p.n), static_cast<int>(p.k), 1.0F, a.data(), static_cast<int>(p.k),
                  b.data(), static_cast<int>(p.k), 0.0F, out[thread].data(), static_cast<int>(p.n));
  });
}

}  // namespace perp::bench
