// A4: "adding contains concatenating as a special case": the tables themselves as unknowns.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear_optimum.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "studies/capacity/a3_tables.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Relative difference of scores up to which two ways to compute them are the same.
constexpr double same_scores = 1e-9;

struct Size {
  std::size_t v, l, d;
};
/// The known size, half of it (the only one in a quick run), and fewer words per position.
constexpr Size known{300, 32, 64}, half{150, 16, 32}, fewer{60, 12, 24};

struct Place {
  std::string what;
  std::size_t v, l, d;
};
PERP_ROW(Place, what, v, l, d)

/// Words and positions in separate dimensions, rotated: the same scores and residual as concatenated.
struct Containment : Place {
  std::size_t replicates;
};
PERP_ROW_OF(Containment, Place, replicates)
struct Contained : Containment {
  double difference, residual_difference;
};
PERP_ROW_OF(Contained, Containment, difference, residual_difference)

/// Words fixed at full width, positions free at the words' power, from five starts.
struct Alone : Place {
  std::size_t power, steps, replicate;
};
PERP_ROW_OF(Alone, Place, power, steps, replicate)
struct Start : Alone {
  std::string from;
  double end, split;
};
PERP_ROW_OF(Start, Alone, from, end, split)
/// The best end over the starts of one draw, against the split of the same draw.
struct Best : Alone {
  double end, excess;
};
PERP_ROW_OF(Best, Alone, end, excess)

void measure_containment(const Containment& at, const Streams& streams, Rows& out) {
  for (std::size_t r = 0; r < at.replicates; ++r) {
    const Draw one = draw(at.v, at.l, at.d, streams, r);
    const Matrix<double> concatenated = split_table(one, Positions::random, one.positions, 1);
    const Matrix<double> rotation = complete_basis(normal_matrix<double>(at.d, at.d, streams("turn", r)));
    const Matrix<double> added = product(concatenated, rotation);
    const BilinearTargets targets = bilinear_targets(one.targets, one.words);
    const BilinearFit apart = bilinear_fit(concatenated, targets), together = bilinear_fit(added, targets);
    const auto scores = [&](const Matrix<double>& table, const Matrix<double>& head) {
      const Matrix<double> a = whitened_rows(table, one.words);
      return product_nt(product(a, head), a);
    };
    const Matrix<double> left = scores(concatenated, apart.head), right = scores(added, together.head);
    double off = 0;
    for (std::size_t i = 0; i < left.size(); ++i) off += squared(left.data()[i] - right.data()[i]);
    out.add(Contained{at, std::sqrt(off / targets.energy), std::abs(apart.residual - together.residual)});
  }
}

std::vector<std::pair<const char*, Matrix<double>>> starts_of(const Draw& one, const Streams& streams,
                                                              std::size_t width, double power) {
  Draw other = one;
  other.position_entries = normal_matrix<double>(one.positions, one.d, streams("other positions"));
  // The split's own positions: all of their power in its last dimensions, while words have every one.
  const Matrix<double> narrow = exact_positions(Positions::random, one, width, power);
  return {{"random", exact_positions(Positions::random, one, one.d, power)},
          {"other", exact_positions(Positions::random, other, one.d, power)},
          {"sinusoidal", exact_positions(Positions::sinusoidal, one, one.d, power)},
          {"centred", exact_positions(Positions::centred, one, one.d, power)},
          {"confined", placed(narrow, one.d - width, one.d)}};
}

void measure_alone(const Alone& at, const Streams& streams, Rows& out) {
  const Streams shared{streams.seed, streams.experiment,
                       fmt::format("v={} replicate={}", at.v, at.replicate)};
  const Draw one = draw(at.v, at.l, at.d, shared);
  const BilinearTargets targets = bilinear_targets(one.targets, at.v);
  const BestSplit split =
      best_split_of(one, targets, Positions::random, 1, even_widths(at.d, 2), usual_cutoff);
  Matrix<double> free = matrix<double>(at.v + at.l, at.d);  // which entries of [W; P] may move
  for (std::size_t i = 0; i < rows(free); ++i)
    for (std::size_t j = 0; j < at.d; ++j) free(i, j) = i < at.v ? 0 : 1;
  const OptimumSettings settings{.steps = at.steps, .keep_power = true, .enough = 5e-5};
  std::vector<Start> starts;
  for (const auto& [name, positions] : starts_of(one, shared, split.width, at.power)) {
    const BilinearOptimum end =
        bilinear_optimum(stacked(one.word_entries, positions), targets, free, settings);
    starts.push_back({at, name, end.residual(), split.fit.residual});
    out.add(starts.back());
  }
  const double best = least(starts, &Start::end);
  out.add(Best{at, best, best - split.fit.residual});
}

