// Q1: sines and cosines interleaved, or one half each? Every measure under a change of order that weights
// follow, and the scores of weights that do not follow.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/measures/kernel.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/q1_measure.hpp"

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
  std::size_t measure, numbers;
  double half_split, any_order, bound;

  double largest() const { return std::fmax(half_split, any_order); }
  double over_bound() const { return largest() / bound; }
  std::size_t compared() const { return numbers * (std::isnan(any_order) ? 1 : 1 + orders); }
};
PERP_ROW_OF(Change, Following, measure, numbers, half_split, any_order, bound)

/// With the names of its measure.
struct Followed : Change, LayoutMeasure {};

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

/// Given weights, trained with positions of their own, held fixed.
struct Given {
  std::string what, tables;
  std::size_t orders;
};
PERP_ROW(Given, what, tables, orders)
struct Head : Given {
  std::size_t head;
  double interleaved, half_split;
};
PERP_ROW_OF(Head, Given, head, interleaved, half_split)
struct Order : Given {
  double mean;
};
PERP_ROW_OF(Order, Given, mean)

const auto difference = [](const auto& row) { return row.half_split - row.interleaved; };

std::vector<std::size_t> random_order(std::size_t d, const Stream& stream) {
  const std::vector<std::uint32_t> drawn = permutation(stream, static_cast<std::uint32_t>(d));
  return {drawn.begin(), drawn.end()};
}

void measure_change(const Following& at, const Streams& streams, Rows& rows) {
  const std::size_t width = std::min(head_width, at.d);
  const OrderedTables tables{layout_permutation(at.d, Layout::interleaved),
                             Layout::interleaved,
                             at.base,
                             sinusoidal<double>(at.l, at.d, at.base),
                             normal_matrix<double>(at.l, at.d, streams("words")),
                             normal_matrix<double>(at.d, at.d, streams("weights")),
                             normal_matrix<double>(at.d, width, streams("query")),
                             normal_matrix<double>(at.d, width, streams("key"))};
  std::vector<OrderedTables> others{
      reordered(tables, layout_permutation(at.d, Layout::half_split), Layout::half_split)};
  for (std::size_t i = 0; i < at.orders; ++i)
    others.push_back(reordered(tables, random_order(at.d, streams("order", i)), std::nullopt));
  for (std::size_t m = 0; m < layout_measures().size(); ++m) {
    const std::optional<Reading> own = layout_measures()[m].read(tables);
    if (!own) continue;
    Change moved{at, m, own->values.size(), 0, NAN, own->bound};
    for (const OrderedTables& t : others)
      if (const std::optional<Reading> seen = layout_measures()[m].read(t)) {
        double& largest = t.layout ? moved.half_split : moved.any_order;
        largest = std::fmax(largest, change(*own, *seen));
      }
    rows.add(moved);
  }
}

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

/// The sinusoid at the given rows' positions through the given weights, which stay as they are.
void measure_given(const Given& at, const GivenPositions& given, const Streams& streams, Rows& rows) {
  const std::size_t length = perp::rows(*given.positions), d = cols(*given.positions);
  const Matrix<double> all = sinusoidal<double>(given.first + length, d);
  Matrix<double> table = matrix<double>(length, d);
  std::copy_n(all.data() + given.first * d, table.size(), table.data());
  const auto through = [&](const std::vector<std::size_t>& order) {
    return head_r2(reorder_columns(table, order), given);
  };
  const std::vector<double> interleaved = head_r2(table, given),
                            half_split = through(layout_permutation(d, Layout::half_split));
  for (std::size_t h = 0; h < interleaved.size(); ++h) rows.add(Head{at, h, interleaved[h], half_split[h]});
  for (std::size_t i = 0; i < at.orders; ++i) {
    const std::vector<double> r2 = through(random_order(d, streams("order", i)));
    rows.add(Order{at, std::accumulate(r2.begin(), r2.end(), 0.0) / double(r2.size())});
  }
}

// ---- weights that follow -------------------------------------------------------------------------------

