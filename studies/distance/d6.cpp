// D6: positions can be analysed alone, although attention sees them through QᵀK. In words: d6.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
constexpr std::size_t panel = 64;  // positions and dimensions of the score matrices that are drawn

double cost(const ScoreCase& c, std::size_t draws) {
  const std::size_t inner = c.rank ? c.rank : c.d;
  return draws * (1e-11 * c.l * inner * (2 * c.d + c.l) + 1e-3);
}

template <class T>
LagStatistics lags(const Factors<T>& f) {
  return lag_statistics(f.left, f.right, 1);
}

/// Weights that mix everything are drawn and multiplied in float32, which moves R² by less than 1e-6.
double r2_of(const ScoreCase& c, const Matrix<double>& positions, const Streams& streams, std::size_t draw) {
  if (c.rank == 0) return toeplitz_r2(lags(score_factors<double>(c, positions, streams, draw)));
  return toeplitz_r2(lags(score_factors<float>(c, Matrix<float>(positions), streams, draw)));
}

void measure_scores(const ScoreCase& c, std::size_t draws, const Streams& streams, Out& out) {
  const Matrix<double> positions =
      c.encoding == "none" ? zeros<double>(1, c.d) : score_positions(c, streams, 0);
  for (std::size_t draw = 0; draw < draws; ++draw) out("draws", {{"r2", r2_of(c, positions, streams, draw)}});
}

/// Score matrices of 64 positions, each scaled to mean 0 and standard deviation 1.
void measure_panels(const Streams& streams, Out& out) {
  constexpr const char* panels[] = {"identity", "commutant", "rotary_same", "heads", "tied", "rotary_own"};
  std::vector<Matrix<double>> drawn;
  for (const char* matrix : panels) {
    const ScoreCase c{"sinusoidal", matrix, panel / 4, panel, panel};
    const Factors<double> f = score_factors<double>(c, score_positions(c, streams, 0), streams, 0);
    const LagStatistics statistics = lags(f);
    const LagSquares squares = lag_squares(statistics);
    const double scale = std::sqrt((squares.within + squares.between) / squares.entries);
    out("panel", {{"matrix", matrix}, {"r2", toeplitz_r2(statistics)}});
    drawn.push_back(product_nt(f.left, f.right));
    // Two digits are more than a picture shows.
    for (double& score : drawn.back()) score = std::round((score - squares.mean) / scale * 100) / 100;
  }
  for (std::size_t t = 0; t < panel; ++t)
    for (std::size_t s = 0; s < panel; ++s)
      out("panels", {{"t", t + 1},
                     {"s", s + 1},
                     {panels[0], drawn[0](t, s)},
                     {panels[1], drawn[1](t, s)},
                     {panels[2], drawn[2](t, s)},
                     {panels[3], drawn[3](t, s)},
                     {panels[4], drawn[4](t, s)},
                     {panels[5], drawn[5](t, s)}});
}

/// Of a given layer: its heads, and random weights in their place.
void measure_heads(const GivenPositions& given, std::size_t draws, std::uint64_t seed, Out& out) {
  const std::vector<double> r2 = head_r2(*given.positions, given);
  const std::vector<HeadControl> controls =
      head_controls(*given.positions, given, streams_of_heads(seed), draws, 1);
  for (std::size_t h = 0; h < r2.size(); ++h)
    if (!std::isnan(r2[h])) out("heads", {{"r2", r2[h]}, {"control", controls[h].mean}});
}

void fold(const GivenPositions& given, const Frames& measured, Out& out) {
  for (const Frame& draws : measured["draws"].by("encoding matrix rank d l draws")) {
    const std::size_t l = draws.front().whole("l");
    out("r2", draws, {{"positions", l}, {"r2", draws.mean("r2")}, {"null", theory::toeplitz_null(l)}});
  }
  if (!given.weights) return;
  require(measured.has("heads"),
          "--query and --key: all scores of each head are the same; expected weights that are not 0");
  const Frame& heads = measured["heads"];
  const auto mean = [&](const char* field) {
    double sum = 0;
    for (const double share : heads.numbers(field)) sum += share / double(heads.size());
    return sum;
  };
  out("trained", {{"mean", mean("r2")},
                  {"median", median(heads.numbers("r2"))},
                  {"control", mean("control")},
                  {"heads", heads.size()}});
}

/// The condition of released models asks about the weights that are given, if any are.
void ask_given(const GivenPositions& given, Outcome& outcome) {
  if (!given.weights) return;
  const auto of_released = std::ranges::find(outcome.rule, elsewhere, &Condition::finding);
  Condition& released = *of_released;
  released.finding = "trained_median";
  released.says += ", " + reading_of(given);
  released.levels.emplace_back("file",
                               given.files.empty() ? "the given table" : known_file(given.files.front()));
}

}  // namespace

Experiment after_projection(const Options& options, const SharedPositions& given) {
  Experiment claim("D6", toml_of("d6"));
  const std::size_t draws = pick<std::size_t>(options.preset, 6, 50, 500);
  const auto add = [&](const ScoreCase& c) {
    claim.cell({{"what", "scores"},
                {"encoding", c.encoding},
                {"matrix", c.matrix},
                {"rank", whole(c.rank)},
                {"d", whole(c.d)},
                {"l", whole(c.l)},
                {"draws", whole(draws)}},
               cost(c, draws),
               [=](const Streams& streams, Out& out) { measure_scores(c, draws, streams, out); });
  };
  for (const std::size_t rank : {16, 64, 512}) add({"sinusoidal", "heads", rank, 512, length});
  for (const std::size_t rank : {16, 64}) add({"sinusoidal", "tied", rank, 512, length});
  add({"none", "rotary_own", 0, 512, length});
  claim.cell({{"what", "panels"}}, 1e-2, measure_panels);
  if (given->weights) {
    const std::size_t controls = control_draws(options.preset);
    const double l = rows(*given->positions), scores = double(given->weights->heads) * l * l;
    claim.cell({{"what", "heads"}, {"tables", given->key()}, {"draws", whole(controls)}},
               3e-9 * double(controls) * scores,
               [=](const Streams& streams, Out& out) { measure_heads(*given, controls, streams.seed, out); });
  }
  claim.fold([given](const Frames& measured, Out& out) { fold(*given, measured, out); });
  claim.also([given](Outcome& outcome) { ask_given(*given, outcome); });
  return claim;
}

}  // namespace perp::distance
