// D7: do many frequencies capture short and long range, and do wavelengths run from 2π to 2π·10000? In words: d7.toml.

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr double pi = std::numbers::pi;
/// Dimension of the table whose ranges are asked, and parts of its frequencies; the first is the fastest.
constexpr std::size_t dimension = 512, quarters = 4;
using Bands = std::array<double, quarters>;

/// The first lag of the octave in the middle of each quarter's reach, 1/ω, for T = 10,000.
constexpr std::size_t octaves[] = {1, 16, 256, 2048};

/// A quarter's share of the change of similarity from lag k to 2k over an octave of lags, by the exact sums: Σ_k
/// |g_q(k) - g_q(2k)| over the same of all four; and |Σ_k g_q(k) - g_q(2k)| likewise, which forgets the aliases of
/// single lags.
void add_change(std::size_t quarter, std::size_t from, Out& out) {
  const std::vector<double> omega = frequencies(dimension);
  const std::size_t width = omega.size() / quarters;
  Bands sizes{}, sums{};
  for (std::size_t k = from; k < 2 * from; ++k)
    for (std::size_t q = 0; q < quarters; ++q) {
      double moved = 0;
      for (std::size_t i = q * width; i < (q + 1) * width; ++i)
        moved += std::cos(omega[i] * double(k)) - std::cos(2 * omega[i] * double(k));
      sizes[q] += std::abs(moved);
      sums[q] += moved;
    }
  for (double& sum : sums) sum = std::abs(sum);
  const auto share = [&](const Bands& of) {
    return of[quarter - 1] / std::accumulate(of.begin(), of.end(), 0.0);
  };
  out("change", {{"q", quarter}, {"from", from}, {"single", share(sizes)}, {"mean", share(sums)}});
}

/// The wavelength of the slowest pair from how far it turns, in steps short enough to be counted.
double last_wavelength(std::size_t d) {
  double turned = 0, last = 0;
  for (std::uint64_t lag = 1; lag < (std::uint64_t{1} << 40); lag *= 2) {
    const Matrix<double> table = sinusoid_at(std::array{std::uint64_t{0}, lag}, d);
    const double angle = std::atan2(table(1, d - 2), table(1, d - 1));
    if (angle < turned) break;  // past half a turn
    turned = angle;
    last = double(lag);
    if (angle > pi / 2) break;
  }
  return 2 * pi * last / turned;
}

void fold(const Frames& measured, Out& out) {
  for (std::size_t q = 1; q <= quarters; ++q) add_change(q, octaves[q - 1], out);
  const double claimed = 2 * pi * usual_base;
  for (const Row& at : measured["wavelength"]) {
    const std::size_t d = at.whole("d");
    const double last = at.number("last"), law = theory::last_wavelength(d, usual_base);
    out("wavelengths",
        {{"base", usual_base}, {"d", d}, {"last", last}, {"theory", law}, {"ratio", last / claimed}});
    out("last", {{"d", d}, {"ratio", last / claimed}, {"law", law / claimed}});
  }
}

}  // namespace

Experiment short_and_long(const Options& options) {
  std::vector<std::size_t> widths{16, 64, 512};
  if (options.preset != Preset::quick) widths.push_back(4096);
  Experiment claim("D7", toml_of("d7"));
  for (const std::size_t d : widths)
    claim.cell({{"d", whole(d)}}, 1e-3, [=](const Streams&, Out& out) {
      out("wavelength", {{"last", last_wavelength(d)}});
    });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
