// D8: sine and cosine bring "a kind of orthogonality": of the columns of the table, over L positions.

#include "studies/distance/d8_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// The width whose pairs of frequencies are drawn one by one.
constexpr std::size_t drawn_width = 64;

std::vector<Cell> cells(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  std::vector<Cell> cells;
  for (const std::size_t d :
       pick<Sizes>(options.preset, {64, 512}, {64, 128, 256, 512, 1024}, {64, 128, 256, 512, 1024, 2048}))
    for (const std::size_t length :
         pick<Sizes>(options.preset, {64, 512, 8192}, {64, 128, 256, 512, 1024, 2048, 4096, 8192},
                     {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536})) {
      const double n = static_cast<double>(d), l = static_cast<double>(length);
      cells.push_back(
          {{{"d", whole(d)}, {"l", whole(length)}}, 1e-10 * l * n * n + 2e-8 * l * n + 2e-8 * n * n});
    }
  return cells;
}

/// PᵀP over positions 0 … length-1, summed tile by tile: no more than a tile of the table is held.
Matrix<double> column_gram(std::size_t length, std::size_t d) {
  constexpr std::size_t tile = 512;
  Matrix<double> sum = zeros<double>(d, d);
  std::vector<std::uint64_t> positions;
  for (std::size_t first = 0; first < length; first += tile) {
    positions.clear();
    for (std::size_t t = first; t < std::min(length, first + tile); ++t) positions.push_back(t);
    const Matrix<double> rows =
        sinusoidal_in_format(positions, d, usual_base, Format::float64, Format::float64);
    const Matrix<double> part = gram_columns(View<double>(rows));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

/// How many of how many |cosines| lie below `nearly_orthogonal`.
struct Count {
  std::size_t small = 0, all = 0;
  double largest = 0;
  void add(double cosine) {
    small += cosine < nearly_orthogonal;
    ++all;
    largest = std::max(largest, cosine);
  }
  double share() const { return all ? static_cast<double>(small) / static_cast<double>(all) : std::nan(""); }
};

/// Two frequencies: the overlap of their rotations and the |cosines| of their columns, from the Gram matrix.
struct Pair {
  double overlap = 0;
  double cosines[4] = {};
};

Pair pair_of(const Matrix<double>& gram, std::size_t i, std::size_t j, double length) {
  const std::size_t a = 2 * i, b = 2 * j;
  const double ss = gram(a, b), sc = gram(a, b + 1), cs = gram(a + 1, b), cc = gram(a + 1, b + 1);
  const auto cosine = [&](double product, std::size_t x, std::size_t y) {
    return std::abs(product) / std::sqrt(gram(x, x) * gram(y, y));
  };
  return {std::hypot(cc + ss, sc - cs) / length,
          {cosine(ss, a, b), cosine(sc, a, b + 1), cosine(cs, a + 1, b), cosine(cc, a + 1, b + 1)}};
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l");
  const double positions = static_cast<double>(length), turn = 2 * std::numbers::pi / positions;
  const std::vector<double> omega = frequencies(d);
  const Matrix<double> gram = column_gram(length, d);
  Records records;
  Count all, spaced, crowded, one_turn, two_turns, line;
  double slowest = std::nan(""), departure = 0;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const double own =
        std::abs(gram(2 * i, 2 * i + 1)) / std::sqrt(gram(2 * i, 2 * i) * gram(2 * i + 1, 2 * i + 1));
    const double own_line = std::abs(theory::sine_cosine_overlap(length, omega[i]));
    all.add(own);
    line.add(own_line);
    if (omega[i] >= turn) one_turn.add(own);
    if (omega[i] >= 2 * turn) two_turns.add(own);
    if (omega[i] < slow_turns * turn) slowest = own;
    departure = std::max(departure, std::abs(own - own_line));
    for (std::size_t j = i + 1; j < omega.size(); ++j) {
      const double delta = omega[i] - omega[j], turns = delta / turn;
      const Pair pair = pair_of(gram, i, j, positions);
      const double expected = theory::frequency_overlap(length, delta);
      departure = std::max(departure, std::abs(pair.overlap - expected));
      for (const double cosine : pair.cosines) {
        all.add(cosine);
        line.add(expected);
        if (turns >= spaced_turns) spaced.add(cosine);
        if (turns < 1) crowded.add(cosine);
      }
      if (d == drawn_width && (length == 64 || length == 512 || length == 8192))
        records.push_back({"pair",
                           {{"turns", turns},
                            {"overlap", pair.overlap},
                            {"line", expected},
                            {"largest", *std::ranges::max_element(pair.cosines)}}});
    }
  }
  records.push_back({"columns",
                     {{"pairs", whole(all.all)},
                      {"share", all.share()},
                      {"line_share", line.share()},
                      {"spaced_pairs", whole(spaced.all)},
                      {"spaced_share", spaced.share()},
                      {"crowded_pairs", whole(crowded.all)},
                      {"crowded_share", crowded.share()},
                      {"one_turn", one_turn.all ? one_turn.largest : std::nan("")},
                      {"two_turns", two_turns.all ? two_turns.largest : std::nan("")},
                      {"slowest", slowest},
                      {"departure", departure}}});
  return records;
}

}  // namespace

Experiment columns(const Options& options) {
  return {"D8",
          "Sine and cosine bring a kind of orthogonality.",
          "[a]",
          {},
          cells(options),
          run,
          summarise_columns};
}

}  // namespace perp::distance
