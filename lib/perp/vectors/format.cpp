#include "perp/vectors/format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"

namespace perp {
namespace {

/// Significant bits (the hidden one included), exponent of the smallest normal number and of the largest.
struct Shape {
  Format format;
  std::string_view name;
  int bits, least, greatest;
};
constexpr std::array<Shape, 5> shapes{{{Format::float64, "float64", 53, -1022, 1023},
                                       {Format::float32, "float32", 24, -126, 127},
                                       {Format::bfloat16, "bfloat16", 8, -126, 127},
                                       {Format::float16, "float16", 11, -14, 15},
                                       {Format::tf32, "tf32", 11, -126, 127}}};

const Shape& shape(Format format) { return shapes[static_cast<std::size_t>(format)]; }

}  // namespace

std::string_view to_text(Format format) { return shape(format).name; }

Format format_from(std::string_view text) {
  const auto found = std::ranges::find(shapes, text, &Shape::name);
  require(found != shapes.end(), "number format '{}' is none of float64, float32, bfloat16, float16, tf32",
          text);
  return found->format;
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -shape(format).bits); }
double largest_finite(Format format) {
  return std::ldexp(2 - 2 * unit_roundoff(format), shape(format).greatest);
}

namespace {

/// To nearest, ties to even, without branches: what is added puts the format's last place for x where a
/// double's is, so that the addition rounds there; both are exact but for that.
double rounded(const Shape& s, double largest, double x) {
  const std::int64_t exponent = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) >> 52U) & 0x7ff;
  const std::int64_t lifted =
      std::clamp(exponent, std::int64_t{s.least} + 1023, std::int64_t{s.greatest} + 1024) - s.bits + 53;
  const double shift =
      std::bit_cast<double>(static_cast<std::uint64_t>(lifted) << 52U | 0x0008000000000000U);  // 1.5·2^…
  const double sum = x + shift, nearest = sum - shift;
  return std::copysign(std::abs(nearest) > largest ? std::numeric_limits<double>::infinity() : nearest, x);
}

}  // namespace

void round_to(Format format, std::span<double> values) {
  if (format == Format::float64) return;
  const Shape s = shape(format);
  const double largest = largest_finite(format);
  for (double& x : values) x = rounded(s, largest, x);
}

double round_to(Format format, double x) {
  return format == Format::float64 ? x : rounded(shape(format), largest_finite(format), x);
}

Matrix<double> sinusoidal_in_format(std::span<const std::uint64_t> positions, std::size_t d, double base,
                                    Format table, Format angle) {
  std::vector<double> omega = frequencies(d, base), angles(omega.size());
  round_to(angle, omega);
  Matrix<double> result = matrix<double>(positions.size(), d);
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const double t = round_to(angle, static_cast<double>(positions[r]));
    for (std::size_t i = 0; i < omega.size(); ++i) angles[i] = omega[i] * t;
    round_to(angle, angles);
    const std::span<double> out = row(result, r);
    sines_and_cosines(angles, out.data());
    round_to(table, out);
  }
  return result;
}

std::vector<double> kernel_of_table(std::size_t d, double base, std::size_t side) {
  std::vector<std::uint64_t> late(side), early(side);
  for (std::size_t i = 0; i < side; ++i) {
    late[i] = side * (i + 1) - 1;
    early[i] = side - 1 - i;
  }
  const auto table = [&](const std::vector<std::uint64_t>& positions) {
    return sinusoidal_in_format(positions, d, base, Format::float64, Format::float64);
  };
  const Matrix<double> products = product_nt(table(late), table(early));
  return {products.data(), products.data() + products.size()};
}

std::vector<double> kernel_of_format(std::size_t d, Format angle, std::size_t lags) {
  std::vector<double> kernel(lags), omega = frequencies(d);
  round_to(angle, omega);
  for (std::size_t k = 0; k < lags; ++k) {
    long double sum = 0;
    for (const double w : omega) sum += std::cos(static_cast<long double>(w) * static_cast<long double>(k));
    kernel[k] = static_cast<double>(sum);
  }
  return kernel;
}

}  // namespace perp
