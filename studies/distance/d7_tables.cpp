// D7's tables and lines.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d7_ranges.hpp"

namespace perp::distance {
namespace {

/// ∫ cos(ωk) d ln ω over the quarter, as a share of ln T.
double cosine_part(double base, std::size_t quarter, double lag) {
  const auto edge = [&](std::size_t q) {
    return std::pow(base, -static_cast<double>(q) / static_cast<double>(quarters));
  };
  return (theory::cosine_integral(edge(quarter - 1) * lag) - theory::cosine_integral(edge(quarter) * lag)) /
         std::log(base);
}

using Changes = std::array<double, quarters>;

/// Σ_k |change(q, k)| for every quarter, and |Σ_k change(q, k)|, over the lags k of the octave.
struct Octave {
  Changes sizes{}, means{};
};

template <class Change>
Octave octave(std::size_t first, const Change& change) {
  Octave sums;
  for (std::size_t k = first; k < 2 * first; ++k)
    for (std::size_t q = 0; q < quarters; ++q) {
      const double moved = change(q + 1, static_cast<double>(k));
      sums.sizes[q] += std::abs(moved);
      sums.means[q] += moved;
    }
  for (double& mean : sums.means) mean = std::abs(mean);
  return sums;
}

Octave exact_octave(std::size_t d, double base, std::size_t first) {
  const std::vector<double> omega = frequencies(d, base);
  const std::size_t width = omega.size() / quarters;
  return octave(first, [&](std::size_t q, double lag) {
    double change = 0;
    for (std::size_t i = (q - 1) * width; i < q * width; ++i)
      change += std::cos(omega[i] * lag) - std::cos(2 * omega[i] * lag);
    return change;
  });
}

Octave limit_octave(double base, std::size_t first) {
  return octave(first, [&](std::size_t q, double lag) { return change_limit(base, q, lag); });
}

double share(const Changes& changes, std::size_t quarter) {
  return changes[quarter - 1] / std::accumulate(changes.begin(), changes.end(), 0.0);
}

/// The x below which a column over [0, x] stands still: `variance` grows with x up to there.
template <class Variance>
double standing_angle(const Variance& variance) {
  double low = 0.01, high = 1.5;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (variance(middle) < still * still ? low : high) = middle;
  }
  return low;
}

}  // namespace

double distance_share_limit(double base, std::size_t quarter, double lag) {
  return (1.0 / quarters - cosine_part(base, quarter, lag)) / (1 - theory::kernel_limit(base, lag));
}

double change_limit(double base, std::size_t quarter, double lag) {
  return cosine_part(base, quarter, lag) - cosine_part(base, quarter, 2 * lag);
}

double change_share(std::size_t d, double base, std::size_t quarter, std::size_t first) {
  return share(exact_octave(d, base, first).sizes, quarter);
}

double change_share_limit(double base, std::size_t quarter, std::size_t first) {
  return share(limit_octave(base, first).sizes, quarter);
}

double mean_change_share(std::size_t d, double base, std::size_t quarter, std::size_t first) {
  return share(exact_octave(d, base, first).means, quarter);
}

double mean_change_share_limit(double base, std::size_t quarter, std::size_t first) {
  return share(limit_octave(base, first).means, quarter);
}

double still_share_line(double base, double length) {
  const double sine = standing_angle([](double x) {
    const double mean = (1 - std::cos(x)) / x;
    return 0.5 - std::sin(2 * x) / (4 * x) - mean * mean;
  });
  const double cosine = standing_angle([](double x) {
    const double mean = std::sin(x) / x;
    return 0.5 + std::sin(2 * x) / (4 * x) - mean * mean;
  });
  const auto slower = [&](double angle) {
    return std::max(0.0, 1 - std::log(length / angle) / std::log(base));
  };
  return (slower(sine) + slower(cosine)) / 2;
}

