// Q2: what does LayerNorm do to the sum of word and position?

#include <cmath>

#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/layernorm.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2_measure.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
/// ρ of the sums; wide tables and the quick preset do with few.
constexpr double all_ratios[] = {0.25, 0.5, natural_ratio, 1, 2}, few_ratios[] = {0.25, natural_ratio, 2};
/// A read-out, a share between 0 and 1, is kept if LayerNorm lowers it by less than this.
constexpr double kept_within = 0.02;
/// The lag alone still decides the products of positions if it explains this share of their variance.
constexpr double lag_decides = 0.99;

struct Place {
  std::string what, positions;

  bool is_given() const { return positions != "sinusoidal"; }
  const char* kind() const { return is_given() ? "given" : "sinusoidal"; }
};
PERP_ROW(Place, what, positions)

struct Sums : Place {
  std::string words;
  std::size_t d, l, draws, ratios;
};
PERP_ROW_OF(Sums, Place, words, d, l, draws, ratios)
/// Of a measure at one ratio, before LayerNorm and after it; beside them what to expect.
struct Draw : Sums {
  double ratio;
  std::size_t measure;
  double before, after, before_line, after_line;

  const SumMeasure& about() const { return sum_measures()[measure]; }
  double change() const { return after - before; }
};
PERP_ROW_OF(Draw, Sums, ratio, measure, before, after, before_line, after_line)
using Draws = Group<Draw>;

struct Cosines {
  std::string what, words;
  std::size_t d, pairs, draws;
};
PERP_ROW(Cosines, what, words, d, pairs, draws)
struct Change : Cosines {
  double change;
};
PERP_ROW_OF(Change, Cosines, change)
using Changes = Group<Change>;

/// Positions without words.
struct Alone : Place {
  std::size_t d, l;
};
PERP_ROW_OF(Alone, Place, d, l)
struct Lost : Alone {
  std::size_t t;
  double share, line;
};
PERP_ROW_OF(Lost, Alone, t, share, line)
struct Kept : Alone {
  double lost_mean = 0, lost_most = 0, lost_constant = 0, r2_after = 0, defect_after = 0;
};
PERP_ROW_OF(Kept, Alone, lost_mean, lost_most, lost_constant, r2_after, defect_after)

Matrix<double> positions_of(const Place& at, std::size_t l, std::size_t d, const GivenPositions& given) {
  return at.is_given() ? *given.positions : sinusoidal<double>(l, d);
}

void measure_draws(const Sums& at, const GivenPositions& given, const Streams& streams, Rows& rows) {
  const PlacedTable table =
      placed_table(positions_of(at, at.l, at.d, given),
                   at.is_given() ? given.layer_norm.value_or(LayerNormWeights{}) : LayerNormWeights{});
  const std::span<const double> ratios =
      at.ratios == std::size(all_ratios) ? std::span<const double>(all_ratios) : few_ratios;
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const Matrix<double> words = drawn_words(at.words, words_needed(table), table.d(), streams, draw);
    for (const double ratio : ratios) {
      const auto [before, after] = measure_sums(table, words, ratio, streams, draw);
      const BeforeAfter lines = at.words == "gaussian" ? sum_lines(table, ratio) : BeforeAfter{};
      for (std::size_t m = 0; m < sum_measures().size(); ++m) {
        const auto number = sum_measures()[m].number;
        rows.add(
            Draw{at, ratio, m, before.*number, after.*number, lines.before.*number, lines.after.*number});
      }
    }
  }
}

void measure_cosines(const Cosines& at, const Streams& streams, Rows& rows) {
  for (std::size_t draw = 0; draw < at.draws; ++draw)
    rows.add(Change{at, cosine_change(drawn_words(at.words, 2 * at.pairs, at.d, streams, draw))});
}

