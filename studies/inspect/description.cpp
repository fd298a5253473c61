#include "studies/inspect/description.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::inspect {

double r2_apart(const LagStatistics& lags) {
  double entries = 0, sum = 0, within = 0, between = 0;
  for (std::size_t i = 1; i < lags.mean.size(); ++i) {
    const double n = lags.weight(i);
    entries += n;
    sum += n * lags.mean[i];
    within += lags.square_deviation[i] * n / double(lags.count[i]);
  }
  for (std::size_t i = 1; i < lags.mean.size(); ++i) {
    const double off = lags.mean[i] - sum / entries;
    between += lags.weight(i) * off * off;
  }
  // Products of orthogonal rows, or of equal ones, differ by rounding alone: of float32, as tables are stored.
  constexpr double rounding = 1e-13;
  const double square = lags.mean.front() * lags.mean.front();
  return between + within > rounding * entries * square ? between / (between + within) : NAN;
}

namespace {

std::vector<double> norms_of(View<double> table) {
  std::vector<double> norms;
  for (std::size_t t = 0; t < table.rows; ++t) norms.push_back(std::sqrt(dot(table.row(t), table.row(t))));
  return norms;
}

/// Share of the rows whose most similar other row lies right beside them.
double neighbours(View<double> table, const std::vector<double>& norms) {
  constexpr std::size_t tile = 256;
  std::size_t found = 0;
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> products = product_nt(block(table, first, last, table.cols), table);
    for (std::size_t t = first; t < last; ++t) {
      std::size_t best = t == 0 ? 1 : 0;
      for (std::size_t s = best + 1; s < table.rows; ++s)
        if (s != t && products(t - first, s) / norms[s] > products(t - first, best) / norms[best]) best = s;
      found += best + 1 == t || best == t + 1;
    }
  }
  return double(found) / double(table.rows);
}

}  // namespace

Portrait portrait(View<double> table) {
  Portrait out;
  out.r99 = effective_dimension(spectrum(table, Centring::centred)).r99;
  const LagStatistics lags = lag_statistics(table, 1);
  out.r2_apart = r2_apart(lags);
  for (const double mean : lags.mean) out.kernel.push_back(mean / lags.mean.front());
  out.neighbours = neighbours(table, norms_of(table));
  return out;
}

double kernel_departure(std::span<const double> kernel, std::span<const double> other) {
  double largest = 0;
  for (std::size_t k = 1; 2 * k <= kernel.size(); ++k)
    largest = std::max(largest, std::abs(kernel[k] - other[k]));
  return largest;
}

std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table) {
  const RowRange run = trained_run(trained_rows(row_norms(table)));
  const View<double> left = block(table, run.first, run.last);
  bool vary = false;
  for (std::size_t t = 1; t < left.rows; ++t) vary |= !std::ranges::equal(left.row(t), left.row(0));
  if (left.rows < 3 || !vary) return std::nullopt;
  return BesideSinusoid{portrait(left), portrait(sinusoidal<double>(left.rows, left.cols))};
}

