// Q2: what does LayerNorm do to the sum of word and position? In words: q2.toml.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

using Places = std::vector<std::uint32_t>;

/// Rows that a read-out of d dimensions learns from, and rows that it is tested on.
std::size_t training_rows(std::size_t d) { return d <= 128 ? 1024 : 4 * d; }
constexpr std::size_t tested_rows = 1024;

double square(std::span<const double> x) { return dot(x, x); }

std::vector<double> mean_row(View<double> y) {
  std::vector<double> mean(y.cols, 0.0);
  for (std::size_t r = 0; r < y.rows; ++r)
    for (std::size_t j = 0; j < y.cols; ++j) mean[j] += y(r, j) / double(y.rows);
  return mean;
}

/// Weights of the least squares fit on centred rows; `moments`: Σ (t - t̄)(y - ȳ).
std::vector<double> solve(Matrix<double> gram, const std::vector<double>& moments) {
  constexpr double ridge = 1e-9;
  const std::size_t d = moments.size();
  double trace = 0;
  for (std::size_t j = 0; j < d; ++j) trace += gram(j, j);
  for (std::size_t j = 0; j < d; ++j) gram(j, j) += ridge * trace / double(d);
  const Matrix<double> lower = cholesky(gram);
  Matrix<double> right = matrix<double>(d, 1);
  std::ranges::copy(moments, right.data());
  const Matrix<double> half = solve_lower(lower, right);
  // Lᵀ w = half, from the last row up.
  std::vector<double> weights(half.data(), half.data() + d);
  for (std::size_t i = d; i-- > 0;) {
    weights[i] /= lower(i, i);
    for (std::size_t j = 0; j < i; ++j) weights[j] -= lower(i, j) * weights[i];
  }
  return weights;
}

// ---- sums ----------------------------------------------------------------------------------------------

/// Row r of the words times `scale` plus the position of row r.
Matrix<double> sums(View<double> words, double scale, const Matrix<double>& positions, const Places& places) {
  Matrix<double> out = matrix<double>(words.rows, words.cols);
  for (std::size_t r = 0; r < words.rows; ++r)
    for (std::size_t j = 0; j < words.cols; ++j) out(r, j) = scale * words(r, j) + positions(places[r], j);
  return out;
}

/// With the epsilon that most models add to the variance.
Matrix<double> normed(const Matrix<double>& y) { return layer_norm(y, {}, {}, 1e-5); }

// ---- reading a position from a sum ---------------------------------------------------------------------

/// 1 - Σ(t - t̂)²/Σ(t - t̄)² over the rows of `y` (n x d) from row `train` on, t̂ the linear map (and constant)
/// fitted to `places` by least squares on the rows before. A ridge of 1e-9 of the mean eigenvalue keeps
/// directions that do not vary out.
double readout_r2(const Matrix<double>& y, const Places& places, std::size_t train) {
  const std::size_t n = rows(y), d = cols(y);
  const std::vector<double> mean = mean_row(block(y, 0, train));
  const Matrix<double> centred = less_row(block(y, 0, train), mean);
  std::vector<double> moments(d, 0.0);
  double middle = 0, tested = 0, left = 0, all = 0;
  for (std::size_t r = 0; r < train; ++r) middle += places[r] / double(train);
  for (std::size_t r = 0; r < train; ++r)
    for (std::size_t j = 0; j < d; ++j) moments[j] += (places[r] - middle) * centred(r, j);
  const std::vector<double> weights = solve(gram_columns(centred), moments);
  for (std::size_t r = train; r < n; ++r) tested += places[r] / double(n - train);
  for (std::size_t r = train; r < n; ++r) {
    double guess = middle;
    for (std::size_t j = 0; j < d; ++j) guess += weights[j] * (y(r, j) - mean[j]);
    left += (places[r] - guess) * (places[r] - guess);
    all += (places[r] - tested) * (places[r] - tested);
  }
  return 1 - left / all;
}

/// Share of the rows of `y` whose largest cosine with a row of `table` (L x d) is with row places[r].
double nearest_share(const Matrix<double>& y, const Matrix<double>& table, const Places& places) {
  std::vector<double> inverse;
  for (std::size_t s = 0; s < rows(table); ++s) {
    const double energy = square(row(table, s));
    inverse.push_back(energy > 0 ? 1 / std::sqrt(energy) : 0);
  }
  const Matrix<double> products = product_nt(y, table);
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows(y); ++r) {
    std::size_t best = 0;
    for (std::size_t s = 1; s < rows(table); ++s)
      if (products(r, s) * inverse[s] > products(r, best) * inverse[best]) best = s;
    right += best == places[r];
  }
  return double(right) / double(rows(y));
}

// ---- before and after ----------------------------------------------------------------------------------

/// Shares between 0 and 1, of the same sums.
struct Readouts {
  double lag_r2, readout, nearest;
};
struct BeforeAfter {
  Readouts before, after;
};

/// count x d of a family ("gaussian", "anisotropic", "turned": anisotropic under a random rotation), E‖x‖² = d.
Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw) {
  const bool turned = words == "turned";
  Matrix<float> drawn =
      draw_words(turned ? Family::anisotropic : family_from(words), count, d, streams("words", draw));
  if (turned) drawn = product(drawn, random_rotation(d, streams("rotation", draw)));
  return converted<double>(drawn);
}

