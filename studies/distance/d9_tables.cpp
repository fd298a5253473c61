#include "studies/distance/d9_tables.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_expected.hpp"
#include "studies/distance/d6_ratio.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr double ratios[] = {0.05, 0.1, 0.2, 0.3, 0.5, natural_ratio, 1, 1.5, 2, 3, 4, 6, 8, 12, 16};

std::vector<double> sinusoid_kernel(std::size_t length, std::size_t d) {
  std::vector<double> kernel(length);
  for (std::size_t k = 0; k < length; ++k)
    kernel[k] = theory::kernel_exact(d, usual_base, static_cast<double>(k));
  return kernel;
}

/// Variance of a word's entry that makes ‖p‖/‖x‖ the ratio; exactly 1 at the natural one, for the sake of
/// tables.
double word_variance(double ratio) { return ratio == natural_ratio ? 1 : 1 / (2 * ratio * ratio); }

/// ‖p̄‖² over the pairs.
double square_mean(std::span<const double> kernel) {
  const double length = static_cast<double>(kernel.size());
  double sum = length * kernel[0];
  for (std::size_t k = 1; k < kernel.size(); ++k) sum += 2 * (length - static_cast<double>(k)) * kernel[k];
  return sum / (length * length);
}

/// One cell's draws, at word entries of variance 1.
struct Draws {
  std::string words, matrix;
  std::size_t d = 0, length = 0, vocabulary = 0;
  std::vector<double> word_word, crossed, position_position, distance_only;
};

std::vector<Draws> collect(const std::vector<CellRecords>& cells) {
  std::vector<Draws> all;
  for (const CellRecords& c : cells) {
    Draws draws{text_at(c.cell.at, "words"),
                text_at(c.cell.at, "matrix"),
                size_at(c.cell.at, "d"),
                size_at(c.cell.at, "l"),
                size_at(c.cell.at, "v"),
                {},
                {},
                {},
                {}};
    for (const Record& r : c.records) {
      draws.word_word.push_back(number_at(r.values, "word_word"));
      draws.crossed.push_back(number_at(r.values, "word_position") + number_at(r.values, "position_word"));
      draws.position_position.push_back(number_at(r.values, "position_position"));
      draws.distance_only.push_back(number_at(r.values, "distance_only"));
    }
    all.push_back(std::move(draws));
  }
  return all;
}

/// The shares to expect and, of the position-position share, what the lag explains.
struct Lines {
  theory::FourShares random, own;
  double signal = 0;
};

Lines lines(const Draws& c, double ratio) {
  const std::vector<double> kernel = sinusoid_kernel(c.length, c.d);
  const double variance = word_variance(ratio), power = variance * static_cast<double>(c.d);
  const double common = c.words == "anisotropic" ? anisotropic_mean_share : 0;
  Lines out;
  out.random = theory::four_shares({power, common * power}, {kernel[0], square_mean(kernel)});
  const bool tied = c.matrix == "tied";
  constexpr std::size_t rank = 64;
  out.own = tied ? tied_shares(c.d, c.vocabulary, variance, kernel, rank) : out.random;
  out.signal = out.own.position_position *
               (tied ? expected_for_tied(kernel, rank) : expected_for_random(kernel)).share();
  return out;
}

/// A part of the variances of all draws.
Estimate share_of(std::span<const double> parts, std::span<const double> sums) {
  const PooledRatio ratio = pooled_ratio(parts, sums);
  return ratio.spread ? estimated(ratio.value, *ratio.spread) : Estimate{ratio.value};
}

