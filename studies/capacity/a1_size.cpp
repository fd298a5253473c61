// A1: a position of comparable size ruins the word. Cells and what they share.

#include "studies/capacity/a1_size.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/measures/squares.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

struct Effort {
  std::size_t codebooks, trials;  ///< trials of each codebook
};

/// A cell of the star. Noise is in lengths of a word.
Cell star(const char* family, std::size_t d, std::size_t v, std::size_t l, bool centred, double noise,
          Effort effort) {
  const double products = static_cast<double>(effort.codebooks) * static_cast<double>(v) *
                          (2 * static_cast<double>(effort.trials) + 100) * static_cast<double>(d);
  return {{{"what", std::string("star")},
           {"family", std::string(family)},
           {"d", whole(d)},
           {"v", whole(v)},
           {"l", whole(l)},
           {"centred", whole(centred)},
           {"noise", noise},
           {"codebooks", whole(effort.codebooks)},
           {"trials", whole(effort.trials)}},
          2e-11 * products + 0.01 + (noise > 0 ? 0.4 : 0.0)};
}

std::vector<Cell> star_cells(Preset preset, const WordInputs& inputs) {
  const bool quick = preset == Preset::quick;
  const Effort usual = pick<Effort>(preset, {4, 128}, {8, 512}, {16, 1024}),
               many = pick<Effort>(preset, {4, 64}, {8, 128}, {16, 256});
  using Sizes = std::vector<std::size_t>;
  std::vector<Cell> cells{star("sphere", usual_width, usual_words, usual_positions, false, 0, usual),
                          // The published pair of sizes: enough trials to tell the line's third digit.
                          star("sphere", 300, 1000, usual_positions, false, 0, {32, 512})};
  for (const std::size_t d :
       pick<Sizes>(preset, {64}, {64, 128, 256, 384, 768, 1024}, {32, 64, 128, 256, 384, 768, 1024, 2048}))
    cells.push_back(star("sphere", d, usual_words, usual_positions, false, 0, usual));
  for (const std::size_t v : pick<Sizes>(preset, {1000}, {1000, 2000, 10000, 20000, 50000},
                                         {1000, 2000, 10000, 20000, 50000, 100000}))
    cells.push_back(star("sphere", usual_width, v, usual_positions, false, 0, v > 10000 ? many : usual));
  for (const std::size_t l : pick<Sizes>(preset, {32}, {32, 128, 2048}, {32, 128, 2048, 8192}))
    cells.push_back(star("sphere", usual_width, usual_words, l, false, 0, usual));
  for (const char* family : {"gaussian", "uniform", "rademacher", "anisotropic"})
    if (!quick || std::string_view(family) == "gaussian")
      cells.push_back(star(family, usual_width, usual_words, usual_positions, false, 0, usual));
  for (const double noise : pick<std::vector<double>>(preset, {}, {0.5, 1, 2}, {0.5, 1, 2, 4}))
    cells.push_back(star("sphere", usual_width, usual_words, usual_positions, false, noise, usual));
  for (const std::size_t l : pick<Sizes>(preset, {32}, {32, 512}, {32, 512}))
    cells.push_back(star("sphere", usual_width, usual_words, l, true, 0, usual));
  if (inputs.words) {  // one table, as it is: its trials are independent draws of a word and a position
    const std::size_t v = rows(inputs.words->unit), d = cols(inputs.words->unit);
    const std::size_t trials = pick<std::size_t>(preset, 512, 4096, 16384);
    cells.push_back(star("learned", d, v, usual_positions, false, 0, {1, trials}));
    cells.push_back(star("learned", d, v, usual_positions, true, 0, {1, trials}));
    // Their control, unless random words of that size stand in the star already.
    const bool stands = std::ranges::any_of(cells, [&](const Cell& cell) {
      return text_at(cell.at, "family") == "sphere" && size_at(cell.at, "d") == d &&
             size_at(cell.at, "v") == v && size_at(cell.at, "l") == usual_positions &&
             size_at(cell.at, "centred") == 0 && number_at(cell.at, "noise") == 0;
    });
    if (!stands) cells.push_back(star("sphere", d, v, usual_positions, false, 0, many));
  }
  return cells;
}

