#pragma once
// Special functions from Boost.Math, compiled once: its headers cost every source that includes them seconds.

namespace perp::special {

double ibeta(double a, double b, double x);               ///< regularised incomplete beta function I_x(a, b)
double ibetac_fast(double a, double b, double x);         ///< 1 - I_x(a, b), without recourse to long double
double ibetac_inv(double a, double b, double q);          ///< the x where 1 - I_x(a, b) = q
double gamma_p(double a, double x);                       ///< regularised lower incomplete gamma function
double tgamma_delta_ratio(double a, double delta);        ///< Γ(a) / Γ(a + delta)
double erfc_inv(double q);                                ///< the x where erfc(x) = q
double student_quantile_above(double freedom, double q);  ///< what Student's t exceeds with probability q
/// The probability that noncentral t exceeds t: (Z + noncentrality) / √(χ²/freedom).
double noncentral_student_above(double freedom, double noncentrality, double t);

}  // namespace perp::special
