#include "studies/inspect/opening.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/message.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/theory/reader.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/theory/subspaces.hpp"
#include "studies/distance/heads.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t sums = 512, tile_rows = 8192;

Stream named(std::uint64_t seed, const char* purpose) {
  return stream(seed, "inspect", "opening", 0, purpose);
}

/// The nearest of all words to each query, tile by tile; a tile's winner is compared with those before it in
/// float64.
std::vector<std::uint32_t> nearest_of_all(const Matrix<float>& queries, const TableRows& words,
                                          std::size_t threads) {
  std::vector<std::uint32_t> nearest(rows(queries));
  std::vector<double> best(rows(queries), -INFINITY);
  for (std::size_t first = 0; first < words.rows(); first += tile_rows) {
    Matrix<float> tile = matrix<float>(std::min(tile_rows, words.rows() - first), words.cols());
    words.read(first, rows(tile), std::span(tile.data(), tile.size()));
    const std::vector<std::uint32_t> here = nearest_words(queries, tile, Nearness::distance, threads);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const auto word = row(tile, here[i]);
      const double score = dot(row(queries, i), word) - dot(word, word) / 2;
      if (score > best[i]) {
        best[i] = score;
        nearest[i] = std::uint32_t(first) + here[i];
      }
    }
  }
  return nearest;
}

ReadBack read_back(const Tables& tables, const Measurement& of, std::uint64_t seed, std::size_t threads) {
  const TableRows& words = *tables.words;
  const auto drawn = [&](const char* purpose, std::size_t count) {
    return below(named(seed, purpose), sums, std::uint32_t(count));
  };
  const auto w = drawn("word", words.rows()), t = drawn("position", rows(*tables.positions));
  const Matrix<float> positions = converted<float>(*tables.positions);
  Matrix<float> sent = matrix<float>(sums, words.cols());
  for (std::size_t i = 0; i < sums; ++i) {
    words.read(w[i], 1, row(sent, i));
    for (std::size_t j = 0; j < words.cols(); ++j) sent(i, j) += positions(t[i], j);
  }
  const double size = std::sqrt(trace(of.positions->as_is) / trace(of.words->as_is));
  return {size, count_hits(nearest_of_all(sent, words, threads), w),
          count_hits(nearest_words(sent, positions, Nearness::distance, threads), t),
          theory::recovered(words.cols(), double(words.rows()), size)};
}

/// Of the rows that are not 0, from the covariance of all n and their mean.
Matrix<double> covariance_of_directed(const Words& words) {
  const double n = words.numbers.rows, kept = n - words.numbers.zero_rows;
  Matrix<double> out = words.centred;
  for (std::size_t i = 0; i < rows(out); ++i)
    for (std::size_t j = 0; j < cols(out); ++j)
      out(i, j) = n / kept * (out(i, j) + (1 - n / kept) * words.mean[i] * words.mean[j]);
  return out;
}
Matrix<double> covariance_of_directed(const Matrix<double>& positions) {
  const std::vector<double> lengths = row_norms(positions);
  std::vector<std::size_t> directed = first(lengths.size());
  std::erase_if(directed, [&](std::size_t t) { return !(lengths[t] > 0); });
  return covariance(select_rows(positions, directed));
}

bool has_spread(const MeasuredTable& table) { return !std::isnan(table.numbers.centred.stable_rank); }

/// Nothing where the rows that are not 0 are equal, to rounding, and where one of the two is the same however it is turned.
std::optional<AgainstChance> overlap_of(const Words& words, const Matrix<double>& positions) {
  const Matrix<double> a = covariance_of_directed(words), b = covariance_of_directed(positions);
  const double trace_a = trace(a), trace_b = trace(b);
  // Of words that are 0 all but a few, sums in float32 leave something of that size, where these few are equal.
  const double rounding = words.numbers.zero_rows > 0 ? 1e-5 : 0;
  const double taken_from =
      trace(words.centred) * words.numbers.rows / (words.numbers.rows - words.numbers.zero_rows);
  if (!(trace_a > rounding * taken_from && trace_b > 0)) return std::nullopt;
  const theory::OverlapNull null =
      theory::overlap_null(rows(a), trace_a, trace_of_square(a), trace_b, trace_of_square(b));
  const AgainstChance overlap =
      against_turned(trace_of_product(a, b) / null.mean, {1, null.sd / null.mean}, a, b);
  return std::isnan(overlap.sd) ? std::nullopt : std::optional(overlap);
}

