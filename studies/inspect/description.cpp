#include "studies/inspect/description.hpp"

#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"

namespace perp::inspect {
namespace {

using Numbers = std::vector<DescribedNumber>;

/// "at chance", "12 standard deviations above chance".
std::string side(const AgainstChance& number) {
  const double away = number.departure();
  if (std::isnan(away)) return number.value > number.chance ? "above chance" : "below chance";
  if (std::abs(away) < 3) return "at chance";
  return fmt::format("{:.3g} standard deviations {} chance", std::abs(away), away > 0 ? "above" : "below");
}

/// A number without a chance level.
AgainstChance alone(double value) { return {value, NAN, NAN}; }
/// Dimensions, 0 where a table has none.
AgainstChance dimensions(std::size_t r) { return alone(r > 0 ? double(r) : NAN); }

void add_dimensions(const TableNumbers& n, const std::string& table, Numbers& out) {
  const auto add = [&](const char* measure, const char* label, AgainstChance number,
                       const std::string& sentence) {
    out.push_back({table, measure, label, number, sentence});
  };
  add("rows", "rows", alone(n.rows),
      fmt::format("{} rows of {} dimensions, {} of them 0", n.rows, n.dim, n.zero_rows));
  add("mean_norm", "mean length", alone(n.mean_norm), "what a row of the other table is added to");
  const AgainstChance cosine{n.mean_cosine, 0, mean_cosine_sd(n.rows - n.zero_rows, n.dim)};
  add("mean_cosine", "mean cosine of two rows", cosine,
      fmt::format("{}: {}", side(cosine),
                  std::abs(cosine.departure()) < 3 ? "no direction is common to the rows"
                  : n.mean_cosine > 0              ? "the rows share a direction"
                                                   : "the rows avoid one another"));
  add("stable_rank", "stable rank", {n.centred.stable_rank, gaussian_stable_rank(n.rows, n.dim), NAN},
      "all variance over that of the strongest direction");
  add("participation_ratio", "participation ratio",
      {n.centred.participation_ratio, gaussian_participation_ratio(n.rows, n.dim), NAN},
      "directions among which the variance is spread");
  const auto holds = [&](const char* measure, const char* label, std::size_t r, const char* share) {
    add(measure, label, dimensions(r),
        fmt::format("{:.0f}% of the {} dimensions hold {} of the variance", 100. * r / n.dim, n.dim, share));
  };
  holds("r90", "r90", n.centred.r90, "90%");
  holds("r99", "r99", n.centred.r99, "99%");
  holds("r999", "r99.9", n.centred.r999, "99.9%");
  add("r99_uncentred", "r99, not centred", dimensions(n.r99_uncentred),
      "the same of the energy about the origin");
}

void add_positions(const Positions& p, Numbers& out) {
  out.push_back({"positions", "toeplitz_defect", "Toeplitz residual", alone(p.toeplitz_defect),
                 p.toeplitz_defect < 0.01 ? "products depend on the distance alone"
                                          : "the part of the products that the distance does not tell"});
  out.push_back(
      {"positions",
       "toeplitz_r2",
       "R2 of the distance",
       {p.toeplitz_r2, p.null_toeplitz_r2, NAN},
       fmt::format("the distance explains {:.0f}% of the products' variance", 100 * p.toeplitz_r2)});
}

void add_between(const Between& b, Numbers& out) {
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
  if (std::isfinite(b.mean_square_centred.value))
    add("mean_square_centred", "mean square cosine, centred", b.mean_square_centred,
        related(b.mean_square_centred, "apart from their means they share directions",
                "apart from their means they avoid each other's directions"));
  add("max_abs_cosine", "largest |cosine|", b.max_abs_cosine, "of any word with any position");
  add("word_energy_in_positions", "words' energy in positions", b.energy,
      fmt::format("{} directions of positions hold {:.1f}% of a word", b.rank_positions,
                  100 * b.energy.value));
  add("largest_cosine", "largest principal cosine", b.largest_cosine,
      fmt::format("subspaces of {} and {} dimensions come within {:.1f} degrees", b.rank_words,
                  b.rank_positions,
                  180 / std::numbers::pi * std::acos(std::min(1.0, b.largest_cosine.value))));
}

void add_portrait(const distance::Portrait& p, Numbers& out) {
  const auto add = [&](const char* measure, const char* label, double value, double chance) {
    out.push_back({"positions", measure, label, {value, chance, NAN}, ""});
  };
  add("r2_apart", "R2 of the distance, different rows", p.r2_apart, NAN);
  add("neighbours", "nearest row is a neighbour", p.neighbours, 2.0 / (p.norms.size() - 1));
  add("norm_spread", "spread of lengths", p.norm_spread, NAN);
}

std::string number_text(double value) {
  return std::isnan(value)                                     ? "-"
         : value == std::floor(value) && std::abs(value) < 1e9 ? fmt::format("{:.0f}", value)
                                                               : fmt::format("{:.5g}", value);
}

}  // namespace

Measurement measure_tables(const Tables& tables, const std::optional<RowStream>& words, std::size_t bins,
                           std::size_t threads) {
  Measurement out;
  if (tables.positions) out.positions = measure_positions(*tables.positions, threads);
  if (words) out.words = measure_words(*words, out.positions ? &*out.positions : nullptr, bins, threads);
  if (out.words && out.positions) out.between = measure_between(*out.words, *out.positions, tables.ranks);
  return out;
}

std::vector<DescribedNumber> describe(const Measurement& of) {
  Numbers out;
  if (of.words) add_dimensions(of.words->numbers, "words", out);
  if (of.positions) {
    add_dimensions(of.positions->numbers, "positions", out);
    add_positions(*of.positions, out);
  }
  if (of.between) add_between(*of.between, out);
  if (of.portrait) add_portrait(*of.portrait, out);
  for (DescribedNumber& n : out)
    if (std::isnan(n.number.value)) n.sentence.clear();
  return out;
}

std::string as_text(const std::vector<DescribedNumber>& numbers) {
  std::string out, table;
  for (const DescribedNumber& n : numbers) {
    if (n.table != table) {
      out += fmt::format("{}{:<28}{:>12}{:>12}{:>10}\n", table.empty() ? "" : "\n", n.table, "value",
                         "chance", "sd away");
      table = n.table;
    }
    const double away = n.number.departure();
    out += fmt::format("  {:<26}{:>12}{:>12}{:>10}{}{}\n", n.label, number_text(n.number.value),
                       number_text(n.number.chance), std::isnan(away) ? "-" : fmt::format("{:+.1f}", away),
                       n.sentence.empty() ? "" : "  ", n.sentence);
  }
  out +=
      "\nchance: independent normal entries for a table alone; for the two together, one of them turned by "
      "a\n"
      "random rotation, which is exact for fixed tables. -: none is known in closed form (--out FOLDER draws "
      "it).";
  return out;
}

}  // namespace perp::inspect
