// V4: wavelengths of all pairs, read from the table. "From 2π to 10000·2π": is the end reached?

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/hands.hpp"

namespace perp::anatomy {
namespace {

constexpr double circle = 2 * std::numbers::pi, belief = circle * usual_base;
/// A wavelength from one step of the table: the slowest turn of about 1e-4 with an error of 4 u, relative,
/// and twice that for the ratio of two.
constexpr double wavelength_error = 1e-11;

struct Width {
  std::size_t d;

  std::size_t pairs() const { return d / 2; }
  double last_line() const { return theory::last_wavelength(d, usual_base); }
};
PERP_ROW(Width, d)
struct Pair : Width {
  std::size_t pair;
  double wavelength, line;
};
PERP_ROW_OF(Pair, Width, pair, wavelength, line)
struct Ends : Width {
  double first, last, departure;
};
PERP_ROW_OF(Ends, Width, first, last, departure)

/// Positions to a full turn, from the turn between positions 0 and 1.
void measure(const Width& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(2, at.d);
  const std::vector<double> omega = frequencies(at.d);
  const double ratio = std::pow(usual_base, 2.0 / at.d);
  Ends ends{at, 0, 0, 0};
  for (std::size_t i = 0; i < at.pairs(); ++i) {
    const double wavelength = circle / read_hand(table, 2 * i, 2 * i + 1).turned;
    if (i == 0) ends.first = wavelength;
    if (i > 0) ends.departure = std::max(ends.departure, std::abs(wavelength / ends.last / ratio - 1));
    ends.last = wavelength;
    if (at.d <= width) rows.add(Pair{at, i, wavelength, circle / omega[i]});
  }
  rows.add(ends);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto d = exact("d", "dimension", &Width::d);
  const auto all = rows_of<Ends>(cells);
  summary.each(
      where(all, [](const Ends& e) { return e.d <= width; }), {d},
      {rounded("last", "wavelength of the last pair, the longest; theory: 2 pi T^(1 - 2/d)", &Ends::last)
           .unit("positions")
           .theory(&Width::last_line)
           .n(&Width::pairs),
       rounded("share", "longest wavelength over 2 pi T; theory: T^(-2/d)", [](const Ends& e) {
         return e.last / belief;
       }).theory([](const Width& at) {
           return at.last_line() / belief;
         }).n(&Width::pairs)});
  const auto worst = [&](const char* measure, double value, const char* meaning) {
    add_overall(summary, measure, {}, value, total(all, &Width::pairs), meaning, 0.0);
  };
  worst("first_departure", most(all, [](const Ends& e) { return std::abs(e.first / circle - 1); }),
        "Largest relative departure of a first wavelength from 2 pi, over widths from 16 to 4,096.");
  worst("ratio_departure", most(all, &Ends::departure),
        "Largest relative departure of a ratio of neighbouring wavelengths from T^(2/d), over widths from 16 "
        "to 4,096.");
  summary.table(
      "v4_wavelengths.csv", rows_of<Pair>(cells),
      {d, exact("pair", "i", &Pair::pair),
       exact("place", "2i/d: 1 would be the end that the progression does not reach",
             [](const Pair& p) { return 2.0 * p.pair / p.d; }),
       rounded("wavelength", "positions to a full turn, from the table", &Pair::wavelength).unit("positions"),
       exact("line", "2 pi T^(2i/d)", &Pair::line).unit("positions")});
  // For D7: the progression and where it begins; where it ends D7 says itself.
  summary.rule = {condition(Role::core, "first_departure", Is::below, wavelength_error, Evidence::closed_form,
                            {{"part", "wavelengths"}, {"of them", "the first"}}),
                  condition(Role::core, "ratio_departure", Is::below, 2 * wavelength_error,
                            Evidence::closed_form, {{"part", "wavelengths"}, {"of them", "neighbours"}})};
}

}  // namespace

Experiment wavelengths(const Options&) {
  Experiment claim{"V4", "The wavelengths form a geometric progression from 2π to 10000·2π.", "[b]"};
  claim.measure(
      std::vector<Width>{{16}, {64}, {width}, {4096}}, [](const Width& at) { return 1e-7 * at.d; }, measure);
  claim.conclude(conclude);
  return evidence_for("D7", claim);
}

}  // namespace perp::anatomy