const auto v = exact("v", "words", &Place::v);
const auto l = exact("l", "positions", &Place::l);
const auto d = exact("d", "dimension", &Place::d);
const auto power = exact("power", "power of a position over a word's", &Alone::power);
constexpr const char* student = "Student's t, 99%";

void add_starts(const std::vector<Start>& starts, Summary& summary) {
  summary.table(
      "a4_starts.csv", group_by(starts, &Start::v, &Start::power, &Start::from),
      {v, l, d,
       exact("from",
             "random, other: two draws; sinusoidal; centred; confined: in the concatenation's own dimensions",
             &Start::from),
       mean("end", "residual once positions are optimised, mean", &Start::end)
           .interval("low", "high", student),
       mean("split", "residual of the best concatenation of the same draws, mean", &Start::split),
       mean("excess", "end less best concatenation", [](const Start& s) { return s.end - s.split; })
           .interval("excess_low", "excess_high", student),
       rows_in<Start>("replicates", "draws of words and targets")});
}

void add_alone(const std::vector<Best>& draws, Summary& summary) {
  const auto sizes = where(group_by(draws, &Best::v, &Best::power),
                           [](const Group<Best>& group) { return group.front().v != half.v; });
  summary.each(sizes, {v, power},
               {mean("alone",
                     "residual once positions of this power are optimised, words fixed at full width, "
                     "best of five starts",
                     &Best::end)
                    .unit("share"),
                mean("excess",
                     "residual of positions optimised, words fixed at full width, minus that of the "
                     "best concatenation; above 0 it is not reached",
                     &Best::excess)
                    .chance(0)
                    .unit("share")});
}

/// Contained: equal scores in orthogonal subspaces. What an encoding can do about it, words being what they
/// are, is where that ends.
Rule rule() {
  const auto alone = [](const Size& size) {
    return condition(Role::limit, fmt::format("excess.v{}.power1", size.v), Is::below, 0.0,
                     Evidence::simulation,
                     {{"free", "positions alone"}, {"V : L", fmt::format("{} : {}", size.v, size.l)}}, {},
                     "at least 8 seeds");
  };
  return {condition(Role::core, "containment", Is::below, same_scores, Evidence::theorem,
                    {{"free", "words and positions"}}),
          alone(fewer), alone(known)};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto contained = rows_of<Contained>(cells);
  add_starts(rows_of<Start>(cells), summary);
  add_overall(
      summary, "containment", {},
      std::max(most(contained, &Contained::difference), most(contained, &Contained::residual_difference)),
      contained.size(),
      "Largest relative difference between the fitted scores of a concatenation and of sums of words and "
      "positions in orthogonal subspaces.",
      0.0);
  add_alone(rows_of<Best>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment adding_contains_concatenating(const Options& options) {
  Experiment claim{"A4", "Adding contains concatenating as a special case.", "[e]"};
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 12),
                    alone_steps = pick<std::size_t>(options.preset, 40, 120, 400);
  const bool quick = options.preset == Preset::quick;
  for (const auto& [v, l, d] : quick ? std::vector{half} : std::vector{known, half, fewer}) {
    const double n = v + l, step = 1e-9 * (8 * n * d * d + 6 * n * n * d);
    claim.measure(grid<Alone>(Place{"alone", v, l, d}, std::size_t{1}, alone_steps, first(replicates)),
                  400 * step, measure_alone);
    claim.measure(grid<Containment>(Place{"containment", v, l, d}, replicates), 10 * step,
                  measure_containment);
  }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
