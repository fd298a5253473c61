// Q1: sines and cosines interleaved, or one half each? The score of sums under a change of order that weights
// follow, and the scores of weights that do not. That no other measure knows the order is a test of theirs
// (tests/measures/dimensions.cpp).

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/measures/kernel.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/layout.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/heads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t fixed_length = 512, head_width = 64;
/// A difference of R² that a reader would call one.
constexpr double visible_difference = 0.01;

/// Weights that follow the tables into other orders of the dimensions.
struct Following {
  std::string what;
  std::size_t d, l;
  double base;
  std::size_t orders;
};
PERP_ROW(Following, what, d, l, base, orders)
struct Change : Following {
  double largest, bound;
};
PERP_ROW_OF(Change, Following, largest, bound)

/// Random weights, held fixed.
struct Fixed {
  std::string what, matrix;
  std::size_t rank, d, l, draws;
};
PERP_ROW(Fixed, what, matrix, rank, d, l, draws)
struct Draw : Fixed {
  std::size_t draw;
  double interleaved, half_split;
};
PERP_ROW_OF(Draw, Fixed, draw, interleaved, half_split)

/// Given weights, trained with positions of their own, held fixed: means over heads.
struct Given {
  std::string what, tables;
  std::size_t heads;
};
PERP_ROW(Given, what, tables, heads)
struct Heads : Given {
  double interleaved, half_split;
};
PERP_ROW_OF(Heads, Given, interleaved, half_split)

const auto difference = [](const auto& row) { return row.half_split - row.interleaved; };

// ---- weights that follow -------------------------------------------------------------------------------

struct Ordered {
  Matrix<double> words, positions, m;  ///< L x d, L x d, d x d
};

/// Columns of tables, rows and columns of M.
Ordered reordered(const Ordered& t, const std::vector<std::size_t>& order) {
  return {reorder_columns(t.words, order), reorder_columns(t.positions, order),
          reorder_rows(reorder_columns(t.m, order), order)};
}

/// The largest change of the four terms of (x + p)ᵀM(y + q), as a share of their sum.
double change(const FourTerms& a, const FourTerms& b) {
  double largest = 0;
  for (const auto term : {&FourTerms::word_word, &FourTerms::word_position, &FourTerms::position_word,
                          &FourTerms::position_position, &FourTerms::distance_only, &FourTerms::score})
    largest = std::fmax(largest, std::abs(a.*term - b.*term));
  return largest / a.sum();
}

/// What rounding can change of them at worst.
double rounding_bound(const Ordered& t, const FourTerms& terms) {
  const auto square = [](const Matrix<double>& m) {
    return std::inner_product(m.begin(), m.end(), m.begin(), 0.0);
  };
  const double d = cols(t.words), n = rows(t.words), power = (square(t.words) + square(t.positions)) / n;
  return 8 * (d + n) * 0x1p-53 * power * power * square(t.m) / terms.sum();
}

void measure_change(const Following& at, const Streams& streams, Rows& rows) {
  const Ordered tables{normal_matrix<double>(at.l, at.d, streams("words")),
                       sinusoidal<double>(at.l, at.d, at.base),
                       normal_matrix<double>(at.d, at.d, streams("weights"))};
  const auto read = [](const Ordered& t) { return four_terms(t.words, t.positions, t.m); };
  const FourTerms own = read(tables);
  double largest = change(own, read(reordered(tables, layout_permutation(at.d, Layout::half_split))));
  for (std::size_t i = 0; i < at.orders; ++i) {
    const auto drawn = permutation(streams("order", i), static_cast<std::uint32_t>(at.d));
    largest = std::fmax(largest, change(own, read(reordered(tables, {drawn.begin(), drawn.end()}))));
  }
  rows.add(Change{at, largest, rounding_bound(tables, own)});
}

void add_following(const std::vector<Change>& changes, Summary& summary) {
  const Change& nearest =
      *std::ranges::max_element(changes, {}, [](const Change& c) { return c.largest / c.bound; });
  add_overall(summary, "change", {{"measure", "four_terms"}}, nearest.largest,
              total(changes, [](const Change& c) { return 6 * (1 + c.orders); }),
              "Largest change of the four terms of the score of sums when tables and weights are permuted "
              "together, as a share of their sum, in the case nearest to its bound; theory: the bound by "
              "rounding; n numbers compared.",
              nearest.bound, Kind::rounded, "rounding");
  summary.rule = {condition(Role::core, "change.four_terms", Is::below, "theory", Evidence::theorem,
                            {{"weights", "permuted with the tables"}},
                            "largest change of the score of sums, in four terms, when tables and weights are "
                            "permuted together, as a share of it")};
}

// ---- weights that do not -------------------------------------------------------------------------------

/// One and the same weights for both layouts: the same streams.
void measure_fixed(const Fixed& at, const Streams& streams, Rows& rows) {
  const ScoreCase c{"sinusoidal", at.matrix, at.rank, at.d, at.l};
  const Matrix<double> table = score_positions(c, streams, 0);
  const Matrix<float> interleaved = table,
                      half_split = reorder_columns(table, layout_permutation(c.d, Layout::half_split));
  const auto r2_through = [&](const Matrix<float>& positions, std::size_t draw) {
    const Factors<float> f = score_factors<float>(c, positions, streams, draw);
    return toeplitz_r2(lag_statistics(f.left, f.right, 1));
  };
  for (std::size_t draw = 0; draw < at.draws; ++draw)
    rows.add(Draw{at, draw, r2_through(interleaved, draw), r2_through(half_split, draw)});
}

