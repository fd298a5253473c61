// O3: tables, findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/o3_dimensions.hpp"

namespace perp::orthogonality {
namespace {

/// Crowding x = L ln T/(πd) between which the closed form bends and is stated to be less exact.
constexpr double bend_low = 0.8, bend_high = 1.6;
/// A subspace of at most this share of the dimensions is called smaller.
constexpr double smaller = 0.5;

struct Size {
  std::size_t d, length;
};
/// Widths and contexts that people use; and where the claim ends.
constexpr Size usual[] = {{512, 512}, {768, 512}, {768, 1024}, {1024, 2048}}, long_context = {512, 8192};

Table dimension_table(const std::vector<CellRecords>& cells) {
  Table table{"o3_dimensions.csv",
              {{"positions", "1", Kind::exact, "sinusoidal positions L"},
               {"d", "1", Kind::exact, "dimension"},
               {"base", "1", Kind::exact, "T"},
               {"centring", "", Kind::exact, "as_is, or centred: mean row subtracted"},
               {"crowding", "1", Kind::exact, "x = L ln T/(pi d)"},
               {"stable_rank", "1", Kind::rounded, "sum of eigenvalues over the largest"},
               {"participation", "1", Kind::rounded, "square of the sum over the sum of squares"},
               {"r90", "1", Kind::count, "fewest leading eigenvalues with .9 of the sum"},
               {"r99", "1", Kind::count, "fewest leading eigenvalues with .99 of the sum"},
               {"r999", "1", Kind::count, "fewest leading eigenvalues with .999 of the sum"},
               {"r99_line", "1", Kind::exact, "closed form for r99"}},
              {}};
  for (const Coordinates& r : records_of(cells, "dimensions")) {
    if (text_at(r, "table") != "positions") continue;
    const std::size_t length = size_at(r, "l"), d = size_at(r, "d");
    const double base = number_at(r, "base");
    const bool as_is = text_at(r, "centring") == "as_is";
    table.add(
        {at(r, "l"), at(r, "d"), at(r, "base"), at(r, "centring"), theory::sinusoid_crowding(length, d, base),
         at(r, "stable_rank"), at(r, "participation"), at(r, "r90"), at(r, "r99"), at(r, "r999"),
         as_is ? theory::sinusoid_r99(length, d, base) : theory::sinusoid_r99_centred(length, d, base)});
  }
  return table;
}

Table words_table(const std::vector<CellRecords>& cells) {
  Table table{"o3_words.csv",
              {{"words", "", Kind::exact, "real: learned or given; gaussian: the same shape at random"},
               {"v", "1", Kind::exact, "words V"},
               {"d", "1", Kind::exact, "dimension"},
               {"centring", "", Kind::exact, "as_is, or centred: mean row subtracted"},
               {"stable_rank", "1", Kind::sampled, "sum of eigenvalues over the largest"},
               {"participation", "1", Kind::sampled, "square of the sum over the sum of squares"},
               {"r90", "1", Kind::sampled, "fewest leading eigenvalues with .9 of the sum"},
               {"r99", "1", Kind::sampled, "fewest leading eigenvalues with .99 of the sum"},
               {"r999", "1", Kind::sampled, "fewest leading eigenvalues with .999 of the sum"}},
              {}};
  for (const Coordinates& r : records_of(cells, "dimensions"))
    if (text_at(r, "table") != "positions")
      table.add({at(r, "table"), at(r, "v"), at(r, "d"), at(r, "centring"), at(r, "stable_rank"),
                 at(r, "participation"), at(r, "r90"), at(r, "r99"), at(r, "r999")});
  return table;
}

Table spectrum_table(const std::vector<CellRecords>& cells) {
  Table table{"o3_spectra.csv",
              {{"table", "", Kind::exact, "positions (d = 512, T = 10000), real words, gaussian words"},
               {"rows", "1", Kind::exact, "rows of the table"},
               {"centring", "", Kind::exact, "as_is, or centred: mean row subtracted"},
               {"index", "1", Kind::exact, "1: the largest eigenvalue"},
               {"share", "1", Kind::sampled, "eigenvalue over the sum of all"},
               {"cumulated", "1", Kind::sampled, "shares up to here"}},
              {}};
  for (const Coordinates& r : records_of(cells, "spectrum")) {
    const bool positions = text_at(r, "table") == "positions";
    table.add({at(r, "table"), at(r, positions ? "l" : "v"), at(r, "centring"), at(r, "index"),
               at(r, "share"), at(r, "cumulated")});
  }
  return table;
}

Finding share_finding(const Table& table, std::size_t row, const Coordinates& at, Kind kind, std::uint64_t n,
                      std::optional<double> theory) {
  return {finding_id("O3", "r99_share", at),
          at,
          table.number(row, "r99") / table.number(row, "d"),
          {},
          {},
          {},
          theory,
          "1",
          n,
          kind,
          "Dimensions that hold 99% of the table's energy, as a share of all dimensions."};
}

void add_position_findings(const Table& table, std::vector<Finding>& findings) {
  double inside = 0, outside = 0;
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double x = table.number(i, "crowding"), d = table.number(i, "d"),
                 line = table.number(i, "r99_line");
    const double departure = std::abs(table.number(i, "r99") - line);
    double& worst = x > bend_low && x < bend_high ? inside : outside;
    if (d <= 1024) worst = std::max(worst, departure);
    rows += d <= 1024;
    const double length = table.number(i, "positions");
    if (d != 512 || table.number(i, "base") != usual_base ||
        (length != 512 && length != 2048 && length != 8192))
      continue;
    const Coordinates at{
        {"c", table.at(i, "centring")}, {"d", table.at(i, "d")}, {"l", table.at(i, "positions")}};
    const std::uint64_t n = static_cast<std::uint64_t>(length);
    findings.push_back({finding_id("O3", "r99", at),
                        at,
                        table.number(i, "r99"),
                        {},
                        {},
                        {},
                        line,
                        "dimensions",
                        n,
                        Kind::count,
                        "Fewest leading eigenvalues of the sinusoidal table with 99% of the sum."});
    findings.push_back(share_finding(table, i, at, Kind::rounded, n, line / d));
  }
  const char* meaning =
      "Largest |r99 - closed form| over L, T and d up to 1024, for crowding x = L ln T/(pi d) ";
  findings.push_back({finding_id("O3", "line_departure", {{"where", std::string("bend")}}),
                      {},
                      inside,
                      {},
                      {},
                      {},
                      0.0,
                      "dimensions",
                      rows,
                      Kind::rounded,
                      fmt::format("{}near the bend, .8 to 1.6.", meaning)});
  findings.push_back({finding_id("O3", "line_departure", {{"where", std::string("elsewhere")}}),
                      {},
                      outside,
                      {},
                      {},
                      {},
                      0.0,
                      "dimensions",
                      rows,
                      Kind::rounded,
                      fmt::format("{}outside .8 to 1.6.", meaning)});
}

/// The usual sizes that the grid does not hold; the spectrum has a closed form, up to eigenvalues.
void add_usual_findings(std::vector<Finding>& findings) {
  for (const auto& [d, length] : usual) {
    const Coordinates at{{"c", "as_is"}, {"d", whole(d)}, {"l", whole(length)}};
    if (find(findings, finding_id("O3", "r99_share", at))) continue;
    const std::size_t r99 = effective_dimension(sinusoid_spectra(frequencies(d), length).uncentred).r99;
    const double width = static_cast<double>(d);
    findings.push_back(finding(
        "O3", "r99_share", at, {static_cast<double>(r99) / width},
        {.theory = theory::sinusoid_r99(length, d, usual_base) / width,
         .n = length,
         .kind = Kind::rounded,
         .meaning = "Dimensions that hold 99% of the table's energy, as a share of all dimensions."}));
  }
}

void add_word_findings(const Table& table, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Coordinates at{{"c", table.at(i, "centring")}, {"w", table.at(i, "words")}};
    const std::uint64_t n = static_cast<std::uint64_t>(table.number(i, "v"));
    findings.push_back(share_finding(table, i, at, Kind::sampled, n, {}));
    findings.push_back({finding_id("O3", "participation", at),
                        at,
                        table.number(i, "participation"),
                        {},
                        {},
                        {},
                        {},
                        "dimensions",
                        n,
                        Kind::sampled,
                        "Participation ratio of the word vectors' covariance."});
    findings.push_back({finding_id("O3", "stable_rank", at),
                        at,
                        table.number(i, "stable_rank"),
                        {},
                        {},
                        {},
                        {},
                        "dimensions",
                        n,
                        Kind::sampled,
                        "Stable rank of the word vectors' covariance."});
  }
}

