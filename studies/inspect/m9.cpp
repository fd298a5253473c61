// M9: numbers that others published of GPT-2's positions, and of sinusoids, measured again as they did it.

#include <algorithm>
#include <array>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/position_readout.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/by_model.hpp"

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
/// The last was not published: it has no source.
constexpr std::array<PublishedNumber, 6> numbers{{
    {"stable_rank", "stable rank of positions 1 to 511, centred", "Song & Zhong 2023, arXiv 2310.04861", 2.05,
     2.045, 2.055, false, false},
    {"index_error", "error of the position read off linearly, 512 rows, 5 folds",
     "Wang & Chen 2020, arXiv 2010.04903", 1.03, 0.8, 1.4, false, true},
    {"index_error_sinusoid", "error of the position read off linearly, sinusoid",
     "Wang & Chen 2020, arXiv 2010.04903", 0.0, -0.05, 0.05, true, false},
    {"three_directions", "share of the variance in three directions",
     "Yedidia 2023, lesswrong.com/posts/qvWP3aBDBaqXvPNhS: GPT-2's positional embedding matrix is a helix",
     0.904, 0.9035, 0.9045, false, false},
    {"sinusoid_random_weights", "R² of the distance, sinusoid through random weights of rank 64",
     "Yan et al. 2019, arXiv 1911.04474: distance-awareness is lost", NAN, 0, 0.5, true, true},
    {"random_weights", "R² of the distance, these positions through random weights of rank 64", "", NAN, 0, 0,
     false, true},
}};

struct Published : OfModel {
  std::string measure;
  double value, sd;
  std::size_t n;

  const PublishedNumber& known() const {
    return *std::ranges::find(numbers, measure, &PublishedNumber::measure);
  }
  bool is_of_gpt2() const { return model == the_published_model; }
  /// Whether these are the positions that the published number is of.
  bool is_same() const { return *known().source && (is_of_gpt2() || known().of_sinusoid); }
  std::string source() const { return is_same() ? known().source : ""; }
  double published() const { return is_same() ? known().value : NAN; }
};
PERP_ROW_OF(Published, OfModel, measure, value, sd, n)

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
    const auto query = normal_matrix<double>(d, rank, streams("query", draw)),
               key = normal_matrix<double>(d, rank, streams("key", draw));
    sums.add(toeplitz_r2(lag_statistics(product(table, query), product(table, key), 1)));
  }
  return sums;
}

bool is_long_enough(const ModelUnderTest& model) {
  const Tables& tables = model.tables;
  return tables.positions && tables.first_position == 0 && rows(*tables.positions) >= length &&
         cols(*tables.positions) % 2 == 0;
}

void measure(const ModelUnderTest& model, const OfModel& at, const Streams& streams, Preset preset,
             Rows& out) {
  const Matrix<double>& all = *model.tables.positions;
  const std::size_t shuffles = pick<std::size_t>(preset, 1, 4, 20),
                    draws = pick<std::size_t>(preset, 10, 50, 500);
  const Matrix<double> first = leading_rows(all, length), wave = sinusoidal<double>(length, cols(all));
  const std::vector<double> whole = spectrum(all, Centring::centred);
  const double sum = std::accumulate(whole.begin(), whole.end(), 0.0);
  const auto add_drawn = [&](const char* measure, const MomentSums& sums) {
    const Moments m = sums.moments();
    out.add(Published{at, measure, m.mean, m.count > 1 ? std::sqrt(m.variance) : NAN, m.count});
  };
  const auto trained = spectrum(block(all, 1, length), Centring::centred);
  out.add(Published{at, "stable_rank", effective_dimension(trained).stable_rank, NAN, length - 1});
  add_drawn("index_error", errors(first, streams, shuffles));
  add_drawn("index_error_sinusoid", errors(wave, streams, 1));
  out.add(Published{at, "three_directions", (whole[0] + whole[1] + whole[2]) / sum, NAN, rows(all)});
  add_drawn("sinusoid_random_weights", through_random(wave, streams, draws));
  add_drawn("random_weights", through_random(first, streams, draws));
}

/// The mean of n draws with this standard deviation; one draw does not say how it spreads.
Estimate drawn_estimate(const Published& p) {
  if (std::isnan(p.sd)) return {p.value, p.value, p.value, shown_level, Spread{MeanSpread{0, 1}, {}, p.n}};
  const double count = p.n;
  return estimated(p.value, Spread{MeanSpread{p.sd / std::sqrt(count), count - 1}, {}, p.n});
}

std::string meaning(const Published& p) {
  if (!*p.known().source)
    return "R² of the distance over scores of the first 512 positions through random weights of rank 64.";
  return p.is_same() ? fmt::format("{} ({}).", p.known().label, p.source())
                     : fmt::format("{}.", p.known().label);
}

/// Met: within the window, or below its end where the authors give none.
Threshold threshold(const PublishedNumber& known) {
  if (!std::isfinite(known.value)) return {Is::below, known.high};
  return {Is::equal, (known.low + known.high) / 2, (known.high - known.low) / 2};
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto rows = rows_of<Published>(cells);
  summary.table(
      "m9_published.csv", rows,
      {model_name,
       exact("label", "what is measured", [](const Published& p) { return std::string(p.known().label); }),
       exact("source", "who published it", &Published::source),
       exact("published", "the published number; of GPT-2's table, so only for the model gpt2",
             &Published::published),
       sampled("measured", "the same measure here, mean over draws", &Published::value),
       sampled("sd", "standard deviation over shuffles or draws", &Published::sd),
       exact("n", "rows, shuffles or draws", &Published::n)});
  ModelSummaries said(summary, models);
  for (const Published& p : rows) {
    const PublishedNumber& known = p.known();
    said.begin(p.model, p.n);
    said.number(p.measure, known.drawn ? drawn_estimate(p) : Estimate{p.value},
                {.theory = p.published(), .kind = Kind::sampled}, meaning(p));
    if (p.is_of_gpt2() && p.is_same())
      said.require_that(Role::core, p.measure, threshold(known), {{"measure", p.measure}}, known.label,
                        known.drawn ? "eight shuffles and draws: preset long" : "");
  }
  if (std::ranges::any_of(rows, &Published::is_of_gpt2)) {
    said.begin(the_published_model);
    said.add_sentence("");
  }
  said.finish(
      "",
      "a model called gpt2 with at least 512 positions, for the published numbers are of GPT-2's (perp "
      "inspect --name gpt2 --positions FILE)");
}

}  // namespace

Experiment published(const Models& models, const Options& options) {
  Experiment claim{"M9", "Published numbers for GPT-2's positions and for sinusoids can be reproduced.",
                   "(published)", depends(models)};
  claim.measure(cells_of(models, is_long_enough), 8,
                [=, preset = options.preset](const OfModel& at, const Streams& streams, Rows& rows) {
                  measure(model_named(models, at.model), at, streams, preset, rows);
                });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return beside_the_claims(std::move(claim));
}

}  // namespace perp::inspect