void add_rows(const Draws& c, Table& table) {
  for (const double ratio : ratios) {
    const double scale = word_variance(ratio);
    std::vector<double> ww(c.word_word), crossed(c.crossed), sums;
    for (std::size_t i = 0; i < ww.size(); ++i) {
      ww[i] *= scale * scale;
      crossed[i] *= scale;
      sums.push_back(ww[i] + crossed[i] + c.position_position[i]);
    }
    const Estimate word = share_of(ww, sums), mixed = share_of(crossed, sums),
                   place = share_of(c.position_position, sums), lag = share_of(c.distance_only, sums);
    const Lines line = lines(c, ratio);
    const auto noise = [](double share) { return share / (1 - share); };
    table.add({c.words,
               c.matrix,
               whole(c.d),
               whole(c.length),
               ratio,
               std::sqrt(scale),
               whole(sums.size()),
               word.value,
               end_or_nan(word.low),
               end_or_nan(word.high),
               mixed.value,
               end_or_nan(mixed.low),
               end_or_nan(mixed.high),
               place.value,
               end_or_nan(place.low),
               end_or_nan(place.high),
               lag.value,
               end_or_nan(lag.low),
               end_or_nan(lag.high),
               line.random.word_word,
               line.random.word_position + line.random.position_word,
               line.random.position_position,
               line.own.position_position,
               line.signal,
               noise(lag.value),
               noise(end_or_nan(lag.low)),
               noise(end_or_nan(lag.high)),
               noise(line.signal)});
  }
}

Table shares_table() {
  const char* interval = "its 99 % interval by Student's t on the linearised ratio";
  const auto real = [](const char* name, const char* meaning) {
    return Column{
        name, "1", Kind::sampled, meaning, fmt::format("{}_low", name), fmt::format("{}_high", name)};
  };
  const auto bound = [&](const char* name) { return Column{name, "1", Kind::sampled, interval}; };
  return {"d9_shares.csv",
          {{"words", "", Kind::exact, "family of the word vectors"},
           {"matrix", "", Kind::exact, "gaussian M; heads: QᵀK of rank 64; tied: QᵀQ of rank 64"},
           {"d", "1", Kind::exact, "dimension"},
           {"positions", "1", Kind::exact, "L"},
           {"ratio", "1", Kind::exact, "rho = length of a position over that of a word, root mean squares"},
           {"sigma", "1", Kind::exact, "standard deviation of a word's entry"},
           {"draws", "1", Kind::exact, "draws of words and M"},
           real("word_word", "share of the word-word term in the four variances, both summed over draws"),
           bound("word_word_low"),
           bound("word_word_high"),
           real("crossed", "share of the two terms of a word and a position"),
           bound("crossed_low"),
           bound("crossed_high"),
           real("position_position", "share of the position-position term"),
           bound("position_position_low"),
           bound("position_position_high"),
           real("distance_only", "share of the position-position term's mean per lag"),
           bound("distance_only_low"),
           bound("distance_only_high"),
           {"word_word_line", "1", Kind::exact, "for random M"},
           {"crossed_line", "1", Kind::exact, "for random M"},
           {"position_position_line", "1", Kind::exact, "for random M"},
           {"own_line", "1", Kind::exact, "position-position share to expect of this kind of M"},
           {"distance_only_line", "1", Kind::exact, "the same of its mean per lag"},
           real("signal_to_noise", "distance_only over all else"),
           bound("signal_to_noise_low"),
           bound("signal_to_noise_high"),
           {"signal_to_noise_line", "1", Kind::exact, "to expect of this kind of M"}},
          {}};
}

}  // namespace

theory::FourShares tied_shares(std::size_t d, std::size_t words, double word_variance,
                               std::span<const double> kernel, std::size_t rank) {
  const double r = static_cast<double>(rank), n = static_cast<double>(d), v = word_variance, p = kernel[0];
  const double itself = 1 / static_cast<double>(words);
  // E (uᵀQᵀQv)² = (r² + r)(u·v)² + r ‖u‖²‖v‖². Two words: E (x·y)² = dσ⁴; a word and itself: (d² + 2d)σ⁴.
  const double product = (1 - itself) * n + itself * (n * n + 2 * n), lengths = n * n + itself * 2 * n;
  const double ww = ((r * r + r) * product + r * lengths) * v * v;
  const double wp = (r * r + r) * v * p + r * n * v * p;
  const double pp = expected_for_tied(kernel, rank).all;
  const double sum = ww + 2 * wp + pp;
  return {ww / sum, wp / sum, wp / sum, pp / sum};
}

Table four_shares_table(const std::vector<CellRecords>& cells) {
  Table table = shares_table();
  for (const Draws& draws : collect(cells)) add_rows(draws, table);
  return table;
}

}  // namespace perp::distance