std::string share_id(const Size& size) {
  return fmt::format("O3.r99_share.as_is.d{}.l{}", size.d, size.length);
}

Rule rule() {
  Rule rule;
  const auto positions = [&](const Size& size, Role role) {
    rule.push_back(
        {.finding = share_id(size),
         .is = Is::below,
         .bound = smaller,
         .role = role,
         .evidence = Evidence::closed_form,
         .levels = {{"table", "positions"},
                    {"evidence", "closed form"},
                    {"size", fmt::format("d = {}, L = {}", grouped(size.d), grouped(size.length))}},
         .says = fmt::format("share of the dimensions that hold 99 % of the sinusoid, d = {}, L = {}",
                             grouped(size.d), grouped(size.length)),
         .needs = fmt::format("L = {}", grouped(size.length))});
  };
  for (const Size& size : usual) positions(size, Role::core);
  rule.push_back({.finding = {},
                  .evidence = Evidence::released,
                  .levels = {{"evidence", "released"}},
                  .says = "share of the dimensions that hold 99 % of a released model's words, centred",
                  .needs = "a released model: make reports MODELS=FILE"});
  positions(long_context, Role::limit);
  return rule;
}

/// "words learned from a text", or "the given words"
std::string whose(const WordInputs& inputs) {
  for (const auto& [name, value] : inputs.parameters)
    if (name == "words" && to_text(value) == "given") return "the given words";
  return "words learned from a text";
}