void add_coordinates(const Matrix<double>& positions, const TableNumbers& of, std::uint64_t seed,
                     std::size_t threads, Opening& out) {
  const Concentration own = concentration(column_variances(positions));
  std::vector<double> spectrum = of.spectrum, ratios, shares;
  spectrum.resize(of.dim);
  for (const Concentration& turned :
       turned_concentrations(spectrum, rotations_for(of.rows, of.dim), named(seed, "rotation"), threads)) {
    ratios.push_back(turned.participation_ratio);
    shares.push_back(turned.leading_share);
  }
  out.is_spread = !departs_from_rotations(own.participation_ratio, ratios);
  ratios.resize(rotations);
  shares.resize(rotations);
  out.participation = {own.participation_ratio, mean_of(ratios), sd_of(ratios)};
  out.share = {own.leading_share, mean_of(shares), sd_of(shares)};
}

// ---- in words

constexpr std::size_t width = 80, name_width = 13;

/// The name of a question, and beside it its answer in lines that fit.
std::string paragraph(const std::string& name, const std::string& text) {
  std::string out, line = fmt::format("{:<{}}", name, name_width);
  std::stringstream words(text);
  for (std::string word; words >> word;) {
    if (columns(line) + columns(word) > width) {
      out += fmt::format("{}\n", line.substr(0, line.size() - 1));
      line = std::string(name_width, ' ');
    }
    line += fmt::format("{} ", word);
  }
  return out + fmt::format("{}\n", line.substr(0, line.size() - 1));
}

std::string percent(double share) {
  return fmt::format("{:.{}f}%", 100 * share, share > 0 && share < 0.0995 ? 1 : 0);
}

const char* can_be_read(const ReadBack& of) {
  constexpr double easily = 0.9, mostly = 0.5;
  const double words = of.words.share(), positions = of.positions.share();
  if (std::min(words, positions) >= easily) return "both can be read";
  if (std::min(words, positions) >= mostly) return "both can be read, with errors";
  if (words >= mostly) return "the words can be read, the positions are lost among them";
  return positions >= mostly ? "the positions can be read, they ruin the words" : "neither can be read so";
}

std::string text_of(const ReadBack& of) {
  return paragraph("Size",
                   fmt::format("Positions are {:.3g} times as long as words (ρ). Of {} sums of a word and a "
                               "position the nearest word is right for {}, the nearest position for {}: "
                               "{}. (As many words of one length in random directions: {}.)",
                               of.size, of.words.n, percent(of.words.share()), percent(of.positions.share()),
                               can_be_read(of), percent(of.unit_words)));
}

std::string overlap_text(const AgainstChance& overlap) {
  const double away = overlap.departure();
  const char* meaning = !overlap.departs() ? "as if nothing related them"
                        : away < 0         ? "their variances keep apart"
                                           : "their variances share directions";
  return paragraph("Overlap",
                   fmt::format("ω = {:.3f}, where one of the two turned at random has 1 ± {:.3f}: {}, {}. "
                               "Another choice of words or positions can move ω further: --out FOLDER gives "
                               "intervals.",
                               overlap.value, overlap.sd, in_words(away), meaning));
}

std::string coordinates_text(const AgainstChance& ratio, const AgainstChance& share, bool is_spread,
                             std::size_t d) {
  const char* meaning = is_spread                        ? "spread as in any rotation"
                        : ratio.value > ratio.chance     ? "more even than in a rotation"
                        : ratio.value < ratio.chance / 2 ? "concentrated in few"
                                                         : "uneven, but not concentrated in few";
  return paragraph(
      "Coordinates",
      fmt::format(
          "The {} coordinates (of {}) in which positions vary most hold {} of their variance, after a random "
          "rotation "
          "{}. Coordinates in use (participation ratio): {:.3g}, after a rotation {:.3g} ± {:.2g}: {}.",
          leading_columns(d), d, percent(share.value), percent(share.chance), ratio.value, ratio.chance,
          ratio.sd, meaning));
}

