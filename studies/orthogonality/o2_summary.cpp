// O2: tables, findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/theory/cosine.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/o2_words_positions.hpp"

namespace perp::orthogonality {
namespace {

/// The mean over rotations is within this share of chance, and drawn at one width and number of positions.
constexpr double tolerated = 0.05;
constexpr std::size_t usual_width = 512, usual_length = 2048;

/// d times a record's mean square cosine, and how it would spread if one of its tables were turned.
Estimate overlap_of(const Coordinates& record) {
  const double d = number_at(record, "d");
  return estimated(number_at(record, "mean_square") * d, known_spread(number_at(record, "null_sd") * d));
}

Table overlap_table(const std::vector<CellRecords>& cells) {
  Table table{
      "o2_overlap.csv",
      {{"family", "", Kind::exact,
        "law of the words; real: learned or given words, real_centred: without their "
        "mean; real_rotated: turned at random"},
       {"words", "1", Kind::exact, "words V"},
       {"d", "1", Kind::exact, "dimension"},
       {"positions", "1", Kind::exact, "sinusoidal positions L"},
       {"mean_square_d", "1", Kind::sampled, "mean square cosine over all V L pairs, times d", "low", "high"},
       {"low", "1", Kind::sampled, "99% interval from the null's standard deviation for fixed tables"},
       {"high", "1", Kind::sampled, "99% interval from the null's standard deviation for fixed tables"},
       {"theory", "1", Kind::rounded, "tr A tr B = 1: what unrelated tables give"},
       {"z", "1", Kind::sampled, "departure from the null in its standard deviations"},
       {"z_pairwise", "1", Kind::sampled, "what z would be if the V L pairs were independent"},
       {"mean_cosine", "1", Kind::sampled, "mean cosine"},
       {"max_abs", "1", Kind::sampled, "largest |cosine|"},
       {"max_abs_independent", "1", Kind::exact, "median of the largest of V L independent pairs"},
       {"word_trace_square", "1", Kind::sampled, "tr A² of the words: 1/d if isotropic"},
       {"position_trace_square", "1", Kind::rounded, "tr B² of the positions"}},
      {}};
  for (const Coordinates& r : records_of(cells, "overlap")) {
    const double d = number_at(r, "d"), pairs = number_at(r, "pairs"), value = number_at(r, "mean_square");
    const double null = number_at(r, "null_mean"), sd = number_at(r, "null_sd");
    // A square cosine has variance 2(d-1)/(d²(d+2)), if only the pairs were independent.
    const double pairwise_sd = std::sqrt(2 * (d - 1) / (d * d * (d + 2)) / pairs);
    const Estimate overlap = overlap_of(r);
    table.add({at(r, "family"), at(r, "v"), at(r, "d"), at(r, "l"), overlap.value, *overlap.low,
               *overlap.high, null * d, (value - null) / sd, (value - null) / pairwise_sd, at(r, "mean"),
               at(r, "max_abs"), theory::largest_cosine_median(size_at(r, "d"), pairs),
               at(r, "words_trace_square"), at(r, "positions_trace_square")});
  }
  return table;
}

Table density_table(const std::vector<CellRecords>& cells) {
  Table table{
      "o2_density.csv",
      {{"family", "", Kind::exact, "law of the words"},
       {"d", "1", Kind::exact, "dimension"},
       {"positions", "1", Kind::exact, "sinusoidal positions L"},
       {"cosine_sqrt_d", "1", Kind::exact, "centre of a bin, times the square root of d"},
       {"density", "1", Kind::sampled, "share of pairs per unit of cosine times the square root of d"},
       {"law", "1", Kind::exact, "density of the cosine of two uniform directions, in the same units"}},
      {}};
  for (const Coordinates& r : records_of(cells, "density")) {
    const double root = std::sqrt(number_at(r, "d")), cosine = number_at(r, "cosine");
    table.add({at(r, "family"), at(r, "d"), at(r, "l"), cosine * root, number_at(r, "density") / root,
               theory::cosine_density(size_at(r, "d"), cosine) / root});
  }
  return table;
}

Table neighbour_table(const RealWords& words) {
  constexpr std::size_t count = 5;
  Table table{"o2_neighbours.csv", {{"word", "", Kind::exact, "an everyday word"}}, {}};
  for (std::size_t i = 1; i <= count; ++i)
    table.columns.push_back(
        {fmt::format("neighbour_{}", i), "", Kind::sampled, "the word of that rank by cosine"});
  table.columns.push_back({"cosine_1", "1", Kind::sampled, "cosine with the nearest"});
  std::vector<std::string> queries;
  for (const std::string_view word : everyday_words)
    if (std::find(words.words.begin(), words.words.end(), word) != words.words.end())
      queries.emplace_back(word);
  if (queries.empty()) return table;
  const auto neighbours = nearest_neighbours(words.words, words.unit, queries, count);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<Value> row{queries[q]};
    for (const Neighbour& neighbour : neighbours[q]) row.emplace_back(neighbour.word);
    row.emplace_back(neighbours[q].front().cosine);
    table.add(std::move(row));
  }
  return table;
}

void add_findings(const std::vector<CellRecords>& cells, const Table& overlap,
                  std::vector<Finding>& findings) {
  const std::vector<Coordinates> records = records_of(cells, "overlap");  // one for each row
  for (std::size_t i = 0; i < overlap.rows.size(); ++i) {
    const std::string family = std::get<std::string>(overlap.at(i, "family"));
    const bool real = family == learned || family == centred || family == rotated;
    if (!real && overlap.number(i, "d") != 512) continue;
    Coordinates at{{"family", family}};
    if (!real) at.insert(at.end(), {{"d", overlap.at(i, "d")}, {"l", overlap.at(i, "positions")}});
    const std::uint64_t pairs =
        static_cast<std::uint64_t>(overlap.number(i, "words") * overlap.number(i, "positions"));
    findings.push_back(
        finding("O2", "mean_square", at, overlap_of(records[i]),
                {.theory = overlap.number(i, "theory"),
                 .n = pairs,
                 .kind = Kind::sampled,
                 .meaning = "Mean square cosine of words with sinusoidal positions times d; interval from "
                            "the null for two fixed tables under a random rotation."}));
    if (family != learned && family != rotated && family != "gaussian") continue;
    findings.push_back({finding_id("O2", "z", at),
                        at,
                        overlap.number(i, "z"),
                        {},
                        {},
                        {},
                        0.0,
                        "standard deviations",
                        pairs,
                        Kind::sampled,
                        "Departure of that mean square from its null."});
    findings.push_back({finding_id("O2", "z_pairwise", at),
                        at,
                        overlap.number(i, "z_pairwise"),
                        {},
                        {},
                        {},
                        0.0,
                        "standard deviations",
                        pairs,
                        Kind::sampled,
                        "The same departure if the pairs were wrongly taken as independent."});
    findings.push_back(
        {finding_id("O2", "largest", at),
         at,
         overlap.number(i, "max_abs"),
         {},
         {},
         {},
         overlap.number(i, "max_abs_independent"),
         "1",
         pairs,
         Kind::sampled,
         "Largest |cosine| of a word with a position; theory is for as many independent pairs."});
  }
}

/// Vectors without their words, or of other words, have no such table.
void add_neighbours(const RealWords& words, Outcome& outcome) {
  Table table = neighbour_table(words);
  if (table.rows.empty()) return;
  outcome.findings.push_back({finding_id("O2", "everyday_words"),
                              {},
                              static_cast<double>(table.rows.size()),
                              {},
                              {},
                              {},
                              {},
                              "words",
                              words.words.size(),
                              Kind::exact,
                              "Everyday words of a fixed list of twelve that the vocabulary holds."});
  outcome.tables.push_back(std::move(table));
}

/// What one draw showed cannot hold a mean over rotations: those are still to be measured.
Rule rule() {
  Rule rule;
  const auto turned = [&](const char* words, const Coordinates& at, const std::string& says) {
    rule.push_back({.finding = finding_id("O2", "mean_square_turned", at),
                    .is = Is::equal,
                    .bound = 1.0,
                    .margin = tolerated,
                    .evidence = Evidence::simulation,
                    .levels = {{"evidence", "random"}, {"words", words}},
                    .says = "d times the mean square cosine, mean over random rotations, " + says,
                    .needs = "not programmed yet: the mean over at least 1,000 random rotations"});
  };
  turned("gaussian",
         {{"family", std::string("gaussian")}, {"d", whole(usual_width)}, {"l", whole(usual_length)}},
         fmt::format("Gaussian words, d = {}, L = {}", usual_width, grouped(usual_length)));
  turned("learned from text", {{"family", std::string(learned)}},
         fmt::format("words learned from a text, L = {}", grouped(usual_length)));
  rule.push_back({.finding = {},
                  .evidence = Evidence::released,
                  .levels = {{"evidence", "released"}},
                  .says = "mean cosine and mean square cosine of a released model's words and positions",
                  .needs = "a released model: make reports MODELS=FILE"});
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings, const WordInputs& inputs) {
  std::string text;
  if (const Finding* random =
          find(findings, fmt::format("O2.mean_square.gaussian.d{}.l{}", usual_width, usual_length)))
    text = fmt::format(
        "in one draw of Gaussian words, d times the mean square cosine is {:.3f} at d = {} "
        "and L = {}; ",
        random->value, usual_width, grouped(usual_length));
  if (const Finding* words = find(findings, fmt::format("O2.mean_square.{}", learned)))
    return text + fmt::format("for the real words it is {:.3f}", words->value);
  return text + "random words only: " + inputs.missing;
}

}  // namespace

Outcome summarise_words_positions(const std::vector<CellRecords>& cells, const WordInputs& inputs) {
  Outcome outcome;
  outcome.tables = {overlap_table(cells), density_table(cells)};
  if (inputs.words) add_neighbours(*inputs.words, outcome);
  add_findings(cells, outcome.tables[0], outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings, inputs);
  outcome.matters = fmt::format(
      "unrelated tables overlap by 1/d, a root mean square cosine of {:.3f} at d = 384 and {:.3f} at 1,024; "
      "a model's own words and positions may be related",
      theory::cosine_sd(384), theory::cosine_sd(1024));
  return outcome;
}

}  // namespace perp::orthogonality
