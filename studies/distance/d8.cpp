// D8: sine and cosine bring "a kind of orthogonality": of the columns of the table, over L positions.
// Spacings are counted in turns: ΔL/2π, the circles by which two frequencies Δ apart part company over L
// positions.

#include <array>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/distance.hpp"
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
/// A column that makes fewer turns than this over all positions is no wave but a slope.
constexpr double slow_turns = 0.1;

struct Shape {
  std::size_t d, l;
};
PERP_ROW(Shape, d, l)
struct Columns : Shape {
  std::size_t pairs, spaced_pairs, crowded_pairs;
  double share, line_share, spaced_share, crowded_share, one_turn, two_turns, slowest, departure;
};
PERP_ROW_OF(Columns, Shape, pairs, spaced_pairs, crowded_pairs, share, line_share, spaced_share,
            crowded_share, one_turn, two_turns, slowest, departure)

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
  double largest = NAN;  ///< of none

  void add(double cosine) {
    ++count;
    small += cosine < nearly_orthogonal;
    largest = std::fmax(largest, cosine);
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
  Cosines all, line, spaced, crowded, one_turn, two_turns;
  double slowest = NAN, departure = 0;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const std::size_t sine = 2 * i;
    const double own = cosine(sine, sine + 1),
                 own_line = std::abs(theory::sine_cosine_overlap(at.l, omega[i]));
    all.add(own);
    line.add(own_line);
    if (omega[i] >= turn) one_turn.add(own);
    if (omega[i] >= 2 * turn) two_turns.add(own);
    if (omega[i] < slow_turns * turn) slowest = own;
    departure = std::max(departure, std::abs(own - own_line));
    for (std::size_t j = i + 1; j < omega.size(); ++j) {
      const std::size_t other = 2 * j;
      const double delta = omega[i] - omega[j], turns = delta / turn;
      const double overlap = std::hypot(gram(sine + 1, other + 1) + gram(sine, other),
                                        gram(sine, other + 1) - gram(sine + 1, other)) /
                             at.l;
      const double expected = theory::frequency_overlap(at.l, delta);
      const std::array cosines{cosine(sine, other), cosine(sine, other + 1), cosine(sine + 1, other),
                               cosine(sine + 1, other + 1)};
      departure = std::max(departure, std::abs(overlap - expected));
      for (const double each : cosines) {
        all.add(each);
        line.add(expected);
        if (turns >= spaced_turns) spaced.add(each);
        if (turns < 1) crowded.add(each);
      }
    }
  }
  rows.add(Columns{at, all.count, spaced.count, crowded.count, all.share(), line.share(), spaced.share(),
                   crowded.share(), one_turn.largest, two_turns.largest, slowest, departure});
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
  summary.table(
      "d8_share.csv", shapes,
      {d, positions, exact("pairs", "pairs of columns", &Columns::pairs), share,
       rounded("line_share",
               "the same if every cosine of two frequencies were |sin(LD/2)/(L sin(D/2))|, D their spacing",
               &Columns::line_share),
       exact("chance", "the same for random directions of R^L", chance),
       exact("spaced_pairs", "pairs of columns whose frequencies are 4 turns apart or more",
             &Columns::spaced_pairs),
       rounded("spaced_share", "share of these with |cosine| < 0.1; empty if there are none",
               &Columns::spaced_share),
       exact("crowded_pairs", "pairs whose frequencies differ, by less than a turn", &Columns::crowded_pairs),
       rounded("crowded_share", "share of these with |cosine| < 0.1", &Columns::crowded_share),
       rounded("one_turn", "largest |cosine| of sine and cosine of one frequency of a turn or more",
               &Columns::one_turn),
       rounded("two_turns", "the same from two turns on", &Columns::two_turns)});
}

/// Extremes over all widths and lengths, absent cells left out.
void add_extremes(const std::vector<Columns>& shapes, Summary& summary) {
  const auto measured = [&](double Columns::*cosine) {
    return count_if(shapes, [=](const Columns& c) { return !std::isnan(c.*cosine); });
  };
  add_overall(summary, "spaced_share", {}, least(shapes, &Columns::spaced_share),
              total(shapes, &Columns::spaced_pairs),
              "Smallest share of |cosine| below a tenth among pairs of columns whose frequencies are four "
              "periods apart or more over the positions, all widths and lengths.");
  add_overall(summary, "one_turn", {}, most(shapes, &Columns::one_turn), measured(&Columns::one_turn),
              "Largest |cosine| of sine and cosine of one frequency that makes a turn or more.");
  add_overall(summary, "two_turns", {}, most(shapes, &Columns::two_turns), measured(&Columns::two_turns),
              "The same from two turns on.");
  add_overall(summary, "slowest", {}, least(shapes, &Columns::slowest), measured(&Columns::slowest),
              "Smallest |cosine| of the slowest sine and cosine where they make less than a tenth of a turn; "
              "theory: a constant against a slope.",
              std::numbers::sqrt3 / 2);
  add_overall(summary, "departure", {}, most(shapes, &Columns::departure), total(shapes, &Columns::pairs),
              "Largest departure of an overlap from its closed form.", 0.0);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto shapes = rows_of<Columns>(cells);
  add_table(shapes, summary);
  const auto is_shown = [](const Shape& at) { return at.l == 64 || at.l == 512 || at.l == 8192; };
  summary.each(where(only(shapes, &Columns::d, 512u), is_shown), {d, exact("l", "", &Shape::l)}, {share});
  add_extremes(shapes, summary);
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
