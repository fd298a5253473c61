// M9: numbers that others published of GPT-2's positions, and of sinusoids, measured again as they did it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/position_readout.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t length = 512, folds = 5, rank = 64;
/// Least squares on a sinusoid, whose trailing singular values are rounding.
constexpr double cutoff = 1e-12;
constexpr const char* the_published_model = "gpt2";

/// A number as its authors give it, and within what it counts as met.
struct PublishedNumber {
  const char *measure, *label, *source;
  double value, low, high;
  bool of_sinusoid;  ///< of the sinusoid, whatever the model
  bool drawn;        ///< moves with shuffles or random weights
};
constexpr std::array<PublishedNumber, 5> numbers{{
    {"stable_rank", "stable rank of positions 1 to 511, centred", "Song & Zhong 2023, arXiv 2310.04861", 2.05,
     2.045, 2.055, false, false},
    {"index_error", "error of the position read off linearly, 512 rows, 5 folds",
     "Wang & Chen 2020, arXiv 2010.04903", 1.03, 0.8, 1.4, false, true},
    {"index_error_sinusoid", "the same of a sinusoid", "Wang & Chen 2020, arXiv 2010.04903", 0.0, -0.05, 0.05,
     true, false},
    {"three_directions", "share of the variance in three directions",
     "Yedidia 2023, lesswrong.com/posts/qvWP3aBDBaqXvPNhS: GPT-2's positional embedding matrix is a helix",
     0.904, 0.9035, 0.9045, false, false},
    {"sinusoid_random_weights", "R² of the distance, sinusoid through random weights of rank 64",
     "Yan et al. 2019, arXiv 1911.04474: distance-awareness is lost",
     std::numeric_limits<double>::quiet_NaN(), 0, 0.5, true, true},
}};

MomentSums errors(const Matrix<double>& table, const Streams& streams, std::size_t draws) {
  MomentSums sums;
  for (std::size_t draw = 0; draw < draws; ++draw)
    sums.add(
        index_error(table, even_folds(permutation(streams("folds", draw), length), folds), folds, cutoff));
  return sums;
}

/// R² of p_tᵀ Q Kᵀ p_s, Q and K normal.
MomentSums through_random(const Matrix<double>& table, const Streams& streams, std::size_t draws) {
  MomentSums sums;
  const std::size_t d = cols(table);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    Matrix<double> query = matrix<double>(d, rank), key = matrix<double>(d, rank);
    fill_normal(streams("query", draw), std::span<double>(query.data(), query.size()));
    fill_normal(streams("key", draw), std::span<double>(key.data(), key.size()));
    const Matrix<double> q = product<double>(table, query), k = product<double>(table, key);
    sums.add(toeplitz_r2(lag_statistics<double>(View<double>(q), View<double>(k), 1)));
  }
  return sums;
}

bool is_long_enough(const Subject& subject) {
  const Tables& tables = subject.tables();
  return tables.positions && tables.first_position == 0 && rows(*tables.positions) >= length &&
         cols(*tables.positions) % 2 == 0;
}

Records run(const Subject& subject, const Streams& streams, Preset preset) {
  const Matrix<double>& all = *subject.tables().positions;
  const std::size_t shuffles = pick<std::size_t>(preset, 1, 4, 20),
                    draws = pick<std::size_t>(preset, 10, 50, 500);
  Matrix<double> first = matrix<double>(length, cols(all));
  std::copy_n(all.data(), first.size(), first.data());
  const Matrix<double> wave = sinusoidal<double>(length, cols(all));
  const std::vector<double> whole_spectrum = spectrum<double>(all, Centring::centred);
  double sum = 0;
  for (const double x : whole_spectrum) sum += x;
  Records records;
  const auto add = [&](const char* measure, double value, double sd, std::size_t n) {
    records.push_back(
        {"published", {{"measure", std::string(measure)}, {"value", value}, {"sd", sd}, {"n", whole(n)}}});
  };
  const auto add_drawn = [&](const char* measure, const MomentSums& sums) {
    const Moments m = sums.moments();
    add(measure, m.mean, m.count > 1 ? std::sqrt(m.variance) : std::nan(""), m.count);
  };
  const double none = std::nan("");
  add("stable_rank",
      effective_dimension(spectrum<double>(block(all, 1, length), Centring::centred)).stable_rank, none,
      length - 1);
  add_drawn("index_error", errors(first, streams, shuffles));
  add_drawn("index_error_sinusoid", errors(wave, streams, 1));
  add("three_directions", (whole_spectrum[0] + whole_spectrum[1] + whole_spectrum[2]) / sum, none, rows(all));
  add_drawn("sinusoid_random_weights", through_random(wave, streams, draws));
  add_drawn("random_weights", through_random(first, streams, draws));
  return records;
}

