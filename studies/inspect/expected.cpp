#include "studies/inspect/expected.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/theory/angles.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/energy.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/readings.hpp"

namespace perp::inspect {
namespace {

/// The sinusoid's spectrum takes memory as their square. No published model is wider.
constexpr std::size_t most_dimensions = 20'000;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Numbers that are themselves what chance gives: value, and how much it scatters.
class Expected {
 public:
  void add(const char* table, const char* measure, const char* label, double value, double sd,
           std::string sentence) {
    readings_.push_back({table, measure, label, {value, none, sd}, std::move(sentence)});
  }

  std::string text() const {
    std::string out, table;
    for (const Reading& r : readings_) {
      if (r.table != table)
        out += fmt::format("{}{:<28}{:>12}{:>12}\n", table.empty() ? "" : "\n", r.table, "expected", "sd");
      table = r.table;
      out += fmt::format("  {:<26}{:>12.5g}{:>12}  {}\n", r.label, r.number.value,
                         std::isnan(r.number.sd) ? "-" : fmt::format("{:.2g}", r.number.sd), r.sentence);
    }
    return out + "\nBy theory alone: independent normal words, the sinusoid for positions (base 10000).";
  }

  std::string json() const {
    std::string out, table;
    for (const Reading& r : readings_) {
      out += r.table == table ? "," : fmt::format("{}\"{}\":{{", table.empty() ? "" : "},", r.table);
      table = r.table;
      out += fmt::format("\"{}\":{}", r.measure, shortest(r.number.value));
      if (!std::isnan(r.number.sd)) out += fmt::format(",\"{}_sd\":{}", r.measure, shortest(r.number.sd));
    }
    return fmt::format("{{{}}}}}", out);
  }

 private:
  std::vector<Reading> readings_;
};

std::optional<std::size_t> size_of(const Options& options, const char* name) {
  if (!options.text(name)) return std::nullopt;
  const std::vector<std::size_t> sizes = options.sizes(name, {});
  require(sizes.size() == 1, "--{} {}: expected one whole number beside --dim", name, *options.text(name));
  return sizes.front();
}

/// Dimensions that hold 99 % of normal rows, n of them: all but a hundredth, or hardly fewer where n >> d.
std::size_t gaussian_r99(std::size_t n, std::size_t d) {
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(std::min(n, d)))));
}

void add_words(std::size_t n, std::size_t d, Expected& out) {
  out.add("words", "mean_cosine", "mean cosine of two rows", 0, mean_cosine_sd(n, d), "no common direction");
  out.add("words", "cosine_sd", "spread of these cosines", theory::cosine_sd(d), none, "1/sqrt(d)");
  if (n < 2) return;
  const double size = static_cast<double>(n);
  out.add("words", "largest_cosine_within", "largest |cosine|",
          theory::largest_cosine_median(d, std::max(1.0, size * (size - 1) / 2)), none, "of any two words");
  out.add("words", "stable_rank", "stable rank", gaussian_stable_rank(n, d), none,
          "from the edge of Marchenko and Pastur's law");
  out.add("words", "participation_ratio", "participation ratio", gaussian_participation_ratio(n, d), none,
          "trained words have less");
}

SinusoidSpectra add_positions(std::size_t length, std::size_t d, Expected& out) {
  SinusoidSpectra spectra = sinusoid_spectra(frequencies(d), length);
  const EffectiveDimension as_is = effective_dimension(spectra.uncentred);
  if (length > 1) {
    const EffectiveDimension centred = effective_dimension(spectra.centred);
    out.add("positions", "stable_rank", "stable rank", centred.stable_rank, none, "about the mean");
    out.add("positions", "participation_ratio", "participation ratio", centred.participation_ratio, none, "");
    out.add("positions", "r90", "r90", static_cast<double>(centred.r90), none, "90 % of the variance");
    out.add("positions", "r99", "r99", static_cast<double>(centred.r99), none, "99 % of the variance");
  }
  out.add("positions", "r99_uncentred", "r99, not centred", static_cast<double>(as_is.r99), none,
          fmt::format("{} of {} dimensions are left to words", d - std::min(d, as_is.r99), d));
  out.add("positions", "toeplitz_defect", "Toeplitz defect", 0, none,
          "products depend on the distance alone");
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
  const double size = static_cast<double>(d);
  const double square_words = 1 / size + (1 - 1 / size) / static_cast<double>(n);
  const theory::OverlapNull overlap =
      theory::overlap_null(d, 1, square_words, 1, trace_square(spectra.uncentred));
  out.add("between", "mean_square_cosine", "mean square cosine", overlap.mean, overlap.sd, "1/d");
  out.add("between", "max_abs_cosine", "largest |cosine|",
          theory::largest_cosine_median(d, static_cast<double>(n) * static_cast<double>(length)), none,
          "of any word with any position; neighbours alike make it smaller");
  std::size_t k = gaussian_r99(n, d), r = effective_dimension(spectra.uncentred).r99;
  while (2 * (k + r) > d && k + r > 2) {
    k = std::max<std::size_t>(k / 2, 1);
    r = std::max<std::size_t>(r / 2, 1);
  }
  if (k >= d || r >= d) return;
  const double rank = static_cast<double>(r);
  out.add("between", "rank_words", "words' subspace", static_cast<double>(k), none, "dimensions compared");
  out.add("between", "rank_positions", "positions' subspace", rank, none, "dimensions compared");
  out.add("between", "word_energy_in_positions", "words' energy in positions", theory::energy_mean(d, r),
          theory::overlap_null(d, 1, square_words, rank, rank).sd, "r/d");
  out.add("between", "largest_cosine", "largest principal cosine", theory::largest_cosine_expected(d, k, r),
          theory::johnstone_applies(d, k, r) ? theory::largest_cosine_sd(d, k, r) : none,
          "subspaces are not orthogonal long after vectors are");
}

}  // namespace

std::string expected_by_theory(const Options& options) {
  for (const char* table : {"words", "positions", "models"})
    require(!options.text(table), "--dim and --{}: expected sizes or tables", table);
  for (const char* option : {"rows", "limit", "transpose", "rank-words", "rank-positions", "query", "key",
                             "heads", "query-bias", "key-bias", "layernorm", "name"})
    require(!options.text(option),
            "--dim and --{}: expected --rows-words and --rows-positions beside it alone", option);
  const std::size_t d = *size_of(options, "dim");
  const std::optional<std::size_t> words = size_of(options, "rows-words"),
                                   positions = size_of(options, "rows-positions");
  require(d >= 2 && d <= most_dimensions, "--dim {}: expected 2 to {} for theory alone", d, most_dimensions);
  require(words || positions, "--dim {}: expected --rows-words V, --rows-positions L or both beside it", d);
  require(!positions || d % 2 == 0, "--dim {}: expected an even number, for the positions are sinusoids", d);
  Expected out;
  if (words) add_words(*words, d, out);
  if (positions) {
    const SinusoidSpectra spectra = add_positions(*positions, d, out);
    if (words) add_between(*words, *positions, d, spectra, out);
  }
  return options.json ? out.json() : out.text();
}

}  // namespace perp::inspect
