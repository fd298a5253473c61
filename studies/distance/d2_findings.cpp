// D2: tables, findings and rule.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d2_nearby.hpp"

namespace perp::distance {
namespace {

Table kernel_table(const std::vector<CellRecords>& cells) {
  Table table{"d2_kernel.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"base", "1", Kind::exact, "T"},
               {"lag", "1", Kind::exact, "k, the first lag of a step of an eighth"},
               {"share", "1", Kind::rounded, "g(k)/g(0), measured"},
               {"least", "1", Kind::rounded, "its smallest value within the step"},
               {"most", "1", Kind::rounded, "its largest value within the step"},
               {"limit", "1", Kind::exact, "(Ci(k) - Ci(k/T))/ln T"},
               {"finite", "1", Kind::exact, "the same corrected for d; absent beyond the alias lag"},
               {"log_line", "1", Kind::exact, "1 - (gamma + ln k)/ln T"}},
              {}};
  for (const Coordinates& r : records_of(cells, "step")) {
    const std::size_t d = size_at(r, "d");
    const double base = number_at(r, "base"), lag = number_at(r, "lag");
    table.add({at(r, "d"), at(r, "base"), at(r, "lag"), at(r, "share"), at(r, "least"), at(r, "most"),
               theory::kernel_limit(base, lag),
               lag < theory::alias_lag(d, base) ? theory::kernel_finite(d, base, lag) : std::nan(""),
               theory::kernel_log_line(base, lag)});
  }
  return table;
}

Table nearness_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d2_nearness.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"base", "1", Kind::exact, "T"},
       {"lags", "1", Kind::exact, "lags measured"},
       {"rise", "1", Kind::count, "smallest k with g(k+1) > g(k)"},
       {"rise_theory", "1", Kind::exact, "the same by the exact sum"},
       {"rise_estimate", "1", Kind::exact, "1/sqrt((2 ln T/d)^2 + 12/T^2): no rise before it"},
       {"rise_share", "1", Kind::rounded, "g/g(0) there"},
       {"rise_near", "1", Kind::rounded,
        "largest (g(m) - g(k))/g(0), 1 <= k < m < 512: by how much a farther position is more similar"},
       {"largest_rise", "1", Kind::rounded, "the same over all lags measured"},
       {"alias_size", "1", Kind::exact, "sqrt(2/(d ln T)), the size of one alias"},
       {"ordered", "1", Kind::rounded,
        "share of the pairs of lags 1 to 511 in which the nearer is more similar"},
       {"best", "1", Kind::count, "lag above 0 with the largest similarity"},
       {"best_share", "1", Kind::rounded, "its g/g(0)"},
       {"beyond", "1", Kind::count, "lag above that one with the largest similarity"},
       {"beyond_share", "1", Kind::rounded, "its g/g(0)"},
       {"distance", "1", Kind::rounded, "smallest distance between two different positions"},
       {"distance_limit", "1", Kind::exact, "sqrt(d (1 - limit(1)))"}},
      {}};
  for (const Coordinates& r : records_of(cells, "nearness")) {
    const std::size_t d = size_at(r, "d");
    const double base = number_at(r, "base");
    table.add({at(r, "d"), at(r, "base"), at(r, "lags"), at(r, "rise"), whole(theory::first_rise(d, base)),
               rise_estimate(d, base), at(r, "rise_share"), at(r, "rise_near"), at(r, "largest_rise"),
               theory::alias_size(d, base), at(r, "ordered"), at(r, "best"), at(r, "best_share"),
               at(r, "beyond"), at(r, "beyond_share"), at(r, "distance"),
               std::sqrt(static_cast<double>(d) * (1 - theory::kernel_limit(base, 1)))});
  }
  return table;
}

Table law_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d2_laws.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"base", "1", Kind::exact, "T"},
       {"alias_lag", "1", Kind::exact, "pi d/ln T"},
       {"exact", "1", Kind::rounded, "largest |g/g(0) - exact sum|, lags below 1000"},
       {"limit", "1", Kind::rounded, "largest departure from the Ci law, lags 1 to alias_lag/2"},
       {"finite", "1", Kind::rounded, "the same from the law corrected for d"},
       {"log_line", "1", Kind::rounded, "the same from the log line, lags 10 to T/10 and alias_lag/2"},
       {"ripple", "1", Kind::rounded,
        "departure from the Ci law in units of alias_size, lags to 4 alias_lag"}},
      {}};
  for (const Coordinates& r : records_of(cells, "laws"))
    table.add({at(r, "d"), at(r, "base"), theory::alias_lag(size_at(r, "d"), number_at(r, "base")),
               at(r, "exact"), at(r, "limit"), at(r, "finite"), at(r, "log_line"), at(r, "ripple")});
  return table;
}

