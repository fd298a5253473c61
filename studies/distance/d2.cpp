// D2: nearby positions are similar. The kernel of the table, lag by lag, against its laws.

#include <algorithm>
#include <cmath>

#include "perp/measures/nearness.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t ordered_lags = 512;  // positions whose distances are put in order
/// "The nearer of two is the more similar one": in more than this share of the pairs of lags.
constexpr double mostly_in_order = 0.9;
constexpr std::uint64_t pairs_of_lags = (ordered_lags - 2) * (ordered_lags - 1) / 2;

struct Curve {
  std::size_t d;
  double base;
  std::size_t lags;
};
PERP_ROW(Curve, d, base, lags)
struct Step : Curve {
  std::size_t lag;
  double share, least, most;
};
PERP_ROW_OF(Step, Curve, lag, share, least, most)
struct Order : Curve {
  std::size_t rise, best, beyond;
  double rise_share, distance, rise_near, ordered;
};
PERP_ROW_OF(Order, Curve, rise, best, beyond, rise_share, distance, rise_near, ordered)
struct Laws : Curve {
  double exact, limit, finite, log_line, ripple;
};
PERP_ROW_OF(Laws, Curve, exact, limit, finite, log_line, ripple)

/// The kernel by steps of a twentieth of a decade: value at the step's first lag, least and most in the step.
void add_steps(const Curve& at, std::span<const double> g, Rows& rows) {
  const double half = at.d / 2.0;
  for (std::size_t lag = 1, next; lag < g.size(); lag = next) {
    next = std::min(std::max(lag + 1, std::size_t(std::pow(10, 0.05) * double(lag))), g.size());
    const auto [least, most] = std::ranges::minmax(g.subspan(lag, next - lag));
    rows.add(Step{at, lag, g[lag] / half, least / half, most / half});
  }
}

Laws against_laws(const Curve& at, std::span<const double> g) {
  const double T = at.base, half = at.d / 2.0, alias = theory::alias_lag(at.d, T);
  /// Largest |g(k)/g(0) - law(k)| for first <= k < last, NaN if there is no such lag.
  const auto departure = [&](double first, double last, const std::function<double(double)>& law) {
    double worst = NAN;
    for (double k = std::ceil(first); k < std::min(last, double(g.size())); ++k)
      worst = std::fmax(worst, std::abs(g[std::size_t(k)] / half - law(k)));
    return worst;
  };
  const std::vector<double> sums = sinusoid_kernel(std::min<std::size_t>(1000, g.size()), at.d, T);
  const auto limit = [&](double k) { return theory::kernel_limit(T, k); };
  return {at,
          departure(0, 1000, [&](double k) { return sums[std::size_t(k)] / half; }),
          departure(1, alias / 2, limit),
          departure(1, alias / 2, [&](double k) { return theory::kernel_finite(at.d, T, k); }),
          departure(10, std::min(alias / 2, T / 10), [&](double k) { return theory::kernel_log_line(T, k); }),
          departure(alias, 4 * alias, limit) / theory::alias_size(at.d, T)};
}

void measure(const Curve& at, const Streams&, Rows& rows) {
  const double half = at.d / 2.0;
  const std::vector<double> g = kernel_of_table(at.d, at.base, std::size_t(std::lround(std::sqrt(at.lags))));
  const Nearness near = nearness(g);
  rows.add(against_laws(at, g));
  rows.add(Order{at, near.first_rise, near.best, near.best_beyond, g[near.first_rise] / half,
                 std::sqrt(std::max(0.0, 2 * (half - g[near.best]))),
                 nearness(std::span(g).first(ordered_lags)).largest_rise / half,
                 ordered_share(g, ordered_lags)});
  // Curves that are drawn or worth a look: every width at the usual base, every base at the usual width.
  if (at.d == 512 || at.base == usual_base) add_steps(at, g, rows);
}

/// Widths below those of the cells, in closed form: how often is a lag above 1 the most similar one?
const std::vector<double> bases{1e2, 1e3, 1e4, 1e5, 1e6};
constexpr std::size_t narrow_widths[] = {16, 32}, narrow_lags = 8192;
std::size_t narrow_strangers() {
  std::size_t strangers = 0;
  for (const std::size_t d : narrow_widths)
    for (const double base : bases) {
      const std::vector<double> g = sinusoid_kernel(narrow_lags + 1, d, base);
      strangers += std::max_element(g.begin() + 1, g.end()) != g.begin() + 1;
    }
  return strangers;
}