/// The mean of n draws with this standard deviation; one draw does not say how it spreads.
Estimate mean_of(double value, double sd, std::uint64_t n) {
  if (std::isnan(sd)) return {value, value, value, shown_level, Spread{MeanSpread{0, 1}, {}, n}};
  const double count = static_cast<double>(n);
  return estimated(value, Spread{MeanSpread{sd / std::sqrt(count), count - 1}, {}, n});
}

/// Met: within the window, or below its end where the authors give none.
void ask(Verdicts& v, const std::string& model, const PublishedNumber& known) {
  const bool given = std::isfinite(known.value);
  v.ask(known.measure, model,
        {.finding = {},
         .is = given ? Is::equal : Is::below,
         .bound = given ? (known.low + known.high) / 2 : known.high,
         .margin = given ? (known.high - known.low) / 2 : 0,
         .levels = {{"measure", known.measure}},
         .says = known.label,
         .needs = known.drawn ? "eight shuffles and draws: preset long" : ""});
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Verdicts v{"M9", {}};
  Table table{
      "m9_published.csv",
      {{"model", "", Kind::exact, "name of the model"},
       {"label", "", Kind::exact, "what is measured"},
       {"source", "", Kind::exact, "who published it"},
       {"published", "1", Kind::exact, "the published number; of GPT-2's table, so only for the model gpt2"},
       {"measured", "1", Kind::sampled, "the same measure here, mean over draws"},
       {"sd", "1", Kind::sampled, "standard deviation over shuffles or draws"},
       {"n", "1", Kind::exact, "rows, shuffles or draws"}},
      {}};
  const double none = std::nan("");
  for (const Coordinates& r : records_of(cells, "published")) {
    const std::string &model = text_at(r, "model"), &measure = text_at(r, "measure");
    const double value = number_at(r, "value"), sd = number_at(r, "sd");
    const auto known =
        std::ranges::find_if(numbers, [&](const PublishedNumber& n) { return n.measure == measure; });
    const bool own = known != numbers.end() && (model == the_published_model || known->of_sinusoid);
    table.add({model,
               std::string(known == numbers.end()
                               ? "R² of the distance, these positions through random weights of rank 64"
                               : known->label),
               std::string(own ? known->source : ""), own ? known->value : none, value, sd, at(r, "n")});
    const auto n = static_cast<std::uint64_t>(integer_at(r, "n"));
    const bool drawn = known == numbers.end() || known->drawn;
    v.add(measure.c_str(), model, drawn ? mean_of(value, sd, n) : Estimate{value},
          {.theory = own && std::isfinite(known->value) ? std::optional(known->value) : std::nullopt,
           .n = n,
           .kind = Kind::sampled,
           .meaning =
               known == numbers.end()
                   ? "R² of the distance over scores of the first 512 positions through random "
                     "weights of rank 64."
                   : fmt::format("{}{}", known->label, own ? fmt::format(" ({}).", known->source) : ".")});
    if (!own || model != the_published_model) continue;
    ask(v, model, *known);
  }
  v.outcome.tables = {table};
  const auto measured = [&](const char* measure) {
    const Finding* f =
        find(v.outcome.findings, finding_id("M9", measure, {{"model", std::string(the_published_model)}}));
    return f ? f->value : none;
  };
  if (!std::isnan(measured("stable_rank")))
    v.found.push_back(
        fmt::format("{}: stable rank {:.3f}, error of the position {:.2f}, three directions {:.1f} %, "
                    "sinusoid through random weights R² {:.2f}",
                    the_published_model, measured("stable_rank"), measured("index_error"),
                    100 * measured("three_directions"), measured("sinusoid_random_weights")));
  return v.finish(
      "the published numbers are of GPT-2's positions, and no model called gpt2 with at least 512 of them "
      "was "
      "given (make inspect NAME=gpt2 POSITIONS=FILE)");
}

}  // namespace

Experiment published(const Subjects& subjects, const Options& options) {
  std::vector<Cell> cells;
  for (const Subject& subject : *subjects)
    if (is_long_enough(subject)) cells.push_back({{{"model", subject.name()}}, 8});
  return beside_the_claims({"M9", "Published numbers of GPT-2's positions and of sinusoids are met.",
                            "(published)", depends(subjects), cells,
                            [=, preset = options.preset](const Cell& cell, const Streams& streams) {
                              return run(subject_named(subjects, text_at(cell.at, "model")), streams, preset);
                            },
                            [](const std::vector<CellRecords>& of) { return summarise(of); }});
}

}  // namespace perp::inspect
