#include "studies/inspect/readings.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::inspect {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// "at chance", "12 standard deviations above chance".
std::string side(const AgainstChance& number) {
  const double away = number.departure();
  if (std::isnan(away)) return number.value > number.chance ? "above chance" : "below chance";
  if (std::abs(away) < 3) return "at chance";
  return fmt::format("{:.3g} standard deviations {} chance", std::abs(away), away > 0 ? "above" : "below");
}

void add_dimensions(const TableNumbers& n, const std::string& table, std::vector<Reading>& out) {
  const double d = static_cast<double>(n.dim), rows = static_cast<double>(n.rows);
  const auto add = [&](const char* measure, const char* label, AgainstChance number, std::string sentence) {
    out.push_back({table, measure, label, number, std::move(sentence)});
  };
  add("rows", "rows", {rows, none, none},
      fmt::format("{} rows of {} dimensions, {} of them 0", n.rows, n.dim, n.zero_rows));
  add("mean_norm", "mean length", {n.mean_norm, none, none}, "what a row of the other table is added to");
  const AgainstChance cosine{n.mean_cosine, 0, mean_cosine_sd(n.rows - n.zero_rows, n.dim)};
  add("mean_cosine", "mean cosine of two rows", cosine,
      fmt::format("{}: {}", side(cosine),
                  std::abs(cosine.departure()) < 3 ? "no direction is common to the rows"
                  : n.mean_cosine > 0              ? "the rows share a direction"
                                                   : "the rows avoid one another"));
  add("stable_rank", "stable rank", {n.centred.stable_rank, gaussian_stable_rank(n.rows, n.dim), none},
      "all variance over that of the strongest direction");
  add("participation_ratio", "participation ratio",
      {n.centred.participation_ratio, gaussian_participation_ratio(n.rows, n.dim), none},
      "directions among which the variance is spread");
  const auto holds = [&](const char* measure, const char* label, std::size_t r, const char* share) {
    const double value = static_cast<double>(r);
    add(measure, label, {value, none, none},
        fmt::format("{:.0f} % of the {} dimensions hold {} of the variance", 100 * value / d, n.dim, share));
  };
  holds("r90", "r90", n.centred.r90, "90 %");
  holds("r99", "r99", n.centred.r99, "99 %");
  holds("r999", "r99.9", n.centred.r999, "99.9 %");
  const double raw = static_cast<double>(n.r99_uncentred);
  add("r99_uncentred", "r99, not centred", {raw, none, none}, "the same of the energy about the origin");
}

void add_positions(const Positions& p, std::vector<Reading>& out) {
  out.push_back({"positions",
                 "toeplitz_defect",
                 "Toeplitz defect",
                 {p.toeplitz_defect, none, none},
                 p.toeplitz_defect < 0.01 ? "products depend on the distance alone"
                                          : "the part of the products that the distance does not tell"});
  out.push_back(
      {"positions",
       "toeplitz_r2",
       "R2 of the distance",
       {p.toeplitz_r2, p.null_toeplitz_r2, none},
       fmt::format("the distance explains {:.0f} % of the products' variance", 100 * p.toeplitz_r2)});
}

void add_between(const Between& b, std::vector<Reading>& out) {
  const auto add = [&](const char* measure, const char* label, const AgainstChance& number,
                       const std::string& meaning) {
    out.push_back({"between", measure, label, number, fmt::format("{}: {}", side(number), meaning)});
  };
  const auto related = [](const AgainstChance& n, const char* more, const char* less) {
    const double away = n.departure();
    return std::abs(away) < 3 ? "as if unrelated" : away > 0 ? more : less;
  };
  add("mean_cosine", "mean cosine", b.mean_cosine,
      related(b.mean_cosine, "the two tables' means point the same way", "the two tables' means point away"));
  add("mean_square_cosine", "mean square cosine", b.mean_square_cosine,
      related(b.mean_square_cosine, "words and positions share directions",
              "words and positions avoid each other's directions"));
  add("max_abs_cosine", "largest |cosine|", b.max_abs_cosine, "of any word with any position");
  add("word_energy_in_positions", "words' energy in positions", b.energy,
      fmt::format("{} directions of positions hold {:.1f} % of a word", b.rank_positions,
                  100 * b.energy.value));
  add("largest_cosine", "largest principal cosine", b.largest_cosine,
      fmt::format("subspaces of {} and {} dimensions come within {:.1f} degrees", b.rank_words,
                  b.rank_positions,
                  180 / std::numbers::pi * std::acos(std::min(1.0, b.largest_cosine.value))));
}

std::string number_text(double value) {
  return std::isnan(value)                                     ? "-"
         : value == std::floor(value) && std::abs(value) < 1e9 ? fmt::format("{:.0f}", value)
                                                               : fmt::format("{:.5g}", value);
}

}  // namespace

Seen look(const Tables& tables, std::size_t bins, std::size_t threads) {
  Seen seen;
  if (tables.positions) seen.positions = measure_positions(*tables.positions, threads);
  if (tables.words)
    seen.words =
        measure_words(tables.word_stream(), seen.positions ? &*seen.positions : nullptr, bins, threads);
  if (seen.words && seen.positions)
    seen.between = measure_between(*seen.words, *seen.positions, tables.ranks);
  return seen;
}

std::vector<Reading> readings(const Seen& seen) {
  std::vector<Reading> out;
  if (seen.words) add_dimensions(seen.words->numbers, "words", out);
  if (seen.positions) {
    add_dimensions(seen.positions->numbers, "positions", out);
    add_positions(*seen.positions, out);
  }
  if (seen.between) add_between(*seen.between, out);
  return out;
}

std::string as_text(const std::vector<Reading>& readings) {
  std::string out, table;
  for (const Reading& r : readings) {
    if (r.table != table) {
      out += fmt::format("{}{:<28}{:>12}{:>12}{:>10}\n", table.empty() ? "" : "\n", r.table, "value",
                         "chance", "sd away");
      table = r.table;
    }
    const double away = r.number.departure();
    out += fmt::format("  {:<26}{:>12}{:>12}{:>10}  {}\n", r.label, number_text(r.number.value),
                       number_text(r.number.chance), std::isnan(away) ? "-" : fmt::format("{:+.1f}", away),
                       r.sentence);
  }
  out +=
      "\nchance: independent normal entries for a table alone; for the two together, one of them turned by "
      "a\n"
      "random rotation, which is exact for fixed tables. -: none is known in closed form (--out FOLDER draws "
      "it).";
  return out;
}

std::string readable(const Seen& seen) { return as_text(readings(seen)); }

}  // namespace perp::inspect