Rule rule() {
  Rule rule;
  const auto add = [&](Role role, std::string_view finding, Is is, double bound, const char* says,
                       const std::string& widths) {
    rule.push_back(
        condition(role, finding, is, bound, Evidence::closed_form, {{"what is asked", says}, {"d", widths}}));
  };
  const auto in_order = [&](Role role, std::size_t d) {
    add(role, fmt::format("ordered.d{}", d), Is::above, mostly_in_order, "the nearer of two is more similar",
        fmt::format("{}", d));
  };
  for (const std::size_t d : {512, 1024, 2048, 4096}) in_order(Role::core, d);
  const char* neighbour_first = "the neighbour is most similar";
  add(Role::core, "strangers", Is::equal, 0, neighbour_first, "64 to 4,096");
  add(Role::core, "strangers_narrow", Is::equal, 0, neighbour_first, "16 and 32");
  for (const std::size_t d : {64, 128, 256}) in_order(Role::limit, d);
  add(Role::limit, "first_rise.d512", Is::above, 510, "it falls with every lag", "512");
  rule.push_back(condition(Role::limit, elsewhere, Is::above, 0.0, Evidence::released,
                           {{"evidence", "released"}}, "the same of learned positions", needs_model));
  return rule;
}

const auto d = exact("d", "dimension", &Curve::d);
const auto base = exact("base", "T", [](const Curve& c) { return std::size_t(c.base); });
const auto alias_size = [](const Curve& c) { return theory::alias_size(c.d, c.base); };
const auto estimate = [](const Curve& c) { return theory::rise_estimate(c.d, c.base); };
const auto usual = [](const Curve& c) { return c.base == usual_base; };

void add_kernel(const Cells& cells, Summary& summary) {
  const auto finite = [](const Step& s) {
    return s.lag < theory::alias_lag(s.d, s.base) ? theory::kernel_finite(s.d, s.base, s.lag) : NAN;
  };
  summary.table("d2_kernel.csv", rows_of<Step>(cells),
                {d, base, exact("lag", "k, the first lag of a step of a twentieth of a decade", &Step::lag),
                 rounded("share", "g(k)/g(0), measured", &Step::share),
                 rounded("least", "its smallest value within the step", &Step::least),
                 rounded("most", "its largest value within the step", &Step::most),
                 exact("limit", "(Ci(k) - Ci(k/T))/ln T",
                       [](const Step& s) { return theory::kernel_limit(s.base, s.lag); }),
                 exact("finite", "the same corrected for d; absent beyond the alias lag", finite),
                 exact("log_line", "1 - (gamma + ln k)/ln T",
                       [](const Step& s) { return theory::kernel_log_line(s.base, s.lag); })});
}

void add_orders(const std::vector<Order>& orders, Summary& summary) {
  const auto first_rise = [](const Order& o) { return theory::first_rise(o.d, o.base); };
  const auto distance_limit = [](const Order& o) {
    return std::sqrt(o.d * (1 - theory::kernel_limit(o.base, 1)));
  };
  const auto rise = counted("rise", "smallest k with g(k+1) > g(k)", &Order::rise)
                        .theory("rise_theory", "the same by the exact sum", first_rise)
                        .n(&Order::lags);
  const auto rise_near =
      rounded("rise_near",
              "most by which a farther of 512 positions is more similar than a nearer one, over g(0)",
              &Order::rise_near)
          .n(pairs_of_lags);
  const auto ordered =
      rounded("ordered", "share of the pairs of distances 1 to 511 in which the smaller is the more similar",
              &Order::ordered)
          .chance(0.5)
          .n(pairs_of_lags);
  summary.table("d2_nearness.csv", orders,
                {d, base, exact("lags", "lags measured", &Order::lags), rise,
                 exact("rise_estimate", "1/sqrt((2 ln T/d)^2 + 12/T^2): no rise before it", estimate),
                 rounded("rise_share", "g/g(0) there", &Order::rise_share), rise_near,
                 exact("alias_size", "sqrt(2/(d ln T)), the size of one alias", alias_size), ordered,
                 counted("best", "lag above 0 with the largest similarity", &Order::best),
                 counted("beyond", "lag above that one with the largest similarity", &Order::beyond),
                 rounded("distance", "smallest distance between two different positions", &Order::distance)
                     .theory("distance_limit", "sqrt(d (1 - limit(1)))", distance_limit)});
  const auto of_widths = [&](std::initializer_list<std::size_t> widths) {
    return where(orders, [=](const Order& o) {
      return usual(o) && std::ranges::find(widths, o.d) != std::end(widths);
    });
  };
  summary.each(
      of_widths({64, 512, 4096}), {d},
      {rise.as("first_rise",
               "Lag k after which similarity g(k) first rises, T = 10,000; theory: by the exact sum.")});
  summary.each(
      where(orders, usual), {d},
      {ordered.as(
          "ordered",
          "Share of the pairs of distances 1 to 511 in which the smaller is the more similar, T = 10,000.")});
  summary.each(of_widths({64, 512}), {d}, {rise_near});
  summary.each(where(orders, [](const Order& o) { return o.d == 512 && o.base < usual_base; }), {d, base},
               {ordered});
}

