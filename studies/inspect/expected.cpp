// What to expect of tables before there are any.

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/theory/angles.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/answer.hpp"
#include "studies/inspect/description.hpp"

namespace perp::inspect {
namespace {

/// The sinusoid's spectrum takes memory as their square. No published model is wider.
constexpr std::size_t most_dimensions = 20'000;

/// Numbers that are themselves what chance gives: value, and how much it scatters.
struct Expected {
  std::string table;  ///< of the numbers that come next
  std::vector<DescribedNumber> numbers = {};

  void add(const char* measure, const char* label, double value, const std::string& note, double sd = NAN) {
    numbers.push_back({table, measure, label, {value, NAN, sd}, note});
  }
};

std::string text_of(const std::vector<DescribedNumber>& numbers) {
  std::string out, table;
  for (const auto& [of, measure, label, number, note] : numbers) {
    if (of != table)
      out += fmt::format("{}{:<28}{:>12}{:>12}\n", table.empty() ? "" : "\n", of, "expected", "sd");
    table = of;
    out += fmt::format("  {:<26}{:>12.5g}{:>12}  {}\n", label, number.value,
                       std::isnan(number.sd) ? "-" : fmt::format("{:.2g}", number.sd), note);
  }
  return out + "\nBy theory alone: independent normal words, sinusoidal positions (base 10000).";
}

std::string json_of(const std::vector<DescribedNumber>& numbers) {
  std::string out, table;
  for (const auto& [of, measure, label, number, note] : numbers) {
    out += of == table ? "," : fmt::format("{}\"{}\":{{", table.empty() ? "" : "},", of);
    table = of;
    out += fmt::format("\"{}\":{}", measure, shortest(number.value));
    if (!std::isnan(number.sd)) out += fmt::format(",\"{}_sd\":{}", measure, shortest(number.sd));
  }
  return fmt::format("{{{}}}}}", out);
}

std::optional<std::size_t> size_of(const Options& options, const char* name) {
  if (!options.text(name)) return std::nullopt;
  const std::vector<std::size_t> sizes = options.sizes(name, {});
  require(sizes.size() == 1, "--{} {}: expected one whole number beside --dim", name, *options.text(name));
  return sizes.front();
}

/// Dimensions that hold 99 % of normal rows, n of them: all but a hundredth, or hardly fewer where n >> d.
std::size_t gaussian_r99(std::size_t n, std::size_t d) {
  return std::max<std::size_t>(1, std::size_t(std::ceil(0.99 * double(std::min(n, d)))));
}

void add_words(std::size_t n, std::size_t d, Expected& out) {
  out.table = "words";
  out.add("mean_cosine", "mean cosine of two rows", 0, "no common direction", mean_cosine_sd(n, d));
  out.add("cosine_sd", "spread of these cosines", theory::cosine_sd(d), "1/sqrt(d)");
  if (n < 2) return;
  const double pairs = std::max(1.0, double(n) * (double(n) - 1) / 2);
  out.add("largest_cosine_within", "largest |cosine|", theory::largest_cosine_median(d, pairs),
          "of any two words");
  out.add("stable_rank", "stable rank", gaussian_stable_rank(n, d), "Marchenko and Pastur");
  out.add("participation_ratio", "participation ratio", gaussian_participation_ratio(n, d),
          "trained words have less");
}

SinusoidSpectra add_positions(std::size_t length, std::size_t d, Expected& out) {
  SinusoidSpectra spectra = sinusoid_spectra(frequencies(d), length);
  const EffectiveDimension as_is = effective_dimension(spectra.uncentred);
  out.table = "positions";
  if (length > 1) {
    const EffectiveDimension centred = effective_dimension(spectra.centred);
    out.add("stable_rank", "stable rank", centred.stable_rank, "about the mean");
    out.add("participation_ratio", "participation ratio", centred.participation_ratio, "");
    out.add("r90", "r90", centred.r90, "90% of the variance");
    out.add("r99", "r99", centred.r99, "99% of the variance");
  }
  out.add("r99_uncentred", "r99, not centred", as_is.r99,
          fmt::format("{} are left to words", d - std::min(d, as_is.r99)));
  out.add("toeplitz_defect", "Toeplitz residual", 0, "the distance alone counts");
  return spectra;
}

/// tr B² of the sinusoid's unit rows.
double trace_square(const std::vector<double>& spectrum) {
  double sum = 0, square = 0;
  for (const double value : spectrum) sum += value, square += value * value;
  return square / (sum * sum);
}

void add_between(std::size_t n, std::size_t length, std::size_t d, const SinusoidSpectra& spectra,
                 Expected& out) {
  const double square_words = 1.0 / d + (1 - 1.0 / d) / n;
  const theory::OverlapNull overlap =
      theory::overlap_null(d, 1, square_words, 1, trace_square(spectra.uncentred));
  out.table = "between";
  out.add("mean_square_cosine", "mean square cosine", overlap.mean, "1/d", overlap.sd);
  out.add("max_abs_cosine", "largest |cosine|", theory::largest_cosine_median(d, double(n) * length),
          "alike neighbours: smaller");
  std::size_t k = gaussian_r99(n, d), r = effective_dimension(spectra.uncentred).r99;
  while (2 * (k + r) > d && k + r > 2) {
    k = std::max<std::size_t>(k / 2, 1);
    r = std::max<std::size_t>(r / 2, 1);
  }
  if (k >= d || r >= d) return;
  out.add("rank_words", "words' subspace", k, "dimensions compared");
  out.add("rank_positions", "positions' subspace", r, "dimensions compared");
  out.add("word_energy_in_positions", "words' energy in positions",
          static_cast<double>(r) / static_cast<double>(d), "r/d",
          theory::overlap_null(d, 1, square_words, r, r).sd);
  out.add("largest_cosine", "largest principal cosine", theory::largest_cosine_expected(d, k, r),
          "subspaces: not orthogonal",
          theory::johnstone_applies(d, k, r) ? theory::largest_cosine_sd(d, k, r) : NAN);
}

}  // namespace

std::string expected_by_theory(const Options& options) {
  options.expect_alone("dim", {"rows-words", "rows-positions", "json"});
  const std::size_t d = *size_of(options, "dim");
  const auto words = size_of(options, "rows-words"), positions = size_of(options, "rows-positions");
  require(d >= 2 && d <= most_dimensions, "--dim {}: expected 2 to {} for theory alone", d, most_dimensions);
  require(words || positions, "--dim {}: expected --rows-words V, --rows-positions L or both beside it", d);
  require(!positions || d % 2 == 0, "--dim {}: expected an even number, for the positions are sinusoids", d);
  Expected out;
  if (words) add_words(*words, d, out);
  if (positions) {
    const SinusoidSpectra spectra = add_positions(*positions, d, out);
    if (words) add_between(*words, *positions, d, spectra, out);
  }
  return options.json ? json_of(out.numbers) : text_of(out.numbers);
}

}  // namespace perp::inspect
