// A1: findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/theory/recovery.hpp"
#include "studies/capacity/a1_size.hpp"

namespace perp::capacity {
namespace {

/// A share in a record, as a finding.
Finding share(const std::string& measure, const Coordinates& at_, const Coordinates& r,
              const std::string& name, std::optional<double> theory, const std::string& meaning) {
  return finding("A1", measure, at_,
                 {number_at(r, name), number_at(r, name + "_low"), number_at(r, name + "_high"), shown_level},
                 {.theory = theory,
                  .n = static_cast<std::uint64_t>(number_at(r, "n")),
                  .kind = Kind::sampled,
                  .meaning = meaning});
}

bool is_star(const Coordinates& r, std::string_view family, std::size_t d, std::size_t v, bool centred) {
  return text_at(r, "family") == family && size_at(r, "d") == d && size_at(r, "v") == v &&
         size_at(r, "l") == usual_positions && (size_at(r, "centred") == 1) == centred &&
         number_at(r, "noise") == 0;
}
bool is_centre(const Coordinates& r) { return is_star(r, "sphere", usual_width, usual_words, false); }

bool near(double x, double y) { return std::abs(x - y) < 1e-12; }
bool told(double rho) {
  return std::ranges::any_of(std::array{0.1, 0.5, 1.0, 2.0, 4.0, 5.0, 8.0, 16.0},
                             [rho](double told) { return near(rho, told); });
}

void add_star(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  const double natural = std::numbers::sqrt2 / 2;
  for (const Coordinates& r : records_of(cells, "share")) {
    const double rho = number_at(r, "rho");
    const Coordinates size{{"rho", rho}};
    if (is_centre(r) && told(rho)) {
      findings.push_back(share("word", size, r, "word", number_at(r, "line"),
                               "Share of words that are the nearest word to their sum with a position of "
                               "that size; theory: exact line."));
      findings.push_back(share("position", size, r, "position", 1 / number_at(r, "l"),
                               "Share of positions that are the nearest position to their sum; theory: "
                               "chance."));
    }
    if (is_centre(r) && near(rho, natural)) {
      findings.push_back(
          share("natural_word", {}, r, "word", number_at(r, "line"),
                "Share of words found with the sinusoid as it is against words of variance 1, size √½."));
      findings.push_back(share("natural_position", {}, r, "position", 1 / number_at(r, "l"),
                               "Share of positions found there."));
    }
    if (is_star(r, "sphere", 300, 1000, false) && (near(rho, 4) || near(rho, 5)))
      findings.push_back(share("word", {{"d", at(r, "d")}, {"v", at(r, "v")}, {"rho", rho}}, r, "word",
                               number_at(r, "line"), "The same at another width and vocabulary."));
    if (is_star(r, "gaussian", usual_width, usual_words, false) && (near(rho, 1) || near(rho, 5)))
      findings.push_back(share("word", {{"family", std::string("gaussian")}, {"rho", rho}}, r, "word",
                               number_at(r, "gaussian_line"), "The same for Gaussian words."));
    if (text_at(r, "family") == "learned" &&
        (near(rho, 0.1) || near(rho, 1) || near(rho, natural) || near(rho, 4))) {
      const bool centred = size_at(r, "centred") == 1;
      Coordinates place{{"family", std::string("learned")}};
      if (!near(rho, natural)) place.emplace_back("rho", rho);
      const std::string name =
          std::string(near(rho, natural) ? "natural_" : "") + "word" + (centred ? "_centred" : "");
      findings.push_back(share(name, place, r, "word", number_at(r, "line"),
                               std::string("Share of learned words found") +
                                   (centred ? ", positions less their mean" : "") +
                                   "; theory: unit words of no preferred direction, as many, as wide."));
    }
  }
}

void add_exchange(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const Coordinates& r : records_of(cells, "exchange")) {
    if (!is_centre(r)) continue;
    findings.push_back(share("saved", {}, r, "saved", {},
                             "Share of words found with a position of a tenth of the word's size and not "
                             "with one of its size."));
    findings.push_back(share("lost", {}, r, "lost", {},
                             "Share of positions found at the word's size and not at a tenth of it."));
  }
}

void add_scale(const Table& table, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Coordinates place{{"d", table.at(i, "d")}};
    const auto estimate = [&](const std::string& name) {
      return Estimate{table.number(i, name), table.number(i, name + "_low"), table.number(i, name + "_high"),
                      shown_level};
    };
    const auto n = static_cast<std::uint64_t>(table.number(i, "n"));
    findings.push_back(
        finding("A1", "plain", place, estimate("plain"),
                {.theory = table.number(i, "plain_line"),
                 .n = n,
                 .kind = Kind::sampled,
                 .meaning = "Share of words found, embeddings of length 1 plus the sinusoid."}));
    findings.push_back(
        finding("A1", "scaled", place, estimate("scaled"),
                {.theory = table.number(i, "scaled_line"),
                 .n = n,
                 .kind = Kind::sampled,
                 .meaning = "Share of words found, the same embeddings times √d plus the sinusoid."}));
    findings.push_back(
        finding("A1", "knee", place, {table.number(i, "knee")},
                {.kind = Kind::exact, .meaning = "Size of a position at the knee, √(d/(2 ln V))."}));
  }
}

