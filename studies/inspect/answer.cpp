#include "studies/inspect/answer.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/io/text.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/opening.hpp"

namespace perp::inspect {
namespace {

std::string text_of(double value) { return std::isfinite(value) ? shortest(value) : "null"; }
std::string text_of(std::size_t value) { return shortest(value); }
const std::string& text_of(const std::string& json) { return json; }

/// "key":value,… without braces; a number that is not finite is null.
template <class Value, class... Rest>
std::string fields(const char* key, const Value& value, const Rest&... rest) {
  std::string text = fmt::format("\"{}\":{}", key, text_of(value));
  if constexpr (sizeof...(rest) > 0) text += fmt::format(",{}", fields(rest...));
  return text;
}

std::string list_of(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(text_of(number));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string fields_of(const TableNumbers& n) {
  return fields("rows", n.rows, "dim", n.dim, "zero_rows", n.zero_rows, "mean_norm", n.mean_norm,
                "mean_cosine", n.mean_cosine, "stable_rank", n.centred.stable_rank, "participation_ratio",
                n.centred.participation_ratio, "r90", n.centred.r90, "r99", n.centred.r99, "r999",
                n.centred.r999, "r99_uncentred", n.r99_uncentred);
}

constexpr AgainstChance absent{NAN, NAN, NAN};

std::string fields_of(const Positions& p, const Opening& opening) {
  const AgainstChance ratio = opening.participation.value_or(absent), share = opening.share.value_or(absent);
  return fmt::format(
      "{},{}", fields_of(p.numbers),
      fields("toeplitz_defect", p.toeplitz_defect, "toeplitz_r2", p.toeplitz_r2, "null_toeplitz_r2",
             p.null_toeplitz_r2, "coordinate_participation_ratio", ratio.value,
             "null_coordinate_participation_ratio", ratio.chance, "null_coordinate_participation_ratio_sd",
             ratio.sd, "leading_share", share.value, "null_leading_share", share.chance, "toeplitz_r2_apart",
             opening.distance.value_or(absent).value, "sinusoid", sinusoid_json(opening.sinusoid)));
}

std::string fields_of(const Between& b, const Opening& opening) {
  const AgainstChance overlap = opening.overlap.value_or(absent);
  const ReadBack& read = opening.read_back.value();
  return fields("rank_words", b.rank_words, "rank_positions", b.rank_positions, "principal_cosines",
                list_of(b.principal_cosines), "largest_cosine", b.largest_cosine.value, "mean_square_cosine",
                b.mean_square_cosine.value, "max_abs_cosine", b.max_abs_cosine.value,
                "word_energy_in_positions", b.energy.value, "null_largest_cosine", b.largest_cosine.chance,
                "null_word_energy", b.energy.chance, "null_mean_square_cosine", b.mean_square_cosine.chance,
                "null_mean_square_sd", b.mean_square_cosine.sd, "centred_overlap", overlap.value,
                "null_centred_overlap_sd", overlap.sd, "size_ratio", read.size, "sums", read.words.n,
                "words_found", read.words.share(), "null_words_found", read.unit_words, "positions_found",
                read.positions.share());
}

std::string json_of(const Measurement& of, const Opening& opening) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::string& fields) {
    parts.push_back(fmt::format("\"{}\":{{{}}}", name, fields));
  };
  if (of.words) add("words", fields_of(of.words->numbers));
  if (of.positions) add("positions", fields_of(*of.positions, opening));
  if (of.between) add("between", fields_of(*of.between, opening));
  if (!opening.heads.empty())
    add("heads", fields("layer", std::size_t{0}, "r2", list_of(opening.heads), "null",
                        of.positions->null_toeplitz_r2));
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

}  // namespace

std::string list_of_tables(const std::filesystem::path& path, bool json) {
  std::vector<std::string> lines;
  for (const ListedTable& table : list_tables(path)) {
    const std::string name = on_one_line(table.tensor);
    if (json)
      lines.push_back(fmt::format("{{\"tensor\":{},\"shape\":[{}],\"type\":\"{}\"}}", in_json(table.tensor),
                                  fmt::join(table.shape, ","), table.type));
    else
      lines.push_back(fmt::format("{:>16}  {}", fmt::format("{}", fmt::join(table.shape, " x ")),
                                  name.empty() ? table.type : fmt::format("{:<8}  {}", table.type, name)));
  }
  if (json) return fmt::format("{{\"tables\":[{}]}}", fmt::join(lines, ","));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

Options with_found(const Options& options, const FoundModel& found) {
  Options out = options;
  const auto typed = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return options.text(name).has_value(); });
  };
  for (const auto& [name, value] : found.tables)
    if (name != "rows" || !typed({"positions", "rows", "rows-positions"})) out.extra.emplace(name, value);
  if (!typed({"layers", "heads", "query", "layernorm"}) && !typed({"words", "positions"}))
    out.extra.insert(found.layers.begin(), found.layers.end());
  return out;
}

std::string answer_inspect(const Options& options, const FoundModel& found) {
  if (options.text("dim")) return expected_by_theory(options);
  for (const char* option :
       {"query",   "key",           "heads",     "query-bias", "key-bias", "layernorm", "layers",
        "encoder", "encoder-heads", "token-ids", "lineage",    "name",     "tokens",    "counts",
        "kind",    "part",          "head",      "norm",       "only",     "preset",    "kept"})
    require(!options.text(option) && !options.typed.contains(option),
            "--{}: used only in a report; expected --out FOLDER beside it", option);
  const std::vector<Model> models = models_of(with_found(options, found));
  require(!models.empty(),
          "nothing to look at; expected a model's files, --words FILE, --positions FILE, --models FILE or "
          "--dim D");
  require(models.size() == 1 && !options.text("models"),
          "several models go into a report; expected --out FOLDER beside --models");
  const Tables tables = open_tables(models.front());
  const Measurement measured = measure_tables(tables, tables.word_stream(), 0, options.threads);
  const std::optional<Layers> layers =
      tables.positions ? Layers::of(models.front(), std::nullopt) : std::nullopt;
  const Opening opening = measure_opening(tables, measured, layers, options.seed, options.threads);
  return options.json ? json_of(measured, opening) : as_text(opening, measured) + as_text(describe(measured));
}

// ---- What to expect of tables before there are any.

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
  const auto [k, r] = compared_ranks(gaussian_r99(n, d), effective_dimension(spectra.uncentred).r99, d);
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
  const std::size_t d = *options.count("dim");
  const auto words = options.count("rows-words"), positions = options.count("rows-positions");
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