Finding finding(const char* measure, const Coordinates& at, double value, std::optional<double> theory,
                std::uint64_t n, Kind kind, const char* meaning) {
  return {finding_id("D2", measure, at), at, value, {}, {}, {}, theory, "1", n, kind, meaning};
}

void add_usual_base(const Table& table, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.number(i, "base") != usual_base) continue;
    const Coordinates at{{"d", table.at(i, "d")}};
    const auto lags = static_cast<std::uint64_t>(table.number(i, "lags"));
    out.push_back(finding("first_rise", at, table.number(i, "rise"), table.number(i, "rise_theory"), lags,
                          Kind::count,
                          "Smallest k with g(k+1) > g(k), T = 10000; theory: by the exact sum."));
    out.push_back(
        finding("ordered", at, table.number(i, "ordered"), 0.5, 510 * 511 / 2, Kind::rounded,
                "Share of the pairs of lags 1 to 511 in which the nearer one is more similar, T = 10000."));
    out.push_back(finding(
        "rise_near", at, table.number(i, "rise_near"), {}, 510 * 511 / 2, Kind::rounded,
        "Most by which a farther of 512 positions is more similar than a nearer one, over g(0), T = 10000."));
    out.push_back(finding(
        "distance", at, table.number(i, "distance"), table.number(i, "distance_limit"), lags, Kind::rounded,
        "Smallest distance between two different positions, T = 10000; theory: d to infinity."));
  }
}

/// The row of `laws` with the d and T of a row of `table`.
std::size_t law_row(const Table& laws, const Table& table, std::size_t row) {
  const double d = table.number(row, "d"), base = table.number(row, "base");
  for (std::size_t i = 0; i < laws.rows.size(); ++i)
    if (laws.number(i, "d") == d && laws.number(i, "base") == base) return i;
  fail("{}: no row with d = {}, T = {}; expected one for each of {}", laws.file, d, base, table.file);
}

/// Over all d and T that were measured.
void add_everywhere(const Table& table, const Table& laws, std::vector<Finding>& out) {
  double strangers = 0, low = INFINITY, high = 0, beyond = 0, exact = 0, finite = 0, ripple_low = INFINITY,
         ripple = 0;
  std::uint64_t lags = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    strangers += table.number(i, "best") != 1;
    beyond += table.number(i, "beyond") != 2;
    const double ratio = table.number(i, "rise") / table.number(i, "rise_estimate");
    low = std::min(low, ratio);
    high = std::max(high, ratio);
    lags += static_cast<std::uint64_t>(table.number(i, "lags"));
    const std::size_t law = law_row(laws, table, i);
    exact = std::fmax(exact, laws.number(law, "exact"));
    finite = std::fmax(finite, laws.number(law, "finite") / table.number(i, "alias_size"));
    ripple = std::fmax(ripple, laws.number(law, "ripple"));
    ripple_low = std::fmin(ripple_low, laws.number(law, "ripple"));
  }
  const std::uint64_t n = table.rows.size();
  out.push_back(finding("strangers", {}, strangers, 0.0, lags, Kind::count,
                        "Combinations of d and T in which some lag above 1 is more similar than lag 1."));
  out.push_back(finding("strangers_beyond", {}, beyond, 0.0, lags, Kind::count,
                        "Combinations of d and T in which some lag above 2 is more similar than lag 2."));
  out.push_back(finding("rise_ratio_least", {}, low, 1.0, n, Kind::rounded,
                        "First rise over 1/sqrt((2 ln T/d)^2 + 12/T^2), least over d and T."));
  out.push_back(finding("rise_ratio_most", {}, high, {}, n, Kind::rounded,
                        "First rise over 1/sqrt((2 ln T/d)^2 + 12/T^2), largest over d and T."));
  out.push_back(finding("law_departure", {{"law", std::string("exact")}}, exact, 0.0, lags, Kind::rounded,
                        "Largest |g/g(0) - exact sum| over lags below a thousand, d and T."));
  out.push_back(
      finding("law_departure", {{"law", std::string("finite")}}, finite, 0.0, lags, Kind::rounded,
              "Largest departure from the law corrected for d up to half the alias lag, in alias sizes."));
  out.push_back(finding(
      "ripple_least", {}, ripple_low, {}, n, Kind::rounded,
      "Departure from the Ci law between alias_lag and 4 alias_lag in alias sizes, least over d and T."));
  out.push_back(finding(
      "ripple_most", {}, ripple, {}, n, Kind::rounded,
      "Departure from the Ci law between alias_lag and 4 alias_lag in alias sizes, largest over d and T."));
}

void add_shares(const std::vector<CellRecords>& cells, std::vector<Finding>& out) {
  for (const Coordinates& r : records_of(cells, "share"))
    if (size_at(r, "d") == 512 && number_at(r, "base") == usual_base)
      out.push_back(finding("share", {{"d", at(r, "d")}, {"k", at(r, "lag")}}, number_at(r, "share"),
                            theory::kernel_limit(usual_base, number_at(r, "lag")), 1, Kind::rounded,
                            "g(k)/g(0), T = 10000; theory: the Ci law."));
}

