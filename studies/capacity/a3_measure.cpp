// A3: one matrix fitted to four independent tables.

#include "studies/capacity/a3_measure.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/bilinear.hpp"

namespace perp::capacity {

// Sinusoids are of full rank and fit exactly in exact arithmetic: at V + L = d with other cutoffs, too.
void measure_load(const FittedTables& at, const Streams& streams, Rows& rows) {
  const Draw one = draw(at.v, at.l, drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  const auto add = [&](Positions kind, double cutoff) {
    const BilinearFit fit = bilinear_fit(added_table(one, kind, sinusoid_power), targets, cutoff);
    rows.add(FitResidual{at, name_of(kind), cutoff, fit.residual, fit.expected, fit.noise_gain, fit.error});
  };
  add(Positions::random, usual_cutoff);
  add(Positions::sinusoidal, usual_cutoff);
  for (const double cutoff : other_cutoffs)
    if (at.load == 1 && at.ratio == 1) add(Positions::sinusoidal, cutoff);
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
    rows.add(SubspaceGain{at, v, l, singular_values(stacked(w, p)).back()});
  }
}

}  // namespace perp::capacity
