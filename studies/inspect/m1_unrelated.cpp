// M1: the words and positions of a model are unrelated, so their cosines are those of chance (O2, for given
// models). The null is that of fixed tables, one of them turned by a random rotation.

#include <cmath>

#include "perp/theory/cosine.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// The pairs in each bin of cosine·√d, as far as any can be seen, and what one of them adds to the density:
/// as a count, because rounding may move a pair across an edge.
void density(const Subject& subject, const Look& look, std::optional<std::size_t> draw, Records& records) {
  if (draw || !look.seen.words || !look.seen.words->cosines) return;
  const Histogram& h = *look.seen.words->cosines;
  const double root = std::sqrt(static_cast<double>(subject.dim()));
  const std::vector<double> centres = h.centres();
  const std::vector<std::uint64_t> counts = h.counts();
  const double bin_width = (centres.back() - centres.front()) / static_cast<double>(centres.size() - 1);
  for (std::size_t bin = 0; bin < centres.size(); ++bin)
    if (std::abs(centres[bin]) * root <= 8)
      records.push_back({"density",
                         {{"cosine", centres[bin] * root},
                          {"pairs", whole(counts[bin])},
                          {"density_of_one", 1 / (static_cast<double>(h.total()) * bin_width * root)},
                          {"law", theory::cosine_density(subject.dim(), centres[bin]) / root}}});
}

Table density_table(const std::vector<CellRecords>& cells) {
  Table table{"m1_density.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"cosine", "1", Kind::exact, "middle of a bin, cosine times the root of d"},
               {"pairs", "1", Kind::count, "pairs of a word and a position in the bin"},
               {"density_of_one", "1", Kind::exact,
                "one over all pairs and the bin's width: times `pairs`, the density"},
               {"law", "1", Kind::exact, "the same of independent directions"}},
              {}};
  for (const Coordinates& r : records_of(cells, "density"))
    table.add({text_at(r, "model"), number_at(r, "cosine"), at(r, "pairs"), number_at(r, "density_of_one"),
               number_at(r, "law")});
  return table;
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M1", {}, {}};
  v.outcome.tables = {density_table(cells)};
  for (const std::string& model : numbers.models()) {
    const Number* square = numbers.find(model, "between.mean_square_cosine");
    const Number* most = numbers.find(model, "between.max_abs_cosine");
    const Number* mean = numbers.find(model, "between.mean_cosine");
    if (!square || !most || !mean) continue;
    const Subject& subject = subject_named(subjects, model);
    const double d = static_cast<double>(subject.dim()), away = square->departure();
    const std::uint64_t pairs = subject.tables().words->rows() * rows(*subject.tables().positions);
    v.add("mean_square", model, {d * square->closed.value},
          {.theory = 1.0,
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "Mean square cosine over all pairs of a word and a position, times d."});
    v.add("departure", model, {away},
          {.theory = 0.0,
           .unit = "standard deviations",
           .n = pairs,
           .kind = Kind::rounded,
           .meaning =
               "Mean square cosine less chance, in standard deviations of a random rotation of one of the "
               "two tables."});
    v.add("departure_size", model, {std::abs(away)},
          {.unit = "standard deviations",
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "Size of that departure."});
    v.add("mean", model, {mean->closed.value},
          {.theory = 0.0,
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "Mean cosine over all pairs of a word and a position."});
    v.add("mean_departure", model, {mean->departure()},
          {.theory = 0.0,
           .unit = "standard deviations",
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "That mean in standard deviations of a random rotation of one of the two tables."});
    v.add("mean_departure_size", model, {std::abs(mean->departure())},
          {.unit = "standard deviations",
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "Size of that departure."});
    v.add(
        "largest", model, {most->closed.value},
        {.theory = most->closed.chance,
         .n = pairs,
         .kind = Kind::rounded,
         .meaning = "Largest |cosine| of a word with a position; beside it the median of as many independent "
                    "pairs."});
    v.ask("departure_size", model, Is::below, departs);
    v.ask("mean_departure_size", model, Is::below, departs);
    v.say(model,
          fmt::format(
              "the mean square cosine of words and positions is {:.3f} times 1/d, {}; their mean cosine is "
              "{:.4f}, {}; the largest of all is {:.3f} (independent pairs: {:.3f})",
              d * square->closed.value, in_words(away), mean->closed.value, in_words(mean->departure()),
              most->closed.value, most->closed.chance));
  }
  return v.finish(
      "no model with words and positions was given (--words FILE --positions FILE, or make inspect "
      "WORDS= POSITIONS=)");
}

}  // namespace

Experiment unrelated(const Subjects& subjects) {
  const Plan plan{[](const Subject& s) { return s.tables().words && s.tables().positions; }, false, density};
  return {"M1",
          "A model's word vectors and positions are unrelated, so nearly orthogonal.",
          "[d]",
          depends(subjects),
          cells_of(subjects, plan),
          [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
          [=](const std::vector<CellRecords>& cells) { return summarise(subjects, cells); }};
}

}  // namespace perp::inspect
