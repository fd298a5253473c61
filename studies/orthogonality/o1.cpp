// O1: random vectors in high dimension are almost always nearly orthogonal.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/statistics/histogram.hpp"
#include "perp/statistics/kolmogorov.hpp"
#include "perp/statistics/order.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t side = 32;          // a tile is 32 words against 32 fresh others
constexpr std::size_t fine_bins = 4000;   // over ±1: the distance from the law is read off their edges
constexpr std::size_t density_bins = 80;  // over ±4 standard deviations, or ±1 if that is less
/// The width of BERT and GPT-2 that the claim is read at, and the one of Vaswani et al., where it ends.
constexpr std::size_t usual_width = 768, narrower = 512;
/// Where words with a common mean are judged.
constexpr std::size_t width_with_mean = 1024;
/// Words of the smallest tables, which every family has.
constexpr std::size_t fewest_words = 1000;

struct Pairs {
  std::string measure, family;
  std::size_t d, tiles;
};
PERP_ROW(Pairs, measure, family, d, tiles)
struct Spreads : Pairs {
  std::size_t pairs;
  Estimate spread;     ///< root mean square cosine times √d
  std::size_t close;   ///< pairs with |cosine| < near_orthogonal_cosine
  double share_error;  ///< standard error of their share, over tiles
  double ks_distance;
  std::size_t disjoint_pairs;
  double ks_p;
};
PERP_ROW_OF(Spreads, Pairs, pairs, spread, close, share_error, ks_distance, disjoint_pairs, ks_p)
/// One tile of a width and family that the rule judges: the replicate of its interval.
struct Tile : Pairs {
  std::size_t tile;
  double share, mean_square;
};
PERP_ROW_OF(Tile, Pairs, tile, share, mean_square)
struct Density : Pairs {
  double cosine, density;
};
PERP_ROW_OF(Density, Pairs, cosine, density)

struct WordTable {
  std::string measure, family;
  std::size_t d, v, draw;
};
PERP_ROW(WordTable, measure, family, d, v, draw)
struct Largest : WordTable {
  double largest;
};
PERP_ROW_OF(Largest, WordTable, largest)
using Draws = Group<Largest>;  ///< that differ in nothing but the draw

std::vector<std::size_t> dimensions(const Options& options) {
  std::vector<std::size_t> full = doubling(4, 16384);
  full.insert(std::ranges::find(full, 1024u), usual_width);
  return options.sizes("dim", pick(options.preset, {16, 64, 512, 768, 1024}, full, full));
}

bool is_judged(const Pairs& at) {
  return at.d == (at.family == "anisotropic" ? width_with_mean : usual_width);
}

