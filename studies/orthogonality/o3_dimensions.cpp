// O3: words fill a smaller subspace, positions another. Cells.

#include "studies/orthogonality/o3_dimensions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

// ---- cells
// ------------------------------------------------------------------------------------------------------

Cell positions_cell(std::size_t length, std::size_t d, double base) {
  const double half = static_cast<double>(d) / 2;
  return {{{"table", std::string("positions")},
           {"l", whole(length)},
           {"d", whole(d)},
           {"base", whole(static_cast<std::size_t>(base))}},
          1e-9 * half * half * half / 4 + 1e-3};
}

Cell words_cell(const std::string& table, const RealWords& words) {
  return {{{"table", table}, {"v", whole(rows(words.unit))}, {"d", whole(cols(words.unit))}}, 0.5};
}

std::vector<std::size_t> doubled(std::size_t first, std::size_t last) {
  std::vector<std::size_t> values;
  for (std::size_t value = first; value <= last; value *= 2) values.push_back(value);
  return values;
}

std::vector<Cell> cells(const Options& options, const WordInputs& inputs) {
  const bool quick = options.preset == Preset::quick;
  std::vector<Cell> cells;
  for (const std::size_t d : quick ? std::vector<std::size_t>{128, 512} : doubled(64, 4096))
    for (const std::size_t length :
         quick ? std::vector<std::size_t>{128, 512, 2048, 8192} : doubled(16, 65536))
      for (const double base : quick ? std::vector<double>{1e4} : std::vector<double>{1e3, 1e4, 1e5})
        cells.push_back(positions_cell(length, d, base));
  if (inputs.words)
    for (const char* table : {"real", "gaussian"}) cells.push_back(words_cell(table, *inputs.words));
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Record dimensions(const std::string& centring, const std::vector<double>& eigenvalues) {
  const EffectiveDimension e = effective_dimension(eigenvalues);
  return {"dimensions",
          {{"centring", centring},
           {"stable_rank", e.stable_rank},
           {"participation", e.participation_ratio},
           {"r90", whole(e.r90)},
           {"r99", whole(e.r99)},
           {"r999", whole(e.r999)}}};
}

void add_spectrum(const std::string& centring, const std::vector<double>& eigenvalues, Records& records) {
  records.push_back(dimensions(centring, eigenvalues));
  const double total = std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    sum += eigenvalues[i];
    // Tails below this are rounding and belong to no figure.
    if (eigenvalues[i] < 1e-8 * total) return;
    records.push_back({"spectrum",
                       {{"centring", centring},
                        {"index", whole(i + 1)},
                        {"share", eigenvalues[i] / total},
                        {"cumulated", sum / total}}});
  }
}

Records run_positions(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l");
  const double base = number_at(cell.at, "base");
  const SinusoidSpectra spectra = sinusoid_spectra(frequencies(d, base), length);
  const bool drawn =
      d == 512 && base == usual_base && (length == 128 || length == 512 || length == 2048 || length == 8192);
  if (!drawn) return {dimensions("as_is", spectra.uncentred), dimensions("centred", spectra.centred)};
  Records records;
  add_spectrum("as_is", spectra.uncentred, records);
  records.push_back(dimensions("centred", spectra.centred));
  return records;
}

Records run_words(const Cell& cell, const Streams& streams, const WordInputs& inputs) {
  Matrix<float> drawn;
  if (text_at(cell.at, "table") == "gaussian")
    drawn = draw_words(Family::sphere, size_at(cell.at, "v"), size_at(cell.at, "d"), streams("words"));
  const Matrix<float>& words = drawn.size() ? drawn : inputs.words->unit;
  Records records;
  for (const auto& [name, centring] :
       {std::pair{"as_is", Centring::as_is}, std::pair{"centred", Centring::centred}})
    add_spectrum(name, spectrum(View<float>(words), centring), records);
  return records;
}

}  // namespace

Experiment smaller_subspaces(const Options& options, const SharedInputs& inputs) {
  return {"O3",
          "Words fill a smaller subspace and positional encodings another; positions disturb only part of "
          "the vector.",
          "[d, e]",
          inputs->hashes,
          cells(options, *inputs),
          [inputs](const Cell& cell, const Streams& streams) {
            return text_at(cell.at, "table") == "positions" ? run_positions(cell)
                                                            : run_words(cell, streams, *inputs);
          },
          [inputs](const std::vector<CellRecords>& cells) { return summarise_dimensions(cells, *inputs); }};
}

}  // namespace perp::orthogonality
