// Q2: what does LayerNorm do to the sum of word and position?

#include "studies/distance/q2_layernorm.hpp"

#include <algorithm>
#include <cmath>

#include "perp/io/sha256.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/layernorm.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2_readout.hpp"
#include "studies/distance/q2_sums.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
/// ρ of the sums; wide tables and the quick preset do with few.
constexpr double all_ratios[] = {0.25, 0.5, natural_ratio, 1, 2}, few_ratios[] = {0.25, natural_ratio, 2};

// ---- cells ---------------------------------------------------------------------------------------------

Cell sums_cell(const std::string& positions, const char* words, std::size_t d, std::size_t l,
               std::size_t draws, std::size_t ratios) {
  const double n = static_cast<double>(d), rows = static_cast<double>(training_rows(d) + tested_rows);
  return {{{"what", std::string("sums")},
           {"positions", positions},
           {"words", std::string(words)},
           {"d", whole(d)},
           {"l", whole(l)},
           {"draws", whole(draws)},
           {"ratios", whole(ratios)}},
          static_cast<double>(draws * ratios) * (1e-10 * n * n * rows + 1e-7 * n * rows) + 3e-9 * n * n * n};
}

std::string name_of(const GivenPositions& given) {
  return "given_" + sha256_hex(fmt::format("{}", fmt::join(given.hashes, "\n"))).substr(0, 16);
}

std::vector<Cell> cells(const Options& options, const GivenPositions& given) {
  const bool quick = options.preset == Preset::quick;
  const std::size_t draws = pick<std::size_t>(options.preset, 16, 24, 240),
                    few = pick<std::size_t>(options.preset, 4, 10, 40);
  std::vector<Cell> cells;
  for (const char* words : {"gaussian", "anisotropic", "turned"}) {
    cells.push_back(sums_cell("sinusoidal", words, 64, length, draws,
                              quick ? std::size(few_ratios) : std::size(all_ratios)));
    if (!quick) cells.push_back(sums_cell("sinusoidal", words, 512, length, few, std::size(few_ratios)));
    for (const std::size_t d : quick ? std::vector<std::size_t>{64} : std::vector<std::size_t>{64, 512})
      cells.push_back({{{"what", std::string("cosines")},
                        {"words", std::string(words)},
                        {"d", whole(d)},
                        {"pairs", whole(pick<std::size_t>(options.preset, 250, 2500, 25000))},
                        {"draws", whole(20)}},
                       1e-6 * static_cast<double>(d)});
  }
  for (const std::size_t d : quick ? std::vector<std::size_t>{64} : std::vector<std::size_t>{64, 512})
    cells.push_back({{{"what", std::string("positions")},
                      {"positions", std::string("sinusoidal")},
                      {"d", whole(d)},
                      {"l", whole(length)}},
                     1e-2});
  if (given.positions) {
    const std::size_t l = rows(*given.positions), d = cols(*given.positions);
    for (const char* words : {"gaussian", "turned"})
      cells.push_back(sums_cell(name_of(given), words, d, l, few, std::size(few_ratios)));
    cells.push_back({{{"what", std::string("positions")},
                      {"positions", name_of(given)},
                      {"d", whole(d)},
                      {"l", whole(l)}},
                     1e-2});
  }
  return cells;
}

// ---- one cell ------------------------------------------------------------------------------------------

bool is_given(const Cell& cell) { return text_at(cell.at, "positions") != "sinusoidal"; }

Matrix<double> positions_of(const Cell& cell, const GivenPositions& given) {
  return is_given(cell) ? *given.positions : sinusoidal<double>(size_at(cell.at, "l"), size_at(cell.at, "d"));
}

void append(Coordinates& values, const std::string& name, const MomentSums& sums) {
  const Moments moments = sums.moments();
  const Interval interval = mean_interval(moments, recorded_level);
  values.emplace_back(name, moments.mean);
  values.emplace_back(name + "_low", interval.low);
  values.emplace_back(name + "_high", interval.high);
}