/// So many tiles per family and dimension, or as many as the normals of a cell are enough for.
std::vector<Pairs> pairs_grid(const std::vector<std::size_t>& dims, Preset preset) {
  const std::size_t tiles = pick<std::size_t>(preset, 40, 977, 9766),
                    normals = pick<std::size_t>(preset, 4'000'000, 128'000'000, 1'280'000'000);
  std::vector<Pairs> grid;
  for (const Family family : families)
    for (const std::size_t d : dims)
      grid.push_back({"pairs", std::string(to_text(family)), d,
                      std::clamp<std::size_t>(normals / (2 * side * d), 2, tiles)});
  return grid;
}

/// Every family at the smallest V; beyond, the Gaussian alone: the law depends on the family less and less.
std::vector<WordTable> largest_grid(const std::vector<std::size_t>& dims, Preset preset) {
  std::vector<WordTable> grid;
  const auto add = [&](std::size_t words, std::size_t draws, const std::vector<std::size_t>& widths) {
    for (const std::size_t d : widths)
      for (const Family family : families)
        if (words == fewest_words || family == Family::gaussian)
          for (const std::size_t draw : first(draws))
            grid.push_back({"largest", std::string(to_text(family)), d, words, draw});
  };
  const auto up_to = [&](std::size_t limit) {
    return where(dims, [=](std::size_t d) { return d <= limit; });
  };
  const auto listed = [&](std::size_t d) { return std::ranges::find(dims, d) != dims.end(); };
  if (preset == Preset::quick) {
    add(fewest_words, 4, up_to(1024));
  } else {
    add(fewest_words, 20, up_to(4096));
    add(5000, 5, up_to(2048));
    add(20000, 1, where(std::vector<std::size_t>{64, 512, 2048}, listed));
  }
  return grid;
}

/// Cosines of tiles of fresh words, counted and summed.
struct PairCounts {
  explicit PairCounts(double reach) : fine(-1, 1, fine_bins), shown(-reach, reach, density_bins) {}
  struct OfTile {
    double share, mean_square;
  };
  OfTile add_tile(const Matrix<float>& cosines) {
    double squares = 0;
    const std::uint64_t before = close;
    for (std::size_t i = 0; i < side; ++i) {
      disjoint.push_back(cosines(i, i));
      for (const float c : row(cosines, i)) {
        squares += static_cast<double>(c) * c;
        close += std::abs(c) < static_cast<float>(near_orthogonal_cosine);
      }
    }
    const OfTile tile{double(close - before) / (side * side), squares / (side * side)};
    mean_squares.add(tile.mean_square);
    shares.add(tile.share);
    const std::span<const float> all(cosines.data(), side * side);
    fine.add(all);
    shown.add(all);
    return tile;
  }
  Histogram fine, shown;
  std::vector<double> disjoint;  // pairs that share no word: the only independent ones
  MomentSums mean_squares;       // over tiles, which are independent
  MomentSums shares;             // likewise, of pairs with |cosine| < near_orthogonal_cosine
  std::uint64_t close = 0;
};

void measure_pairs(const Pairs& at, const Streams& streams, Rows& rows) {
  const Family family = family_from(at.family);
  const double d = double(at.d);
  PairCounts counts(std::min(1.0, 4 / std::sqrt(d)));
  Matrix<float> cosines = matrix<float>(side, side);
  for (std::size_t tile = 0; tile < at.tiles; ++tile) {
    const Matrix<float> words = unit_rows(draw_words(family, 2 * side, at.d, streams("words", tile))).rows;
    product_nt_into(block(words, 0, side), block(words, side, 2 * side), cosines.data());
    const auto [share, mean_square] = counts.add_tile(cosines);
    if (is_judged(at)) rows.add(Tile{at, tile, share, mean_square});
  }
  const auto law = [&](double c) { return theory::cosine_cdf(at.d, c); };
  const Moments square = counts.mean_squares.moments();
  const Interval interval = mean_interval(square, shown_level);
  const Estimate spread{std::sqrt(square.mean * d), std::sqrt(std::max(interval.low, 0.0) * d),
                        std::sqrt(interval.high * d), shown_level};
  rows.add(Spreads{at, at.tiles * side * side, spread, counts.close, standard_error(counts.shares.moments()),
                   ks_statistic(counts.fine, law), counts.disjoint.size(),
                   ks_p_value(counts.disjoint.size(), ks_statistic(counts.disjoint, law))});
  // Dimensions whose density is drawn.
  if (at.d != 16 && at.d != 64 && at.d != 512 && at.d != 1024 && at.d != 4096) return;
  const std::vector<double> centres = counts.shown.centres(), density = counts.shown.density();
  for (std::size_t bin = 0; bin < density_bins; ++bin) rows.add(Density{at, centres[bin], density[bin]});
}

void measure_largest(const WordTable& at, const Streams& streams, Rows& rows) {
  const Matrix<float> drawn = draw_words(family_from(at.family), at.v, at.d, streams("words"));
  rows.add(Largest{at, max_abs_cosine_within(unit_rows(drawn).rows, 1)});
}

const auto family = exact("family", "law of the word vectors", &Pairs::family);
const auto d = exact("d", "dimension", &Pairs::d);

const auto isotropic = [](const Pairs& p) { return is_isotropic(family_from(p.family)); };
const auto spherical = [](const auto& at) { return is_spherical(family_from(at.family)); };
double share_law(std::size_t d) { return 1 - theory::cosine_exceeds(d, near_orthogonal_cosine); }

/// Pairs of a tile share words: where these have a mean in common, tiles alone are independent.
Estimate share_near(const Spreads& s) {
  Spread spread = share_spread(s.close, s.pairs);
  spread.mean = MeanSpread{s.share_error, double(s.tiles - 1)};
  spread.replicates = s.tiles;
  return estimated(double(s.close) / double(s.pairs), spread);
}

void add_spreads(const std::vector<Spreads>& spreads, Summary& summary) {
  const auto spread =
      sampled("spread", "root mean square cosine of random pairs times the square root of d",
              &Spreads::spread)
          .interval("spread_low", "spread_high", "its 99% interval, by Student's t over tiles")
          .theory("spread_theory", "1 for entries that are iid and symmetric",
                  [](const Spreads& s) { return isotropic(s) ? 1.0 : NAN; })
          .n(&Spreads::pairs);
  const auto share =
      sampled("share_near", "share of random pairs with |cosine| below a tenth", share_near)
          .interval("share_low", "share_high",
                    "its 99% interval: the wider, on either side, of Wilson's over pairs and Student's t "
                    "over tiles",
                    "its 99% interval, likewise")
          .theory("share_theory", "1 - I_{1-m²}((d-1)/2, 1/2) at m = .1; exact for spherical words alone",
                  [](const Spreads& s) { return spherical(s) ? share_law(s.d) : NAN; })
          .n(&Spreads::pairs);
  summary.table(
      "o1_spread.csv", spreads,
      {family, d, exact("pairs", "pairs of words, in tiles of 32 x 32 fresh words", &Spreads::pairs), spread,
       share,
       sampled("ks_distance", "largest distance of the distribution of all pairs from the law",
               &Spreads::ks_distance),
       exact("disjoint_pairs", "pairs that share no word", &Spreads::disjoint_pairs),
       sampled("ks_p", "Kolmogorov-Smirnov p-value of the disjoint pairs against the law", &Spreads::ks_p)});
  const auto usual = where(spreads, [](const Spreads& s) {
    if (s.family == "anisotropic") return s.d == narrower || s.d == width_with_mean;
    return s.d == usual_width || (s.family == "gaussian" && (s.d == 64 || s.d == narrower || s.d == 1024));
  });
  summary.each(usual, {family, d}, {share});
  summary.each(only(usual, &Pairs::d, narrower), {family, d}, {spread});
}

/// How far the worst of them are from the exact law.
void add_law(const std::vector<Spreads>& spreads, Summary& summary) {
  const auto symmetric = where(spreads, isotropic), uniform = where(spreads, spherical);
  const double departure = most(symmetric, [](const Spreads&s) { return std::abs(s.spread.value - 1); }),
               smallest_p = std::min(1.0, least(uniform, &Spreads::ks_p));
  add_overall(summary, "spread_departure", {}, std::max(0.0, departure), total(symmetric, &Spreads::pairs),
              "Largest |spread - 1| over all dimensions and families of iid symmetric entries.", 0.0,
              Kind::sampled);
  add_overall(summary, "law_p", {}, 1 - std::pow(1 - smallest_p, double(uniform.size())),
              total(uniform, &Spreads::disjoint_pairs),
              "Chance that the worst of the Kolmogorov-Smirnov tests of the spherical families against the "
              "exact law is as bad or worse (Šidák over all of them).",
              {}, Kind::sampled);
}

void add_density(const std::vector<Density>& bins, Summary& summary) {
  summary.table("o1_density.csv", bins,
                {family, d, exact("cosine", "centre of a bin", &Density::cosine),
                 sampled("density", "share of pairs in the bin over its width", &Density::density),
                 exact("law", "density of the cosine of two uniform directions",
                       [](const Density& b) { return theory::cosine_density(b.d, b.cosine); })});
}

/// What the intervals of the judged shares are taken over.
void add_tiles(const std::vector<Tile>& tiles, Summary& summary) {
  summary.table(
      "o1_tiles.csv", tiles,
      {family, d, exact("tile", "32 words against 32 fresh others", &Tile::tile),
       sampled("share_near", "share of the tile's 1,024 pairs with |cosine| below a tenth", &Tile::share),
       sampled("mean_square", "mean square cosine of these pairs", &Tile::mean_square)});
}

double pairs_among(double words) { return words * (words - 1) / 2; }
/// Of the law of the largest |cosine| of one draw.
double law_median(const Largest& l) { return theory::largest_cosine_median(l.d, pairs_among(l.v)); }
double quantile(const Largest& l, double p) {
  return theory::largest_cosine_quantile(l.d, pairs_among(l.v), p);
}
double law_low(const Largest& l) { return quantile(l, (1 - shown_level) / 2); }
double law_high(const Largest& l) { return quantile(l, (1 + shown_level) / 2); }
double median_of(const Draws& draws) { return median(draws.values(&Largest::largest)); }

void add_largest(const std::vector<Draws>& tables, Summary& summary) {
  const auto d = exact("d", "dimension", &WordTable::d);
  const auto range = [](const Draws& draws) {
    return Estimate{median_of(draws), least(draws, &Largest::largest), most(draws, &Largest::largest)};
  };
  summary.table("o1_largest.csv", tables,
                {exact("family", "law of the word vectors", &WordTable::family), d,
                 exact("words", "words V, all V(V-1)/2 pairs", &WordTable::v),
                 exact("draws", "independent tables", &Draws::size),
                 sampled("largest", "median over draws of the largest |cosine|", range)
                     .interval("smallest_draw", "largest_draw", "smallest over draws", "largest over draws")
                     .theory("theory", "the m that solves (1 - P(|c| > m))^(V(V-1)/2) = 1/2", law_median),
                 exact("theory_low", "the law's .5% quantile of one draw", law_low),
                 exact("theory_high", "the law's 99.5% quantile of one draw", law_high)});
  // Few draws bound a median badly; what one draw may give by theory is the honest interval around the value.
  const auto within_law = [](const Draws& draws) {
    const double value = median_of(draws), theory = law_median(draws.front());
    return Estimate{value, value + (law_low(draws.front()) - theory),
                    value + (law_high(draws.front()) - theory), shown_level};
  };
  summary.each(where(tables, [](const Draws& t) { return t[0].family == "gaussian" && t[0].d == 512; }),
               {exact("v", "", &WordTable::v), d},
               {sampled("largest",
                        "Median over draws of the largest |cosine| among all pairs of V Gaussian words; the "
                        "interval is the law's spread of one draw.",
                        within_law)
                    .theory(law_median)
                    .n(&Draws::size)});
  const double departure = most(where(tables, [](const Draws& t) { return spherical(t[0]) && t[0].d >= 64; }),
                                [](const Draws& t) { return std::abs(median_of(t) / law_median(t[0]) - 1); });
  add_overall(summary, "largest_departure", {}, std::max(0.0, departure), tables.size(),
              "Largest relative departure of the median largest |cosine| of spherical words from its law, "
              "from 64 dimensions on.",
              0.0, Kind::sampled);
}

/// By the exact law, which needs no draws.
void add_exact(Summary& summary) {
  for (const std::size_t d : {narrower, usual_width})
    summary.number("share_law", {{"d", whole(d)}}, {share_law(d)},
                   {.kind = Kind::rounded,
                    .meaning = "Share of pairs of uniform directions with |cosine| below a tenth; exact, and "
                               "what Gaussian and spherical words have."});
  summary.number("first_dimension", {},
                 {double(theory::first_dimension(near_orthogonal_cosine, almost_always))},
                 {.unit = "dimensions",
                  .meaning = "Smallest d in which 99% of pairs of uniform directions have |cosine| below .1, "
                             "by the exact law."});
}

Rule rule() {
  const auto by_law = [](Role role, std::size_t d) {
    return condition(role, fmt::format("share_law.d{}", d), Is::above, almost_always, Evidence::closed_form,
                     {{"words", "uniform directions"}});
  };
  const auto drawn = [](Role role, const char* family, std::size_t d, const char* needs) {
    return condition(role, fmt::format("share_near.{}.d{}", family, d), Is::above, almost_always,
                     Evidence::simulation, {{"words", family}}, {}, needs);
  };
  Rule rule{by_law(Role::core, usual_width)};
  for (const char* family : {"gaussian", "sphere", "uniform", "rademacher"})
    rule.push_back(drawn(Role::core, family, usual_width, "pairs drawn at d = 768"));
  rule.push_back(by_law(Role::limit, narrower));
  rule.push_back(drawn(Role::limit, "anisotropic", width_with_mean, "d = 1,024 among the dimensions"));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto spreads = rows_of<Spreads>(cells);
  add_spreads(spreads, summary);
  add_density(rows_of<Density>(cells), summary);
  add_tiles(rows_of<Tile>(cells), summary);
  add_law(spreads, summary);
  add_largest(group_by(rows_of<Largest>(cells), &Largest::family, &Largest::d, &Largest::v), summary);
  add_exact(summary);
  summary.rule = rule();
}

}  // namespace

Experiment random_pairs(const Options& options) {
  Experiment claim{"O1", "Random vectors in high dimension are almost always nearly orthogonal.", "[d]"};
  const std::vector<std::size_t> dims = dimensions(options);
  claim.measure(
      pairs_grid(dims, options.preset),
      [](const Pairs& at) { return 4e-9 * (2 * side * at.d * at.tiles) + 5e-5 * at.tiles; }, measure_pairs);
  claim.measure(
      largest_grid(dims, options.preset), [](const WordTable& at) { return 1e-11 * at.v * at.v * at.d; },
      measure_largest);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
