// A3: one matrix fitted to four independent tables.

#include "studies/capacity/a3_measure.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/bilinear.hpp"

namespace perp::capacity {
namespace {

/// What is compared: positions and their power over the words'. Equal total power first; "random_equal" gives
/// positions the words' own power, as the known numbers do.
struct Compared {
  const char* name;
  Positions positions;
  double power;
};
constexpr Compared compared[] = {{"sinusoidal", Positions::sinusoidal, sinusoid_power},
                                 {"centred", Positions::centred, sinusoid_power},
                                 {"random", Positions::random, sinusoid_power},
                                 {"random_equal", Positions::random, 1.0}};

/// Adding and the best split, for one cutoff.
void compare(const FittedTables& at, const Draw& one, const BilinearTargets& targets, const Compared& what,
             double cutoff, bool split, Rows& rows) {
  const auto add = [&](const char* name, std::size_t width, const Matrix<double>& table) {
    const BilinearFit fit = bilinear_fit(table, targets, cutoff);
    const Jobs &job = fit.by_job, &expected = fit.expected_by_job;
    rows.add(FitResidual{at, what.name, name, width, cutoff, fit.rank, fit.residual, fit.expected,
                         fit.noise_gain, fit.error, job[word_word],
                         (job[word_position] + job[position_word]) / 2, job[position_position],
                         expected[word_word], expected[word_position], expected[position_position]});
  };
  add("adding", one.d, added_table(one, what.positions, what.power));
  if (!split) return;
  std::vector<std::size_t> widths = even_widths(one.d, at.step);
  // A dimension per position is the split to beat, odd or even; sinusoids come in pairs.
  if (what.positions == Positions::random && one.positions < one.d) widths.push_back(one.positions);
  const BestSplit best = best_split_of(one, targets, what.positions, what.power, widths, cutoff);
  add("split", best.width, split_table(one, what.positions, best.width, what.power));
}

/// With the usual cutoff; what is added with others, too, because sinusoids are of full rank and fit exactly
/// in exact arithmetic.
void measure_residuals(const FittedTables& at, bool known, const Streams& streams, Rows& rows) {
  const Draw one = draw(at.v, at.l, drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  const bool swept = at.load == 1 && at.ratio == 1;
  for (const Compared& what : compared) {
    if (!known && what.power != sinusoid_power) continue;
    compare(at, one, targets, what, usual_cutoff, true, rows);
    if (what.positions == Positions::random) continue;
    if (known) compare(at, one, targets, what, fine_cutoff, true, rows);
    for (const double cutoff : other_cutoffs)
      if (swept) compare(at, one, targets, what, cutoff, false, rows);
  }
}

}  // namespace

void measure_load(const FittedTables& at, const Streams& streams, Rows& rows) {
  measure_residuals(at, false, streams, rows);
}

void measure_known(const KnownTables& at, const Streams& streams, Rows& rows) {
  const double load = double(at.v + at.l) / drawn_width;
  const auto ratio = static_cast<std::size_t>(std::lround(double(at.v) / at.l));
  measure_residuals({at.what, load, ratio, at.v, at.l, at.step, at.replicate}, true, streams, rows);
}

bool suffices(const BoundaryFit& fit) { return fit.needs <= fit.d; }
bool departs(const BoundaryFit& fit) { return suffices(fit) != (fit.error < exact_error); }

void measure_boundary(const BoundaryWidth& at, const Streams& streams, Rows& rows) {
  for (std::size_t n = at.d - 1; n <= at.d + 3; ++n) {
    const std::size_t l = n / (at.ratio + 1), v = n - l;
    const Draw one = draw(v, l, at.d, streams, n);
    const Matrix<double> table = added_table(one, Positions::random, 1);
    Matrix<double> centred = table;
    centre(centred, 0, v);
    centre(centred, v, n);
    const BilinearTargets sums = bilinear_targets(one.targets, v),
                          parts = bilinear_targets(one.targets, v, ScoreOf::parts);
    const auto add = [&](const char* match, theory::Match kind, double error) {
      rows.add(BoundaryFit{at, match, theory::exact_dimension(v, l, kind), error});
    };
    add("sums", theory::Match::sums, bilinear_fit(table, sums, fine_cutoff).error);
    add("parts", theory::Match::parts, bilinear_fit(table, parts, fine_cutoff).error);
    add("contrasts", theory::Match::contrasts,
        std::sqrt(std::ranges::max(bilinear_fit(centred, sums, fine_cutoff).by_job)));
  }
}

void measure_gain(const SubspacePairs& at, const Streams& streams, Rows& rows) {
  const std::size_t n = std::lround(at.load * at.d), l = n / 4, v = n - l;
  for (std::size_t r = 0; r < at.replicates; ++r) {
    const Matrix<double> w = orthonormal_rows(normal_matrix<double>(v, at.d, streams("words", r))),
                         p = orthonormal_rows(normal_matrix<double>(l, at.d, streams("positions", r)));
    Matrix<double> both = matrix<double>(n, at.d);
    std::copy(w.data(), w.data() + w.size(), both.data());
    std::copy(p.data(), p.data() + p.size(), both.data() + w.size());
    rows.add(SubspaceGain{at, v, l, singular_values(both).back()});
  }
}

void measure_heads(const SquareTables& at, const Streams& streams, Rows& rows) {
  const std::size_t half = std::lround(at.load * drawn_width / 2);
  const Draw one = draw(half, half, drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, half);
  for (const Compared& what : compared) {
    if (what.power != sinusoid_power) continue;
    const BilinearFit fit = bilinear_fit(added_table(one, what.positions, what.power), targets);
    for (std::size_t r = 8; r <= drawn_width; r += 8) {
      const double kept = theory::largest_singular_share(std::min(1.0, double(r) / fit.rank));
      rows.add(HeadResidual{at, what.name, r, fit.residual_of_rank(r), 1 - (1 - fit.expected) * kept});
    }
  }
}

}  // namespace perp::capacity
