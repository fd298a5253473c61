// A11: "training turns adding into concatenating": positions take few of a model's coordinates, and its words
// leave these. For given models; a rotation of a table, which changes no product of its rows, is chance. In words:
// a11.toml.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/rows.hpp"
#include "perp/vectors/words.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Share of the positions' variance that "their" coordinates hold.
constexpr double theirs = 0.8;

/// diag(OᵀΣO), over its sum: the share of each coordinate of a rotated table of its variance.
std::vector<double> turned_shares(const Matrix<double>& covariance, const Matrix<float>& rotation) {
  const Matrix<double> turned = product(covariance, converted<double>(rotation));
  std::vector<double> shares(cols(covariance), 0.0);
  for (std::size_t i = 0; i < rows(turned); ++i)
    for (std::size_t j = 0; j < cols(turned); ++j) shares[j] += double(rotation(i, j)) * turned(i, j);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
  return shares;
}

void measure(const ModelUnderTest& model, std::size_t rotations, const Streams& streams, Out& out) {
  const Matrix<double> of_positions = covariance(*model.tables.positions);
  const std::size_t d = cols(of_positions);
  if (!(trace(of_positions) > 0)) return;
  std::vector<double> ratios, leading;
  for (std::size_t draw = 0; draw < rotations; ++draw) {
    const Concentration of =
        concentration(turned_shares(of_positions, random_rotation(d, streams("positions", draw))));
    ratios.push_back(of.participation_ratio);
    leading.push_back(of.leading_share);
  }
  const std::vector<double> positions = variance_shares(of_positions);
  const Concentration own = concentration(positions);
  const std::vector<std::size_t> held = columns_holding(positions, theirs);
  const double by_chance = double(held.size()) / double(d);
  std::optional<Matrix<double>> of_words;
  if (model.tables.words) of_words = stream_table(*model.tables.word_stream(), {}).centred;
  double words_in_these = NAN;
  if (of_words && trace(*of_words) > 0) {
    const std::vector<double> words = variance_shares(*of_words);
    words_in_these = 0;
    for (const std::size_t j : held) words_in_these += words[j];
    out("words", {{"left", words_in_these / by_chance}, {"d", d}});
  }
  out("positions", {{"concentration", own.participation_ratio / mean_of(ratios)}, {"d", d}});
  out("coordinates", {{"positions", rows(*model.tables.positions)},
                      {"d", d},
                      {"ratio", own.participation_ratio},
                      {"turned", mean_of(ratios)},
                      {"leading", own.leading_share},
                      {"leading_turned", mean_of(leading)},
                      {"held", held.size()},
                      {"words", words_in_these},
                      {"by_chance", by_chance}});
}

}  // namespace

Experiment into_coordinates(const Models& models, const Options& options) {
  Experiment claim("A11", toml_of("a11"), depends(models));
  const std::size_t rotations = pick<std::size_t>(options.preset, 10, 40, 100);
  for (const GivenModel& model : lineages_with(models, has_positions))
    claim.cell({{"model", model->name}, {"rotations", whole(rotations)}}, 2,
               [=](const Streams& streams, Out& out) { measure(*model, rotations, streams, out); });
  return asked_of_each(models, std::move(claim));
}

}  // namespace perp::inspect