Table band_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_bands.csv",
              {{"base", "1", Kind::exact, "T; d = 512"},
               {"lag", "positions", Kind::exact, "distance of two positions"},
               {"quarter", "1", Kind::exact, "of the frequencies, 1 the fastest"},
               {"share", "1", Kind::rounded, "of the squared distance of the two positions"},
               {"limit", "1", Kind::rounded, "the same for d to infinity"},
               {"lost", "1", Kind::rounded, "all quarters: (g(0) - g(k))/g(0)"}},
              {}};
  for (const Coordinates& r : records_of(cells, "band"))
    table.add({at(r, "base"), at(r, "lag"), at(r, "quarter"), at(r, "share"),
               distance_share_limit(number_at(r, "base"), size_at(r, "quarter"), number_at(r, "lag")),
               at(r, "lost")});
  return table;
}

Table octave_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_octaves.csv",
              {{"base", "1", Kind::exact, "T; d = 512"},
               {"first", "positions", Kind::exact, "the octave's first lag: lags from it to twice it"},
               {"quarter", "1", Kind::exact, "of the frequencies, 1 the fastest"},
               {"change", "1", Kind::rounded, "its part of (g(k) - g(2k))/g(0), mean over the octave"},
               {"limit", "1", Kind::rounded, "the same for d to infinity"},
               {"averaged", "1", Kind::exact, "lags k, evenly spaced"}},
              {}};
  for (const Coordinates& r : records_of(cells, "octave"))
    table.add({at(r, "base"), at(r, "first"), at(r, "quarter"), at(r, "change"), at(r, "limit"),
               at(r, "averaged")});
  return table;
}

Table wavelength_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_wavelengths.csv",
              {{"base", "1", Kind::exact, "T"},
               {"d", "1", Kind::exact, "dimension"},
               {"last", "positions", Kind::rounded, "wavelength of the slowest pair of columns, measured"},
               {"theory", "positions", Kind::exact, "2 pi T^(1 - 2/d)"},
               {"ratio", "1", Kind::rounded, "measured wavelength over 2 pi T"}},
              {}};
  for (const Coordinates& r : records_of(cells, "wavelength")) {
    const double base = number_at(r, "base"), last = number_at(r, "last");
    table.add({at(r, "base"), at(r, "d"), last, theory::last_wavelength(size_at(r, "d"), base),
               last / (2 * std::numbers::pi * base)});
  }
  return table;
}

Table column_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_columns.csv",
              {{"base", "1", Kind::exact, "T; d = 512"},
               {"positions", "1", Kind::exact, "length of the text L"},
               {"less_than_once", "1", Kind::rounded, "share of columns that turn less than once"},
               {"less_line", "1", Kind::exact, "1 - ln((L - 1)/(2 pi))/ln T, for d to infinity"},
               {"standing", "1", Kind::rounded, "share with a standard deviation below 0.1 over the text"},
               {"standing_line", "1", Kind::exact, "the same for d to infinity"}},
              {}};
  for (const Coordinates& r : records_of(cells, "columns")) {
    const double base = number_at(r, "base"), last = number_at(r, "l") - 1;
    table.add({at(r, "base"), at(r, "l"), at(r, "less_than_once"),
               std::max(0.0, 1 - std::log(last / (2 * std::numbers::pi)) / std::log(base)), at(r, "standing"),
               still_share_line(base, last)});
  }
  return table;
}

Table noise_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_noise.csv",
              {{"base", "1", Kind::exact, "T; d = 512"},
               {"noise", "1", Kind::exact, "standard deviation of the noise along a direction, over |p|"},
               {"reached", "positions", Kind::count, "first lag at which positions lie that far apart"},
               {"line", "positions", Kind::exact, "T^(noise^2/2) exp(-gamma), the log line's"},
               {"last_below", "positions", Kind::count, "last lag measured at which they do not"},
               {"lags", "positions", Kind::exact, "lags measured"}},
              {}};
  for (const Coordinates& r : records_of(cells, "noise")) {
    const double noise = number_at(r, "noise");
    table.add({at(r, "base"), at(r, "noise"), at(r, "reached"),
               std::pow(number_at(r, "base"), noise * noise / 2) * std::exp(-std::numbers::egamma),
               at(r, "last_below"), at(r, "lags")});
  }
  return table;
}

}  // namespace perp::distance
