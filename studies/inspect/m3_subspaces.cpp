// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart.

#include <cmath>
#include <map>

#include "perp/theory/angles.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

void curves(const Subject&, const Look& look, std::optional<std::size_t>, Records& records) {
  if (!look.seen.between) return;
  const std::vector<double>& cosines = look.seen.between->principal_cosines;
  for (std::size_t i = 0; i < cosines.size(); ++i)
    records.push_back({"angle", {{"index", whole(i + 1)}, {"cosine", cosines[i]}}});
}

/// Given cosines beside the Wachter law's quantiles and the mean over Gaussian tables.
Table angles_table(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  Table table{"m3_angles.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"index", "1", Kind::exact, "1: the smallest angle"},
               {"share", "1", Kind::exact, "index less a half, over their number"},
               {"cosine", "1", Kind::rounded, "cosine of the principal angle"},
               {"law", "1", Kind::exact, "for a random rotation in many dimensions (Wachter 1980)"},
               {"gaussian", "1", Kind::sampled, "mean over Gaussian tables of equal shape and ranks"}},
              {}};
  std::map<std::pair<std::string, std::int64_t>, std::pair<double, double>> drawn;
  for (const Coordinates& r : records_of(cells, "angle")) {
    if (text_at(r, "table") != "gaussian") continue;
    auto& [sum, count] = drawn[{text_at(r, "model"), integer_at(r, "index")}];
    sum += number_at(r, "cosine");
    ++count;
  }
  for (const Coordinates& r : records_of(cells, "angle")) {
    if (text_at(r, "table") != "given") continue;
    const std::string& model = text_at(r, "model");
    const Subject& subject = subject_named(subjects, model);
    const Between& between = *subject.given().seen.between;
    const double d = static_cast<double>(subject.dim());
    const double few = static_cast<double>(std::min(between.rank_words, between.rank_positions));
    const double many = static_cast<double>(std::max(between.rank_words, between.rank_positions));
    const double share = (number_at(r, "index") - 0.5) / few;
    const double law = many < d ? std::sqrt(theory::wachter_quantile(few / d, many / d, 1 - share)) : 1;
    const auto& [sum, count] = drawn[{model, integer_at(r, "index")}];
    table.add({model, at(r, "index"), share, number_at(r, "cosine"), law, sum / count});
  }
  return table;
}

/// Overlap d tr(AB)/(tr A tr B) below this, of 1 by chance, is nearer to orthogonal than chance.
constexpr double clearly_less = 0.5;

void ask(Verdicts& v, const std::string& model) {
  const auto overlap = [&](const char* measure, Role role, const char* of, const char* says,
                           const char* needs) {
    v.ask(measure, model,
          {.finding = {},
           .is = Is::below,
           .bound = clearly_less,
           .role = role,
           .levels = {{"overlap", of}},
           .says = fmt::format("overlap of words and positions, {}; 1 by chance", says),
           .needs = needs});
  };
  overlap("overlap", Role::core, "centred", "centred",
          "not programmed yet: the overlap of the two centred covariances");
  overlap("overlap_uncentred", Role::limit, "uncentred", "rows of length 1, not centred", "");
  overlap("overlap_trained_rows", Role::limit, "trained rows",
          "centred, without rows that training never met",
          "not programmed yet: which rows training never met");
  for (const char* third : {"frequent", "middle", "rare"})
    overlap(fmt::format("overlap_{}", third).c_str(), Role::limit, third,
            fmt::format("centred, the {} third of the words", third).c_str(),
            "not programmed yet: words in order of frequency");
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M3", {}};
  v.outcome.tables = {angles_table(subjects, cells)};
  for (const std::string& model : numbers.models()) {
    const Number* energy = numbers.find(model, "between.word_energy_in_positions");
    const Number* largest = numbers.find(model, "between.largest_cosine");
    const Number* square = numbers.find(model, "between.mean_square_cosine");
    if (!energy || !largest || !square) continue;
    const Subject& subject = subject_named(subjects, model);
    const Between& between = *subject.given().seen.between;
    const std::uint64_t n = between.rank_words * between.rank_positions;
    v.add("energy", model, {energy->closed.value},
          {.theory = energy->closed.chance,
           .n = n,
           .kind = Kind::rounded,
           .meaning =
               "Mean share of a word's energy inside the positions' leading directions; chance: their number "
               "over d."});
    v.add("energy_departure", model, {energy->departure()},
          {.theory = 0.0,
           .unit = "standard deviations",
           .n = n,
           .kind = Kind::rounded,
           .meaning = "That share less chance, in standard deviations of a random rotation."});
    v.add(
        "largest", model, {largest->closed.value},
        {.theory = largest->closed.chance,
         .n = n,
         .kind = Kind::rounded,
         .meaning =
             "Cosine of the smallest principal angle between the two subspaces; chance by Johnstone's law."});
    v.add(
        "largest_departure", model, {largest->departure()},
        {.theory = 0.0,
         .unit = "standard deviations",
         .n = n,
         .kind = Kind::sampled,
         .meaning =
             "That cosine less chance, in standard deviations: Johnstone's law, or Gaussian tables where it "
             "does not apply."});
    v.add("overlap_uncentred", model, {static_cast<double>(subject.dim()) * square->closed.value},
          {.theory = 1.0,
           .n = subject.tables().words->rows() * rows(*subject.tables().positions),
           .kind = Kind::rounded,
           .meaning = "Overlap d tr(AB)/(tr A tr B) of the mean outer products of words and positions of "
                      "length 1, not centred: d times the mean square cosine; chance 1."});
    ask(v, model);
    v.say(
        model,
        fmt::format("{} directions of positions hold {:.2f} % of a word's energy (chance {:.2f} %), {}; the "
                    "subspaces of {} and {} dimensions meet at cosines up to {:.3f} (chance {:.3f}), {}",
                    between.rank_positions, 100 * energy->closed.value, 100 * energy->closed.chance,
                    in_words(energy->departure()), between.rank_words, between.rank_positions,
                    largest->closed.value, largest->closed.chance, in_words(largest->departure())),
        fmt::format("overlap {:.3f} of chance as the tables are, and {:.2f} % of a word's energy in {} "
                    "directions of positions (chance {:.2f} %)",
                    static_cast<double>(subject.dim()) * square->closed.value, 100 * energy->closed.value,
                    between.rank_positions, 100 * energy->closed.chance));
  }
  return v.finish(
      "no model with words and positions was given (--words FILE --positions FILE, or make inspect "
      "WORDS= POSITIONS=)");
}

}  // namespace

Experiment subspaces(const Subjects& subjects) {
  const Plan plan{[](const Subject& subject) { return subject.tables().words && subject.tables().positions; },
                  true, curves};
  return evidence_for(
      "O4",
      {"M3",
       "Training keeps a model's words and positions apart: their subspaces are nearer to orthogonal than "
       "chance.",
       "[d]", depends(subjects), cells_of(subjects, plan),
       [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
       [=](const std::vector<CellRecords>& cells) { return summarise(subjects, cells); }});
}

}  // namespace perp::inspect
