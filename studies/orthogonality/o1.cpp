// O1: random vectors in high dimension are almost always nearly orthogonal. In words: o1.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t side = 32;  // a tile is 32 words against 32 fresh others

void measure(Family family, std::size_t d, std::size_t tiles, const Streams& streams, Out& out) {
  MomentSums squares, shares;  // over tiles, which are independent
  std::uint64_t close = 0;
  Matrix<float> cosines = matrix<float>(side, side);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const Matrix<float> words = unit_rows(draw_words(family, 2 * side, d, streams("words", tile))).rows;
    product_nt_into(block(words, 0, side), block(words, side, 2 * side), cosines.data());
    double square = 0;
    std::uint64_t near = 0;
    for (const float c : std::span(cosines.data(), cosines.size())) {
      square += static_cast<double>(c) * c;
      near += std::abs(c) < static_cast<float>(near_orthogonal_cosine);
    }
    squares.add(square / (side * side));
    shares.add(double(near) / (side * side));
    close += near;
  }
  const Moments square = squares.moments();
  out("tiles", {{"pairs", tiles * side * side},
                {"square", square.mean},
                {"square_variance", square.variance},
                {"close", close},
                {"share_error", standard_error(shares.moments())}});
}

/// Pairs of a tile share words: where these have a mean in common, tiles alone are independent. The interval is the
/// wider, on either side, of Wilson's over pairs and Student's t over tiles.
Estimate share_near(const Row& at) {
  const std::size_t pairs = at.whole("pairs"), close = at.whole("close"), tiles = at.whole("tiles");
  Spread spread = share_spread(close, pairs);
  spread.mean = MeanSpread{at.number("share_error"), double(tiles - 1)};
  spread.replicates = tiles;
  return estimated(double(close) / double(pairs), spread);
}

double share_law(std::size_t d) { return 1 - theory::cosine_exceeds(d, near_orthogonal_cosine); }

void fold(const Frames& measured, Out& out) {
  for (const Row& at : measured["tiles"]) {
    const Family family = family_from(at.text("family"));
    const std::size_t d = at.whole("d");
    const Moments square{at.whole("tiles"), at.number("square"), at.number("square_variance")};
    const Interval interval = mean_interval(square, shown_level);
    out("spread", {{"family", at.text("family")},
                   {"d", d},
                   {"pairs", at.whole("pairs")},
                   {"spread", Estimate{std::sqrt(square.mean * double(d)),
                                       std::sqrt(std::max(interval.low, 0.0) * double(d)),
                                       std::sqrt(interval.high * double(d)), shown_level}}});
    out("near", {{"family", at.text("family")},
                 {"d", d},
                 {"pairs", at.whole("pairs")},
                 {"share", share_near(at)},
                 {"law", is_spherical(family) ? share_law(d) : NAN}});
  }
  for (const std::size_t d : {512, 768}) out("law", {{"d", d}, {"share", share_law(d)}});
  out("first", {{"dimension", theory::first_dimension(near_orthogonal_cosine, almost_always)}});
}

}  // namespace

/// So many tiles per family and dimension, or as many as the normals of a cell are enough for.
Experiment random_pairs(const Options& options) {
  Experiment claim("O1", toml_of("o1"));
  std::vector<std::size_t> full = doubling(4, 16384);
  full.insert(std::ranges::find(full, 1024U), 768);
  const std::size_t most = pick<std::size_t>(options.preset, 40, 977, 9766),
                    normals = pick<std::size_t>(options.preset, 4'000'000, 128'000'000, 1'280'000'000);
  for (const Family family : families)
    for (const std::size_t d :
         options.sizes("dim", pick(options.preset, {16, 64, 512, 768, 1024}, full, full))) {
      const std::size_t tiles = std::clamp<std::size_t>(normals / (2 * side * d), 2, most);
      claim.cell({{"measure", "pairs"},
                  {"family", std::string(to_text(family))},
                  {"d", whole(d)},
                  {"tiles", whole(tiles)}},
                 4e-9 * double(2 * side * d * tiles) + 5e-5 * double(tiles),
                 [=](const Streams& streams, Out& out) { measure(family, d, tiles, streams, out); });
    }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::orthogonality
