// D7's findings and rule.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d7_ranges.hpp"

namespace perp::distance {
namespace {

/// The first lag of the octave in the middle of each quarter's reach, 1/ω, for T = 10,000.
constexpr double octaves[quarters] = {1, 16, 256, 2048};
/// A quarter carries a range if more than half of the change there is its own.
constexpr double carries = 0.5;

void add_band_findings(const Table& bands, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < bands.rows.size(); ++i) {
    if (bands.number(i, "base") != usual_base) continue;
    const double lag = bands.number(i, "lag");
    if (lag != 1 && lag != 4096) continue;
    const Coordinates at{{"q", bands.at(i, "quarter")}, {"lag", bands.at(i, "lag")}};
    findings.push_back({finding_id("D7", "distance_share", at),
                        at,
                        bands.number(i, "share"),
                        {},
                        {},
                        {},
                        bands.number(i, "limit"),
                        "1",
                        range_dimension / quarters,
                        Kind::rounded,
                        "Share of the squared distance of two positions that a quarter of the frequencies "
                        "carries, q1 the fastest; theory: for d to infinity; n columns."});
  }
}

void add_octave_findings(const Table& octave_rows, std::vector<Finding>& findings) {
  for (std::size_t q = 1; q <= quarters; ++q) {
    double change = 0, limit = 0, own = 0, own_limit = 0, averaged = 0;
    for (std::size_t i = 0; i < octave_rows.rows.size(); ++i) {
      if (octave_rows.number(i, "base") != usual_base || octave_rows.number(i, "first") != octaves[q - 1])
        continue;
      change += std::abs(octave_rows.number(i, "change"));
      limit += std::abs(octave_rows.number(i, "limit"));
      averaged = octave_rows.number(i, "averaged");
      if (octave_rows.number(i, "quarter") != static_cast<double>(q)) continue;
      own = std::abs(octave_rows.number(i, "change"));
      own_limit = std::abs(octave_rows.number(i, "limit"));
    }
    const Coordinates at{{"q", whole(q)}, {"from", whole(static_cast<std::size_t>(octaves[q - 1]))}};
    findings.push_back(
        {finding_id("D7", "change_share", at),
         at,
         own / change,
         {},
         {},
         {},
         own_limit / limit,
         "1",
         static_cast<std::uint64_t>(averaged),
         Kind::rounded,
         "A quarter's share of the change of the score from lag k to 2k, mean over k in the octave from the "
         "lag named, signs aside; theory: for d to infinity; n lags."});
  }
}

void add_wavelength_findings(const Table& wavelengths, std::vector<Finding>& findings) {
  double departure = 0;
  for (std::size_t i = 0; i < wavelengths.rows.size(); ++i) {
    const double theory = wavelengths.number(i, "theory"), last = wavelengths.number(i, "last");
    departure = std::max(departure, std::abs(last / theory - 1));
    if (wavelengths.number(i, "base") != usual_base) continue;
    const Coordinates at{{"d", wavelengths.at(i, "d")}};
    const double claimed = 2 * std::numbers::pi * usual_base;
    findings.push_back({finding_id("D7", "last_wavelength", at),
                        at,
                        last,
                        {},
                        {},
                        {},
                        theory,
                        "positions",
                        1,
                        Kind::rounded,
                        "Wavelength of the slowest pair of columns."});
    findings.push_back({finding_id("D7", "wavelength_ratio", at),
                        at,
                        wavelengths.number(i, "ratio"),
                        {},
                        {},
                        {},
                        theory / claimed,
                        "1",
                        1,
                        Kind::rounded,
                        "Wavelength of the slowest pair of columns over 2 pi T."});
  }
  findings.push_back({"D7.wavelength_departure",
                      {},
                      departure,
                      {},
                      {},
                      {},
                      0.0,
                      "1",
                      wavelengths.rows.size(),
                      Kind::rounded,
                      "Largest departure from 2 pi T^(1 - 2/d), over d and T, relative."});
}

void add_column_findings(const Table& columns, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < columns.rows.size(); ++i) {
    if (columns.number(i, "base") != usual_base) continue;
    const Coordinates at{{"l", columns.at(i, "positions")}};
    findings.push_back({finding_id("D7", "less_than_once", at),
                        at,
                        columns.number(i, "less_than_once"),
                        {},
                        {},
                        {},
                        columns.number(i, "less_line"),
                        "1",
                        range_dimension,
                        Kind::rounded,
                        "Share of columns that turn less than once within the text."});
    findings.push_back({finding_id("D7", "standing", at),
                        at,
                        columns.number(i, "standing"),
                        {},
                        {},
                        {},
                        columns.number(i, "standing_line"),
                        "1",
                        range_dimension,
                        Kind::rounded,
                        "Share of columns with a standard deviation below .1 over the text."});
  }
}

void add_noise_findings(const Table& noise, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < noise.rows.size(); ++i) {
    if (noise.number(i, "noise") != 1) continue;
    const Coordinates at{{"base", noise.at(i, "base")}};
    findings.push_back({finding_id("D7", "separation", at),
                        at,
                        noise.number(i, "reached"),
                        {},
                        {},
                        {},
                        noise.number(i, "line"),
                        "positions",
                        static_cast<std::uint64_t>(noise.number(i, "lags")),
                        Kind::count,
                        "First lag at which two positions lie one standard deviation of the noise apart, "
                        "noise along a direction as large as |p|; n lags measured."});
  }
}

}  // namespace

Outcome summarise_ranges(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {band_table(cells),   octave_table(cells), wavelength_table(cells),
                    column_table(cells), noise_table(cells),  error_table(cells)};
  add_band_findings(outcome.tables[0], outcome.findings);
  add_octave_findings(outcome.tables[1], outcome.findings);
  add_wavelength_findings(outcome.tables[2], outcome.findings);
  add_column_findings(outcome.tables[3], outcome.findings);
  add_noise_findings(outcome.tables[4], outcome.findings);
  add_error_findings(outcome.tables[5], outcome.findings);
  outcome.rule = {{"D7.distance_share.q1.lag1", Is::above, carries}};
  double least = 1;
  for (std::size_t q = 1; q <= quarters; ++q) {
    const std::string id = fmt::format("D7.change_share.q{}.from{:.0f}", q, octaves[q - 1]);
    outcome.rule.push_back({id, Is::above, carries});
    least = std::min(least, find(outcome.findings, id)->value);
  }
  outcome.rule.push_back({"D7.wavelength_ratio.d512", Is::above, 0.99});
  outcome.condition = fmt::format(
      "short and long range {}, each quarter of the frequencies carrying at least {:.0f} % of the change in "
      "its own octave; the last wavelength is {:.1f} % of 2π·10000 at d = 512 and {:.1f} % at d = 64",
      least > carries ? "hold" : "hold in part", 100 * least,
      100 * find(outcome.findings, "D7.wavelength_ratio.d512")->value,
      100 * find(outcome.findings, "D7.wavelength_ratio.d64")->value);
  return outcome;
}

}  // namespace perp::distance