void add_fixed(const Group<Draw>& draws, Summary& summary) {
  summary.table("q1_draws.csv", draws,
                {exact("draw", "number of the draw: QᵀK of rank 64, d = 768, 512 positions", &Draw::draw),
                 sampled("interleaved", "R² of relative distance", &Draw::interleaved),
                 sampled("half_split", "the same through the same weights", &Draw::half_split)});
  const double variance = draws.moments(difference).variance,
               unrelated =
                   draws.moments(&Draw::interleaved).variance + draws.moments(&Draw::half_split).variance;
  const auto seen =
      count_if(draws, [](const Draw& draw) { return std::abs(difference(draw)) >= visible_difference; });
  const auto add = [&](const char* measure, const Estimate& estimate, std::optional<double> theory,
                       const char* meaning) {
    summary.number(measure, {{"matrix", "heads"}, {"d", whole(draws.front().d)}}, estimate,
                   {.theory = theory, .n = draws.size(), .kind = Kind::sampled, .meaning = meaning});
  };
  add("fixed_sd", Estimate{std::sqrt(variance)}, std::sqrt(unrelated),
      "Standard deviation over draws of R² of relative distance of a half-split sinusoid less that of an "
      "interleaved "
      "one through the same random weights; beside it that of two sinusoids through weights drawn "
      "independently.");
  add("fixed_visible", estimated(double(seen) / double(draws.size()), share_spread(seen, draws.size())),
      std::nullopt,
      "Share of draws of random weights, held fixed, in which the two layouts differ by a hundredth of R² or "
      "more.");
}

/// The sinusoid at the given rows' positions through the given weights, which stay as they are.
void measure_given(const Given& at, const GivenPositions& given, Rows& rows) {
  const std::size_t length = perp::rows(*given.positions), d = cols(*given.positions);
  const Matrix<double> all = sinusoidal<double>(given.first + length, d);
  Matrix<double> table = matrix<double>(length, d);
  std::copy_n(all.data() + given.first * d, table.size(), table.data());
  const auto mean = [&](const Matrix<double>& positions) {
    return moments_of(head_r2(positions, given)).mean;
  };
  rows.add(Heads{at, mean(table), mean(reorder_columns(table, layout_permutation(d, Layout::half_split)))});
}

void add_given(const Heads& heads, Summary& summary) {
  add_overall(
      summary, "given_interleaved", {}, heads.interleaved, heads.heads,
      "R² of relative distance of the interleaved sinusoid through the given weights as they are, mean over "
      "heads.");
  add_overall(summary, "given_half_split", {}, heads.half_split, heads.heads,
              "The same of the half-split sinusoid.");
  add_overall(summary, "given_difference", {}, difference(heads), heads.heads,
              "Half-split less interleaved, mean over heads; theory: weights that know no order.", 0);
}

void conclude(const Cells& cells, Summary& summary) {
  add_following(rows_of<Change>(cells), summary);
  const auto draws = rows_of<Draw>(cells);
  add_fixed({draws.begin(), draws.end()}, summary);
  for (const Heads& heads : rows_of<Heads>(cells)) add_given(heads, summary);
  // Where weights stay as they are while the table goes over to the other layout.
  summary.rule.push_back(condition(Role::limit, "fixed_visible.heads.d768", Is::below, 0.5,
                                   Evidence::simulation, {{"weights", "held fixed, random"}}));
  summary.rule.push_back(
      condition(Role::limit, "given_difference", Is::equal, 0.0, Evidence::released,
                {{"weights", "held fixed, trained"}},
                "R² of relative distance of a half-split sinusoid less that of an interleaved one "
                "through given weights, mean over heads",
                "a released layer: --positions, --query and --key"));
  summary.rule.back().margin = visible_difference;
}

}  // namespace

Experiment layout_of_pairs(const Options& options, const SharedPositions& given) {
  Experiment claim{"Q1",
                   "Interleaved or half-split sines and cosines make no difference if the weights are "
                   "permuted accordingly.",
                   "(asked)"};
  const std::size_t orders = pick<std::size_t>(options.preset, 2, 8, 40),
                    draws = pick<std::size_t>(options.preset, 24, 200, 2000);
  claim.measure(std::vector<Following>{{"change", 8, 9, 10, orders}, {"change", 64, 256, usual_base, orders}},
                0.1, measure_change);
  claim.measure(
      std::vector<Fixed>{{"fixed", "heads", head_width, 768, fixed_length, draws}},  // the shape of GPT-2's
      [](const Fixed& at) { return 3e-3 * double(at.draws); }, measure_fixed);
  if (given->weights && cols(*given->positions) % 2 == 0) {
    const double l = rows(*given->positions), d = cols(*given->positions);
    claim.measure(std::vector<Given>{{"given", given->key(), given->weights->heads}}, 8e-10 * l * d * (d + l),
                  [given](const Given& at, const Streams&, Rows& rows) { measure_given(at, *given, rows); });
  }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