void add_following(const std::vector<Change>& rows, Summary& summary) {
  std::vector<Followed> changes;
  for (const Change& change : rows) changes.push_back({change, layout_measures()[change.measure]});
  std::ranges::stable_sort(changes, {}, &Change::measure);
  summary.table(
      "q1_change.csv", changes,
      {exact("measure", "what is measured; its name in the findings", &LayoutMeasure::name),
       exact("label", "the same in words", &LayoutMeasure::label), exact("d", "dimension", &Change::d),
       exact("positions", "L; base T = 10000, and T = 10 for d = 8", &Change::l),
       exact("numbers", "numbers that the measure gives", &Change::numbers),
       rounded("half_split",
               "largest change of one of them from interleaved to half-split, weights following",
               &Change::half_split)
           .unit("rounding"),
       exact("orders", "random orders of the dimensions tried besides", &Change::orders),
       rounded("any_order", "largest change over these; empty where there is no such", &Change::any_order)
           .unit("rounding"),
       rounded("bound", "what rounding can do at worst", &Change::bound),
       exact("relative", "what the change is relative to", &LayoutMeasure::relative),
       exact("formula", "of the bound: u = 2^-53, v = 2^-24", &LayoutMeasure::formula)});
  for (const Group<Followed>& of_measure : group_by(changes, &Change::measure)) {
    const Followed& nearest = *std::ranges::max_element(of_measure, {}, &Change::over_bound);
    add_overall(summary, "change", {{"measure", nearest.name}}, nearest.largest(),
                total(of_measure, &Change::compared),
                fmt::format("Largest change of {} when tables and weights go over to another order of the "
                            "dimensions, relative to {}, in the case nearest to its bound; theory: the bound "
                            "by rounding, {}; n numbers compared.",
                            nearest.label, nearest.relative, nearest.formula),
                nearest.bound, Kind::rounded, "rounding");
    summary.rule.push_back(condition(Role::core, fmt::format("change.{}", nearest.name), Is::below, "theory",
                                     Evidence::theorem, {{"measure", nearest.label}},
                                     fmt::format("largest change of {} when tables and weights are permuted "
                                                 "together, in units of the bound for rounding",
                                                 nearest.label)));
  }
  add_overall(summary, "change_worst", {}, most(changes, &Change::over_bound),
              total(changes, &Change::compared),
              "Largest change of any measure over its bound; theory: the bound itself; n numbers compared.",
              1, Kind::rounded, "× rounding error");
}

// ---- weights that do not -------------------------------------------------------------------------------

template <class Row, class Get>
Moments moments_of(const std::vector<Row>& rows, const Get& get) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(std::invoke(get, row));
  return perp::moments_of(values);
}

/// The draws of one cell.
struct Compared : Fixed {
  double interleaved, half_split;
  Estimate difference;
  double sd, sd_unrelated;
  Estimate visible;
};

Compared compared(const Group<Draw>& draws) {
  const Moments one = moments_of(draws, &Draw::interleaved), two = moments_of(draws, &Draw::half_split),
                apart = moments_of(draws, difference);
  const auto seen =
      count_if(draws, [](const Draw& draw) { return std::abs(difference(draw)) >= visible_difference; });
  return {draws.front(),
          one.mean,
          two.mean,
          estimated(apart),
          std::sqrt(apart.variance),
          std::sqrt(one.variance + two.variance),
          estimated(double(seen) / double(draws.size()), share_spread(seen, draws.size()))};
}

void add_fixed(const std::vector<Draw>& draws, Summary& summary) {
  std::vector<Compared> cells;
  for (const Group<Draw>& cell : group_by(draws, &Draw::matrix, &Draw::d)) cells.push_back(compared(cell));
  const auto matrix =
      exact("matrix", "gaussian M; heads QᵀK and tied QᵀQ of the rank; drawn once", &Fixed::matrix);
  const auto d = exact("d", "dimension", &Fixed::d);
  const auto apart =
      sampled("difference", "half-split less interleaved, mean over draws", &Compared::difference)
          .interval("difference_low", "difference_high", "its 99% interval by Student's t")
          .chance(0)
          .n(&Fixed::draws);
  const auto sd = sampled("sd", "standard deviation of the difference over draws", &Compared::sd)
                      .theory(&Compared::sd_unrelated)
                      .n(&Fixed::draws);
  const auto visible =
      sampled("visible", "share of draws that differ by 0.01 or more", &Compared::visible).n(&Fixed::draws);
  summary.table(
      "q1_fixed.csv", cells,
      {matrix, exact("rank", "rows of Q and K; 0 where there are none", &Fixed::rank), d,
       exact("draws", "of the weights; 512 positions each", &Fixed::draws),
       sampled("interleaved", "R² of relative distance, mean over draws", &Compared::interleaved),
       sampled("half_split", "the same through the same weights", &Compared::half_split), apart, sd,
       sampled("sd_unrelated", "the same if the two were drawn independently", &Compared::sd_unrelated),
       visible});
  summary.table("q1_draws.csv", only(draws, &Draw::d, 768u),
                {matrix.as("matrix", "heads QᵀK and tied QᵀQ of rank 64, d = 768"),
                 exact("draw", "number of the draw", &Draw::draw),
                 sampled("interleaved", "R² of relative distance", &Draw::interleaved),
                 sampled("half_split", "the same through the same weights", &Draw::half_split)});
  const auto wide = only(cells, &Fixed::d, 768u);
  const auto mean_difference =
      apart.as("fixed",
               "R² of relative distance of a half-split sinusoid less that of an interleaved one through the "
               "same random weights, mean over draws; theory: the weights have one law in either order.");
  summary.each(only(wide, &Fixed::matrix, "heads"), {matrix, d},
               {mean_difference,
                sd.as("fixed_sd",
                      "Standard deviation of that difference over draws; beside it that of two sinusoids "
                      "through weights drawn independently."),
                visible.as("fixed_visible",
                           "Share of draws of random weights, held fixed, in which the two layouts differ by "
                           "a hundredth of R² or more.")});
  summary.each(only(wide, &Fixed::matrix, "tied"), {matrix, d}, {mean_difference});
}

