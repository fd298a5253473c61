#include "perp/vectors/format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "perp/vectors/positions.hpp"

namespace perp {
namespace {

/// Significant bits (the hidden one included), exponent of the smallest normal number and of the largest.
struct Shape {
  Format format;
  std::string_view name;
  int bits, least, greatest;
};
constexpr std::array<Shape, 4> shapes{{{Format::float64, "float64", 53, -1022, 1023},
                                       {Format::float32, "float32", 24, -126, 127},
                                       {Format::bfloat16, "bfloat16", 8, -126, 127},
                                       {Format::float16, "float16", 11, -14, 15}}};

const Shape& shape(Format format) { return shapes[static_cast<std::size_t>(format)]; }

}  // namespace

std::string_view to_text(Format format) { return shape(format).name; }

Format format_from(std::string_view text) {
  const auto found =
      std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.name == text; });
  require(found != shapes.end(), "number format '{}' is none of float64, float32, bfloat16, float16", text);
  return found->format;
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -shape(format).bits); }
double largest_exact_integer(Format format) { return std::ldexp(1.0, shape(format).bits); }
double smallest_normal(Format format) { return std::ldexp(1.0, shape(format).least); }
double largest_finite(Format format) {
  return std::ldexp(2 - 2 * unit_roundoff(format), shape(format).greatest);
}

double round_to(Format format, double x) {
  if (format == Format::float64 || x == 0 || !std::isfinite(x)) return x;
  const Shape& s = shape(format);
  // Both scalings are exact: the quantum is a power of two, and x is normal wherever it is near one.
  const int quantum = std::max(std::ilogb(x), s.least) - s.bits + 1;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
  if (std::abs(rounded) > largest_finite(format))
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  return std::copysign(rounded, x);
}

Matrix<double> sinusoidal_in_format(std::span<const std::uint64_t> positions, std::size_t d, double base,
                                    Format table, Format angle) {
  std::vector<double> omega = frequencies(d, base);
  require(!positions.empty(), "positions in {}: none given, expected at least 1", to_text(table));
  for (double& w : omega) w = round_to(angle, w);
  Matrix<double> result = matrix<double>(positions.size(), d);
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const double t = round_to(angle, static_cast<double>(positions[r]));
    require(std::isfinite(t), "position {} as {}: the largest number there is {}", positions[r],
            to_text(angle), largest_finite(angle));
    const std::span<double> out = row(result, r);
    for (std::size_t i = 0; i < omega.size(); ++i) {
      const double turned = round_to(angle, omega[i] * t);
      out[2 * i] = round_to(table, std::sin(turned));
      out[2 * i + 1] = round_to(table, std::cos(turned));
    }
  }
  return result;
}

Matrix<double> sinusoidal_in_format(std::size_t length, std::size_t d, double base, Format table,
                                    Format angle) {
  std::vector<std::uint64_t> positions(length);
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  return sinusoidal_in_format(positions, d, base, table, angle);
}

}  // namespace perp
