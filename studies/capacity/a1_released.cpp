#include "studies/capacity/a1_released.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/recovery.hpp"
#include "studies/capacity/a1_measure.hpp"

namespace perp::capacity {
namespace {

struct Released {
  std::string what, model;
  std::size_t trials;
};
PERP_ROW(Released, what, model, trials)
/// Of the trials: words and positions found at the positions' own size ρ.
struct Found : Released {
  std::size_t v, d, l;
  double rho;
  std::size_t word, position;
};
PERP_ROW_OF(Found, Released, v, d, l, rho, word, position)

/// Where both are read with ease: from the sinusoid's size against words of variance 1 on, to half of the
/// knee of as many random words.
struct Window {
  double least, most;
};
Window window_of(const Found& f) { return {std::sqrt(0.5), theory::recovery_knee(f.d, double(f.v)) / 2}; }
const char* place_of(const Found& f) {
  const Window window = window_of(f);
  return f.rho < window.least ? "below" : f.rho > window.most ? "above" : "inside";
}

/// Tables as they were released; words and positions are drawn, each row as likely as any other.
void measure(const Released& at, const inspect::ModelUnderTest& model, const Streams& streams, Rows& out) {
  const Matrix<float> words = model.tables.words->all<float>(),
                      positions = converted<float>(*model.tables.positions);
  const auto draw = [&](const char* purpose, std::size_t count) {
    return below(streams(purpose), at.trials, static_cast<std::uint32_t>(count));
  };
  const auto w = draw("word", rows(words)), t = draw("position", rows(positions));
  const auto rows_at = [](const Matrix<float>& table, const std::vector<std::uint32_t>& which) {
    return select_rows(table, std::vector<std::size_t>(which.begin(), which.end()));
  };
  const Matrix<float> sent = rows_at(words, w), added = rows_at(positions, t);
  const double rho = std::sqrt(mean_square_length(positions) / mean_square_length(words));
  Matrix<float> sums = sent;
  for (std::size_t i = 0; i < sums.size(); ++i) sums.data()[i] += added.data()[i];
  const std::vector<Range> ranges = found_between(sent, positions, t, words, w);
  out.add(Found{at, rows(words), cols(words), rows(positions), rho,
                std::size_t(std::ranges::count_if(ranges, [](const Range& r) { return r.holds(1); })),
                count_hits(nearest_words(sums, positions), t).right});
}

/// A share of the trials, which are independent draws of a word and a position.
auto share(const char* name, const char* meaning, std::size_t Found::*right) {
  const auto of_trials = [right](const Found& f) {
    return estimated(double(f.*right) / f.trials, share_spread(f.*right, f.trials));
  };
  return share_column(name, meaning, of_trials, &Found::trials);
}

}  // namespace

void measure_released(Experiment& claim, const inspect::Models& models, Preset preset) {
  std::vector<Released> cells;
  for (const inspect::ModelUnderTest& model : *models)
    if (has_both(model))
      cells.push_back({"released", model.name, pick<std::size_t>(preset, 512, 4096, 16384)});
  claim.measure(cells, 2.0, [models](const Released& at, const Streams& streams, Rows& rows) {
    measure(at, model_named(models, at.model), streams, rows);
  });
}

Rule add_released(const Cells& cells, const inspect::Models& models, double ruined, Summary& summary) {
  const auto found = rows_of<Found>(cells);
  const auto line = [](const Found& f) { return theory::recovered(f.d, f.v, f.rho); };
  const auto model = exact("model", "name of the model", &Found::model);
  const auto rho =
      exact("rho", "length of its positions in lengths of its words, root mean squares", &Found::rho);
  const auto word = share("word",
                          "share of a released model's words found in sums with its own positions as they "
                          "are; theory: exact for as many unit words of no preferred direction",
                          &Found::word)
                        .theory("line", "exact share of as many unit words of no preferred direction", line);
  const auto position = share("position", "share of its positions that are the nearest position to their sum",
                              &Found::position);
  summary.table("a1_released.csv", found,
                {model, exact("words", "V", &Found::v).unit("words"), exact("d", "dimension", &Found::d),
                 exact("positions", "L", &Found::l).unit("positions"), rho,
                 exact("least", "the window's lower end: a sinusoid beside words of variance 1",
                       [](const Found& f) { return window_of(f).least; }),
                 exact("most", "its upper end: half of the size at which random words begin to be lost",
                       [](const Found& f) { return window_of(f).most; }),
                 exact("place", "of rho: below, inside or above the window", place_of), word, position,
                 exact("n", "sums decoded", &Found::trials).unit("trials")});
  summary.each(found, {model}, {word.as("released")});
  if (found.empty())
    return {condition(Role::core, elsewhere, Is::below, ruined, Evidence::released,
                      {{"evidence", "released"}},
                      "share of a released model's words found at its own positions' size",
                      "a model with words and positions: --models FILE")};
  summary.number("released_models", {}, {double(found.size())},
                 {.unit = "models", .meaning = "Released models with words and positions."});
  summary.number(
      "released_outside", {},
      {double(count_if(found, [](const Found& f) { return place_of(f) != std::string("inside"); }))},
      {.unit = "models", .meaning = "Of these, models whose own size lies outside the window."});
  Rule rule;
  for (const Found& f : found)
    rule.push_back(condition(Role::core, "released." + f.model, Is::below, ruined, Evidence::released,
                             levels_of(model_named(models, f.model))));
  keep_one_of_each_lineage(rule);
  return rule;
}

}  // namespace perp::capacity
