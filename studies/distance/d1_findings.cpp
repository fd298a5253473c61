// D1: tables, findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d1_lag_alone.hpp"

namespace perp::distance {
namespace {

Finding finding(const char* measure, const Coordinates& at, double value, std::optional<double> theory,
                std::uint64_t n, Kind kind, const char* meaning, const char* unit = "1") {
  return {finding_id("D1", measure, at), at, value, {}, {}, {}, theory, unit, n, kind, meaning};
}

/// Texts are read up to here: the last of the measured places from position 8,192 on.
constexpr double text_end = 10'127;

/// One storage's rows of the table of positions, in a few numbers.
struct Extremes {
  double worst_share = 0, text_share = 0, bound_share = 0, bound_at_worst = 0, holds_to = 0;
  double start = std::nan(""), at_10k = start, at_1m = start, distinct = start;
  std::uint64_t products = 0, text_products = 0;
};

bool holds_for(const Table& table, std::size_t row, const std::string& format, const std::string& angle) {
  return std::get<std::string>(table.at(row, "table")) == format &&
         std::get<std::string>(table.at(row, "angle")) == angle;
}

Extremes extremes(const Table& positions, const std::string& table, const std::string& angle) {
  Extremes e;
  bool holds = true;
  for (std::size_t i = 0; i < positions.rows.size(); ++i) {
    if (!holds_for(positions, i, table, angle)) continue;
    const double share = positions.number(i, "worst_share"), last = positions.number(i, "position");
    const double bound = positions.number(i, "bound") / (positions.number(i, "d") / 2);
    if (share > e.worst_share) e.worst_share = share, e.bound_at_worst = bound;
    e.bound_share = std::max(e.bound_share, share / bound);
    holds = holds && share < same_enough;
    if (holds) e.holds_to = last;
    if (last == 127) e.start = share;
    if (last == 10'127) e.at_10k = share;
    if (last == 1'000'127) e.at_1m = share, e.distinct = positions.number(i, "distinct");
    constexpr std::uint64_t here = 128 * 129 / 2;
    e.products += here;
    if (last > text_end) continue;
    e.text_share = std::max(e.text_share, share);
    e.text_products += here;
  }
  return e;
}

/// One row for each pair of formats.
Table format_table(const Table& positions, const Table& toeplitz) {
  Table table{
      "d1_formats.csv",
      {{"table", "", Kind::exact, "format in which the table is stored"},
       {"angle", "", Kind::exact, "format in which the angles are computed"},
       {"integers_to", "1", Kind::exact, "positions up to here are exact in the angle's format"},
       {"start", "1", Kind::rounded, "worst deviation over g(0), positions 0 to 127"},
       {"at_10k", "1", Kind::rounded, "the same, positions 10000 to 10127"},
       {"at_1m", "1", Kind::rounded, "the same, positions 1000000 to 1000127"},
       {"distinct", "1", Kind::count, "different encodings among these last 128 positions"},
       {"bound_share", "rounding bounds", Kind::rounded,
        "worst deviation over its bound, largest of all places"},
       {"defect", "1", Kind::rounded, "Toeplitz defect of all products of the first positions, d = 512"}},
      {}};
  for (const Storage& s : storages) {
    const std::string name(to_text(s.table)), angle(to_text(s.angle));
    const Extremes e = extremes(positions, name, angle);
    double defect = std::nan("");
    for (std::size_t i = 0; i < toeplitz.rows.size(); ++i)
      if (holds_for(toeplitz, i, name, angle) && toeplitz.number(i, "d") == 512)
        defect = toeplitz.number(i, "defect");
    table.add({name, angle, largest_exact_integer(s.angle), e.start, e.at_10k, e.at_1m, e.distinct,
               e.bound_share, defect});
  }
  return table;
}

void add_findings(const Table& positions, const Table& toeplitz, const Table& pairs,
                  std::vector<Finding>& out) {
  for (std::size_t i = 0; i < 3; ++i)
    out.push_back(finding("pair", {{"t", pairs.at(i, "t")}, {"s", pairs.at(i, "s")}},
                          pairs.number(i, "float64"),
                          theory::kernel_exact(16, usual_base, pairs.number(i, "s") - pairs.number(i, "t")),
                          1, Kind::rounded, "Product of these two positions at d = 16 in float64."));
  for (const Storage& s : storages) {
    const std::string table(to_text(s.table)), angle(to_text(s.angle));
    const Coordinates at{{"table", table}, {"angle", angle}};
    const Extremes e = extremes(positions, table, angle);
    out.push_back(
        finding("deviation_share", at, e.worst_share, e.bound_at_worst, e.products, Kind::rounded,
                "Largest |p_t.p_s - g(s-t)| over g(0), table and angles in these formats, positions up to a "
                "million (float16 angles: up to 30,127); theory: the rounding bound there."));
    out.push_back(finding("text_share", at, e.text_share, {}, e.text_products, Kind::rounded,
                          "The same over the places up to position 10,127."));
    out.push_back(finding("bound_share", at, e.bound_share, {}, e.products, Kind::rounded,
                          "Deviation over its rounding bound, largest over all places.", "rounding bounds"));
    out.push_back(
        finding("holds_to", at, e.holds_to, {}, e.products, Kind::count,
                "Last measured position up to which every deviation is below a hundredth of g(0)."));
    if (std::isfinite(e.distinct))
      out.push_back(finding("distinct", at, e.distinct, 128.0, 128, Kind::count,
                            "Different encodings among 128 consecutive positions from a million on."));
  }
  for (std::size_t i = 0; i < toeplitz.rows.size(); ++i)
    out.push_back(finding("defect",
                          {{"table", toeplitz.at(i, "table")},
                           {"angle", toeplitz.at(i, "angle")},
                           {"d", toeplitz.at(i, "d")},
                           {"l", toeplitz.at(i, "l")}},
                          toeplitz.number(i, "defect"), {},
                          static_cast<std::uint64_t>(toeplitz.number(i, "l")), Kind::rounded,
                          "Toeplitz defect |G - Toep(G)|/|G| over the lags read, n: positions."));
}

/// "D1.text_share.float32.float32".
std::string text_share_id(const Storage& s) {
  return fmt::format("D1.text_share.{}.{}", to_text(s.table), to_text(s.angle));
}

bool is_short(Format angle) { return angle == Format::bfloat16 || angle == Format::float16; }

Condition lag_condition(const Storage& s) {
  const bool exact = s.table == Format::float64 && s.angle == Format::float64;
  return {.finding = text_share_id(s),
          .is = Is::below,
          .bound = same_enough,
          .role = is_short(s.angle) ? Role::limit : Role::core,
          .evidence = exact ? Evidence::theorem : Evidence::closed_form,
          .levels = {{"angles", std::string(to_text(s.angle))}, {"table", std::string(to_text(s.table))}},
          .says = fmt::format("deviation over g(0), {} angles, {} table, d = 512, to position 10,127",
                              to_text(s.angle), to_text(s.table))};
}

/// Angles in float32 or wider with any table, the usual format first; shorter angles are where it ends.
Rule rule() {
  constexpr Storage usual{Format::float32, Format::float32};
  Rule rule{lag_condition(usual)};
  for (const bool limits : {false, true})
    for (const Storage& s : storages)
      if (is_short(s.angle) == limits && text_share_id(s) != rule.front().finding)
        rule.push_back(lag_condition(s));
  rule.push_back({.finding = "",
                  .role = Role::limit,
                  .evidence = Evidence::released,
                  .levels = {{"evidence", "released"}},
                  .says = "what the lag leaves of the products of learned positions",
                  .needs = needs_model});
  return rule;
}

}  // namespace

Outcome summarise_lag_alone(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const Table positions = position_table(cells), toeplitz = toeplitz_table(cells), pairs = pair_table(cells);
  outcome.tables = {positions, toeplitz, lag_table(cells), pairs, format_table(positions, toeplitz)};
  add_findings(positions, toeplitz, pairs, outcome.findings);
  outcome.rule = rule();
  double wide = 0, narrow = 0;
  for (const Storage& s : storages) {
    double& largest = is_short(s.angle) ? narrow : wide;
    largest = std::max(largest, find(outcome.findings, text_share_id(s))->value);
  }
  outcome.condition = fmt::format(
      "up to position 10,127 products at one lag stray from g(k) by at most {:.3f} % of g(0) with angles in "
      "float32 or wider, whatever the table's format, and by up to {:.0f} % with angles in bfloat16 or "
      "float16",
      100 * wide, 100 * narrow);
  outcome.matters =
      "a model cast to bfloat16 as a whole computes its angles in it; the repair is angles in float32";
  return outcome;
}

}  // namespace perp::distance