/// Words that the next needs, for positions L x d.
std::size_t words_needed(const Matrix<double>& positions) {
  return std::max(training_rows(cols(positions)) + tested_rows, 2 * rows(positions));
}

/// One draw's words, scaled so that √(E‖p‖²/E‖x‖²) = ratio, at random places.
BeforeAfter measure_sums(const Matrix<double>& positions, const Matrix<double>& drawn, double ratio,
                         const Streams& streams, std::size_t draw) {
  const std::size_t length = rows(positions), d = cols(positions), train = training_rows(d),
                    all = train + tested_rows;
  double mean_square = 0;
  for (std::size_t t = 0; t < length; ++t) mean_square += square(row(positions, t));
  mean_square /= double(length);
  const double scale = std::sqrt(mean_square / (ratio * ratio * double(d)));
  const Places places = below(streams("places", draw), all, static_cast<std::uint32_t>(length));
  const Places tested(places.begin() + std::ptrdiff_t(train), places.end());
  Places order(length);
  std::iota(order.begin(), order.end(), 0u);
  const Matrix<double> y = sums(block(drawn, 0, all), scale, positions, places),
                       queries = sums(block(drawn, 0, length), scale, positions, order),
                       keys = sums(block(drawn, length, 2 * length), scale, positions, order);
  const auto read = [&](const Matrix<double>& sum, const Matrix<double>& q, const Matrix<double>& k,
                        const Matrix<double>& table) {
    Matrix<double> shown = matrix<double>(tested_rows, d);
    std::copy_n(sum.data() + train * d, shown.size(), shown.data());
    return Readouts{toeplitz_r2(lag_statistics(q, k, 1)), readout_r2(sum, places, train),
                    nearest_share(shown, table, tested)};
  };
  return {read(y, queries, keys, positions),
          read(normed(y), normed(queries), normed(keys), normed(positions))};
}

constexpr std::size_t length = 512;
/// ρ of the sums; wide tables and the quick preset do with few.
constexpr double all_ratios[] = {0.25, 0.5, natural_ratio, 1, 2}, few_ratios[] = {0.25, natural_ratio, 2};

struct Measure {
  const char *name, *label;
  double Readouts::*number;
};
constexpr Measure measures[] = {{"lag_r2", "R² of relative distance", &Readouts::lag_r2},
                                {"readout", "position by a linear map", &Readouts::readout},
                                {"nearest", "nearest position right", &Readouts::nearest}};

void read_sums(const std::string& family, std::size_t d, std::size_t draws, std::span<const double> ratios,
               const Streams& streams, Out& out) {
  const Matrix<double> positions = sinusoidal<double>(length, d);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> words = drawn_words(family, words_needed(positions), d, streams, draw);
    for (const double ratio : ratios) {
      const auto [before, after] = measure_sums(positions, words, ratio, streams, draw);
      for (const Measure& of : measures)
        out("draw", {{"ratio", ratio},
                     {"measure", of.name},
                     {"label", of.label},
                     {"before", before.*of.number},
                     {"after", after.*of.number},
                     {"change", after.*of.number - before.*of.number}});
    }
  }
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& draws : measured["draw"].by("words d ratio measure")) {
    const Row& at = draws.front();
    out("sums", draws,
        {{"length", length},
         {"draws", draws.size()},
         {"label", at.text("label")},
         {"before", draws.mean("before")},
         {"after", draws.mean("after")},
         {"change", draws.mean("change")}});
    if (at.number("ratio") == natural_ratio)
      out("change", {{"measure", at.text("measure")},
                     {"positions", "sinusoidal"},
                     {"words", at.text("words")},
                     {"d", at.whole("d")},
                     {"change", draws.mean("change")},
                     {"draws", draws.size()}});
  }
}

}  // namespace

Experiment after_layer_norm(const Options& options) {
  Experiment claim("Q2", toml_of("q2"));
  const bool quick = options.preset == Preset::quick;
  const std::size_t draws = pick<std::size_t>(options.preset, 16, 24, 240),
                    few_draws = pick<std::size_t>(options.preset, 4, 10, 40);
  for (const std::size_t d : {64, 512}) {
    if (quick && d > 64) continue;
    claim.cell({{"positions", "sinusoidal"}, {"d", whole(d)}}, 1e-2, [=](const Streams&, Out& out) {
      out("alone", {{"r2", toeplitz_r2(lag_statistics(layer_norm(sinusoidal<double>(length, d)), 1))}});
    });
    for (const std::string words : {"gaussian", "anisotropic", "turned"}) {
      const std::size_t count = d == 64 ? draws : few_draws;
      const std::span<const double> ratios =
          d == 64 && !quick ? std::span<const double>(all_ratios) : few_ratios;
      const double n = double(d), rows = double(training_rows(d) + tested_rows);
      claim.cell({{"what", "sums"},
                  {"positions", "sinusoidal"},
                  {"words", words},
                  {"d", whole(d)},
                  {"l", whole(length)},
                  {"draws", whole(count)},
                  {"ratios", whole(ratios.size())}},
                 double(count * ratios.size()) * (1e-10 * n * n * rows + 1e-7 * n * rows) + 3e-9 * n * n * n,
                 [=](const Streams& streams, Out& out) { read_sums(words, d, count, ratios, streams, out); });
    }
  }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