/// Positions alone: what of each LayerNorm takes away, and what their lag explains afterwards.
void measure_alone(const Alone& at, const GivenPositions& given, Rows& rows) {
  const Matrix<double> p = positions_of(at, at.l, at.d, given), z = layer_norm(p);
  const double l = perp::rows(p), d = cols(p);
  Kept kept{at};
  double sum = 0, along = 0, along_square = 0;
  for (std::size_t t = 0; t < perp::rows(p); ++t) {
    double xx = 0, zz = 0, xz = 0, mean = 0;
    for (std::size_t j = 0; j < cols(p); ++j) {
      xx += p(t, j) * p(t, j), zz += z(t, j) * z(t, j), xz += p(t, j) * z(t, j);
      mean += p(t, j) / d;
    }
    // LayerNorm keeps the direction of what it leaves: its cosine with the whole says how much that is.
    const double lost = xx > 0 ? 1 - xz * xz / (xx * zz) : NAN,
                 line = at.is_given() ? NAN : theory::sinusoid_mean_direction(cols(p), usual_base, t);
    sum += lost, along += mean, along_square += mean * mean;
    kept.lost_most = std::fmax(kept.lost_most, lost);
    rows.add(Lost{at, t, lost, line});
  }
  kept.lost_mean = sum / l;
  kept.lost_constant = along * along / (l * along_square);
  const LagStatistics after = lag_statistics(z, 1);
  kept.r2_after = toeplitz_r2(after);
  kept.defect_after = toeplitz_defect(after);
  rows.add(kept);
}

/// A mean over draws, with the interval that tables show.
Estimate mean_of(const Moments& moments) {
  const Interval recorded = mean_interval(moments, recorded_level);
  return from_interval(moments.mean, recorded.low, recorded.high, recorded_level, moments.count);
}
/// The same from the table's interval.
Estimate shown_mean(const Moments& moments) { return as_shown(mean_of(moments), moments.count); }

constexpr const char* interval = "its 99% interval by Student's t";
const auto positions =
    exact("positions", "sinusoidal, T = 10000, or the given table", [](const Place& p) { return p.kind(); });
const auto width = exact("d", "dimension", &Alone::d);

/// At the natural ratio what LayerNorm changes of the read-outs of sinusoids are findings.
void add_sums(const std::vector<Draws>& measures, Summary& summary) {
  const auto mean = [](const std::string& name, const std::string& meaning, auto get) {
    return sampled(name, meaning, [get](const Draws& draws) { return mean_of(draws.moments(get)); })
        .interval(name + "_low", name + "_high", interval);
  };
  summary.table(
      "q2_sums.csv", measures,
      {positions,
       exact("words",
             "gaussian; anisotropic, their common mean along (1, …, 1); turned: these, rotated at random",
             &Draw::words),
       exact("d", "dimension", &Draw::d), exact("length", "L, number of positions", &Draw::l),
       exact("ratio", "rho = length of a position over that of a word, root mean squares", &Draw::ratio),
       exact("draws", "of words and places", &Draw::draws),
       exact("measure", "what is measured", [](const Draw& m) { return m.about().name; }),
       exact("label", "the same in words", [](const Draw& m) { return m.about().label; }),
       mean("before", "before LayerNorm, mean over draws", &Draw::before),
       mean("after", "after LayerNorm, mean over draws", &Draw::after),
       mean("change", "after less before, of the same sums", &Draw::change),
       exact("before_line", "to expect of isotropic words", &Draw::before_line),
       exact("after_line", "the same, lengths taken as constant", &Draw::after_line)});
  for (const Draws& draws : measures) {
    const Draw& first = draws.front();
    if (first.ratio != natural_ratio || first.is_given() || !first.about().meaning) continue;
    summary.number(
        fmt::format("{}_change", first.about().name),
        {{"positions", first.kind()}, {"words", first.words}, {"d", whole(first.d)}},
        shown_mean(draws.moments(&Draw::change)),
        {.theory = 0,
         .n = first.draws,
         .kind = Kind::sampled,
         .meaning = fmt::format("{}: after LayerNorm less before, of the same sums; theory: nothing is lost.",
                                first.about().meaning)});
  }
}

