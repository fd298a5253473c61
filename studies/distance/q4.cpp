// Q4: are learned positions like sinusoids? A given table beside the sinusoid and a Gaussian table of its
// shape.

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q4_portrait.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

struct Place {
  std::string table;
  std::size_t l, d, draws;
};
PERP_ROW(Place, table, l, d, draws)
/// Of one of the lists of a portrait, over draws: measures, products by lag, shares left of the spectrum.
struct Number : Place {
  std::string list;
  std::size_t index;
  Estimate mean;
};
PERP_ROW_OF(Number, Place, list, index, mean)
/// The given rows that training reached, beside as many of the sinusoid.
struct Trained : Place {
  double r2_apart, neighbours, r99_factor, kernel_departure;
};
PERP_ROW_OF(Trained, Place, r2_apart, neighbours, r99_factor, kernel_departure)
/// A number of the given table, of the sinusoid and of normal entries.
using Beside = Group<Number>;

/// Of a table that is compared with the sinusoid.
constexpr std::size_t fewest_rows = 3;

/// What is multiplied for one portrait, in thousand millions.
double work(double l, double d) {
  const double side = std::min(l, d);
  return 1e-9 * (2 * l * l * d + 2 * l * d * side + 8 * side * side * side);
}

std::vector<Place> places(Preset preset, const GivenPositions& given) {
  if (!given.positions) return {};
  const std::size_t l = rows(*given.positions), d = cols(*given.positions);
  // Fewer for tables so large that the study would be about chance alone.
  const double draws = std::clamp(std::floor(400 / work(l, d)), 3.0, pick<double>(preset, 5, 20, 100));
  std::vector<Place> places{
      {"given", l, d, 1}, {"sinusoidal", l, d, 1}, {"gaussian", l, d, std::size_t(draws)}};
  if (const std::size_t left = trained_run_of(*given.positions).count(); left >= fewest_rows)
    places.push_back({"trained", left, d, 1});
  return places;
}

Matrix<double> table_of(const Place& at, const GivenPositions& given, const Stream& stream) {
  if (at.table == "given") return *given.positions;
  // Where the sinusoid begins does not matter: a shift turns all of its rows by one and the same rotation.
  if (at.table == "sinusoidal") return sinusoidal<double>(at.l, at.d);
  return normal_matrix<double>(at.l, at.d, stream);
}

void measure(const Place& at, const GivenPositions& given, const Streams& streams, Rows& rows) {
  std::vector<MomentSums> measures, kernel, left;
  const auto add = [](std::vector<MomentSums>& sums, const std::vector<double>& values) {
    sums.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sums[i].add(values[i]);
  };
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const Portrait seen = portrait(table_of(at, given, streams("table", draw)));
    std::vector<double> values;
    for (const PortraitMeasure& measure : portrait_measures()) values.push_back(measure.read(seen));
    add(measures, values);
    add(kernel, seen.kernel);
    add(left, seen.left);
  }
  const auto keep = [&](const char* list, const std::vector<MomentSums>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      rows.add(Number{at, list, i, mean_estimate(sums[i].moments())});
  };
  keep("measures", measures);
  keep("kernel", kernel);
  keep("spectrum", left);
}