std::string distance_text(const AgainstChance& distance) {
  return paragraph("Distance",
                   fmt::format("The distance explains {} of the variance of the products of different "
                               "positions (R²); of unrelated ones {}.",
                               percent(distance.value), percent(distance.chance)));
}

/// Empty where perp reader would refuse.
std::string cost_text(const TableNumbers& words, std::size_t positions) {
  if (words.dim < theory::least_dimension || words.dim > theory::largest_dimension ||
      std::min(words.rows, positions) < 2)
    return "";
  return paragraph("Cost",
                   fmt::format("perp reader --dim {} --words {} --positions {} says what adding random "
                               "tables of these sizes costs.",
                               words.dim, words.rows, positions));
}

std::string heads_text(const std::vector<double>& heads, double chance) {
  std::vector<double> alive = heads;
  std::erase_if(alive, [](double r2) { return std::isnan(r2); });
  if (alive.empty()) return "";
  const auto [least, most] = std::ranges::minmax(alive);
  const std::size_t dead = heads.size() - alive.size();
  return paragraph(
      "Heads",
      fmt::format("Of the positions' scores in the first layer's heads the distance explains {} "
                  "(median of {} heads, from {} to {}{}); of independent scores {}.",
                  percent(median(alive)), alive.size(), percent(least), percent(most),
                  dead > 0 ? fmt::format("; of {} all scores are the same", dead) : "", percent(chance)));
}

}  // namespace

std::size_t rotations_for(std::size_t rows, std::size_t d) {
  constexpr double affordable = 1e9;  // multiply-adds, a second at most
  const double rank = std::min(rows, d);
  return ranked_rotations * rank * rank * d <= affordable ? ranked_rotations : rotations;
}

bool departs_from_rotations(double ratio, const std::vector<double>& turned) {
  // Where all rotations give the same, rounding alone is left.
  constexpr double rounding = 1e-9;
  const auto [least, most] = std::ranges::minmax(turned);
  const double slack = rounding * most;
  if (turned.size() >= ranked_rotations) return ratio < least - slack || ratio > most + slack;
  // Few rotations tell mean and deviation roughly, and the law may be skewed: among spectra of 2 to 128 dimensions the
  // longest tail has one of equal values but for one 0, a thousandth beyond 7.4 deviations.
  constexpr double longest_tail = 8;
  return std::abs(ratio - mean_of(turned)) > longest_tail * sd_of(turned) + slack;
}

Opening measure_opening(const Tables& tables, const Measurement& measured,
                        const std::optional<Layers>& layers, std::uint64_t seed, std::size_t threads) {
  Opening out;
  if (layers && tables.positions && rows(*tables.positions) > 1)
    out.heads = distance::head_r2(*tables.positions, layers->read(0, *tables.positions));
  if (measured.positions && has_spread(*measured.positions)) {
    out.sinusoid = sinusoid_of(*tables.positions);
    const TableNumbers& numbers = measured.positions->numbers;
    if (numbers.dim > 1) add_coordinates(*tables.positions, numbers, seed, threads, out);
    if (const double r2 = r2_apart(lag_statistics(*tables.positions, threads));
        numbers.rows > 2 && !std::isnan(r2))
      out.distance = {r2, measured.positions->null_toeplitz_r2, NAN};
  }
  if (!measured.between) return out;
  out.read_back = read_back(tables, measured, seed, threads);
  if (has_spread(*measured.words) && has_spread(*measured.positions))
    out.overlap = overlap_of(*measured.words, *tables.positions);
  return out;
}

std::string as_text(const Opening& opening, const Measurement& of) {
  std::string out;
  if (opening.read_back) out += text_of(*opening.read_back);
  if (opening.overlap) out += overlap_text(*opening.overlap);
  if (opening.participation)
    out += coordinates_text(*opening.participation, *opening.share, opening.is_spread,
                            of.positions->numbers.dim);
  if (opening.distance) out += distance_text(*opening.distance);
  if (of.positions) out += paragraph("Sinusoid", sinusoid_text(opening.sinusoid));
  if (!opening.heads.empty()) out += heads_text(opening.heads, of.positions->null_toeplitz_r2);
  if (opening.read_back) out += cost_text(of.words->numbers, of.positions->numbers.rows);
  return out.empty() ? out : out + '\n';
}

}  // namespace perp::inspect
