// O1: random vectors in high dimension are almost always nearly orthogonal.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t side = 32;  // a tile is 32 words against 32 fresh others
/// The width of BERT and GPT-2 that the claim is read at, and the one of Vaswani et al., where it ends.
constexpr std::size_t usual_width = 768, narrower = 512;
/// Where words with a common mean are judged.
constexpr std::size_t width_with_mean = 1024;

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
};
PERP_ROW_OF(Spreads, Pairs, pairs, spread, close, share_error)
/// One tile of a width and family that the rule judges: the replicate of its interval.
struct Tile : Pairs {
  std::size_t tile;
  double share, mean_square;
};
PERP_ROW_OF(Tile, Pairs, tile, share, mean_square)
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

void measure_pairs(const Pairs& at, const Streams& streams, Rows& rows) {
  const Family family = family_from(at.family);
  const double d = double(at.d);
  MomentSums mean_squares, shares;  // over tiles, which are independent
  std::uint64_t close = 0;
  Matrix<float> cosines = matrix<float>(side, side);
  for (std::size_t tile = 0; tile < at.tiles; ++tile) {
    const Matrix<float> words = unit_rows(draw_words(family, 2 * side, at.d, streams("words", tile))).rows;
    product_nt_into(block(words, 0, side), block(words, side, 2 * side), cosines.data());
    double squares = 0;
    std::uint64_t near = 0;
    for (const float c : std::span(cosines.data(), cosines.size())) {
      squares += static_cast<double>(c) * c;
      near += std::abs(c) < static_cast<float>(near_orthogonal_cosine);
    }
    const Tile of{at, tile, double(near) / (side * side), squares / (side * side)};
    mean_squares.add(of.mean_square);
    shares.add(of.share);
    close += near;
    if (is_judged(at)) rows.add(of);
  }
  const Moments square = mean_squares.moments();
  const Interval interval = mean_interval(square, shown_level);
  const Estimate spread{std::sqrt(square.mean * d), std::sqrt(std::max(interval.low, 0.0) * d),
                        std::sqrt(interval.high * d), shown_level};
  rows.add(Spreads{at, at.tiles * side * side, spread, close, standard_error(shares.moments())});
}

const auto family = exact("family", "law of the word vectors", &Pairs::family);
const auto d = exact("d", "dimension", &Pairs::d);

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
          .theory([](const Spreads& s) { return is_isotropic(family_from(s.family)) ? 1.0 : NAN; })
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
       share});
  const auto usual = where(spreads, [](const Spreads& s) {
    if (s.family == "anisotropic") return s.d == narrower || s.d == width_with_mean;
    return s.d == usual_width || (s.family == "gaussian" && s.d == narrower);
  });
  summary.each(usual, {family, d}, {share});
  summary.each(only(usual, &Pairs::d, narrower), {family, d}, {spread});
}

/// What the intervals of the judged shares are taken over.
void add_tiles(const std::vector<Tile>& tiles, Summary& summary) {
  summary.table(
      "o1_tiles.csv", tiles,
      {family, d, exact("tile", "32 words against 32 fresh others", &Tile::tile),
       sampled("share_near", "share of the tile's 1,024 pairs with |cosine| below a tenth", &Tile::share),
       sampled("mean_square", "mean square cosine of these pairs", &Tile::mean_square)});
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
  add_spreads(rows_of<Spreads>(cells), summary);
  add_tiles(rows_of<Tile>(cells), summary);
  add_exact(summary);
  summary.rule = rule();
}

}  // namespace

Experiment random_pairs(const Options& options) {
  Experiment claim{"O1", "Random vectors in high dimension are almost always nearly orthogonal.", "[d]"};
  claim.measure(
      pairs_grid(dimensions(options), options.preset),
      [](const Pairs& at) { return 4e-9 * (2 * side * at.d * at.tiles) + 5e-5 * at.tiles; }, measure_pairs);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