/// Draw by draw, where positions and words have the lengths of a sinusoid and of words of variance 1.
void add_draws(const std::vector<Draws>& measures, Summary& summary) {
  std::vector<Draw> draws;
  for (const Draws& of : measures)
    if (of.front().ratio == natural_ratio) draws.insert(draws.end(), of.begin(), of.end());
  summary.table(
      "q2_draws.csv", draws,
      {positions, exact("words", "as in q2_sums.csv", &Draw::words), exact("d", "dimension", &Draw::d),
       exact("measure", "as in q2_sums.csv", [](const Draw& m) { return m.about().name; }),
       sampled("before", "before LayerNorm", &Draw::before),
       sampled("after", "after LayerNorm, of the same sums", &Draw::after)});
}

void add_cosines(const std::vector<Changes>& changes, Summary& summary) {
  const auto words = exact("words", "as in q2_sums.csv", &Change::words);
  const auto d = exact("d", "dimension", &Change::d);
  summary.each(changes, {words, d},
               {sampled("cosine_change",
                        "Change of the cosine of two words by LayerNorm, root mean square; theory: uniform "
                        "directions, about 1/d.",
                        [](const Changes& c) { return shown_mean(c.moments(&Change::change)); })
                    .theory([](const Change& c) { return theory::normalised_cosine_change(c.d); })
                    .n(&Change::draws)});
}

void add_kept(const std::vector<Kept>& kept, Summary& summary) {
  const auto chance = [](const Alone& a) { return 1.0 / a.d; };
  const auto share = [](const char* name, const char* meaning, double Kept::*number) {
    return rounded(name, meaning, number).n(&Kept::l);
  };
  const auto lost_mean = share("lost_mean",
                               "Share of a position's energy that LayerNorm takes away, mean over positions; "
                               "theory: random directions.",
                               &Kept::lost_mean)
                             .theory(chance);
  const auto after = share("alone_after",
                           "Share of the variance of the products of positions that relative distance "
                           "explains after LayerNorm of every position by itself.",
                           &Kept::r2_after)
                         .chance(1);
  const auto own = where(kept, [](const Kept& k) { return !k.is_given(); });
  summary.each(
      only(own, &Kept::d, 64u), {positions, width},
      {lost_mean,
       share("lost_most", "The same, the largest of all positions.", &Kept::lost_most).theory(chance),
       share("lost_constant",
             "Share of the energy lost that is the same at every position, and so carries none.",
             &Kept::lost_constant),
       after,
       share("defect_after",
             "Toeplitz residual of the products of positions after LayerNorm; theory: before.",
             &Kept::defect_after)
           .chance(0)});
  summary.each(only(own, &Kept::d, 512u), {positions, width}, {after});
  // Of whatever width the given positions are.
  summary.each(where(kept, &Kept::is_given), {positions}, {lost_mean, after});
}

