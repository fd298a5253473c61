// M2: words fill a smaller subspace and positions another (O3, for given models).

#include <algorithm>
#include <cmath>

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// 1 … n at even steps of the logarithm, at most about 80 of them.
std::vector<std::size_t> thinned(std::size_t n) {
  std::vector<std::size_t> out;
  for (double x = 1; x <= static_cast<double>(n); x = std::max(x + 1, x * 1.09))
    out.push_back(static_cast<std::size_t>(x));
  if (n > 0 && out.back() != n) out.push_back(n);
  return out;
}

void add_spectrum(const TableNumbers& numbers, const char* which, Records& records) {
  double all = 0;
  for (const double value : numbers.spectrum) all += value;
  if (!(all > 0)) return;
  double left = all;
  std::size_t taken = 0;
  for (const std::size_t r : thinned(numbers.spectrum.size())) {
    for (; taken < r; ++taken) left -= numbers.spectrum[taken];
    records.push_back({"spectrum",
                       {{"which", std::string(which)},
                        {"dimensions", whole(r)},
                        {"share", static_cast<double>(r) / static_cast<double>(numbers.dim)},
                        {"left", std::max(0.0, left / all)}}});
  }
}

void curves(const Subject& subject, const Look& look, std::optional<std::size_t> draw, Records& records) {
  if (draw.value_or(0) > 0) return;
  const Seen& seen = look.seen;
  if (seen.words) add_spectrum(seen.words->numbers, "words", records);
  if (seen.positions) add_spectrum(seen.positions->numbers, "positions", records);
  if (draw) return;
  const auto add = [&](const char* which, double place, double norm) {
    records.push_back({"norm", {{"which", std::string(which)}, {"place", place}, {"norm", norm}}});
  };
  if (seen.words) {
    std::vector<float> norms = seen.words->norms;
    std::ranges::sort(norms);
    for (std::size_t i = 0; i <= 100; ++i)
      add("words", static_cast<double>(i) / 100, norms[i * (norms.size() - 1) / 100]);
  }
  if (!look.portrait) return;
  const std::vector<double>& norms = look.portrait->norms;
  const std::size_t step = std::max<std::size_t>(1, norms.size() / 256);
  for (std::size_t t = 0; t < norms.size(); t += step)
    add("positions", static_cast<double>(t + subject.tables().first_position), norms[t]);
}

Table spectra_table(const std::vector<CellRecords>& cells) {
  Table table{"m2_spectra.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"table", "", Kind::exact, "given, or Gaussian of the same shape"},
               {"which", "", Kind::exact, "words or positions"},
               {"dimensions", "dimensions", Kind::exact, "r leading dimensions of the centred rows"},
               {"share", "1", Kind::exact, "r over d"},
               {"left", "1", Kind::sampled, "share of the variance outside them"}},
              {}};
  for (const Coordinates& r : records_of(cells, "spectrum"))
    table.add({text_at(r, "model"), text_at(r, "table"), text_at(r, "which"), at(r, "dimensions"),
               number_at(r, "share"), number_at(r, "left")});
  return table;
}

Table norms_table(const std::vector<CellRecords>& cells) {
  Table table{"m2_norms.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"which", "", Kind::exact, "words or positions"},
               {"place", "1", Kind::exact, "the position; of words, the share of them that are shorter"},
               {"norm", "1", Kind::rounded, "length"}},
              {}};
  for (const Coordinates& r : records_of(cells, "norm"))
    table.add({text_at(r, "model"), text_at(r, "which"), number_at(r, "place"), number_at(r, "norm")});
  return table;
}

std::string about(const Numbers& numbers, const std::string& model, const std::string& which, double d) {
  const Number& r99 = *numbers.find(model, which + ".r99");
  const Number& spread = *numbers.find(model, which + ".participation_ratio");
  return fmt::format(
      "{}: 99 % of the variance in {:.0f} of {:.0f} dimensions (Gaussian: {:.1f}, {}), participation "
      "ratio {:.1f} (Gaussian: {:.1f})",
      which, r99.closed.value, d, r99.gaussian_mean(), in_words(r99.departure()), spread.closed.value,
      spread.gaussian_mean());
}

