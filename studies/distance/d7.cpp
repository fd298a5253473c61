// D7: do many frequencies capture short and long range, and do wavelengths run from 2π to 2π·10000?

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

/// Of the frequencies; the first is the fastest.
constexpr std::size_t quarters = 4;
using Bands = std::array<double, quarters>;

/// A quarter's share of the change of similarity from lag k to 2k over an octave of lags, first … 2 first
/// - 1, by the exact sums.
struct ChangeShare {
  double single = 0;  ///< Σ_k |g_q(k) - g_q(2k)| over the same of all four
  double mean = 0;    ///< |Σ_k g_q(k) - g_q(2k)| likewise: forgets the aliases of single lags
};

ChangeShare change_share(std::size_t d, double base, std::size_t quarter, std::size_t first) {
  const std::vector<double> omega = frequencies(d, base);
  const std::size_t width = omega.size() / quarters;
  Bands sizes{}, sums{};
  for (std::size_t k = first; k < 2 * first; ++k)
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
  return {share(sizes), share(sums)};
}

constexpr double pi = std::numbers::pi;
/// Dimension of the table whose ranges are asked.
constexpr std::size_t dimension = 512;
/// A quarter carries a range if more than half of the change there is its own.
constexpr double carries = 0.5;
/// A wavelength reaches 2πT if it is this share of it.
constexpr double reaches = 0.99;

/// A quarter and the first lag of the octave in the middle of its reach, 1/ω, for T = 10,000.
struct Range {
  std::size_t q, from;
};
constexpr Range ranges[] = {{1, 1}, {2, 16}, {3, 256}, {4, 2048}};

struct Place {
  std::string measure;
  std::size_t d, base;
};
PERP_ROW(Place, measure, d, base)
struct Wavelength : Place {
  double last;
};
PERP_ROW_OF(Wavelength, Place, last)

/// The wavelength of the slowest pair from how far it turns, in steps short enough to be counted.
void measure_wavelength(const Place& at, const Streams&, Rows& rows) {
  double turned = 0, last = 0;
  for (std::uint64_t lag = 1; lag < (std::uint64_t{1} << 40); lag *= 2) {
    const Matrix<double> table = sinusoid_at(std::array{std::uint64_t{0}, lag}, at.d, at.base);
    const double angle = std::atan2(table(1, at.d - 2), table(1, at.d - 1));
    if (angle < turned) break;  // past half a turn
    turned = angle;
    last = lag;
    if (angle > pi / 2) break;
  }
  rows.add(Wavelength{at, 2 * pi * last / turned});
}

void conclude(const Cells& cells, Summary& summary) {
  for (const Range& range : ranges) {
    const std::size_t q = range.q, from = range.from;
    const ChangeShare shares = change_share(dimension, usual_base, q, from);
    const auto add = [&](const char* measure, double share, const char* meaning) {
      summary.number(measure, {{"q", whole(q)}, {"from", whole(from)}}, {share},
                     {.n = from, .kind = Kind::rounded, .meaning = meaning});
    };
    add("change_share", shares.single,
        "Share of quarter q of the frequencies in the change of similarity from lag k to 2k, signs aside, "
        "summed over every k in the octave from a lag on, d = 512; n lags.");
    add("mean_change_share", shares.mean,
        "The same of the quarters' mean changes over the octave, which forget the aliases of single lags.");
    summary.rule.push_back(condition(Role::core, fmt::format("change_share.q{}.from{}", q, from), Is::above,
                                     carries, Evidence::closed_form,
                                     {{"part", "ranges"}, {"quarter", fmt::format("{}", q)}}));
  }
  const auto claimed = [](const Wavelength& w) { return 2 * pi * w.base; };
  const auto law = [](const Wavelength& w) { return theory::last_wavelength(w.d, w.base); };
  const auto d = exact("d", "dimension", &Place::d);
  const auto ratio = rounded("ratio", "measured wavelength over 2 pi T", [=](const Wavelength& w) {
                       return w.last / claimed(w);
                     }).theory([=](const Wavelength& w) { return law(w) / claimed(w); });
  const auto waves = rows_of<Wavelength>(cells);
  summary.table("d7_wavelengths.csv", waves,
                {exact("base", "T", &Place::base), d,
                 rounded("last", "wavelength of the slowest pair of columns, measured", &Wavelength::last)
                     .unit("positions")
                     .theory("theory", "2 pi T^(1 - 2/d)", law),
                 ratio});
  summary.each(
      where(waves, [](const Place& w) { return w.d == 64 || w.d == 512; }), {d},
      {ratio.as("wavelength_ratio", "Wavelength of the slowest pair of columns over 2πT, T = 10,000.")});
  summary.rule.push_back(
      condition(Role::core, elsewhere, Is::above, 0.0, Evidence::closed_form, {{"part", "wavelengths"}},
                "departure of the wavelengths from a geometric progression from 2π on", "study anatomy"));
  for (const std::size_t d : {512, 64})
    summary.rule.push_back(condition(Role::limit, fmt::format("wavelength_ratio.d{}", d), Is::above, reaches,
                                     Evidence::closed_form,
                                     {{"part", "last wavelength"}, {"d", fmt::format("{}", d)}}));
}

}  // namespace

Experiment short_and_long(const Options& options) {
  std::vector<std::size_t> widths{16, 64, 512};
  if (options.preset != Preset::quick) widths.push_back(4096);
  Experiment claim{"D7",
                   "Many frequencies capture short and long range; wavelengths run from 2π to 2π·10000.",
                   "[c, a, b]"};
  claim.measure(grid<Place>("wavelength", widths, std::size_t{10000}), 1e-3, measure_wavelength);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