std::string condition_of(const std::vector<Finding>& findings, const WordInputs& inputs) {
  double least = 1, most = 0;
  for (const Size& size : usual) {
    const double share = find(findings, share_id(size))->value;
    least = std::min(least, share);
    most = std::max(most, share);
  }
  std::string text = fmt::format(
      "99 % of a sinusoid's energy takes {:.0f} to {:.0f} % of the dimensions at usual widths and lengths",
      100 * least, 100 * most);
  if (const Finding* longer = find(findings, share_id(long_context)))
    text += fmt::format(", {:.0f} % at d = {} and L = {}", 100 * longer->value, long_context.d,
                        grouped(long_context.length));
  if (const Finding* words = find(findings, "O3.r99_share.centred.real"))
    return text + fmt::format("; of {} {:.0f} %, centred", whose(inputs), 100 * words->value);
  return text + "; positions only: " + inputs.missing;
}

}  // namespace

Outcome summarise_dimensions(const std::vector<CellRecords>& cells, const WordInputs& inputs) {
  Outcome outcome;
  outcome.tables = {dimension_table(cells), words_table(cells), spectrum_table(cells)};
  add_position_findings(outcome.tables[0], outcome.findings);
  add_usual_findings(outcome.findings);
  add_word_findings(outcome.tables[1], outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings, inputs);
  outcome.matters = fmt::format(
      "at d = 768 and 512 tokens the sinusoid leaves {:.0f} % of the dimensions almost free; words that "
      "fill all dimensions lie partly in the others, too",
      100 * (1 - find(outcome.findings, share_id({768, 512}))->value));
  return outcome;
}

}  // namespace perp::orthogonality