void add_laws(const std::vector<Laws>& laws, Summary& summary) {
  summary.table(
      "d2_laws.csv", laws,
      {d, base, exact("alias_lag", "pi d/ln T", [](const Laws& l) { return theory::alias_lag(l.d, l.base); }),
       rounded("exact", "largest |g/g(0) - exact sum|, lags below 1000", &Laws::exact),
       rounded("limit", "largest departure from the Ci law, lags 1 to alias_lag/2", &Laws::limit),
       rounded("finite", "the same from the law corrected for d", &Laws::finite),
       rounded("log_line", "the same from the log line, lags 10 to T/10 and alias_lag/2", &Laws::log_line),
       rounded("ripple", "departure from the Ci law in units of alias_size, lags to 4 alias_lag",
               &Laws::ripple)});
}

/// Over all d and T that were measured, and narrower ones.
void add_everywhere(const std::vector<Order>& orders, const std::vector<Laws>& laws, Summary& summary) {
  const std::uint64_t lags = total(orders, &Order::lags), tables = orders.size();
  const auto ratio = [](const Order& o) { return o.rise / estimate(o); };
  add_overall(summary, "strangers", {}, count_if(orders, [](const Order& o) { return o.best != 1; }), lags,
              "Combinations of d and T, d from 64 on, in which some lag above 1 is more similar than lag 1.",
              0.0, Kind::count);
  add_overall(summary, "strangers_beyond", {}, count_if(orders, [](const Order& o) { return o.beyond != 2; }),
              lags, "Combinations of d and T in which some lag above 2 is more similar than lag 2.", 0.0,
              Kind::count);
  add_overall(summary, "rise_ratio_least", {}, least(orders, ratio), tables,
              "First rise over 1/sqrt((2 ln T/d)^2 + 12/T^2), least over d and T.", 1.0);
  add_overall(summary, "rise_ratio_most", {}, most(orders, ratio), tables,
              "First rise over 1/sqrt((2 ln T/d)^2 + 12/T^2), largest over d and T.");
  add_overall(summary, "law_departure", {{"law", "finite"}},
              most(laws, [](const Laws& l) { return l.finite / alias_size(l); }), lags,
              "Largest departure from the law corrected for d up to half the alias lag, in alias sizes.",
              0.0);
  add_overall(
      summary, "ripple_least", {}, least(laws, &Laws::ripple), tables,
      "Departure from the Ci law between alias_lag and 4 alias_lag in alias sizes, least over d and T.");
  add_overall(
      summary, "ripple_most", {}, most(laws, &Laws::ripple), tables,
      "Departure from the Ci law between alias_lag and 4 alias_lag in alias sizes, largest over d and T.");
  add_overall(summary, "strangers_narrow", {}, narrow_strangers(),
              std::size(narrow_widths) * bases.size() * narrow_lags,
              "Combinations of d and T, d = 16 and 32, in which some lag above 1 is more similar than lag 1; "
              "T = 100 to a million, lags to 8,192, by the exact sum.",
              0.0, Kind::count);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto orders = rows_of<Order>(cells);
  const auto laws = rows_of<Laws>(cells);
  add_kernel(cells, summary);
  add_orders(orders, summary);
  add_laws(laws, summary);
  add_everywhere(orders, laws, summary);
  summary.rule = rule();
}

}  // namespace

Experiment nearby_is_similar(const Options& options) {
  Experiment claim{"D2", "Nearby positions have similar encodings: similarity falls with distance.",
                   "[d, c]"};
  const std::size_t side = pick<std::size_t>(options.preset, 128, 512, 1024);
  claim.measure(
      grid<Curve>(doubling(64, 4096), options.preset == Preset::quick ? std::vector{1e4} : bases,
                  side * side),
      [](const Curve& c) { return 1e-10 * double(c.lags * c.d) + 0.01; }, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
