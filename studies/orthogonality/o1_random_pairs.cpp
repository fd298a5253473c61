// O1: random vectors in high dimension are almost always nearly orthogonal.

#include "studies/orthogonality/o1_random_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/statistics/histogram.hpp"
#include "perp/statistics/kolmogorov.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t side = 32;          // a tile is 32 words against 32 fresh others
constexpr std::size_t fine_bins = 4000;   // over ±1: the distance from the law is read off their edges
constexpr std::size_t density_bins = 80;  // over ±4 standard deviations, or ±1 if that is less

// ---- cells
// ------------------------------------------------------------------------------------------------------

struct Sizes {
  std::vector<std::size_t> dims;
  std::size_t tiles;             // per family and dimension
  std::size_t normals_per_cell;  // fewer tiles where these are not enough
};

Sizes sizes(const Options& options) {
  std::vector<std::size_t> full;
  for (std::size_t d = 4; d <= 16384; d *= 2) {
    full.push_back(d);
    if (d == 512) full.push_back(768);  // BERT's and GPT-2's width, at which the claim is read
  }
  return {options.sizes("dim", pick(options.preset, {16, 64, 512, 768, 1024}, full, full)),
          pick<std::size_t>(options.preset, 40, 977, 9766),
          pick<std::size_t>(options.preset, 4'000'000, 128'000'000, 1'280'000'000)};
}

/// Dimensions whose density is kept for the figure.
bool keeps_density(std::size_t d) { return d == 16 || d == 64 || d == 512 || d == 1024 || d == 4096; }

std::size_t tiles_that_fit(const Sizes& sizes, std::size_t d) {
  return std::clamp<std::size_t>(sizes.normals_per_cell / (2 * side * d), 2, sizes.tiles);
}

Cell pairs_cell(Family family, std::size_t d, std::size_t tiles) {
  const double values = static_cast<double>(2 * side * d * tiles);
  return {{{"measure", "pairs"},
           {"family", std::string(to_text(family))},
           {"d", whole(d)},
           {"tiles", whole(tiles)}},
          4e-9 * values + 5e-5 * static_cast<double>(tiles)};
}

Cell largest_cell(Family family, std::size_t d, std::size_t words, std::size_t draw) {
  const double v = static_cast<double>(words);
  return {{{"measure", "largest"},
           {"family", std::string(to_text(family))},
           {"d", whole(d)},
           {"v", whole(words)},
           {"draw", whole(draw)}},
          1e-11 * v * v * static_cast<double>(d)};
}

struct Largest {
  std::size_t words, draws;
  std::vector<std::size_t> dims;
};

std::vector<Largest> largest_grid(const Options& options, const std::vector<std::size_t>& dims) {
  const auto up_to = [&](std::size_t limit) {
    std::vector<std::size_t> kept;
    std::copy_if(dims.begin(), dims.end(), std::back_inserter(kept),
                 [&](std::size_t d) { return d <= limit; });
    return kept;
  };
  if (options.preset == Preset::quick) return {{1000, 4, up_to(1024)}};
  std::vector<std::size_t> few;
  for (const std::size_t d : {64, 512, 2048})
    if (std::find(dims.begin(), dims.end(), d) != dims.end()) few.push_back(d);
  return {{1000, 20, up_to(4096)}, {5000, 5, up_to(2048)}, {20000, 1, few}};
}

std::vector<Cell> cells(const Options& options) {
  const Sizes size = sizes(options);
  std::vector<Cell> cells;
  for (const Family family : families)
    for (const std::size_t d : size.dims) cells.push_back(pairs_cell(family, d, tiles_that_fit(size, d)));
  for (const Largest& largest : largest_grid(options, size.dims))
    for (const std::size_t d : largest.dims)
      for (const Family family : families)
        // Every family at the smallest V; beyond, the Gaussian alone: the law depends on the family less and
        // less.
        if (largest.words == 1000 || family == Family::gaussian)
          for (std::size_t draw = 0; draw < largest.draws; ++draw)
            cells.push_back(largest_cell(family, d, largest.words, draw));
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

/// Cosines of `tiles` tiles of fresh words, told to the counters of a cell.
struct PairCounts {
  explicit PairCounts(double reach) : fine(-1, 1, fine_bins), shown(-reach, reach, density_bins) {}
  void add_tile(const Matrix<float>& cosines) {
    double squares = 0;
    const std::uint64_t before = close;
    for (std::size_t i = 0; i < side; ++i) {
      disjoint.push_back(cosines(i, i));
      for (const float c : row(cosines, i)) {
        squares += static_cast<double>(c) * c;
        close += std::abs(c) < static_cast<float>(near);
      }
    }
    mean_squares.add(squares / (side * side));
    shares.add(static_cast<double>(close - before) / (side * side));
    const std::span<const float> all(cosines.data(), side * side);
    fine.add(all);
    shown.add(all);
  }
  Histogram fine, shown;
  std::vector<double> disjoint;  // pairs that share no word: the only independent ones
  MomentSums mean_squares;       // over tiles, which are independent
  MomentSums shares;             // likewise, of pairs with |cosine| < near
  std::uint64_t close = 0;
};

Records run_pairs(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), tiles = size_at(cell.at, "tiles");
  const Family family = family_from(text_at(cell.at, "family"));
  const double scale = static_cast<double>(d);
  PairCounts counts(std::min(1.0, 4 / std::sqrt(scale)));
  Matrix<float> cosines = matrix<float>(side, side);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Matrix<float> words = unit_rows(draw_words(family, 2 * side, d, streams("words", tile))).rows;
    product_nt_into(block(words, 0, side), block(words, side, 2 * side), cosines.data());
    counts.add_tile(cosines);
  }
  const auto law = [d](double c) { return theory::cosine_cdf(d, c); };
  const Moments square = counts.mean_squares.moments();
  const Interval interval = mean_interval(square, shown_level);
  const double disjoint_distance = ks_statistic(counts.disjoint, law);
  Records records{{"spread",
                   {{"pairs", whole(tiles * side * side)},
                    {"spread", std::sqrt(square.mean * scale)},
                    {"spread_low", std::sqrt(std::max(interval.low, 0.0) * scale)},
                    {"spread_high", std::sqrt(interval.high * scale)},
                    {"close", whole(counts.close)},
                    {"share_error", standard_error(counts.shares.moments())},
                    {"ks_distance", ks_statistic(counts.fine, law)},
                    {"disjoint_pairs", whole(counts.disjoint.size())},
                    {"ks_p", ks_p_value(counts.disjoint.size(), disjoint_distance)}}}};
  if (keeps_density(d)) {
    const std::vector<double> centres = counts.shown.centres(), density = counts.shown.density();
    for (std::size_t bin = 0; bin < density_bins; ++bin)
      records.push_back({"density", {{"cosine", centres[bin]}, {"density", density[bin]}}});
  }
  return records;
}

Records run_largest(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d");
  const std::size_t words = size_at(cell.at, "v");
  const Matrix<float> table =
      unit_rows(draw_words(family_from(text_at(cell.at, "family")), words, d, streams("words"))).rows;
  return {{"largest", {{"largest", max_abs_cosine_within(table, 1)}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  return text_at(cell.at, "measure") == "pairs" ? run_pairs(cell, streams) : run_largest(cell, streams);
}

}  // namespace

Experiment random_pairs(const Options& options) {
  return {"O1",
          "Random vectors in high dimension are almost always nearly orthogonal.",
          "[d]",
          {},
          cells(options),
          run,
          summarise_random_pairs};
}

}  // namespace perp::orthogonality
