// V5: the matrix of dot products of positions, and its profile by lag beside the law of infinitely many dimensions. In words:
// v5.toml.

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

/// What rounding may do to one product less the mean of its lag: the angles of both positions at the end of
/// the text, and twice a sum of d products.
double lag_bound(std::size_t d) {
  const double last = text_length - 1, n = d;
  return 2 * theory::angle_rounding_bound(d, usual_base, roundoff, last, last) + n * n * roundoff;
}

void measure(std::size_t d, Out& out) {
  const LagStatistics lags = lag_statistics(sinusoidal<double>(text_length, d), 1);
  const std::vector<double>& mean = lags.mean;
  std::size_t rise = 0;
  while (rise + 1 < text_length && mean[rise + 1] <= mean[rise]) ++rise;
  out("matrix", {{"defect", worst_deviation(lags) / lag_bound(d)},
                 {"rise", rise},
                 {"rise_theory", theory::first_rise(d, usual_base)}});
  for (std::size_t k = 0; k < text_length; ++k) {
    const double share = mean[k] / (d / 2.0);
    out("profile", {{"lag", k}, {"share", share}, {"limit", theory::kernel_limit(usual_base, k)}});
    if (d == width)
      out("picture", {{"lag", k},
                      {"share", share},
                      {"sum", theory::kernel_share(d, usual_base, k)},
                      {"pairs", text_length - k}});
  }
}

void fold(const Frames& measured, Out& out) {
  const Frame& matrices = measured["matrix"];
  out("all",
      {{"defect", matrices.most("defect")}, {"products", matrices.size() * text_length * text_length}});
}

/// p_t·p_s/(d/2) of the picture's positions.
Matrix<double> products() {
  Matrix<double> out = gram_rows(sinusoidal<double>(length, width));
  for (double& product : out) product /= width / 2.0;
  return out;
}

}  // namespace

Experiment similarity(const Options&) {
  Experiment claim("V5", toml_of("v5"));
  for (const std::size_t d : {std::size_t{64}, width, std::size_t{4096}})
    claim.cell({{"d", whole(d)}, {"l", whole(text_length)}}, 1e-9 * double(d * text_length * text_length),
               [=](const Streams&, Out& out) { measure(d, out); });
  claim.fold(fold);
  add_matrix(claim, "v5_matrix.csv", {"position", "positions", Kind::exact, "t; d = 512"},
             "p_t.p_s/(d/2) at s =", products);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
