// V5: the matrix of dot products of positions, and its profile by lag beside the law of infinitely many
// dimensions.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/matrix.hpp"

namespace perp::anatomy {
namespace {

struct Size {
  std::size_t d, l;
};
PERP_ROW(Size, d, l)
struct Lag : Size {
  std::size_t lag;
  double share;
};
PERP_ROW_OF(Lag, Size, lag, share)
struct Similarity : Size {
  double defect;
  std::size_t rise;
};
PERP_ROW_OF(Similarity, Size, defect, rise)

/// What rounding may do to one product less the mean of its lag: the angles of both positions at the end of
/// the text, and twice a sum of d products.
double lag_bound(const Size& at) {
  const double last = at.l - 1, n = at.d;
  return 2 * theory::angle_rounding_bound(at.d, usual_base, roundoff, last, last) + n * n * roundoff;
}

void measure(const Size& at, const Streams&, Rows& rows) {
  const LagStatistics lags = lag_statistics(sinusoidal<double>(at.l, at.d), 1);
  const std::vector<double>& mean = lags.mean;
  Similarity matrix{at, worst_deviation(lags) / lag_bound(at), 0};
  while (matrix.rise + 1 < at.l && mean[matrix.rise + 1] <= mean[matrix.rise]) ++matrix.rise;
  for (std::size_t k = 0; k < at.l; ++k) rows.add(Lag{at, k, mean[k] / (at.d / 2.0)});
  rows.add(matrix);
}

/// p_t·p_s/(d/2) of the picture's positions.
Matrix<double> products() {
  Matrix<double> out = gram_rows(sinusoidal<double>(length, width));
  for (double& product : std::span(out.data(), out.size())) product /= width / 2.0;
  return out;
}

const auto d = exact("d", "dimension", &Size::d);

void add_lags(const std::vector<Lag>& lags, Summary& summary) {
  const auto lag = exact("lag", "s - t", &Lag::lag).unit("positions");
  const auto share =
      rounded("share", "mean of p_t.p_s along the lag over 512 positions, over d/2", &Lag::share)
          .theory([](const Lag& l) { return theory::kernel_share(l.d, usual_base, l.lag); })
          .n([](const Lag& l) { return text_length - l.lag; });
  summary.table("v5_profile.csv", lags,
                {d, lag, share, exact("limit", "(Ci(k) - Ci(k/T))/ln T", [](const Lag& l) {
                   return theory::kernel_limit(usual_base, l.lag);
                 })});
  const auto said = [](const Lag& l) {
    return l.d == width && (l.lag == 1 || l.lag == 10 || l.lag == 100 || l.lag == 127);
  };
  summary.each(where(lags, said), {lag},
               {share.as("share",
                         "Similarity of positions this far apart, as a share of that of a position with "
                         "itself, d = 512; theory: the exact sum.")});
}

/// What the picture shows, checked on the picture; D1 and D2 measure it.
Rule rule() {
  /// Similarity at the second lag against that at the first, d = 512.
  const auto lower = [](const char* farther, const char* nearer, const char* lags) {
    return condition(Role::core, farther, Is::below, nearer, Evidence::closed_form,
                     {{"what is asked", "the lower the farther apart"}, {"lags", lags}});
  };
  return {condition(Role::core, "lag_alone", Is::below, 1.0, Evidence::theorem,
                    {{"what is asked", "the distance alone decides"}}),
          lower("share.lag10", "share.lag1", "1 and 10"), lower("share.lag100", "share.lag10", "10 and 100"),
          condition(Role::limit, "rise.d512", Is::above, length - 2.0, Evidence::closed_form,
                    {{"what is asked", "it falls with every lag"}})};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto matrices = rows_of<Similarity>(cells);
  summary.each(
      matrices, {d},
      {counted("rise", "lag after which similarity first rises; theory: by the exact sum", &Similarity::rise)
           .unit("positions")
           .theory([](const Size& at) { return theory::first_rise(at.d, usual_base); })
           .n(text_length)});
  add_overall(summary, "lag_alone", {}, most(matrices, &Similarity::defect),
              matrices.size() * text_length * text_length,
              "Largest departure of a product from the mean of its lag, in units of the bound for rounding; "
              "all widths.",
              0.0, Kind::rounded, "× rounding error");
  add_lags(rows_of<Lag>(cells), summary);
  summary.tables.push_back(matrix_table("v5_matrix.csv", {"position", "positions", Kind::exact, "t; d = 512"},
                                        "p_t.p_s/(d/2) at s =", products()));
  summary.rule = rule();
}

}  // namespace

Experiment similarity(const Options&) {
  Experiment claim{"V5",
                   "The similarity of positions depends on their distance alone: it is high nearby and falls "
                   "with distance.",
                   "[c, d]"};
  claim.measure(
      std::vector<Size>{{64, text_length}, {width, text_length}, {4096, text_length}},
      [](const Size& at) { return 1e-9 * at.d * at.l * at.l; }, measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