Rule rule() {
  constexpr std::array<std::array<const char*, 2>, 3> readouts{
      {{"readout", "R² of a linear probe of the position"},
       {"nearest", "share of positions that are found as the nearest"},
       {"lag_r2", "share of logit variance that relative distance explains"}}};
  constexpr std::array<std::array<const char*, 2>, 3> words{
      {{"gaussian", "Gaussian words"},
       {"anisotropic", "words with a common mean"},
       {"turned", "words with a common mean, rotated at random"}}};
  Rule rule;
  for (const auto& [measure, read] : readouts)
    for (const std::size_t d : {512, 64})
      for (const auto& [family, said] : words)
        rule.push_back(condition(Role::core, fmt::format("{}_change.sinusoidal.{}.d{}", measure, family, d),
                                 Is::above, -kept_within, Evidence::simulation,
                                 {{"evidence", "simulation"},
                                  {"read-out", measure},
                                  {"words", family},
                                  {"d", fmt::format("{}", d)}},
                                 fmt::format("change by LayerNorm of the {}, {}, d = {}", read, said, d),
                                 "preset full"));
  rule.push_back(condition(
      Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
      "mean cosine and energy ratio of words and positions after LayerNorm over before", needs_model));
  for (const std::size_t d : {64, 512})
    rule.push_back(condition(Role::limit, fmt::format("alone_after.sinusoidal.d{}", d), Is::above,
                             lag_decides, Evidence::closed_form,
                             {{"read-out", "products of positions alone"}, {"d", fmt::format("{}", d)}},
                             fmt::format("share of the variance of products of positions alone that relative "
                                         "distance explains after LayerNorm, d = {}",
                                         d),
                             "preset full"));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Draws> measures =
      group_by(rows_of<Draw>(cells), &Draw::positions, &Draw::words, &Draw::d, &Draw::ratio, &Draw::measure);
  add_sums(measures, summary);
  add_draws(measures, summary);
  summary.table("q2_lost.csv", rows_of<Lost>(cells),
                {positions, width, exact("t", "row of the table, from 0", &Lost::t).unit("positions"),
                 rounded("share", "share of its energy that LayerNorm takes away", &Lost::share),
                 exact("line", "2 (sum of its entries)^2/d^2", &Lost::line)});
  add_cosines(group_by(rows_of<Change>(cells), &Change::words, &Change::d), summary);
  add_kept(rows_of<Kept>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment after_layer_norm(const Options& options, const SharedPositions& given) {
  Experiment claim{"Q2", "LayerNorm preserves the position information in a sum.", "(asked)"};
  const bool quick = options.preset == Preset::quick;
  const std::size_t draws = pick<std::size_t>(options.preset, 16, 24, 240),
                    few_draws = pick<std::size_t>(options.preset, 4, 10, 40),
                    pairs = pick<std::size_t>(options.preset, 250, 2500, 25000);
  const auto families = {"gaussian", "anisotropic", "turned"};
  const std::vector<std::size_t> widths =
      quick ? std::vector<std::size_t>{64} : std::vector<std::size_t>{64, 512};
  std::vector<Sums> sums;
  const auto add = [&](const std::string& table, const char* words, std::size_t d, std::size_t l,
                       bool all_of) {
    sums.push_back({{"sums", table},
                    words,
                    d,
                    l,
                    all_of ? draws : few_draws,
                    all_of && !quick ? std::size(all_ratios) : std::size(few_ratios)});
  };
  for (const char* words : families)
    for (const std::size_t d : widths) add("sinusoidal", words, d, length, d == 64);
  std::vector<Alone> alone;
  for (const std::size_t d : widths) alone.push_back({{"positions", "sinusoidal"}, d, length});
  if (given->positions) {
    const std::string name = "given_" + given->key();
    const std::size_t l = rows(*given->positions), d = cols(*given->positions);
    for (const char* words : {"gaussian", "turned"}) add(name, words, d, l, false);
    alone.push_back({{"positions", name}, d, l});
  }
  claim.measure(
      sums,
      [](const Sums& at) {
        const double n = at.d, rows = training_rows(at.d) + tested_rows;
        return at.draws * at.ratios * (1e-10 * n * n * rows + 1e-7 * n * rows) + 3e-9 * n * n * n;
      },
      [given](const Sums& at, const Streams& streams, Rows& rows) {
        measure_draws(at, *given, streams, rows);
      });
  claim.measure(grid<Cosines>("cosines", families, std::vector<std::size_t>{64}, pairs, 20u), 1e-4,
                measure_cosines);
  claim.measure(alone, 1e-2,
                [given](const Alone& at, const Streams&, Rows& rows) { measure_alone(at, *given, rows); });
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
