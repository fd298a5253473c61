// A11: "training turns adding into concatenating": positions take few of a model's coordinates, and its words
// leave these. For given models; a rotation of a table, which changes no product of its rows, is chance.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/outer.hpp"
#include "perp/vectors/words.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

/// Of a number's mean under rotation; below it, few coordinates count as such, and as left.
constexpr double clearly_less = 0.5;
/// Share of the positions' variance that "their" coordinates hold.
constexpr double theirs = 0.8;

struct Held : OfModel {
  std::size_t positions, d;
  double ratio, turned;            ///< participation ratio, under rotations
  double leading, leading_turned;  ///< share in the leading 5 % of coordinates
  std::size_t held;                ///< coordinates that hold 80 % of the positions' variance
  double words = NAN;              ///< the words' share in these; NaN without words

  double concentration() const { return ratio / turned; }
  double by_chance() const { return double(held) / double(d); }
  double left() const { return words / by_chance(); }
};
PERP_ROW_OF(Held, OfModel, positions, d, ratio, turned, leading, leading_turned, held, words)

struct Turned : OfModel {
  std::size_t rotations;
};
PERP_ROW_OF(Turned, OfModel, rotations)

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
void measure(const ModelUnderTest& model, const Turned& at, const Streams& streams, Rows& out) {
  const Matrix<double> of_positions = covariance(*model.tables.positions);
  const std::size_t d = cols(of_positions);
  if (!(trace(of_positions) > 0)) return;
  const std::vector<double> positions = variance_shares(of_positions);
  std::optional<Matrix<double>> of_words;
  if (model.tables.words) of_words = stream_table(*model.tables.word_stream(), {}).centred;
  if (of_words && !(trace(*of_words) > 0)) of_words.reset();
  std::vector<double> ratios, leading;
  for (std::size_t draw = 0; draw < at.rotations; ++draw) {
    const std::vector<double> turned =
        turned_shares(of_positions, random_rotation(d, streams("positions", draw)));
    const Concentration of = concentration(turned);
    ratios.push_back(of.participation_ratio);
    leading.push_back(of.leading_share);
  }
  const Concentration own = concentration(positions);
  const std::vector<std::size_t> held = columns_holding(positions, theirs);
  Held row{at,
           rows(*model.tables.positions),
           d,
           own.participation_ratio,
           mean_of(ratios),
           own.leading_share,
           mean_of(leading),
           held.size()};
  if (of_words) {
    const std::vector<double> words = variance_shares(*of_words);
    row.words = 0;
    for (const std::size_t j : held) row.words += words[j];
  }
  out.add(row);
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto found = rows_of<Held>(cells);
  if (!found.empty())
    summary.table(
        "a11_coordinates.csv", found,
        {model_name, exact("positions", "L", &Held::positions).unit("positions"),
         exact("d", "dimension", &Held::d),
         rounded("ratio", "participation ratio of the variances of the positions' coordinates", &Held::ratio),
         sampled("turned", "its mean over random rotations", &Held::turned),
         rounded("leading", "share of the positions' variance in the leading 5% of coordinates",
                 &Held::leading),
         sampled("leading_turned", "its mean over random rotations", &Held::leading_turned),
         exact("held", "coordinates that hold 80% of the positions' variance", &Held::held),
         rounded("words", "share of the words' variance in these", &Held::words),
         exact("by_chance", "its mean over random rotations of the words", &Held::by_chance)});
  const auto add = [&](const Held& of, const char* measure, double value, const char* meaning,
                       const char* what, const char* says) {
    summary.number(measure, {{"model", of.model}}, {value},
                   {.theory = 1, .n = of.d, .kind = Kind::rounded, .meaning = meaning});
    ask(summary, model_named(models, of.model),
        {measure, Is::below, clearly_less, 0, Role::core, {{"measure", what}}, says});
  };
  for (const Held& of : found) {
    add(of, "concentration", of.concentration(),
        "Participation ratio of the variances of the positions' coordinates over its mean under random "
        "rotations.",
        "positions", "participation ratio of the positions' coordinates over that of random rotations");
    if (!std::isnan(of.words))
      add(of, "words_left", of.left(),
          "Share of the words' variance in the coordinates that hold 80% of the positions', over its mean "
          "under "
          "random rotations of the words.",
          "words", "words' variance in the positions' coordinates over that of random rotations");
  }
  finish(summary, found.size(),
         "a model with positions that are not all equal (perp inspect --positions FILE)");
  for (const auto& [measure, says] :
       {std::pair{"concentration",
                  "participation ratio of the positions' coordinates over that of rotations"},
        {"words_left", "words' variance in the positions' coordinates over that of rotations"}})
    summary.rule.push_back(
        condition(Role::core, fmt::format("A10.{}.learned", measure), Is::below, clearly_less,
                  Evidence::trained, {{"evidence", "trained here"}},
                  fmt::format("{}, learned positions added, after training on a text, d = 64", says),
                  "study learning, preset long, positions that save a bit a byte"));
}

}  // namespace

Experiment into_coordinates(const Models& models, const Options& options) {
  Experiment claim{
      "A11",
      "Training turns adding into concatenating: positions take few coordinates, and words leave them.",
      "[e]", depends(models)};
  std::vector<Turned> turned;
  for (const OfModel& of : cells_of_lineages(models, has_positions))
    turned.push_back({of, pick<std::size_t>(options.preset, 10, 40, 100)});
  claim.measure(turned, 2, [=](const Turned& at, const Streams& streams, Rows& rows) {
    measure(model_named(models, at.model), at, streams, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return claim;
}

}  // namespace perp::inspect