void add_bases(const Table& table, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.number(i, "d") == 512 && table.number(i, "base") != usual_base)
      out.push_back(finding("ordered", {{"d", table.at(i, "d")}, {"base", table.at(i, "base")}},
                            table.number(i, "ordered"), 0.5, 510 * 511 / 2, Kind::rounded,
                            "Share of the pairs of lags 1 to 511 in which the nearer one is more similar."));
}

/// Widths below those of the cells, in closed form: for every d and T, is lag 1 the most similar one?
constexpr std::size_t narrow_widths[] = {16, 32};
constexpr double bases[] = {1e2, 1e3, 1e4, 1e5, 1e6};
constexpr std::size_t narrow_lags = 8192;

void add_narrow(std::vector<Finding>& out) {
  std::vector<double> lags(narrow_lags);
  std::iota(lags.begin(), lags.end(), 1.0);
  std::size_t strangers = 0;
  for (const std::size_t d : narrow_widths)
    for (const double base : bases) {
      const std::vector<double> kernel = theory::kernel_exact(d, base, lags);
      strangers += std::max_element(kernel.begin(), kernel.end()) != kernel.begin();
    }
  out.push_back(finding("strangers_narrow", {}, static_cast<double>(strangers), 0.0,
                        std::size(narrow_widths) * std::size(bases) * narrow_lags, Kind::count,
                        "The same at d = 16 and 32, T = 100 to a million, lags to 8,192, by the exact sum."));
}

Condition in_order(std::size_t d, Role role) {
  return {.finding = fmt::format("D2.ordered.d{}", d),
          .is = Is::above,
          .bound = mostly_in_order,
          .role = role,
          .evidence = Evidence::closed_form,
          .levels = {{"says", "the nearer of two is more similar"}, {"d", fmt::format("{}", d)}},
          .says = fmt::format("share of the pairs of lags up to 512 in which the nearer is the more similar, "
                              "d = {}, T = 10,000",
                              d)};
}

Condition neighbour_first(const char* finding, const char* widths) {
  return {.finding = finding,
          .is = Is::equal,
          .bound = 0.0,
          .evidence = Evidence::closed_form,
          .levels = {{"says", "the neighbour is most similar"}, {"d", widths}},
          .says = fmt::format("combinations of d and T, d = {}, in which a lag above 1 is more similar than "
                              "lag 1",
                              widths)};
}

Rule rule() {
  Rule rule;
  for (const std::size_t d : {512, 1024, 2048, 4096}) rule.push_back(in_order(d, Role::core));
  rule.push_back(neighbour_first("D2.strangers", "64 to 4,096"));
  rule.push_back(neighbour_first("D2.strangers_narrow", "16 and 32"));
  for (const std::size_t d : {64, 128, 256}) rule.push_back(in_order(d, Role::limit));
  rule.push_back({.finding = "D2.first_rise.d512",
                  .is = Is::above,
                  .bound = 510.0,
                  .role = Role::limit,
                  .evidence = Evidence::closed_form,
                  .levels = {{"says", "it falls with every lag"}, {"d", "512"}},
                  .says = "lag after which similarity first rises, d = 512, T = 10,000"});
  rule.push_back({.finding = "",
                  .role = Role::limit,
                  .evidence = Evidence::released,
                  .levels = {{"evidence", "released"}},
                  .says = "the same of learned positions",
                  .needs = needs_model});
  return rule;
}

}  // namespace

Outcome summarise_nearby(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const Table kernel = kernel_table(cells), near = nearness_table(cells), laws = law_table(cells);
  outcome.tables = {kernel, near, laws};
  add_shares(cells, outcome.findings);
  add_usual_base(near, outcome.findings);
  add_bases(near, outcome.findings);
  add_everywhere(near, laws, outcome.findings);
  add_narrow(outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  const std::uint64_t tables = near.rows.size() + std::size(narrow_widths) * std::size(bases);
  outcome.condition = fmt::format(
      "in {:.0f} of {} tables a farther position is more similar than the neighbour; of two lags up to 512 "
      "the "
      "nearer is the more similar in {:.1f} % of the pairs at d = 512 and {:.0f} % at d = 64",
      value("D2.strangers") + value("D2.strangers_narrow"), tables, 100 * value("D2.ordered.d512"),
      100 * value("D2.ordered.d64"));
  outcome.matters = fmt::format(
      "at d = 512 a farther position is more similar than a nearer one by up to {:.2f} of g(0) within 512 "
      "positions, at d = 64, a head's width, by up to {:.2f}",
      value("D2.rise_near.d512"), value("D2.rise_near.d64"));
  return outcome;
}

}  // namespace perp::distance
