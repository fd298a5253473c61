// Q2: what does LayerNorm do to the sum of word and position?

#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2_measure.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
/// ρ of the sums; wide tables and the quick preset do with few.
constexpr double all_ratios[] = {0.25, 0.5, natural_ratio, 1, 2}, few_ratios[] = {0.25, natural_ratio, 2};
/// A read-out, a share between 0 and 1, is kept if LayerNorm lowers it by less than this.
constexpr double kept_within = 0.02;
/// The lag alone still decides the products of positions if it explains this share of their variance.
constexpr double lag_decides = 0.99;

struct Measure {
  const char *name, *label, *meaning;
  double Readouts::*number;
};
constexpr Measure measures[] = {
    {"lag_r2", "R² of relative distance",
     "Share of the variance of the products of sums that relative distance explains", &Readouts::lag_r2},
    {"readout", "position by a linear map",
     "Share of the position's variance that a linear map of the sum explains, held out", &Readouts::readout},
    {"nearest", "nearest position right",
     "Share of sums whose position has the largest cosine with them among all positions",
     &Readouts::nearest}};

struct Sums {
  std::string what, positions, words;
  std::size_t d, l, draws, ratios;
};
PERP_ROW(Sums, what, positions, words, d, l, draws, ratios)
/// Of a measure at one ratio, before LayerNorm and after it.
struct Draw : Sums {
  double ratio;
  std::size_t measure;
  double before, after;

  const Measure& about() const { return measures[measure]; }
  double change() const { return after - before; }
};
PERP_ROW_OF(Draw, Sums, ratio, measure, before, after)
using Draws = Group<Draw>;

/// Positions without words.
struct Alone {
  std::string what, positions;
  std::size_t d, l;
};
PERP_ROW(Alone, what, positions, d, l)
struct Kept : Alone {
  double r2_after;
};
PERP_ROW_OF(Kept, Alone, r2_after)

void measure_draws(const Sums& at, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = sinusoidal<double>(at.l, at.d);
  const std::span<const double> ratios =
      at.ratios == std::size(all_ratios) ? std::span<const double>(all_ratios) : few_ratios;
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const Matrix<double> words = drawn_words(at.words, words_needed(positions), at.d, streams, draw);
    for (const double ratio : ratios) {
      const auto [before, after] = measure_sums(positions, words, ratio, streams, draw);
      for (std::size_t m = 0; m < std::size(measures); ++m)
        rows.add(Draw{at, ratio, m, before.*measures[m].number, after.*measures[m].number});
    }
  }
}

void measure_alone(const Alone& at, const Streams&, Rows& rows) {
  rows.add(Kept{at, toeplitz_r2(lag_statistics(layer_norm(sinusoidal<double>(at.l, at.d)), 1))});
}

/// At the natural ratio what LayerNorm changes of the read-outs is a finding.
void add_sums(const std::vector<Draws>& cells, Summary& summary) {
  const auto words = exact(
      "words", "gaussian; anisotropic, their common mean along (1, …, 1); turned: these, rotated at random",
      &Draw::words);
  const auto d = exact("d", "dimension", &Draw::d);
  const auto measure = exact("measure", "what is measured", [](const Draw& m) { return m.about().name; });
  const auto mean_of = [](const std::string& name, const std::string& meaning, auto get) {
    return mean(name, meaning, get)
        .interval(name + "_low", name + "_high", "its 99% interval by Student's t");
  };
  summary.table(
      "q2_sums.csv", cells,
      {words, d, exact("length", "L, number of positions", &Draw::l),
       exact("ratio", "rho = length of a position over that of a word, root mean squares", &Draw::ratio),
       exact("draws", "of words and places", &Draw::draws), measure,
       exact("label", "the same in words", [](const Draw& m) { return m.about().label; }),
       mean_of("before", "before LayerNorm, mean over draws", &Draw::before),
       mean_of("after", "after LayerNorm, mean over draws", &Draw::after),
       mean_of("change", "after less before, of the same sums", &Draw::change)});
  std::vector<Draw> natural;
  for (const Draws& draws : cells) {
    const Draw& first = draws.front();
    if (first.ratio != natural_ratio) continue;
    natural.insert(natural.end(), draws.begin(), draws.end());
    summary.number(
        fmt::format("{}_change", first.about().name),
        {{"positions", first.positions}, {"words", first.words}, {"d", whole(first.d)}},
        draws.estimate(&Draw::change),
        {.theory = 0,
         .n = first.draws,
         .kind = Kind::sampled,
         .meaning = fmt::format("{}: after LayerNorm less before, of the same sums; theory: nothing is lost.",
                                first.about().meaning)});
  }
  summary.table("q2_draws.csv", natural,
                {words, d, measure, sampled("before", "before LayerNorm", &Draw::before),
                 sampled("after", "after LayerNorm, of the same sums", &Draw::after)});
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
  add_sums(group_by(rows_of<Draw>(cells), &Draw::words, &Draw::d, &Draw::ratio, &Draw::measure), summary);
  summary.each(rows_of<Kept>(cells),
               {exact("positions", "", &Alone::positions), exact("d", "dimension", &Alone::d)},
               {rounded("alone_after",
                        "Share of the variance of the products of positions that relative distance explains "
                        "after LayerNorm of every position by itself.",
                        &Kept::r2_after)
                    .chance(1)
                    .n(&Kept::l)});
  summary.rule = rule();
}

}  // namespace

Experiment after_layer_norm(const Options& options) {
  Experiment claim{"Q2", "LayerNorm preserves the position information in a sum.", "(asked)"};
  const bool quick = options.preset == Preset::quick;
  const std::size_t draws = pick<std::size_t>(options.preset, 16, 24, 240),
                    few_draws = pick<std::size_t>(options.preset, 4, 10, 40);
  std::vector<Sums> sums;
  std::vector<Alone> alone;
  for (const std::size_t d : {64, 512}) {
    if (quick && d > 64) continue;
    alone.push_back({"positions", "sinusoidal", d, length});
    for (const char* words : {"gaussian", "anisotropic", "turned"})
      sums.push_back({"sums", "sinusoidal", words, d, length, d == 64 ? draws : few_draws,
                      d == 64 && !quick ? std::size(all_ratios) : std::size(few_ratios)});
  }
  claim.measure(
      sums,
      [](const Sums& at) {
        const double n = at.d, rows = training_rows(at.d) + tested_rows;
        return at.draws * at.ratios * (1e-10 * n * n * rows + 1e-7 * n * rows) + 3e-9 * n * n * n;
      },
      measure_draws);
  claim.measure(alone, 1e-2, measure_alone);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