/// Everything that inspect says, one row per model and measure.
Table numbers_table(const Numbers& numbers) {
  const double none = std::nan("");
  Table table{
      "m2_numbers.csv",
      {{"model", "", Kind::exact, "name of the model"},
       {"table", "", Kind::exact, "words, positions, or between the two"},
       {"measure", "", Kind::exact, "name of the measure"},
       {"label", "", Kind::exact, "the measure in words"},
       {"value", "1", Kind::rounded, "of the given tables"},
       {"chance", "1", Kind::rounded,
        "in closed form: independent normal entries, or one table turned by a random rotation"},
       {"gaussian", "1", Kind::sampled, "mean of the same measure over Gaussian tables of equal shape"},
       {"gaussian_sd", "1", Kind::sampled, "standard deviation of these"},
       {"departure", "standard deviations", Kind::sampled,
        "value less chance, in standard deviations of chance: in closed form where it is known, else over "
        "the Gaussian tables"}},
      {}};
  for (const auto& [model, key] : numbers.order()) {
    const Number& n = *numbers.find(model, key);
    const bool plain = n.draws.empty() || n.gaussian_sd() == 0;
    const std::size_t dot = key.find('.');
    table.add({model, key.substr(0, dot), key.substr(dot + 1), n.label, n.closed.value, n.closed.chance,
               n.draws.empty() ? none : n.gaussian_mean(), plain ? none : n.gaussian_sd(), n.departure()});
  }
  return table;
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M2", {}};
  v.outcome.tables = {numbers_table(numbers), spectra_table(cells), norms_table(cells)};
  for (const std::string& model : numbers.models()) {
    const double d = static_cast<double>(subject_named(subjects, model).dim());
    std::string sentence, brief;
    for (const char* which : {"words", "positions"}) {
      const Number* r99 = numbers.find(model, fmt::format("{}.r99", which));
      const Number* spread = numbers.find(model, fmt::format("{}.participation_ratio", which));
      if (!r99 || r99->closed.value == 0) continue;
      const auto n = static_cast<std::uint64_t>(numbers.value(model, fmt::format("{}.rows", which)));
      v.add(fmt::format("{}_share", which).c_str(), model, {r99->closed.value / d},
            {.theory = r99->gaussian_mean() / d,
             .n = n,
             .kind = Kind::count,
             .meaning =
                 fmt::format("Share of the dimensions that hold 99 % of the variance of the {}; beside it "
                             "Gaussian tables of equal shape.",
                             which)});
      v.add(fmt::format("{}_participation", which).c_str(), model, {spread->closed.value},
            {.theory = spread->closed.chance,
             .n = n,
             .kind = Kind::rounded,
             .meaning =
                 fmt::format("Participation ratio of the centred {}; beside it that of independent normal "
                             "entries.",
                             which)});
      const bool words = std::string_view(which) == "words";
      v.ask(fmt::format("{}_share", which).c_str(), model,
            {.finding = {},
             .is = Is::below,
             .bound = 0.5,
             .role = words ? Role::core : Role::limit,
             .levels = {{"table", which}},
             .says = fmt::format("share of the dimensions that hold 99 % of the {}, centred", which)});
      brief += fmt::format("{}99 % of the {} in {:.0f} of {:.0f} dimensions", brief.empty() ? "" : ", ",
                           which, r99->closed.value, d);
      sentence += fmt::format("{}{}", sentence.empty() ? "" : "; ", about(numbers, model, which, d));
    }
    if (!sentence.empty()) v.say(model, sentence, brief);
  }
  return v.finish("no model was given (--words FILE, --positions FILE, or make inspect WORDS= POSITIONS=)");
}

}  // namespace

Experiment dimensions(const Subjects& subjects) {
  const Plan plan{[](const Subject&) { return true; }, true, curves};
  return evidence_for(
      "O3",
      {"M2",
       "A model's words fill a part of the space and its positions another: each has 99 % of its variance "
       "in less "
       "than half of the dimensions.",
       "[d]", depends(subjects), cells_of(subjects, plan),
       [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
       [=](const std::vector<CellRecords>& cells) { return summarise(subjects, cells); }});
}

}  // namespace perp::inspect