void measure_trained(const Place& at, const Matrix<double>& given, Rows& rows) {
  if (const auto both = trained_beside_sinusoid(given))
    rows.add(Trained{at, both->own.r2_apart, both->own.neighbours,
                     factor_between(both->own.centred.r99, both->wave.centred.r99), both->kernel().size});
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

void add_table(Summary& summary, const char* file, const std::vector<Beside>& numbers,
               const ColumnOf<Beside>& key, const char* meaning) {
  summary.table(file, numbers,
                {key,
                 rounded("given", fmt::format("{}, of the given table", meaning),
                         [](const Beside& n) { return n[0].mean.value; }),
                 rounded("sinusoidal", "of the sinusoid of its shape, T = 10000",
                         [](const Beside& n) { return n[1].mean.value; }),
                 sampled("gaussian", "of independent normal entries, mean over draws", [](const Beside& n) {
                   return n[2].mean;
                 }).interval("gaussian_low", "gaussian_high", "its 99% interval by Student's t")});
}

void add_measures(const std::vector<Beside>& numbers, Summary& summary) {
  for (const Beside& beside : numbers) {
    const PortraitMeasure& measure = portrait_measures()[beside[0].index];
    if (!measure.meaning) continue;
    const std::string_view name = measure.name;
    for (const Number& n : beside) {
      const bool own = n.table == "given", drawn = n.table == "gaussian";
      // Of the tables beside the given one sentences name these alone.
      const bool named = name == "r99" || (name == "r2_apart" && drawn);
      if (!own && !named) continue;
      summary.number(name, {{"table", n.table}}, as_shown(n.mean, n.draws),
                     {.theory = own ? std::optional(beside[2].mean.value) : std::nullopt,
                      .unit = measure.unit,
                      .n = drawn ? n.draws : n.l,
                      .kind = drawn ? Kind::sampled : Kind::rounded,
                      .meaning = fmt::format("{}{}.", measure.meaning,
                                             own ? "; the given table, beside it independent normal entries"
                                             : drawn ? "; independent normal entries, mean over draws"
                                                     : "; the sinusoid of the given table's shape")});
    }
  }
}

void add_comparisons(const std::vector<Beside>& kernel, Summary& summary) {
  const std::size_t l = kernel.size();
  const auto products = [&](std::size_t table) {
    std::vector<double> values;
    for (const Beside& lag : kernel) values.push_back(lag[table].mean.value);
    return values;
  };
  const KernelDeparture largest = kernel_departure(products(0), products(1));
  const auto add = [&](const char* measure, double value, std::uint64_t n, const char* unit,
                       const char* meaning) {
    add_overall(summary, measure, {}, value, n, meaning, {}, Kind::rounded, unit);
  };
  add("r99_factor", factor_between(summary.value("r99.given"), summary.value("r99.sinusoidal")), l, "1",
      "Ratio, larger over smaller, of the dimensions that hold 99% of the variance of the given rows and of "
      "the sinusoid's.");
  add("kernel_departure", largest.size, l / 2, "1",
      "Largest difference between the mean products at one lag of the given table and of the sinusoid, each "
      "over its lag 0; lags up to half the positions.");
  add("kernel_departure_lag", largest.lag, l / 2, "positions", "The lag of that largest difference.");
}

/// Without the rows that training never reached: what the limits judge.
void add_trained(const std::vector<Trained>& trained, std::size_t l, Summary& summary) {
  add_overall(summary, "left_out", {}, double(l - total(trained, &Trained::l)), l,
              "Given rows outside the longest run without a row shorter than half the median one, which "
              "training never reached.",
              {}, Kind::exact, "rows");
  const auto rest = [](const char* name, const char* meaning, double Trained::*number) {
    return rounded(name, meaning, number).n(&Trained::l);
  };
  summary.each(
      trained, {exact("rows", "", [](const Trained&) { return "trained_rows"; })},
      {rest("r2_apart",
            "Share of the variance of the products of different rows that relative distance explains, of "
            "these rows.",
            &Trained::r2_apart),
       rest("neighbours", "Share of these rows whose largest cosine is with a row beside it.",
            &Trained::neighbours),
       rest("r99_factor", "r99_factor of these rows and as many of the sinusoid.", &Trained::r99_factor),
       rest("kernel_departure", "kernel_departure of these rows and as many of the sinusoid.",
            &Trained::kernel_departure)});
}

void conclude(const Cells& cells, const GivenPositions& given, Summary& summary) {
  if (!given.positions) {
    summary.rule = {
        condition(Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                  "lag, neighbours, dimensions and mean products of learned positions", given.missing)};
    return;
  }
  const auto numbers = rows_of<Number>(cells);
  const auto list = [&](const char* name) {
    return group_by(only(numbers, &Number::list, name), &Number::index);
  };
  const auto measures = list("measures"), kernel = list("kernel");
  const auto index = [](const Number& n) { return n.index; };
  add_table(summary, "q4_measures.csv", measures,
            exact("measure", "what is measured",
                  [](const Number& n) { return portrait_measures()[n.index].label; }),
            "its value");
  add_table(summary, "q4_kernel.csv", kernel, exact("lag", "k, in positions", index),
            "mean of p_t p_{t+k} over t, over that of lag 0");
  add_table(summary, "q4_spectrum.csv", list("spectrum"),
            exact("dimensions", "r leading dimensions of the centred rows",
                  [](const Number& n) { return n.index + 1; }),
            "share of the variance outside them");
  add_measures(measures, summary);
  add_comparisons(kernel, summary);
  add_trained(rows_of<Trained>(cells), kernel.size(), summary);
  summary.rule = rule_for(known_file(given.files.front()));
}

}  // namespace

Experiment learned_positions(const Options& options, const SharedPositions& given) {
  if (given->positions && options.wants("Q4")) check(*given->positions);
  Experiment claim{"Q4", "Learned positions are like sinusoids.", "(asked)", given->hashes};
  claim.measure(
      places(options.preset, *given), [](const Place& at) { return 0.1 * at.draws * work(at.l, at.d); },
      [given](const Place& at, const Streams& streams, Rows& rows) {
        if (at.table == "trained")
          measure_trained(at, *given->positions, rows);
        else
          measure(at, *given, streams, rows);
      });
  claim.conclude([given](const Cells& cells, Summary& summary) { conclude(cells, *given, summary); });
  return claim;
}

}  // namespace perp::distance
