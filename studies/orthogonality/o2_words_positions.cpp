// O2: word vectors and PE are unrelated, so they are nearly orthogonal.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t bins = 2000;               // of the histogram over ±1
constexpr std::size_t bins_a_point = 4;          // of the density that is drawn
constexpr const char* learned = "real";          // the learned (or given) words as they are
constexpr const char* centred = "real_centred";  // and without the mean that all share
constexpr const char* rotated = "real_rotated";  // and turned at random: their axes know nothing of positions

// ---- cells
// ------------------------------------------------------------------------------------------------------

Cell cell(const std::string& family, std::size_t words, std::size_t d, std::size_t length) {
  return {
      {{"family", family}, {"v", whole(words)}, {"d", whole(d)}, {"l", whole(length)}},
      1e-11 * 2 * static_cast<double>(words) * static_cast<double>(length) * static_cast<double>(d) + 0.05};
}

std::vector<Cell> cells(const Options& options, const Inputs& inputs) {
  const std::size_t words = pick<std::size_t>(options.preset, 1000, 4000, 20000);
  std::vector<Cell> cells;
  for (const Family family : families) {
    for (const std::size_t d :
         pick<std::vector<std::size_t>>(options.preset, {64, 512}, {64, 128, 256, 512, 1024, 2048},
                                        {64, 128, 256, 512, 1024, 2048, 4096}))
      cells.push_back(cell(std::string(to_text(family)), words, d, 2048));
    if (options.preset != Preset::quick)
      cells.push_back(cell(std::string(to_text(family)), words, 512, 8192));
  }
  if (inputs.words) {
    const std::size_t count = rows(inputs.words->unit), d = cols(inputs.words->unit);
    cells.push_back(cell(learned, count, d, 2048));
    cells.push_back(cell(centred, count, d, 2048));
    cells.push_back(cell(rotated, count, d, 2048));
    cells.push_back(cell(std::string(to_text(Family::gaussian)), count, d, 2048));  // their control
  }
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Matrix<float> without_mean(const Matrix<float>& words) {
  std::vector<double> mean(cols(words));
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += words(i, j);
  Matrix<float> out = matrix<float>(rows(words), cols(words));
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j)
      out(i, j) = static_cast<float>(words(i, j) - mean[j] / static_cast<double>(rows(words)));
  return out;
}

Matrix<float> unit_words(const Cell& cell, const Streams& streams, const Inputs& inputs) {
  const std::string& name = text_at(cell.at, "family");
  if (name == learned) return inputs.words->unit;
  if (name == centred) return unit_rows(without_mean(inputs.words->unit)).rows;
  const std::size_t d = size_at(cell.at, "d");
  if (name == rotated)
    return unit_rows(product<float>(inputs.words->unit, random_rotation(d, streams("rotation")))).rows;
  const Family family = family_from(name);
  const Matrix<float> words = draw_words(family, size_at(cell.at, "v"), d, streams("words"));
  // Positions lie along the axes as no learned table does: turn words whose law does not do that by itself.
  if (is_isotropic(family)) return unit_rows(words).rows;
  return unit_rows(product(View<float>(words), View<float>(random_rotation(d, streams("rotation"))))).rows;
}

Records run(const Cell& cell, const Streams& streams, const Inputs& inputs) {
  const std::size_t d = size_at(cell.at, "d");
  const Matrix<float> words = unit_words(cell, streams, inputs);
  const Matrix<float> positions = unit_rows(sinusoidal<float>(size_at(cell.at, "l"), d)).rows;
  const CosineSummary cosines = cosines_between(words, positions, bins, 1);
  const TableOverlap overlap = table_overlap(words, positions);
  const theory::OverlapNull null = theory::overlap_null(d, overlap.trace_a, overlap.trace_square_a,
                                                        overlap.trace_b, overlap.trace_square_b);
  Records records{{"overlap",
                   {{"pairs", whole(cosines.count)},
                    {"mean", cosines.mean()},
                    {"mean_square", overlap.mean_square},
                    {"null_mean", null.mean},
                    {"null_sd", null.sd},
                    {"max_abs", cosines.max_abs},
                    {"words_trace_square", overlap.trace_square_a},
                    {"positions_trace_square", overlap.trace_square_b}}}};
  if (d != 512 && text_at(cell.at, "family") != learned && text_at(cell.at, "family") != centred)
    return records;
  const std::vector<double> centres = cosines.histogram.centres(), density = cosines.histogram.density();
  const double reach = 5 / std::sqrt(static_cast<double>(d));
  for (std::size_t first = 0; first + bins_a_point <= bins; first += bins_a_point) {
    double centre = 0, sum = 0;
    for (std::size_t i = first; i < first + bins_a_point; ++i) {
      centre += centres[i] / bins_a_point;
      sum += density[i] / bins_a_point;
    }
    if (std::abs(centre) <= reach) records.push_back({"density", {{"cosine", centre}, {"density", sum}}});
  }
  return records;
}

