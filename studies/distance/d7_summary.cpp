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
constexpr std::size_t octaves[quarters] = {1, 16, 256, 2048};
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

std::string change_id(const char* measure, std::size_t q) {
  return fmt::format("D7.{}.q{}.from{}", measure, q, octaves[q - 1]);
}

void add_octave_findings(std::vector<Finding>& findings) {
  const auto add = [&](const char* measure, std::size_t q, double value, double theory, const char* meaning) {
    const std::size_t first = octaves[q - 1];
    findings.push_back(finding("D7", measure, {{"q", whole(q)}, {"from", whole(first)}}, {value},
                               {.theory = theory, .n = first, .kind = Kind::rounded, .meaning = meaning}));
  };
  for (std::size_t q = 1; q <= quarters; ++q) {
    add("change_share", q, change_share(range_dimension, usual_base, q, octaves[q - 1]),
        change_share_limit(usual_base, q, octaves[q - 1]),
        "A quarter's share of the change of similarity from lag k to 2k, signs aside, summed over every k in "
        "the octave from the lag named, by the exact sums; theory: for d to infinity; n lags.");
    add("mean_change_share", q, mean_change_share(range_dimension, usual_base, q, octaves[q - 1]),
        mean_change_share_limit(usual_base, q, octaves[q - 1]),
        "The same of the quarters' mean changes over the octave, which forget the aliases of single lags.");
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
                        "Share of columns with a standard deviation below 0.1 over the text."});
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

/// A wavelength reaches 2πT if it is this share of it.
constexpr double reached = 0.99;

Rule rule() {
  Rule rule;
  for (std::size_t q = 1; q <= quarters; ++q)
    rule.push_back(
        {.finding = change_id("change_share", q),
         .is = Is::above,
         .bound = carries,
         .evidence = Evidence::closed_form,
         .levels = {{"part", "ranges"}, {"quarter", fmt::format("{}", q)}},
         .says = fmt::format("share of frequency quarter {} in the change of similarity from lag k to "
                             "2k, every k from {} to {}, d = 512",
                             q, octaves[q - 1], 2 * octaves[q - 1] - 1)});
  rule.push_back({.finding = "",
                  .evidence = Evidence::closed_form,
                  .levels = {{"part", "wavelengths"}},
                  .says = "departure of the wavelengths from a geometric progression from 2π on",
                  .needs = "study anatomy"});
  for (const std::size_t d : {512, 64})
    rule.push_back({.finding = fmt::format("D7.wavelength_ratio.d{}", d),
                    .is = Is::above,
                    .bound = reached,
                    .role = Role::limit,
                    .evidence = Evidence::closed_form,
                    .levels = {{"part", "last wavelength"}, {"d", fmt::format("{}", d)}},
                    .says = fmt::format("last wavelength over 2πT, d = {}, T = 10,000", d)});
  return rule;
}

}  // namespace

Outcome summarise_ranges(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {band_table(cells),   octave_table(cells), wavelength_table(cells),
                    column_table(cells), noise_table(cells),  error_table(cells)};
  add_band_findings(outcome.tables[0], outcome.findings);
  add_octave_findings(outcome.findings);
  add_wavelength_findings(outcome.tables[2], outcome.findings);
  add_column_findings(outcome.tables[3], outcome.findings);
  add_noise_findings(outcome.tables[4], outcome.findings);
  add_error_findings(outcome.tables[5], outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const std::string& id) { return find(outcome.findings, id)->value; };
  double least = 1, least_mean = 1;
  for (std::size_t q = 1; q <= quarters; ++q) {
    least = std::min(least, value(change_id("change_share", q)));
    least_mean = std::min(least_mean, value(change_id("mean_change_share", q)));
  }
  outcome.condition = fmt::format(
      "each frequency quarter has {:.0f} % or more of the change of similarity over its own octave ({:.0f} % "
      "or "
      "more of the mean change); the last wavelength is {:.1f} % of 2π·10000 at d = 512, {:.1f} % at d = 64",
      100 * least, 100 * least_mean, 100 * value("D7.wavelength_ratio.d512"),
      100 * value("D7.wavelength_ratio.d64"));
  outcome.matters = fmt::format(
      "in a text of 512 positions {:.0f} % of the columns turn less than once and {:.0f} % stand still, at "
      "8,192 "
      "positions {:.0f} % and {:.0f} %",
      100 * value("D7.less_than_once.l512"), 100 * value("D7.standing.l512"),
      100 * value("D7.less_than_once.l8192"), 100 * value("D7.standing.l8192"));
  return outcome;
}

}  // namespace perp::distance
