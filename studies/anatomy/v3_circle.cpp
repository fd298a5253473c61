// V3: a word in the plane of two dimensions and the circle of its sums; and what a plane hides.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "perp/base/special.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/v2_clock.hpp"

namespace perp::anatomy {
namespace {

/// Pairs whose planes are drawn, how many words are seen there, and at how many positions.
constexpr std::array<std::size_t, 3> drawn_pairs{0, 64, 255};
constexpr std::size_t cloud = 150, drawn_positions = 16;
/// First dimensions that a reader of the picture may look at.
constexpr std::array<std::size_t, 9> looked_at{2, 4, 8, 16, 32, 64, 128, 256, 512};

std::vector<Cell> cells(const Options& options) {
  const std::size_t pairs = pick<std::size_t>(options.preset, 2000, 20000, 100000);
  return {{{{"part", std::string("circle")}, {"l", whole(text_length)}}, 0.1},
          {{{"part", std::string("planes")}, {"l", whole(drawn_positions)}}, 0.01},
          {{{"part", std::string("reach")}, {"pairs", whole(pairs)}}, 1e-5 * static_cast<double>(pairs)}};
}

/// Gaussian words of unit variance per dimension, as PyTorch draws an embedding.
Matrix<float> words(std::size_t count, std::size_t d, const Streams& streams) {
  return draw_words(Family::gaussian, count, d, streams("words"));
}

/// Sums of a few words with all positions, pair by pair: are they on the unit circle around the word?
Records run_circle(const Cell& cell, const Streams& streams) {
  const std::size_t l = size_at(cell.at, "l"), count = 8;
  const Matrix<double> positions = sinusoidal<double>(l, width);
  const Matrix<float> drawn = words(count, width, streams);
  double worst = 0, whole_worst = 0;
  for (std::size_t w = 0; w < count; ++w)
    for (std::size_t t = 0; t < l; ++t) {
      double square = 0;
      for (std::size_t i = 0; i < width / 2; ++i) {
        const double x = drawn(w, 2 * i), y = drawn(w, 2 * i + 1);
        const double across = x + positions(t, 2 * i), up = y + positions(t, 2 * i + 1);
        const double radius = std::hypot(across - x, up - y);
        // Adding and taking away rounds each coordinate by u times its size, twice.
        const double bound = radius_bound() + 2 * roundoff * (std::abs(x) + std::abs(y) + 2);
        worst = std::max(worst, std::abs(radius - 1) / bound);
        square += radius * radius;
      }
      whole_worst = std::max(whole_worst, std::abs(std::sqrt(square / (width / 2)) - 1));
    }
  return {{"circle", {{"worst", worst}, {"whole", whole_worst}, {"sums", whole(count * l)}}}};
}

/// The word nearest to the middle of the cloud's right upper quarter: off the centre, and not at the rim.
std::size_t chosen(const Matrix<float>& drawn, std::size_t column) {
  std::size_t best = 0;
  for (std::size_t w = 0; w < rows(drawn); ++w) {
    const auto off = [&](std::size_t v) {
      return std::hypot(drawn(v, column) - 0.5, drawn(v, column + 1) - 0.4);
    };
    if (off(w) < off(best)) best = w;
  }
  return best;
}

Records run_planes(const Cell& cell, const Streams& streams) {
  const Matrix<double> positions = sinusoidal<double>(size_at(cell.at, "l"), width);
  const Matrix<float> drawn = words(cloud, width, streams);
  Records records;
  for (std::size_t plane = 0; plane < drawn_pairs.size(); ++plane) {
    const std::size_t column = 2 * drawn_pairs[plane], word = chosen(drawn, column);
    const double x = drawn(word, column), y = drawn(word, column + 1);
    const auto add = [&](const char* kind, std::int64_t position, double across, double up) {
      records.push_back({"point",
                         {{"pair", whole(drawn_pairs[plane])},
                          {"kind", std::string(kind)},
                          {"position", position},
                          {"x", across},
                          {"y", up}}});
    };
    for (std::size_t w = 0; w < cloud; ++w)
      if (w != word) add("word", -1, drawn(w, column), drawn(w, column + 1));
    add("chosen", -1, x, y);
    for (std::size_t t = 0; t < rows(positions); ++t)
      add("sum", static_cast<std::int64_t>(t), x + positions(t, column), y + positions(t, column + 1));
  }
  return records;
}

/// Of disjoint pairs of words: how many lie nearer to one another than a position moves a word, in the first
/// k dimensions, where positions have the length √(k/2).
Records run_reach(const Cell& cell, const Streams& streams) {
  const std::size_t pairs = size_at(cell.at, "pairs"), block = 1000;
  std::array<std::size_t, looked_at.size()> inside{};
  for (std::size_t first = 0; first < pairs; first += block) {
    const Matrix<float> drawn =
        draw_words(Family::gaussian, 2 * block, width, streams("pairs of words", first / block));
    for (std::size_t p = 0; p < block; ++p) {
      double square = 0;
      std::size_t next = 0;
      for (std::size_t j = 0; j < width; ++j) {
        const double difference = static_cast<double>(drawn(2 * p, j)) - drawn(2 * p + 1, j);
        square += difference * difference;
        if (j + 1 != looked_at[next]) continue;
        inside[next] += square < static_cast<double>(looked_at[next]) / 2;
        ++next;
      }
    }
  }
  Records records;
  for (std::size_t i = 0; i < looked_at.size(); ++i)
    records.push_back({"reach", {{"k", whole(looked_at[i])}, {"inside", whole(inside[i])}}});
  return records;
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& part = text_at(cell.at, "part");
  if (part == "circle") return run_circle(cell, streams);
  return part == "planes" ? run_planes(cell, streams) : run_reach(cell, streams);
}

/// The law: half the squared distance of two words of unit variance is chi-square, so that
/// P(‖x - x'‖² < k/2) = P(chi²_k < k/4) = P(k/2, k/8), the regularised lower gamma function; 1 - e^(-1/4) in
/// a plane.
double reach_line(std::size_t k) {
  const double n = static_cast<double>(k);
  return special::gamma_p(n / 2, n / 8);
}

Table plane_table(const std::vector<CellRecords>& cells) {
  Table table{"v3_planes.csv",
              {{"pair", "1", Kind::exact, "i: the plane of dimensions 2i and 2i + 1"},
               {"kind", "", Kind::exact, "word: one of a Gaussian cloud; chosen: the word added to; sum"},
               {"position", "positions", Kind::exact, "of a sum; -1 for words"},
               {"x", "1", Kind::sampled, "dimension 2i"},
               {"y", "1", Kind::sampled, "dimension 2i + 1"}},
              {}};
  for (const Coordinates& r : records_of(cells, "point"))
    table.add({at(r, "pair"), at(r, "kind"), at(r, "position"), std::round(number_at(r, "x") * 1e4) / 1e4,
               std::round(number_at(r, "y") * 1e4) / 1e4});
  return table;
}

Table reach_table(const std::vector<CellRecords>& cells) {
  Table table{"v3_reach.csv",
              {{"k", "1", Kind::exact, "dimensions looked at, from the first"},
               {"pairs", "1", Kind::exact, "disjoint pairs of words"},
               {"share", "1", Kind::sampled, "pairs nearer to one another than a position moves a word",
                "low", "high"},
               {"low", "1", Kind::sampled, "99 %, Wilson"},
               {"high", "1", Kind::sampled, "99 %, Wilson"},
               {"line", "1", Kind::exact, "P(chi-square of k degrees < k/4)"}},
              {}};
  for (const Coordinates& r : records_of(cells, "reach")) {
    const std::size_t pairs = size_at(r, "pairs"), inside = size_at(r, "inside");
    const Interval i = wilson(inside, pairs, shown_level);
    table.add({at(r, "k"), whole(pairs), static_cast<double>(inside) / static_cast<double>(pairs), i.low,
               i.high, reach_line(size_at(r, "k"))});
  }
  return table;
}

Spread reach_spread(const Table& reach, std::size_t row) {
  const double pairs = reach.number(row, "pairs");
  return share_spread(static_cast<std::uint64_t>(std::llround(reach.number(row, "share") * pairs)),
                      static_cast<std::uint64_t>(pairs));
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {plane_table(cells), reach_table(cells)};
  const Coordinates circle = records_of(cells, "circle").at(0);
  outcome.findings = {
      finding("V3", "radius", {}, {number_at(circle, "worst")},
              {.theory = 0.0,
               .unit = "rounding bounds",
               .n = size_at(circle, "sums") * width / 2,
               .kind = Kind::rounded,
               .meaning =
                   "Largest departure from 1 of the distance of a sum from its word in the plane of a pair, "
                   "over its rounding bound; all pairs of 512 dimensions, 8 words, 512 positions."}),
      finding(
          "V3", "whole", {}, {number_at(circle, "whole")},
          {.theory = 0.0,
           .n = size_at(circle, "sums"),
           .kind = Kind::rounded,
           .meaning = "Largest relative departure of the whole sum's distance from its word from the square "
                      "root of d/2."})};
  const Table& reach = outcome.tables[1];
  for (std::size_t row = 0; row < reach.rows.size(); ++row)
    outcome.findings.push_back(finding(
        "V3", "inside", {{"k", reach.at(row, "k")}},
        estimated(reach.number(row, "share"), reach_spread(reach, row)),
        {.theory = reach.number(row, "line"),
         .n = static_cast<std::uint64_t>(reach.number(row, "pairs")),
         .kind = Kind::sampled,
         .meaning = "Share of the pairs of Gaussian words of unit variance that are nearer to one another "
                    "in the first k dimensions than a position moves a word there; theory: chi-square."}));
  outcome.rule = {
      {.finding = "V3.radius",
       .is = Is::below,
       .bound = 1.0,
       .evidence = Evidence::theorem,
       .levels = {{"seen in", "a plane"}},
       .says = "largest departure of a sum from the unit circle around its word, in rounding bounds"},
      {.finding = "V3.whole",
       .is = Is::below,
       .bound = 1e-12,
       .evidence = Evidence::theorem,
       .levels = {{"seen in", "all dimensions"}},
       .says = "largest departure of a sum's distance from its word, over √(d/2)"}};
  outcome.condition = fmt::format(
      "sums depart from the circle by up to {:.2f} rounding bounds in a plane and by {:.1e} of the radius in "
      "all dimensions",
      number_at(circle, "worst"), number_at(circle, "whole"));
  outcome.matters = fmt::format(
      "in the plane {:.1f} % of the pairs of words are nearer to one another than a position moves them, in "
      "16 "
      "dimensions {:.2f} %",
      100 * find(outcome.findings, "V3.inside.k2")->value,
      100 * find(outcome.findings, "V3.inside.k16")->value);
  return outcome;
}

}  // namespace

Experiment circle_of_sums(const Options& options) {
  return beside_the_claims(Experiment{
      "V3",
      "Adding the first two dimensions of a positional encoding to those of a word points somewhere on a "
      "unit "
      "circle around the word.",
      "[b]",
      {},
      cells(options),
      run,
      summarise});
}

}  // namespace perp::anatomy
