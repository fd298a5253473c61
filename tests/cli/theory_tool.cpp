// The closed forms behind the page's instruments on a grid, for tests/cli/instruments.py, which asks
// instruments.js for the same: a JSON list of [function, arguments, value or {part: value}, relative bound,
// absolute bound].

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>

#include "perp/theory/cosine.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/theory/subspaces.hpp"
#include "tests/tolerance.hpp"

namespace {

using namespace perp::theory;
using Numbers = std::initializer_list<double>;
using Parts = std::initializer_list<std::pair<const char*, double>>;

const char* between = "";

void print(const char* function, Numbers arguments, const std::string& value, double absolute) {
  std::printf("%s[\"%s\", [", between, function);
  between = ",\n";
  const char* comma = "";
  for (const double argument : arguments) std::printf("%s%.17g", std::exchange(comma, ", "), argument);
  std::printf("], %s, %g, %g]", value.c_str(), perp::tolerance::in_browser, absolute);
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void emit(const char* function, Numbers arguments, double value, double absolute = 0) {
  print(function, arguments, digits(value), absolute);
}

void emit_parts(const char* function, Numbers arguments, Parts parts, double absolute = 0) {
  std::string text;
  for (const auto& [name, value] : parts)
    text += std::string(text.empty() ? "{" : ", ") + '"' + name + "\": " + digits(value);
  print(function, arguments, text + "}", absolute);
}

void model() {
  for (const std::size_t d : {8U, 16U, 64U, 384U, 512U, 768U, 4096U, 16384U}) {
    const double n = static_cast<double>(d);
    for (const double m : {0.001, 0.02, 0.1, 0.4, 0.9}) emit("cosineExceeds", {n, m}, cosine_exceeds(d, m));
    for (const double pairs : {1.0, 1e3, 12497500.0, 1e12})
      emit("largestCosineMedian", {n, pairs}, largest_cosine_median(d, pairs));
    for (const double words : {2.0, 1000.0, 50257.0, 1e6}) {
      for (const double ratio : {0.0, 0.05, 0.7, 1.0, 3.0, 8.0, 32.0})
        emit("recovered", {n, words, ratio}, recovered(d, words, ratio), perp::tolerance::recovered);
      // Twenty-eight halvings of at most 2 knees, in either program.
      if (words > 2)
        emit("recoveryRatio", {n, words, 0.5}, recovery_ratio(d, words, 0.5),
             recovery_knee(d, words) * 0x1p-25);
    }
    for (const double base : {100.0, 10000.0, 500000.0}) {
      for (const std::size_t positions : {1U, 12U, 512U, 8192U}) {
        const double length = static_cast<double>(positions);
        emit("sinusoidR99", {length, n, base}, sinusoid_r99(positions, d, base));
        emit("freeDimensions", {length, n, base}, std::max(0.0, n - sinusoid_r99(positions, d, base)),
             n * perp::tolerance::in_browser);
        if (positions <= 512 && d <= 4096)
          for (const double ratio : {0.05, 0.7071, 3.0}) {
            const RecoveryBounds bounds = sinusoid_recovered(d, positions, base, ratio);
            emit_parts("sinusoidRecovered", {n, length, base, ratio},
                       {{"low", bounds.low}, {"high", bounds.high}}, perp::tolerance::recovered);
          }
      }
    }
  }
}

void kernel() {
  for (const std::size_t d : {2U, 8U, 64U, 512U, 4096U})
    for (const double base : {10.0, 10000.0, 500000.0}) {
      const double n = static_cast<double>(d);
      for (const double lag : {0.0, 1.0, 10.0, 511.0, 65536.0})
        emit("kernelShare", {n, base, lag}, kernel_share(d, base, lag),
             perp::tolerance::in_browser_near_zero);
      emit("firstRise", {n, base}, static_cast<double>(first_rise(d, base)));
      emit("lastWavelength", {n, base}, last_wavelength(d, base));
    }
}

void subspaces() {
  struct Shape {
    std::size_t d, k, r;
  };
  for (const auto& [d, k, r] :
       {Shape{32, 4, 4}, Shape{512, 64, 128}, Shape{512, 128, 64}, Shape{512, 300, 300}, Shape{384, 16, 89},
        Shape{768, 700, 30}, Shape{4096, 1000, 2000}, Shape{64, 1, 9}}) {
    const double n = static_cast<double>(d), kk = static_cast<double>(k), rr = static_cast<double>(r);
    const OverlapNull sum = overlap_null(d, kk, kk, rr, rr);
    const double angles = std::min(kk, rr);
    emit_parts("meanCosineSquared", {n, kk, rr}, {{"mean", sum.mean / angles}, {"sd", sum.sd / angles}});
    const LargestAngle law = largest_angle(d, k, r);
    emit_parts("largestAngle", {n, kk, rr}, {{"mu", law.mu}, {"sigma", law.sigma}});
    emit("johnstoneApplies", {n, kk, rr}, johnstone_applies(d, k, r) ? 1 : 0);
    emit("largestCosineExpected", {n, kk, rr}, largest_cosine_expected(d, k, r));
    emit("largestCosineSd", {n, kk, rr}, largest_cosine_sd(d, k, r));
    const double a = std::min(kk, rr) / n, b = std::max(kk, rr) / n;
    const Edges edges = wachter_edges(a, b);
    emit_parts("wachterEdges", {a, b}, {{"lower", edges.lower}, {"upper", edges.upper}},
               perp::tolerance::in_browser_near_zero);
    emit("wachterAtom", {a, b}, wachter_atom(a, b), perp::tolerance::in_browser_near_zero);
    for (const double p : {0.01, 0.25, 0.5, 0.9, 1.0}) {
      const double x = wachter_quantile(a, b, p);
      // Between two values that rounding cannot tell apart the quantile may be either, most where a = b: x ~
      // p².
      emit("wachterQuantile", {a, b, p}, x, perp::tolerance::in_browser_near_zero);
      emit("wachterCdf", {a, b, x}, wachter_cdf(a, b, x), perp::tolerance::in_browser_near_zero);
      if (x > 0 && x < 1 && x > edges.lower && x < edges.upper)
        emit("wachterDensity", {a, b, x}, wachter_density(a, b, x));
    }
  }
}

}  // namespace

int main() {
  std::printf("[");
  model();
  kernel();
  subspaces();
  std::printf("]\n");
}
