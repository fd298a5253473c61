// M5: nearby positions of a model are similar (D2, for given models).

#include <algorithm>
#include <cmath>
#include <map>

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Lags 0 … L-1: every one up to 64, then at even steps of the logarithm.
std::vector<std::size_t> thinned(std::size_t length) {
  std::vector<std::size_t> out;
  for (double k = 0; k < static_cast<double>(length); k = k < 64 ? k + 1 : k * 1.03)
    out.push_back(static_cast<std::size_t>(k));
  return out;
}

void add_kernel(const std::vector<double>& kernel, const char* table, Records& records) {
  for (const std::size_t k : thinned(kernel.size()))
    records.push_back({"kernel", {{"of", std::string(table)}, {"lag", whole(k)}, {"value", kernel[k]}}});
}

void curves(const Subject& subject, const Look& look, std::optional<std::size_t> draw, Records& records) {
  if (!look.portrait) return;
  add_kernel(look.portrait->kernel, draw ? "gaussian" : "given", records);
  if (draw) return;
  if (const auto wave = sinusoid_like(subject.tables()))
    add_kernel(distance::portrait(*wave).kernel, "sinusoid", records);
}

Table kernel_table(const std::vector<CellRecords>& cells) {
  Table table{"m5_kernel.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"lag", "positions", Kind::exact, "k"},
               {"given", "1", Kind::rounded, "mean of p_t p_{t+k} over t, over that of lag 0"},
               {"sinusoid", "1", Kind::rounded, "of the sinusoid of its shape, T = 10000; empty for odd d"},
               {"gaussian", "1", Kind::sampled, "of Gaussian tables of its shape, mean", "gaussian_low",
                "gaussian_high"},
               {"gaussian_low", "1", Kind::sampled, "three standard deviations of one such table below"},
               {"gaussian_high", "1", Kind::sampled, "three standard deviations above"}},
              {}};
  std::map<std::pair<std::string, std::int64_t>, std::map<std::string, Number>> seen;
  for (const Coordinates& r : records_of(cells, "kernel"))
    seen[{text_at(r, "model"), integer_at(r, "lag")}][text_at(r, "of")].draws.push_back(
        number_at(r, "value"));
  for (const Coordinates& r : records_of(cells, "kernel")) {
    if (text_at(r, "of") != "given") continue;
    auto& of = seen[{text_at(r, "model"), integer_at(r, "lag")}];
    const Number &wave = of["sinusoid"], &gaussian = of["gaussian"];
    const double mean = gaussian.gaussian_mean(), away = departs * gaussian.gaussian_sd();
    table.add({text_at(r, "model"), at(r, "lag"), number_at(r, "value"), wave.gaussian_mean(), mean,
               mean - away, mean + away});
  }
  return table;
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M5", {}};
  v.outcome.tables = {kernel_table(cells)};
  for (const std::string& model : numbers.models()) {
    const Number* beside = numbers.find(model, "positions.neighbours");
    if (!beside) continue;
    double one = std::nan(""), ten = one, far = one, far_lag = one, rest = -1;
    const double length = numbers.value(model, "positions.rows");
    for (std::size_t row = 0; row < v.outcome.tables[0].rows.size(); ++row) {
      const Table& table = v.outcome.tables[0];
      if (std::get<std::string>(table.at(row, "model")) != model) continue;
      const double lag = table.number(row, "lag");
      if (lag == 1) one = table.number(row, "given");
      if (lag == 10) ten = table.number(row, "given");
      if (lag <= length / 2) far = table.number(row, "given"), far_lag = lag;
      if (lag > 1) rest = std::max(rest, table.number(row, "given"));
    }
    const auto n = static_cast<std::uint64_t>(length);
    v.add(
        "neighbours", model, {beside->closed.value},
        {.theory = beside->closed.chance,
         .n = n,
         .kind = Kind::rounded,
         .meaning =
             "Share of the positions whose most similar other one lies right beside them; beside it that of "
             "rows in random order."});
    v.add("kernel_1", model, {one},
          {.theory = 0.0,
           .n = n,
           .kind = Kind::rounded,
           .meaning = "Mean product of neighbours, over that of a position with itself."});
    v.add("kernel_10", model, {ten},
          {.theory = 0.0, .n = n, .kind = Kind::rounded, .meaning = "The same ten positions apart."});
    v.add(
        "kernel_rest", model, {rest},
        {.theory = 0.0,
         .n = n,
         .kind = Kind::rounded,
         .meaning = "The largest of those two and more positions apart, at every distance to 64 and at even "
                    "steps of the logarithm beyond."});
    v.ask("kernel_1", model,
          {.finding = {},
           .is = Is::above,
           .bound = finding_id("M5", "kernel_rest", {{"model", model}}),
           .role = Role::limit,
           .levels = {{"measure", "lag 1"}},
           .says = "mean product of neighbours, beside the largest at any other distance"});
    v.ask("neighbours", model,
          {.finding = {},
           .is = Is::above,
           .bound = 0.5,
           .role = Role::limit,
           .levels = {{"measure", "neighbours"}},
           .says = "share of the positions that are most like one right beside them"});
    v.say(
        model,
        fmt::format(
            "the nearest row is a neighbour for {:.0f} % of the positions (Gaussian: {:.1f} %, {}); the mean "
            "product falls to {:.2f} at distance 1, {:.2f} at 10 and {:.2f} at {:.0f}",
            100 * beside->closed.value, 100 * beside->gaussian_mean(), in_words(beside->departure()), one,
            ten, far, far_lag),
        fmt::format(
            "the nearest row is a neighbour for {:.0f} % of the positions; mean product {:.2f} at distance "
            "1, {:.2f} at 10 and {:.2f} at {:.0f}",
            100 * beside->closed.value, one, ten, far, far_lag));
  }
  return v.finish(
      "no model with at least three positions, all different from 0, was given (--positions FILE, or make "
      "inspect POSITIONS=)");
}

}  // namespace

Experiment nearby(const Subjects& subjects) {
  const Plan plan{[](const Subject& subject) { return subject.tables().positions.has_value(); }, true,
                  curves};
  return evidence_for(
      "D2", {"M5", "A model's nearby positions are similar: the most similar other position is a neighbour.",
             "[c, d]", depends(subjects), cells_of(subjects, plan),
             [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
             [](const std::vector<CellRecords>& cells) { return summarise(cells); }});
}

}  // namespace perp::inspect
