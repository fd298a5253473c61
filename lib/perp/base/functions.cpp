#include "perp/base/functions.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace perp::special {
namespace {

namespace math = boost::math;
using Fast = math::policies::policy<math::policies::promote_double<false>>;

}  // namespace

double ibeta(double a, double b, double x) { return math::ibeta(a, b, x); }
double ibetac_fast(double a, double b, double x) { return math::ibetac(a, b, x, Fast()); }
double ibetac_inv(double a, double b, double q) { return math::ibetac_inv(a, b, q); }
double gamma_p(double a, double x) { return math::gamma_p(a, x); }
double tgamma_delta_ratio(double a, double delta) { return math::tgamma_delta_ratio(a, delta); }
double erfc_inv(double q) { return math::erfc_inv(q); }
double student_quantile_above(double freedom, double q) {
  return math::quantile(math::complement(math::students_t_distribution<double>(freedom), q));
}
double noncentral_student_above(double freedom, double noncentrality, double t) {
  return math::cdf(math::complement(math::non_central_t_distribution<double>(freedom, noncentrality), t));
}

}  // namespace perp::special