/// Rows of the knee table: random words without noise; and which of them lie on the axis of widths.
bool is_quiet(const Table& table, std::size_t i) {
  return to_text(table.at(i, "family")) != "learned" && table.number(i, "noise") == 0;
}
bool is_width(const Table& table, std::size_t i) {
  return is_quiet(table, i) && to_text(table.at(i, "family")) == "sphere" &&
         table.number(i, "words") == usual_words && table.number(i, "positions") == usual_positions &&
         table.number(i, "centred") == 0;
}

Finding half_finding(const Table& table, std::size_t i, const Coordinates& place) {
  return finding("A1", "half", place, {table.number(i, "half")},
                 {.theory = table.number(i, "exact_half"),
                  .n = static_cast<std::uint64_t>(table.number(i, "n")),
                  .kind = Kind::sampled,
                  .meaning = "Size of a position at which half the words are found; theory: exact line for "
                             "unit words of no preferred direction."});
}

void add_knee(const Table& table, std::vector<Finding>& findings) {
  Estimate least{1, 1, 1, shown_level};
  double most_off = 0;
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (is_width(table, i)) findings.push_back(half_finding(table, i, {{"d", table.at(i, "d")}}));
    if (to_text(table.at(i, "family")) == "learned" && table.number(i, "centred") == 0)
      findings.push_back(half_finding(table, i, {{"family", std::string("learned")}}));
    if (!is_quiet(table, i)) continue;
    n += static_cast<std::uint64_t>(table.number(i, "n"));
    if (table.number(i, "comparable_low") < *least.low)
      least = {table.number(i, "comparable"), table.number(i, "comparable_low"),
               table.number(i, "comparable_high"), shown_level};
    const double half = table.number(i, "half"), exact = table.number(i, "exact_half");
    if (to_text(table.at(i, "family")) == "sphere" && table.number(i, "centred") == 0 && !std::isnan(half))
      most_off = std::max(most_off, std::abs(half / exact - 1));
  }
  findings.push_back(finding("A1", "comparable_least", {}, least,
                             {.n = n,
                              .kind = Kind::sampled,
                              .meaning = "Share of random words found at size 1 without noise where its "
                                         "interval reaches lowest, of all widths, vocabularies, lengths and "
                                         "families."}));
  findings.push_back(finding("A1", "half_off", {}, {most_off},
                             {.theory = 0.0,
                              .n = n,
                              .kind = Kind::sampled,
                              .meaning = "Largest relative departure of the size at which half the unit "
                                         "words are found from the exact one."}));
  findings.push_back(
      finding("A1", "over_knee", {}, {std::sqrt(std::log(double{usual_words}))},
              {.kind = Kind::exact,
               .meaning = "Size √(d/2) of the sinusoid against words of length 1, over the knee: "
                          "√(ln V), at every width."}));
}

void add_decoders(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const Coordinates& r : records_of(cells, "decoders")) {
    const double rho = number_at(r, "rho"), noise = number_at(r, "noise");
    if (size_at(r, "centred") == 0 && noise == 1 && near(rho, comparable))
      findings.push_back(finding("A1", "removed", {}, {number_at(r, "removed")},
                                 {.unit = "dimensions",
                                  .kind = Kind::count,
                                  .meaning = "Dimensions projected out, of 512: the fewest principal "
                                             "directions with 99.9 % of the positions' power."}));
    if (size_at(r, "centred") == 1 || noise > 1 ||
        !(near(rho, small) || near(rho, comparable) || near(rho, 16)))
      continue;
    const Coordinates place{{"noise", noise}, {"rho", rho}};
    findings.push_back(share("nothing", place, r, "nothing", 1 / number_at(r, "v"),
                             "Share of words found by the nearest word; theory: chance."));
    findings.push_back(share("projected", place, r, "projected", 1 / number_at(r, "v"),
                             "Share of words found with the positions' subspace projected out."));
    findings.push_back(share("joint", place, r, "joint", number_at(r, "known"),
                             "Share of words found by joint maximum likelihood; theory: the measured "
                             "ceiling, position known."));
    findings.push_back(share("joint_position", place, r, "joint_position", 1 / number_at(r, "l"),
                             "Share of positions found by joint maximum likelihood; theory: chance."));
  }
}