std::vector<Cell> cells(const Options& options, const WordInputs& inputs) {
  const bool quick = options.preset == Preset::quick;
  std::vector<Cell> cells = star_cells(options.preset, inputs);
  for (const bool centred : {false, true})
    for (const double noise : pick<std::vector<double>>(options.preset, {1}, {0, 1, 3}, {0, 1, 3}))
      if (!quick || !centred)
        cells.push_back({{{"what", std::string("decoders")},
                          {"d", whole(usual_width)},
                          {"v", whole(paired_words)},
                          {"l", whole(usual_positions)},
                          {"centred", whole(centred)},
                          {"noise", noise},
                          {"codebooks", whole(quick ? 2 : 8)},
                          {"trials", whole(pick<std::size_t>(options.preset, 64, 256, 1024))}},
                         pick(options.preset, 0.1, 1.0, 4.0)});
  struct ReadOut {
    std::size_t d;
    double word, noise;
  };
  for (const ReadOut& r : {ReadOut{256, 0.5, 0}, ReadOut{256, 0.5, 0.5}, ReadOut{512, 1, 0}})
    if (!quick || r.d == 256)
      cells.push_back({{{"what", std::string("readout")},
                        {"d", whole(r.d)},
                        {"l", whole(r.d)},
                        {"sigma", r.word},
                        {"noise", r.noise},
                        {"codebooks", whole(quick ? 2 : 8)},
                        {"rows", whole(r.d * (quick ? 16 : 64))}},
                       quick ? 0.1 : 1.0});
  return cells;
}

}  // namespace

std::vector<double> sizes(std::size_t d) {
  std::vector<double> sizes{0.05, 0.1, 0.2, 0.35, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 11, 16};
  for (const double added : {std::numbers::sqrt2 / 2, std::sqrt(static_cast<double>(d) / 2)})
    if (std::ranges::find(sizes, added) == sizes.end()) sizes.push_back(added);
  std::ranges::sort(sizes);
  return sizes;
}

void Share::add(const Hits& hits) {
  right += hits.right;
  n += hits.n;
  by_codebook.push_back(hits.share());
}

Interval Share::interval(double level) const {
  Interval both = wilson(right, n, level);
  if (by_codebook.size() < 2) return both;
  MomentSums sums;
  sums.add(std::span<const double>(by_codebook));
  const Interval student = mean_interval(sums.moments(), level);
  both.low = std::max(0.0, std::min(both.low, student.low));
  both.high = std::min(1.0, std::max(both.high, student.high));
  return both;
}

void put(Coordinates& values, const std::string& name, const Share& share) {
  const Interval interval = share.interval(shown_level);
  values.emplace_back(name, share.value());
  values.emplace_back(name + "_low", interval.low);
  values.emplace_back(name + "_high", interval.high);
}

Matrix<float> unit_power_positions(std::size_t length, std::size_t d, bool centred) {
  Matrix<double> table = sinusoidal<double>(length, d);
  double power = 0;
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < length; ++t) mean += table(t, j) / static_cast<double>(length);
    for (std::size_t t = 0; t < length; ++t) {
      if (centred) table(t, j) -= mean;
      power += table(t, j) * table(t, j) / static_cast<double>(length);
    }
  }
  Matrix<float> positions = matrix<float>(length, d);
  for (std::size_t i = 0; i < table.size(); ++i)
    positions.data()[i] = static_cast<float>(table.data()[i] / std::sqrt(power));
  return positions;
}

Experiment size_of_positions(const Options& options, const SharedWords& words) {
  return {"A1",
          "A position as large as the word ruins the word; a factor A much below 1 would be safer.",
          "[a]",
          words->hashes,
          cells(options, *words),
          [words](const Cell& cell, const Streams& streams) {
            const std::string& what = text_at(cell.at, "what");
            if (what == "decoders") return run_decoders(cell, streams);
            if (what == "readout") return run_read_out(cell, streams);
            return run_star(cell, streams, *words);
          },
          [words](const std::vector<CellRecords>& cells) { return summarise_sizes(cells, words->missing); }};
}

}  // namespace perp::capacity
