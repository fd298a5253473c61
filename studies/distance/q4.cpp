// Q4: are learned positions like sinusoids? A given table beside the sinusoid of its shape.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q4_portrait.hpp"

namespace perp::distance {
namespace {

/// All given rows, or those that training reached.
struct Place {
  std::string rows;
  std::size_t l, d;
};
PERP_ROW(Place, rows, l, d)
struct Likeness : Place {
  double r2_apart, neighbours, r99, r99_sinusoidal, kernel_departure;

  double r99_factor() const { return factor_between(r99, r99_sinusoidal); }
};
PERP_ROW_OF(Likeness, Place, r2_apart, neighbours, r99, r99_sinusoidal, kernel_departure)
struct Measured : Place {
  std::size_t index;
  double given, sinusoidal;
};
PERP_ROW_OF(Measured, Place, index, given, sinusoidal)

constexpr const char *all_rows = "given", *trained_rows = "trained_rows";
/// Of a table that is compared with the sinusoid.
constexpr std::size_t fewest_rows = 3;

std::vector<Place> places(const GivenPositions& given) {
  if (!given.positions) return {};
  const std::size_t d = cols(*given.positions), left = trained_run_of(*given.positions).count();
  std::vector<Place> places{{all_rows, rows(*given.positions), d}};
  if (left >= fewest_rows) places.push_back({trained_rows, left, d});
  return places;
}

void measure(const Place& at, const Matrix<double>& given, Rows& rows) {
  // Where the sinusoid begins does not matter: a shift turns all of its rows by one and the same rotation.
  const auto both = at.rows == trained_rows
                        ? trained_beside_sinusoid(given)
                        : BesideSinusoid{portrait(given), portrait(sinusoidal<double>(at.l, at.d))};
  if (!both) return;
  const auto& [own, wave] = *both;
  rows.add(Likeness{at, own.r2_apart, own.neighbours, double(own.centred.r99), double(wave.centred.r99),
                    both->kernel().size});
  for (std::size_t i = 0; i < portrait_measures().size() && at.rows == all_rows; ++i)
    rows.add(Measured{at, i, portrait_measures()[i].read(own), portrait_measures()[i].read(wave)});
}

void check(const Matrix<double>& positions) {
  require(rows(positions) >= fewest_rows,
          "--positions: {} rows; expected at least 3, to compare them with the sinusoid", rows(positions));
  require(cols(positions) % 2 == 0,
          "--positions: {} dimensions; expected an even number, for the sinusoid beside them has pairs",
          cols(positions));
  for (std::size_t t = 0; t < rows(positions); ++t)
    require(std::ranges::any_of(row(positions, t), [](double x) { return x != 0; }),
            "--positions: row {} of those read is 0 throughout; leave it out with --rows", t);
}

Rule rule_for(const std::string& file) {
  Rule rule;
  for (const bool trained : {false, true})
    for (const Respect& r : respects())
      rule.push_back(condition(trained ? Role::limit : Role::core,
                               fmt::format("{}{}", r.measure, trained ? ".trained_rows" : r.rows), r.is,
                               r.bound, Evidence::released,
                               {{"evidence", "released"}, {"file", file}, {"measure", r.name}},
                               r.says(trained), trained ? needs_trained_run : ""));
  return rule;
}

void add_likeness(const Likeness& of, Summary& summary) {
  const bool trained = of.rows == trained_rows;
  const Coordinates own{{trained ? "rows" : "table", of.rows}}, beside = trained ? own : Coordinates{};
  const auto add = [&](const char* measure, const Coordinates& at, double value, std::string_view meaning,
                       std::string_view unit = "1") {
    summary.number(
        measure, at, {value},
        {.unit = unit,
         .n = of.l,
         .kind = Kind::rounded,
         .meaning = fmt::format("{}{}.", meaning, trained ? ", of the rows that training reached" : "")});
  };
  add("r2_apart", own, of.r2_apart,
      "Share of the variance of the products of different rows that relative distance explains");
  add("neighbours", own, of.neighbours,
      "Share of the rows whose largest cosine with another row is with a row beside it");
  add("r99_factor", beside, of.r99_factor(),
      "Ratio, larger over smaller, of the dimensions that hold 99% of the variance of the given rows and of "
      "the sinusoid's");
  add("kernel_departure", beside, of.kernel_departure,
      "Largest difference between the mean products at one lag of the given table and of the sinusoid, each "
      "over its lag 0; lags up to half the positions");
  if (trained) return;
  add("r99", own, of.r99, "Dimensions that hold 99% of the variance; the given table", "dimensions");
  add("r99", {{"table", "sinusoidal"}}, of.r99_sinusoidal,
      "Dimensions that hold 99% of the variance; the sinusoid of the given table's shape", "dimensions");
}

void conclude(const Cells& cells, const GivenPositions& given, Summary& summary) {
  if (!given.positions) {
    summary.rule = {
        condition(Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                  "lag, neighbours, dimensions and mean products of learned positions", given.missing)};
    return;
  }
  const std::size_t l = rows(*given.positions);
  std::size_t left = 0;
  for (const Likeness& of : rows_of<Likeness>(cells)) {
    add_likeness(of, summary);
    if (of.rows == trained_rows) left = of.l;
  }
  add_overall(summary, "left_out", {}, double(l - left), l,
              "Given rows outside the longest run without a row shorter than half the median one, which "
              "training never reached.",
              {}, Kind::exact, "rows");
  summary.table("q4_measures.csv", rows_of<Measured>(cells),
                {exact("measure", "what is measured",
                       [](const Measured& m) { return portrait_measures()[m.index].label; }),
                 rounded("given", "its value, of the given table", &Measured::given),
                 rounded("sinusoidal", "of the sinusoid of its shape, T = 10000", &Measured::sinusoidal)});
  summary.rule = rule_for(known_file(given.files.front()));
}

}  // namespace

Experiment learned_positions(const Options& options, const SharedPositions& given) {
  if (given->positions && options.wants("Q4")) check(*given->positions);
  Experiment claim{"Q4", "Learned positions are like sinusoids.", "(asked)", given->hashes};
  claim.measure(
      places(*given), [](const Place& at) { return 1e-9 * double(at.l) * double(at.l * at.d); },
      [given](const Place& at, const Streams&, Rows& rows) { measure(at, *given->positions, rows); });
  claim.conclude([given](const Cells& cells, Summary& summary) { conclude(cells, *given, summary); });
  return claim;
}

}  // namespace perp::distance