void add_read_out(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const Coordinates& r : records_of(cells, "readout")) {
    const std::size_t i = size_at(r, "i");
    if (size_at(r, "d") != 256 || number_at(r, "noise") != 0 || (i != 0 && i != 5 && i != 20)) continue;
    findings.push_back(share("read_out", {{"i", whole(i)}}, r, "r2", number_at(r, "line"),
                             "R² of a linear read-out of that eigenfunction of position; theory: λ/(λ + σ²) "
                             "in the population."));
  }
}

/// The exact line at the word's size, for every width and two vocabularies, whatever was measured.
void add_exact(std::vector<Finding>& findings) {
  for (const std::size_t d : {8U, 16U, 24U, 32U, 64U, 128U, 256U, 384U, 512U, 768U, 1024U})
    for (const std::size_t words : {usual_words, many_words}) {
      const Coordinates place{{"d", whole(d)}, {"v", whole(words)}};
      const auto v = static_cast<double>(words);
      findings.push_back(finding("A1", "exact", place, {theory::recovered(d, v, comparable)},
                                 {.kind = Kind::rounded,
                                  .meaning = "Share of words found with a position of the word's size: exact "
                                             "for unit words of no preferred direction, no noise."}));
      findings.push_back(finding("A1", "exact_half", place, {theory::recovery_ratio(d, v, 0.5)},
                                 {.kind = Kind::rounded,
                                  .meaning = "Size of a position at which half of such words are found, "
                                             "exact."}));
    }
}

/// What the claim says at sizes of models, and where words are few dimensions among many others.
Rule rule() {
  const auto exact = [](std::size_t d, std::size_t words, const char* size, Role role = Role::limit) {
    return Condition{
        .finding = fmt::format("A1.exact.d{}.v{}", d, words),
        .is = Is::below,
        .bound = ruined,
        .role = role,
        .evidence = Evidence::closed_form,
        .levels = {{"evidence", "random words"}, {"size", size}},
        .says = fmt::format("share of words found at the word's size, random unit words, {}", size)};
  };
  return {exact(usual_width, usual_words, "d = 512, V = 5,000", Role::core),
          exact(768, many_words, "d = 768, V = 50,000", Role::core),
          Condition{.finding = "",  // another study's, as evidence for this claim
                    .is = Is::below,
                    .bound = ruined,
                    .evidence = Evidence::released,
                    .levels = {{"evidence", "released"}},
                    .says = "share of a released model's words found at its own positions' size",
                    .needs = "not programmed yet: sizes and words of released models"},
          exact(16, usual_words, "d = 16, V = 5,000"),
          exact(16, many_words, "d = 16, V = 50,000"),
          exact(24, usual_words, "d = 24, V = 5,000")};
}

double value_of(const std::vector<Finding>& findings, const std::string& id) {
  const Finding* found = find(findings, id);
  return found ? found->value : std::nan("");
}

std::string condition(const std::vector<Finding>& findings, const std::string& missing) {
  const auto value = [&](const char* id) { return value_of(findings, id); };
  const std::string text = fmt::format(
      "a position as long as its word leaves {:.1f} % of 5,000 words readable at d = 512 and {:.1f} % of "
      "50,000 at d = 768; half are found up to {:.1f} and {:.1f} times that length",
      100 * value("A1.exact.d512.v5000"), 100 * value("A1.exact.d768.v50000"),
      value("A1.exact_half.d512.v5000"), value("A1.exact_half.d768.v50000"));
  return missing.empty() ? text : text + "; random words only: " + missing;
}

std::string matters(const std::vector<Finding>& findings) {
  const auto share = [&](const char* id) { return 100 * value_of(findings, id); };
  return fmt::format(
      "a sinusoid beside embeddings of variance 1 has 0.71 of a word's length, where {:.1f} % of the words "
      "and {:.0f} % of the positions are found; unit embeddings without the factor √d leave {:.1f} % of "
      "the words readable",
      share("A1.natural_word"), share("A1.natural_position"), share("A1.plain.d512"));
}

}  // namespace

Outcome summarise_sizes(const std::vector<CellRecords>& cells, const std::string& missing) {
  Outcome outcome;
  outcome.tables = size_tables(cells);
  add_star(cells, outcome.findings);
  add_exchange(cells, outcome.findings);
  add_scale(outcome.tables[2], outcome.findings);
  add_knee(outcome.tables[1], outcome.findings);
  add_decoders(cells, outcome.findings);
  add_read_out(cells, outcome.findings);
  add_exact(outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition(outcome.findings, missing);
  outcome.matters = matters(outcome.findings);
  return outcome;
}

}  // namespace perp::capacity