// ---- what follows
// -----------------------------------------------------------------------------------------------

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
       {"low", "1", Kind::sampled, "99.9% interval from the null's standard deviation for fixed tables"},
       {"high", "1", Kind::sampled, "99.9% interval from the null's standard deviation for fixed tables"},
       {"theory", "1", Kind::exact, "tr A tr B = 1: what unrelated tables give"},
       {"z", "1", Kind::sampled, "departure from the null in its standard deviations"},
       {"z_pairwise", "1", Kind::sampled, "what z would be if the V L pairs were independent"},
       {"mean_cosine", "1", Kind::sampled, "mean cosine"},
       {"max_abs", "1", Kind::sampled, "largest |cosine|"},
       {"max_abs_independent", "1", Kind::exact, "median of the largest of V L independent pairs"},
       {"word_trace_square", "1", Kind::sampled, "tr A² of the words: 1/d if isotropic"},
       {"position_trace_square", "1", Kind::rounded, "tr B² of the positions"}},
      {}};
  const double z = normal_quantile((1 + decisive) / 2);
  for (const Coordinates& r : records_of(cells, "overlap")) {
    const double d = number_at(r, "d"), pairs = number_at(r, "pairs"), value = number_at(r, "mean_square");
    const double null = number_at(r, "null_mean"), sd = number_at(r, "null_sd");
    // A square cosine has variance 2(d-1)/(d²(d+2)), if only the pairs were independent.
    const double pairwise_sd = std::sqrt(2 * (d - 1) / (d * d * (d + 2)) / pairs);
    table.add({at(r, "family"), at(r, "v"), at(r, "d"), at(r, "l"), value * d, (value - z * sd) * d,
               (value + z * sd) * d, null * d, (value - null) / sd, (value - null) / pairwise_sd,
               at(r, "mean"), at(r, "max_abs"), theory::largest_cosine_median(size_at(r, "d"), pairs),
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
  Table table{"o2_neighbours.csv",
              {{"word", "", Kind::exact, "an everyday word"},
               {"rank", "1", Kind::exact, "1: nearest"},
               {"neighbour", "", Kind::rounded, "word of that rank by cosine"},
               {"cosine", "1", Kind::rounded, "their cosine"}},
              {}};
  std::vector<std::string> queries;
  for (const std::string_view word : everyday_words)
    if (std::find(words.words.begin(), words.words.end(), word) != words.words.end())
      queries.emplace_back(word);
  if (queries.empty()) return table;
  const auto neighbours = nearest_neighbours(words.words, words.unit, queries, 5);
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (std::size_t i = 0; i < neighbours[q].size(); ++i)
      table.add({queries[q], whole(i + 1), neighbours[q][i].word, neighbours[q][i].cosine});
  return table;
}

void add_findings(const Table& overlap, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < overlap.rows.size(); ++i) {
    const std::string family = std::get<std::string>(overlap.at(i, "family"));
    const bool real = family == learned || family == centred || family == rotated;
    if (!real && overlap.number(i, "d") != 512) continue;
    Coordinates at{{"family", family}};
    if (!real) at.insert(at.end(), {{"d", overlap.at(i, "d")}, {"l", overlap.at(i, "positions")}});
    const std::uint64_t pairs =
        static_cast<std::uint64_t>(overlap.number(i, "words") * overlap.number(i, "positions"));
    findings.push_back(
        {finding_id("O2", "mean_square", at), at, overlap.number(i, "mean_square_d"),
         overlap.number(i, "low"), overlap.number(i, "high"), decisive, overlap.number(i, "theory"), "1",
         pairs, Kind::sampled,
         "Mean square cosine of words with sinusoidal positions times d; interval from the null for two "
         "fixed tables under a random rotation."});
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

Outcome summarise(const std::vector<CellRecords>& cells, const Inputs& inputs) {
  Outcome outcome;
  outcome.tables = {overlap_table(cells), density_table(cells)};
  if (inputs.words && !inputs.words->words.empty()) outcome.tables.push_back(neighbour_table(*inputs.words));
  add_findings(outcome.tables[0], outcome.findings);
  for (const Family family : families)
    outcome.rule.push_back(
        {finding_id("O2", "mean_square",
                    {{"f", std::string(to_text(family))}, {"d", whole(512)}, {"l", whole(2048)}}),
         Is::within, "theory"});
  if (inputs.words)
    outcome.rule.push_back(
        {finding_id("O2", "mean_square", {{"f", std::string(learned)}}), Is::within, "theory"});
  std::string outside;
  for (const Condition& condition : outcome.rule)
    if (find(outcome.findings, condition.finding) && !holds(outcome.findings, condition))
      outside +=
          (outside.empty() ? "" : ", ") + text_at(find(outcome.findings, condition.finding)->at, "family");
  if (!outside.empty()) outcome.condition = "not within chance: " + outside;
  if (!inputs.words)
    outcome.condition += (outside.empty() ? "" : "; ") + std::string("random words only: ") + inputs.missing;
  return outcome;
}

}  // namespace

Experiment words_against_positions(const Options& options, const SharedInputs& inputs) {
  return {"O2",
          "Word vectors and positional encodings are unrelated, so they are nearly orthogonal.",
          "[d]",
          inputs->hashes,
          cells(options, *inputs),
          [inputs](const Cell& cell, const Streams& streams) { return run(cell, streams, *inputs); },
          [inputs](const std::vector<CellRecords>& cells) { return summarise(cells, *inputs); }};
}

}  // namespace perp::orthogonality
