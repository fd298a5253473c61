// M8: learned positions are like sinusoids (Q4, for given models).

#include <algorithm>
#include <cmath>

#include "studies/distance/q4_portrait.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

Records run(const Subject& subject) {
  const distance::Portrait& given = *subject.given().portrait;
  const distance::Portrait wave = distance::portrait(*sinusoid_like(subject.tables()));
  Records records;
  for (const distance::PortraitMeasure& measure : distance::portrait_measures())
    records.push_back({"measure",
                       {{"measure", std::string(measure.name)},
                        {"label", std::string(measure.label)},
                        {"given", measure.read(given)},
                        {"sinusoid", measure.read(wave)}}});
  double largest = 0, lag = 0;
  for (std::size_t k = 1; 2 * k <= given.kernel.size(); ++k) {
    const double off = std::abs(given.kernel[k] - wave.kernel[k]);
    if (off > largest) largest = off, lag = static_cast<double>(k);
  }
  const double a = static_cast<double>(given.centred.r99), b = static_cast<double>(wave.centred.r99);
  records.push_back({"compared",
                     {{"factor", std::max(a / b, b / a)},
                      {"departure", largest},
                      {"lag", lag},
                      {"given", a},
                      {"sinusoid", b},
                      {"positions", whole(given.kernel.size())}}});
  return records;
}

/// A model's condition, and the limit that it becomes without the rows that training never met.
void ask(Verdicts& v, const Subject& subject, const std::string& measure, Is is, double bound,
         const char* number, const char* says) {
  const Levels levels{{"measure", number}, {"file", subject.positions_file()}};
  v.ask(measure.c_str(), subject.name(),
        {.finding = {}, .is = is, .bound = bound, .levels = levels, .says = says});
  v.ask((measure + "_trained_rows").c_str(), subject.name(),
        {.finding = {},
         .is = is,
         .bound = bound,
         .role = Role::limit,
         .levels = levels,
         .says = fmt::format("{}, without rows that training never met", says),
         .needs = "not programmed yet: which rows training never met"});
}

/// The measures of the given positions alone that the claim asks for.
void add_alone(const std::vector<CellRecords>& cells, Verdicts& v) {
  for (const Coordinates& r : records_of(cells, "measure")) {
    const std::string &measure = text_at(r, "measure"), &model = text_at(r, "model");
    const auto known = std::ranges::find_if(distance::portrait_measures(), [&](const auto& m) {
      return m.name == measure && (measure == "r2_apart" || measure == "neighbours");
    });
    if (known != distance::portrait_measures().end())
      v.add(known->name, model, {number_at(r, "given")},
            {.theory = number_at(r, "sinusoid"),
             .kind = Kind::rounded,
             .meaning = fmt::format("{}; beside it that of the sinusoid.", known->meaning)});
  }
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  Verdicts v{"M8", {}};
  Table table{"m8_measures.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"measure", "", Kind::exact, "what is measured"},
               {"label", "", Kind::exact, "the same in words"},
               {"given", "1", Kind::rounded, "of the given positions"},
               {"sinusoid", "1", Kind::rounded, "of the sinusoid of their shape, T = 10000"}},
              {}};
  for (const Coordinates& r : records_of(cells, "measure"))
    table.add({text_at(r, "model"), text_at(r, "measure"), text_at(r, "label"), number_at(r, "given"),
               number_at(r, "sinusoid")});
  v.outcome.tables = {table};
  add_alone(cells, v);
  for (const Coordinates& r : records_of(cells, "compared")) {
    const std::string& model = text_at(r, "model");
    const Subject& subject = subject_named(subjects, model);
    const auto n = static_cast<std::uint64_t>(integer_at(r, "positions"));
    v.add("r99_factor", model, {number_at(r, "factor")},
          {.theory = 1.0,
           .n = n,
           .kind = Kind::rounded,
           .meaning = "Ratio, larger over smaller, of the dimensions that hold 99 % of the variance of the "
                      "positions and "
                      "of the sinusoid."});
    v.add("kernel_departure", model, {number_at(r, "departure")},
          {.theory = 0.0,
           .n = n,
           .kind = Kind::rounded,
           .meaning = "Largest difference of the mean products at one distance, each over distance 0; up to "
                      "half of the "
                      "positions."});
    ask(v, subject, "r2_apart", Is::above, distance::most, "lag",
        "share of the variance of products of different positions that the distance explains");
    ask(v, subject, "neighbours", Is::above, distance::most, "neighbours",
        "share of the positions that are most like one right beside them");
    ask(v, subject, "r99_factor", Is::below, distance::alike_factor, "dimensions",
        "dimensions that hold 99 %, beside those of the sinusoid, larger over smaller");
    ask(v, subject, "kernel_departure", Is::below, distance::alike_share, "mean products",
        "largest difference of the mean products at one distance from the sinusoid's");
    v.say(
        model,
        fmt::format(
            "99 % of the variance takes {:.0f} dimensions, of a sinusoid {:.0f}; the mean product departs "
            "from the sinusoid's by up to {:.2f} of a position's own, at distance {:.0f}",
            number_at(r, "given"), number_at(r, "sinusoid"), number_at(r, "departure"), number_at(r, "lag")),
        fmt::format(
            "99 % of the variance in {:.0f} dimensions, of a sinusoid's in {:.0f}; mean products up to "
            "{:.2f} from the sinusoid's",
            number_at(r, "given"), number_at(r, "sinusoid"), number_at(r, "departure")));
  }
  return v.finish(
      "no model with at least three positions of even dimension, all different from 0, was given "
      "(--positions "
      "FILE, or make inspect POSITIONS=)");
}

bool can_compare(const Subject& subject) {
  return subject.tables().positions && cols(*subject.tables().positions) % 2 == 0 &&
         rows(*subject.tables().positions) >= 3;
}

}  // namespace

Experiment like_sinusoids(const Subjects& subjects) {
  std::vector<Cell> cells;
  for (const Subject& subject : *subjects)
    if (can_compare(subject)) cells.push_back({{{"model", subject.name()}}, 2});
  return evidence_for("Q4",
                      {"M8", "A model's positions are like sinusoids.", "(asked)", depends(subjects), cells,
                       [=](const Cell& cell, const Streams&) {
                         const Subject& subject = subject_named(subjects, text_at(cell.at, "model"));
                         return subject.given().portrait ? run(subject) : Records{};
                       },
                       [=](const std::vector<CellRecords>& of) { return summarise(subjects, of); }});
}

}  // namespace perp::inspect
