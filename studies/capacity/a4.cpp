// A4: "adding contains concatenating as a special case": the tables themselves as unknowns.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear_optimum.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/bilinear.hpp"
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

/// From the best split, all tables free.
struct Joint : Place {
  std::size_t steps, replicate;
};
PERP_ROW_OF(Joint, Place, steps, replicate)
struct Freed : Joint {
  std::size_t width;
  double split, joint, within, released, rise;
};
PERP_ROW_OF(Freed, Joint, width, split, joint, within, released, rise)

/// Words fixed at full width, positions free at one power, from five starts.
struct Alone : Place {
  std::size_t power, steps, replicate;
};
PERP_ROW_OF(Alone, Place, power, steps, replicate)
struct Start : Alone {
  std::string from;
  double begin, end, split, gain;
};
PERP_ROW_OF(Start, Alone, from, begin, end, split, gain)
/// The best end over the starts of one draw, against the split of the same draw.
struct Best : Alone {
  double begin, end, excess, spread;
};
PERP_ROW_OF(Best, Alone, begin, end, excess, spread)

/// A replicate's draw, which all powers share, so that they and the split compare pair by pair.
struct Drawn {
  Streams streams;
  Draw tables;
  BilinearTargets targets;
  BestSplit split;
};
template <class At>
Drawn drawn(const At& at, const Streams& streams) {
  const Streams shared{streams.seed, streams.experiment,
                       fmt::format("v={} replicate={}", at.v, at.replicate)};
  Draw tables = draw(at.v, at.l, at.d, shared);
  BilinearTargets targets = bilinear_targets(tables.targets, at.v);
  const BestSplit split =
      best_split_of(tables, targets, Positions::random, 1, even_widths(at.d, 2), usual_cutoff);
  return {shared, std::move(tables), std::move(targets), split};
}

/// 1 where is_free(is_word, column), 0 elsewhere: the entries of [W; P] that may move.
template <class IsFree>
Matrix<double> free_entries(const Draw& draw, const IsFree& is_free) {
  Matrix<double> free = matrix<double>(draw.words + draw.positions, draw.d);
  for (std::size_t i = 0; i < rows(free); ++i)
    for (std::size_t j = 0; j < draw.d; ++j) free(i, j) = is_free(i < draw.words, j) ? 1 : 0;
  return free;
}

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

void measure_joint(const Joint& at, const Streams& streams, Rows& out) {
  const auto [shared, one, targets, split] = drawn(at, streams);
  const std::size_t word_width = at.d - split.width;
  const Matrix<double> start = split_table(one, Positions::random, split.width, 1),
                       all = free_entries(one, [](bool, std::size_t) { return true; }),
                       own = free_entries(
                           one, [&](bool is_word, std::size_t j) { return is_word == (j < word_width); });
  const OptimumSettings settings{.steps = at.steps, .enough = 1e-5};
  const BilinearOptimum joint = bilinear_optimum(start, targets, all, settings),
                        within = bilinear_optimum(start, targets, own, settings),
                        released = bilinear_optimum(within.table, targets, all, settings);
  double rise = 0;
  for (const BilinearOptimum* optimum : {&joint, &within, &released})
    for (std::size_t i = 1; i < optimum->path.size(); ++i)
      rise = std::max(rise, optimum->path[i] - optimum->path[i - 1]);
  out.add(Freed{at, split.width, split.fit.residual, joint.residual(), within.residual(), released.residual(),
                rise});
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
  const auto [shared, one, targets, split] = drawn(at, streams);
  const Matrix<double> free = free_entries(one, [](bool is_word, std::size_t) { return !is_word; });
  const OptimumSettings settings{.steps = at.steps, .keep_power = true, .enough = 5e-5};
  std::vector<Start> starts;
  for (const auto& [name, positions] : starts_of(one, shared, split.width, at.power)) {
    const BilinearOptimum end =
        bilinear_optimum(stacked(one.word_entries, positions), targets, free, settings);
    starts.push_back({at, name, end.path.front(), end.residual(), split.fit.residual,
                      bilinear_residual(end.table, targets).noise_gain});
    out.add(starts.back());
  }
  const double best = least(starts, &Start::end);
  out.add(Best{at, starts.front().begin, best, best - split.fit.residual, most(starts, &Start::end) - best});
}

const auto v = exact("v", "words", &Place::v);
const auto l = exact("l", "positions", &Place::l);
const auto d = exact("d", "dimension", &Place::d);
const auto power = exact("power", "power of a position over a word's", &Alone::power);
constexpr const char* student = "Student's t, 99%";

/// One of the tables of a draw, and what it leaves.
struct Left : Freed {
  const char* tables;
  double residual;
};

double split_law(const Place& at) {
  const std::size_t width = theory::best_split(at.v, at.l, at.d);
  return theory::split_residual(at.v, at.l, at.d - width, width);
}

void add_joint_table(const std::vector<Freed>& draws, Summary& summary) {
  std::vector<Left> left;
  for (const Freed& f : draws)
    for (const auto& [tables, residual] :
         {std::pair{"split", f.split}, {"within", f.within}, {"joint", f.joint}, {"freed", f.released}})
      left.push_back({f, tables, residual});
  const auto line = [](const Left& of) {
    return of.tables == std::string_view("split") ? split_law(of) : std::nan("");
  };
  summary.table(
      "a4_joint.csv", group_by(left, &Left::v, [](const Left& of) { return std::string_view(of.tables); }),
      {v, l, d,
       mean("width", "dimensions of positions in the best concatenation, mean",
            [](const Left& of) { return of.width; }),
       exact("tables",
             "split: concatenated, as drawn; within: optimised so; joint: freed from there; freed: freed "
             "from `within`",
             &Left::tables),
       mean("residual", "share of the scores' energy left", &Left::residual).interval("low", "high", student),
       rounded("line", "expected, random tables; empty where they are optimised", line),
       rows_in<Left>("replicates", "draws")});
}