namespace {

using Numbers = std::vector<DescribedNumber>;

/// A number without a chance level.
AgainstChance alone(double value) { return {value, NAN, NAN}; }
/// Dimensions, 0 where a table has none.
AgainstChance dimensions(std::size_t r) { return alone(r > 0 ? double(r) : NAN); }

void add_dimensions(const TableNumbers& n, const std::string& table, Numbers& out) {
  const auto add = [&](const char* measure, const char* label, AgainstChance number,
                       const std::string& note) {
    out.push_back({table, measure, label, number, note});
  };
  add("rows", "rows", alone(n.rows),
      fmt::format("of {}{}", n.dim,
                  n.zero_rows > 0 ? fmt::format(", {} are 0", n.zero_rows) : " dimensions"));
  add("mean_norm", "mean length", alone(n.mean_norm), "");
  const AgainstChance cosine = mean_cosine_against_chance(n);
  add("mean_cosine", "mean cosine of two rows", cosine,
      !cosine.departs()   ? "no common direction"
      : n.mean_cosine > 0 ? "a common direction"
                          : "avoid one another");
  add("stable_rank", "stable rank", {n.centred.stable_rank, gaussian_stable_rank(n.rows, n.dim), NAN},
      "all over the strongest");
  add("participation_ratio", "directions in use",
      {n.centred.participation_ratio, gaussian_participation_ratio(n.rows, n.dim), NAN},
      "participation ratio");
  const auto holds = [&](const char* measure, const char* label, std::size_t r) {
    add(measure, label, dimensions(r),
        fmt::format("{:.{}f}% of the dimensions", 100. * r / n.dim, 100 * r < n.dim ? 1 : 0));
  };
  holds("r90", "r90", n.centred.r90);
  holds("r99", "r99", n.centred.r99);
  holds("r999", "r99.9", n.centred.r999);
  add("r99_uncentred", "r99, not centred", dimensions(n.r99_uncentred), "with the mean");
}

void add_positions(const Positions& p, Numbers& out) {
  out.push_back({"positions", "toeplitz_defect", "Toeplitz residual", alone(p.toeplitz_defect),
                 p.toeplitz_defect < 0.01 ? "distance alone counts" : "not told by distance"});
  out.push_back({"positions",
                 "toeplitz_r2",
                 "R2 of the distance",
                 {p.toeplitz_r2, p.null_toeplitz_r2, NAN},
                 "own products included"});
}

void add_between(const Between& b, Numbers& out) {
  const auto add = [&](const char* measure, const char* label, const AgainstChance& number,
                       const std::string& note) {
    out.push_back({"between", measure, label, number, note});
  };
  const auto related = [](const AgainstChance& n, const char* more, const char* less) {
    return !n.departs() ? "as if by chance" : n.departure() > 0 ? more : less;
  };
  add("mean_cosine", "mean cosine", b.mean_cosine, related(b.mean_cosine, "means alike", "means opposed"));
  add("mean_square_cosine", "mean square cosine", b.mean_square_cosine,
      related(b.mean_square_cosine, "directions in common", "directions kept apart"));
  if (std::isfinite(b.mean_square_centred.value))
    add("mean_square_centred", "mean square cosine, centred", b.mean_square_centred,
        related(b.mean_square_centred, "directions in common", "directions kept apart"));
  add("max_abs_cosine", "largest |cosine|", b.max_abs_cosine, "of any two");
  add("word_energy_in_positions", "words' energy in positions", b.energy,
      fmt::format("in {} dimensions", b.rank_positions));
  add("largest_cosine", "largest principal cosine", b.largest_cosine,
      fmt::format("{:.1f} degrees apart",
                  180 / std::numbers::pi * std::acos(std::min(1.0, b.largest_cosine.value))));
}

std::string number_text(double value) {
  return std::isnan(value)                                     ? "-"
         : value == std::floor(value) && std::abs(value) < 1e9 ? fmt::format("{:.0f}", value)
                                                               : fmt::format("{:.4g}", value);
}

/// Beyond a thousand no normal law holds, and the number would say nothing.
std::string away_text(double away) {
  if (std::isnan(away)) return "-";
  return std::abs(away) < 1000 ? fmt::format("{:+.1f}", away) : away > 0 ? "> 1000" : "< -1000";
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

std::string in_words(double departure) {
  if (std::abs(departure) < departs)
    return fmt::format("within three standard deviations of chance ({:+.1f})", departure);
  // Beyond a hundred no normal law holds, and the number would say nothing.
  const std::string by =
      std::abs(departure) < 100 ? fmt::format("{:.1f}", std::abs(departure)) : "more than 100";
  return fmt::format("{} standard deviations {} chance", by, departure > 0 ? "above" : "below");
}

std::vector<DescribedNumber> describe(const Measurement& of) {
  Numbers out;
  if (of.words) add_dimensions(of.words->numbers, "words", out);
  if (of.positions) {
    add_dimensions(of.positions->numbers, "positions", out);
    add_positions(*of.positions, out);
  }
  if (of.between) add_between(*of.between, out);
  for (DescribedNumber& n : out)
    if (std::isnan(n.number.value)) n.note.clear();
  return out;
}

std::string as_text(const std::vector<DescribedNumber>& numbers) {
  std::string out, table;
  // Its null is that of different rows; products of a row with itself, which count here, have none in closed form.
  const auto chance_of = [](const DescribedNumber& n) {
    return n.measure == "toeplitz_r2" ? NAN : n.number.chance;
  };
  for (const DescribedNumber& n : numbers) {
    if (n.table != table) {
      out += fmt::format("{}{:<29}{:>10}{:>10}{:>8}\n", table.empty() ? "" : "\n", n.table, "value", "chance",
                         "sd away");
      table = n.table;
    }
    out += fmt::format("  {:<27}{:>10}{:>10}{:>8}{}{}\n", n.label, number_text(n.number.value),
                       number_text(chance_of(n)), away_text(n.number.departure()), n.note.empty() ? "" : " ",
                       n.note);
  }
  return out +
         "\nchance: of independent normal entries for a table alone; for two together, of\n"
         "one of them turned by a random rotation. -: nothing to compare with, or\n"
         "no closed form. A remark such as \"a common direction\" stands only where chance\n"
         "gives a number so far off in at most one of a thousand tables.";
}

}  // namespace perp::inspect
