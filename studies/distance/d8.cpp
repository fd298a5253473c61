// D8: sine and cosine bring "a kind of orthogonality": of the columns of the table, over L positions.
// Spacings are counted in turns: ΔL/2π, the circles by which two frequencies Δ apart part company over L
// positions.

#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

/// |cosine| below this is what this study calls nearly orthogonal, and "nearly all" is this share of the
/// pairs.
constexpr double nearly_orthogonal = 0.1, nearly_all = 0.99;
/// Frequencies from this many turns apart on are well spaced.
constexpr double spaced_turns = 4;

struct Shape {
  std::size_t d, l;
};
PERP_ROW(Shape, d, l)
struct Columns : Shape {
  std::size_t pairs, spaced_pairs;
  double share, spaced_share;
};
PERP_ROW_OF(Columns, Shape, pairs, spaced_pairs, share, spaced_share)

/// PᵀP over positions 0 … length-1, summed tile by tile: no more than a tile of the table is held.
Matrix<double> column_gram(std::size_t length, std::size_t d) {
  constexpr std::size_t tile = 512;
  Matrix<double> sum = zeros<double>(d, d);
  std::vector<std::uint64_t> positions;
  for (std::size_t first = 0; first < length; first += tile) {
    positions.clear();
    for (std::size_t t = first; t < std::min(length, first + tile); ++t) positions.push_back(t);
    const Matrix<double> part = gram_columns(sinusoid_at(positions, d));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

/// |cosines| of pairs of columns.
struct Cosines {
  std::size_t count = 0, small = 0;

  void add(double cosine) {
    ++count;
    small += cosine < nearly_orthogonal;
  }
  double share() const { return count ? small / double(count) : NAN; }
};

void measure(const Shape& at, const Streams&, Rows& rows) {
  const double turn = 2 * std::numbers::pi / at.l;
  const std::vector<double> omega = frequencies(at.d);
  const Matrix<double> gram = column_gram(at.l, at.d);
  const auto cosine = [&](std::size_t a, std::size_t b) {
    return std::abs(gram(a, b)) / std::sqrt(gram(a, a) * gram(b, b));
  };
  Cosines all, spaced;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::size_t sine = 2 * i;
    all.add(cosine(sine, sine + 1));
    for (std::size_t j = i + 1; j < omega.size(); ++j) {
      const std::size_t other = 2 * j;
      const double turns = (omega[i] - omega[j]) / turn;
      for (const double each : {cosine(sine, other), cosine(sine, other + 1), cosine(sine + 1, other),
                                cosine(sine + 1, other + 1)}) {
        all.add(each);
        if (turns >= spaced_turns) spaced.add(each);
      }
    }
  }
  rows.add(Columns{at, all.count, spaced.count, all.share(), spaced.share()});
}

const auto d = exact("d", "dimension: d columns", &Shape::d);
const auto positions = exact("positions", "L: length of a column", &Shape::l).unit("positions");
double chance(const Shape& at) { return 1 - theory::cosine_exceeds(at.l, nearly_orthogonal); }

const auto share = rounded("share",
                           "share of the pairs of columns with |cosine| below a tenth; theory: random "
                           "directions of as many positions",
                           &Columns::share)
                       .theory(chance)
                       .n(&Columns::pairs);

void add_table(const std::vector<Columns>& shapes, Summary& summary) {
  summary.table("d8_share.csv", shapes,
                {d, positions, exact("pairs", "pairs of columns", &Columns::pairs), share,
                 exact("chance", "the same for random directions of R^L", chance),
                 exact("spaced_pairs", "pairs of columns whose frequencies are 4 turns apart or more",
                       &Columns::spaced_pairs),
                 rounded("spaced_share", "share of these with |cosine| < 0.1; empty if there are none",
                         &Columns::spaced_share)});
}

void conclude(const Cells& cells, Summary& summary) {
  const auto shapes = rows_of<Columns>(cells);
  add_table(shapes, summary);
  const auto is_shown = [](const Shape& at) { return at.l == 512 || at.l == 8192; };
  summary.each(where(only(shapes, &Columns::d, 512u), is_shown), {d, exact("l", "", &Shape::l)}, {share});
  add_overall(summary, "spaced_share", {}, least(shapes, &Columns::spaced_share),
              total(shapes, &Columns::spaced_pairs),
              "Smallest share of |cosine| below a tenth among pairs of columns whose frequencies are four "
              "periods apart or more over the positions, all widths and lengths.");
  summary.rule = {condition(Role::core, "spaced_share", Is::above, nearly_all, Evidence::closed_form,
                            {{"pairs", "four turns apart"}}),
                  condition(Role::limit, "share.d512.l512", Is::above, nearly_all, Evidence::closed_form,
                            {{"pairs", "all"}})};
}

}  // namespace

Experiment columns(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  Experiment claim{"D8", "Sine and cosine bring a kind of orthogonality.", "[a]"};
  claim.measure(
      grid<Shape>(pick<Sizes>(options.preset, {64, 512}, doubling(64, 1024), doubling(64, 2048)),
                  pick<Sizes>(options.preset, {64, 512, 8192}, doubling(64, 8192),
                              {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536})),
      [](const Shape& s) { return 1e-10 * s.l * s.d * s.d + 2e-8 * s.d * (s.l + s.d); }, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