void add_starts(const std::vector<Start>& starts, Summary& summary) {
  summary.table(
      "a4_starts.csv", group_by(starts, &Start::v, &Start::power, &Start::from),
      {v, l, d, power,
       exact("from",
             "random, other: two draws; sinusoidal; centred; confined: in the concatenation's own dimensions",
             &Start::from),
       mean("begin", "residual at the start, mean", &Start::begin),
       mean("end", "residual at the end", &Start::end).interval("low", "high", student),
       mean("split", "residual of the best concatenation of the same draws, mean", &Start::split),
       mean("excess", "end less best concatenation", [](const Start& s) { return s.end - s.split; })
           .interval("excess_low", "excess_high", student),
       mean("gain", "noise gain at the end, mean", &Start::gain),
       rows_in<Start>("replicates", "draws of words and targets")});
}

void add_joint(const std::vector<Freed>& draws, Summary& summary) {
  const auto released_gain = [](const Freed& f) { return f.within - f.released; };
  const auto groups = group_by(draws, &Freed::v);
  summary.each(where(groups, [](const Group<Freed>& group) { return group.front().v != half.v; }), {v},
               {mean("split", "Residual of the best concatenation of random tables; theory: leading order.",
                     &Freed::split)
                    .theory(split_law)});
  summary.each(
      where(groups, [](const Group<Freed>& group) { return group.front().v == known.v; }), {v},
      {mean("joint", "Residual once words and positions are optimised together, from the best concatenation.",
            &Freed::joint),
       mean("released_gain",
            "Residual of the concatenation with optimised tables less that of the joint optimum from it.",
            released_gain)
           .chance(0)});
  add_overall(
      summary, "worst_rise", {}, most(draws, &Freed::rise), 3 * draws.size(),
      "Largest rise of the residual in any step from the concatenation: none, or adding would end worse.",
      0.0);
}

void add_alone(const std::vector<Best>& draws, Summary& summary) {
  const auto spread = [](const Group<Best>& draws) { return most(draws, &Best::spread); };
  const auto starts = [](const Group<Best>& draws) { return 5 * draws.size(); };
  const auto law = [](const Alone& at) { return theory::added_residual(at.v, at.l, at.d, at.power); };
  const auto groups = group_by(draws, &Best::v, &Best::power);
  const auto of = [&](const Size& size, std::initializer_list<std::size_t> powers) {
    return where(groups, [&](const Group<Best>& group) {
      return group.front().v == size.v && std::ranges::count(powers, group.front().power);
    });
  };
  const auto alone = mean("alone",
                          "residual once positions of this power are optimised, words fixed at full width, "
                          "best of five starts",
                          &Best::end)
                         .unit("share");
  const auto excess = mean("excess",
                           "residual of positions optimised, words fixed at full width, minus that of the "
                           "best concatenation; above 0 it is not reached",
                           &Best::excess)
                          .chance(0)
                          .unit("share");
  summary.each(
      of(known, {1}), {v, power},
      {mean("begin", "Residual of words and random positions added; theory: closed form.", &Best::begin)
           .theory(law)
           .unit("share")});
  summary.each(of(known, {1, 16}), {v, power},
               {alone, excess,
                sampled("spread", "Largest difference between the ends of five starts.", spread)
                    .n(starts)
                    .unit("share")});
  summary.each(of(fewer, {1}), {v, power}, {alone, excess});
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
  const auto draws = rows_of<Freed>(cells);
  add_starts(rows_of<Start>(cells), summary);
  add_joint_table(draws, summary);
  add_overall(
      summary, "containment", {},
      std::max(most(contained, &Contained::difference), most(contained, &Contained::residual_difference)),
      contained.size(),
      "Largest relative difference between the fitted scores of a concatenation and of sums of words and "
      "positions in orthogonal subspaces.",
      0.0);
  add_joint(draws, summary);
  add_alone(rows_of<Best>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment adding_contains_concatenating(const Options& options) {
  Experiment claim{"A4", "Adding contains concatenating as a special case.", "[e]"};
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 12),
                    joint_steps = pick<std::size_t>(options.preset, 60, 300, 1000),
                    alone_steps = pick<std::size_t>(options.preset, 40, 120, 400);
  const bool quick = options.preset == Preset::quick;
  const std::vector<std::size_t> powers =
      quick ? std::vector<std::size_t>{1, 16} : std::vector<std::size_t>{1, 2, 16, 256};
  for (const auto& [v, l, d] : quick ? std::vector{half} : std::vector{known, half, fewer}) {
    const double n = v + l, step = 1e-9 * (8 * n * d * d + 6 * n * n * d);
    claim.measure(grid<Joint>(Place{"joint", v, l, d}, joint_steps, first(replicates)), 400 * step,
                  measure_joint);
    claim.measure(grid<Alone>(Place{"alone", v, l, d}, powers, alone_steps, first(replicates)), 400 * step,
                  measure_alone);
    claim.measure(grid<Containment>(Place{"containment", v, l, d}, replicates), 10 * step,
                  measure_containment);
  }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