Records run_sums(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  const bool own = is_given(cell) && given.layer_norm;
  const PlacedTable table =
      placed_table(positions_of(cell, given), own ? given.layer_norm->gain : std::vector<double>{},
                   own ? given.layer_norm->bias : std::vector<double>{});
  const std::string& words = text_at(cell.at, "words");
  constexpr std::size_t all = norm_measure_count;
  const std::span<const double> ratios =
      size_at(cell.at, "ratios") == std::size(all_ratios) ? std::span<const double>(all_ratios) : few_ratios;
  std::vector<std::array<MomentSums, all>> before(ratios.size()), after(ratios.size()), change(ratios.size());
  for (std::size_t draw = 0; draw < size_at(cell.at, "draws"); ++draw) {
    const Matrix<double> drawn = drawn_words(words, words_needed(table), table.d(), streams, draw);
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      const BeforeAfter seen = measure_sums(table, drawn, ratios[k], streams, draw);
      for (std::size_t i = 0; i < all; ++i) {
        before[k][i].add(seen.before[i]);
        after[k][i].add(seen.after[i]);
        change[k][i].add(seen.after[i] - seen.before[i]);
      }
    }
  }
  Records records;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    BeforeAfter lines = sum_lines(table, ratios[k]);
    if (words != "gaussian") lines = no_lines();
    for (std::size_t i = 0; i < all; ++i) {
      records.push_back({"sums", {{"measure", std::string(norm_measures()[i].name)}, {"ratio", ratios[k]}}});
      Coordinates& values = records.back().values;
      append(values, "before", before[k][i]);
      append(values, "after", after[k][i]);
      append(values, "change", change[k][i]);
      values.emplace_back("before_line", lines.before[i]);
      values.emplace_back("after_line", lines.after[i]);
    }
  }
  return records;
}

Records run_cosines(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d");
  MomentSums change;
  for (std::size_t draw = 0; draw < size_at(cell.at, "draws"); ++draw)
    change.add(cosine_change(
        drawn_words(text_at(cell.at, "words"), 2 * size_at(cell.at, "pairs"), d, streams, draw)));
  Records records{{"cosines", {{"line", theory::normalised_cosine_change(d)}}}};
  append(records.back().values, "change", change);
  return records;
}

/// Positions alone: what of each LayerNorm takes away, and what their lag explains before and after.
Records run_positions(const Cell& cell, const GivenPositions& given) {
  const Matrix<double> p = positions_of(cell, given), z = layer_norm(p);
  const std::size_t d = cols(p);
  Records records;
  double most = 0, sum = 0, departure = 0, length_off = 0, along = 0, along_square = 0;
  for (std::size_t t = 0; t < rows(p); ++t) {
    double xx = 0, zz = 0, xz = 0, mean = 0;
    for (std::size_t j = 0; j < d; ++j) {
      xx += p(t, j) * p(t, j), zz += z(t, j) * z(t, j), xz += p(t, j) * z(t, j);
      mean += p(t, j) / static_cast<double>(d);
    }
    // LayerNorm keeps the direction of what it leaves: its cosine with the whole says how much that is.
    const double lost = xx > 0 ? 1 - xz * xz / (xx * zz) : std::nan(""),
                 line = is_given(cell)
                            ? std::nan("")
                            : theory::sinusoid_mean_direction(d, usual_base, static_cast<double>(t)),
                 variance = xx / static_cast<double>(d) - mean * mean;
    most = std::max(most, lost), sum += lost;
    along += mean, along_square += mean * mean;
    if (!is_given(cell)) departure = std::max(departure, std::abs(lost - line));
    length_off =
        std::max(length_off, std::abs(std::sqrt(zz) / theory::normalised_length(d, variance, 1e-5) - 1));
    records.push_back({"lost", {{"t", whole(t)}, {"share", lost}, {"line", line}}});
  }
  const LagStatistics before = lag_statistics(View<double>(p), 1), after = lag_statistics(View<double>(z), 1);
  records.push_back({"positions",
                     {{"lost_mean", sum / static_cast<double>(rows(p))},
                      {"lost_most", most},
                      {"lost_constant", along * along / (static_cast<double>(rows(p)) * along_square)},
                      {"departure", departure},
                      {"length_off", length_off},
                      {"r2_before", toeplitz_r2(before)},
                      {"r2_after", toeplitz_r2(after)},
                      {"defect_before", toeplitz_defect(before)},
                      {"defect_after", toeplitz_defect(after)}}});
  return records;
}

Records run(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  const std::string& what = text_at(cell.at, "what");
  if (what == "sums") return run_sums(cell, streams, given);
  return what == "cosines" ? run_cosines(cell, streams) : run_positions(cell, given);
}

}  // namespace

Experiment after_layer_norm(const Options& options, const SharedPositions& given) {
  return {"Q2",
          "LayerNorm keeps what positions say in a sum.",
          "(asked)",
          {},
          cells(options, *given),
          [given](const Cell& cell, const Streams& streams) { return run(cell, streams, *given); },
          summarise_layer_norm};
}

}  // namespace perp::distance
