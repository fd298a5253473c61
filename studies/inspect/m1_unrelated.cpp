// M1: the words and positions of a model are unrelated, so their cosines are those of chance (O2, for given
// models). The null is that of fixed tables, one of them turned by a random rotation.

#include <cmath>

#include "perp/theory/cosine.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

constexpr double near = 0.1;  // |cosine| below this is nearly orthogonal, as in O1

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

/// Share of the pairs with |cosine| below `near`, whose bins end there: no bin is wider than that and 200 of
/// them make one.
double share_near(const std::vector<CellRecords>& cells, const std::string& model, double root) {
  const std::vector<Coordinates> bins = records_of(cells, "density");
  double share = 0, before = std::nan(""), width = 0;
  for (const Coordinates& bin : bins) {
    if (text_at(bin, "model") != model) continue;
    const double centre = number_at(bin, "cosine");
    if (!std::isnan(before)) width = centre - before;
    before = centre;
  }
  for (const Coordinates& bin : bins)
    if (text_at(bin, "model") == model && std::abs(number_at(bin, "cosine")) < near * root)
      share += number_at(bin, "pairs") * number_at(bin, "density_of_one") * width;
  return share;
}

/// What the claim asks of each model: no mean in common, and the mean square of chance.
constexpr double least_mean = 0.02, mean_square_within = 0.1, share_within = 0.01;

void ask(Verdicts& v, const std::string& model) {
  v.ask("mean", model,
        {.finding = {},
         .is = Is::equal,
         .bound = 0.0,
         .margin = least_mean,
         .levels = {{"measure", "mean cosine"}},
         .says = "mean cosine of words and positions"});
  v.ask("mean_square", model,
        {.finding = {},
         .is = Is::equal,
         .bound = 1.0,
         .margin = mean_square_within,
         .levels = {{"measure", "mean square cosine"}},
         .says = "d times the mean square cosine of words and positions"});
  v.ask("share_near", model,
        {.finding = {},
         .is = Is::equal,
         .bound = "theory",
         .margin = share_within,
         .role = Role::limit,
         .levels = {{"measure", "share of |cos| < 0.1"}},
         .says = "share of pairs with |cos| below 0.1, beside independent directions of its width"});
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M1", {}};
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
    v.add("share_near", model, {share_near(cells, model, std::sqrt(d))},
          {.theory = 1 - theory::cosine_exceeds(subject.dim(), near),
           .n = pairs,
           .kind = Kind::rounded,
           .meaning = "Share of the pairs of a word and a position with |cosine| below .1; beside it that of "
                      "independent directions."});
    ask(v, model);
    v.say(model,
          fmt::format(
              "the mean square cosine of words and positions is {:.3f} times 1/d, {}; their mean cosine is "
              "{:.4f}, {}; the largest of all is {:.3f} (independent pairs: {:.3f})",
              d * square->closed.value, in_words(away), mean->closed.value, in_words(mean->departure()),
              most->closed.value, most->closed.chance),
          fmt::format("mean cosine {:.4f}, {}; mean square cosine {:.3f} times 1/d", mean->closed.value,
                      in_words(mean->departure()), d * square->closed.value));
  }
  return v.finish(
      "no model with words and positions was given (--words FILE --positions FILE, or make inspect "
      "WORDS= POSITIONS=)");
}

}  // namespace

Experiment unrelated(const Subjects& subjects) {
  const Plan plan{[](const Subject& s) { return s.tables().words && s.tables().positions; }, false, density};
  return evidence_for(
      "O2", {"M1", "A model's word vectors and positions are unrelated, so nearly orthogonal.", "[d]",
             depends(subjects), cells_of(subjects, plan),
             [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
             [=](const std::vector<CellRecords>& cells) { return summarise(subjects, cells); }});
}

}  // namespace perp::inspect