void add_given(const std::vector<Head>& heads, const std::vector<Order>& orders, Summary& summary) {
  const Moments over_orders = moments_of(orders, &Order::mean);
  const auto of_heads = [&](const char* measure, double value, double theory, const char* meaning) {
    add_overall(summary, measure, {}, value, heads.size(), meaning, theory);
  };
  const auto of_orders = [&](const char* measure, const Estimate& estimate, const char* meaning) {
    summary.number(measure, {}, estimate, {.n = orders.size(), .kind = Kind::sampled, .meaning = meaning});
  };
  of_heads("given_interleaved", moments_of(heads, &Head::interleaved).mean, over_orders.mean,
           "R² of relative distance of the interleaved sinusoid through the given weights as they are, mean "
           "over heads; beside it random orders of its dimensions.");
  of_heads("given_half_split", moments_of(heads, &Head::half_split).mean, over_orders.mean,
           "The same of the half-split sinusoid.");
  of_orders("given_orders", estimated(over_orders),
            "The same of the sinusoid with its dimensions in a random order, mean over orders.");
  of_orders("given_orders_sd", {std::sqrt(over_orders.variance)}, "Standard deviation of that over orders.");
  of_heads("given_difference", moments_of(heads, difference).mean, 0,
           "Half-split less interleaved, mean over heads; theory: weights that know no order.");
  summary.table("q1_heads.csv", heads,
                {exact("head", "of the given layer, from 0", &Head::head),
                 rounded("interleaved", "R² of relative distance of the sinusoid through its weights",
                         &Head::interleaved),
                 rounded("half_split", "the same, half-split", &Head::half_split)});
}

/// Where weights stay as they are while the table goes over to the other layout.
void add_limits(Rule& rule) {
  rule.push_back(condition(Role::limit, "fixed_visible.heads.d768", Is::below, 0.5, Evidence::simulation,
                           {{"weights", "held fixed, random"}}));
  rule.push_back(condition(Role::limit, "given_difference", Is::equal, 0.0, Evidence::released,
                           {{"weights", "held fixed, trained"}},
                           "R² of relative distance of a half-split sinusoid less that of an interleaved one "
                           "through given weights, mean over heads",
                           "a released layer: --positions, --query and --key"));
  rule.back().margin = visible_difference;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto heads = rows_of<Head>(cells);
  add_following(rows_of<Change>(cells), summary);
  add_fixed(rows_of<Draw>(cells), summary);
  if (!heads.empty()) add_given(heads, rows_of<Order>(cells), summary);
  add_limits(summary.rule);
}

}  // namespace

Experiment layout_of_pairs(const Options& options, const SharedPositions& given) {
  Experiment claim{"Q1",
                   "Interleaved or half-split sines and cosines make no difference if the weights are "
                   "permuted accordingly.",
                   "(asked)"};
  const std::size_t orders = pick<std::size_t>(options.preset, 2, 8, 40),
                    draws = pick<std::size_t>(options.preset, 24, 200, 2000);
  std::vector<Following> following{{"change", 8, 9, 10, orders}, {"change", 64, 256, usual_base, orders}};
  if (options.preset != Preset::quick)
    following.push_back({"change", 512, 512, usual_base, pick<std::size_t>(options.preset, 1, 1, 8)});
  claim.measure(
      following,
      [](const Following& at) {
        return double(at.orders + 2) * (2e-9 * double(at.d * at.d) * double(at.d + at.l) + 1e-2);
      },
      measure_change);
  claim.measure(
      std::vector<Fixed>{{"fixed", "gaussian", 0, 64, fixed_length, draws},
                         {"fixed", "heads", head_width, 64, fixed_length, draws},
                         {"fixed", "heads", head_width, 768, fixed_length, draws},  // the shape of GPT-2's
                         {"fixed", "tied", head_width, 768, fixed_length, draws}},
      [](const Fixed& at) {
        const double r = at.rank ? at.rank : at.d;
        return double(at.draws) * (2e-11 * fixed_length * r * double(2 * at.d + fixed_length) + 1e-3);
      },
      measure_fixed);
  if (given->weights && cols(*given->positions) % 2 == 0) {
    const double l = rows(*given->positions), d = cols(*given->positions);
    claim.measure(
        std::vector<Given>{{"given", given->key(), pick<std::size_t>(options.preset, 4, 40, 400)}},
        [l, d](const Given& at) { return double(at.orders + 2) * 4e-10 * l * d * (d + l); },
        [given](const Given& at, const Streams& streams, Rows& rows) {
          measure_given(at, *given, streams, rows);
        });
  }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
