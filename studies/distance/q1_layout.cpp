// Q1: sines and cosines interleaved, or one half each? Every measure under a change of order that weights
// follow, and the scores of weights that do not follow.

#include "studies/distance/q1_layout.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/io/sha256.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/q1_measures.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t fixed_length = 512, head = 64;

// ---- cells ---------------------------------------------------------------------------------------------

Cell change_cell(std::size_t d, std::size_t length, double base, std::size_t orders) {
  const double n = static_cast<double>(d), l = static_cast<double>(length);
  return {{{"what", std::string("change")},
           {"d", whole(d)},
           {"l", whole(length)},
           {"base", base},
           {"orders", whole(orders)}},
          static_cast<double>(orders + 2) * (2e-9 * n * n * (n + l) + 1e-2)};
}

Cell fixed_cell(const char* matrix, std::size_t rank, std::size_t d, std::size_t draws) {
  const double n = static_cast<double>(d), r = rank ? static_cast<double>(rank) : n;
  return {{{"what", std::string("fixed")},
           {"matrix", std::string(matrix)},
           {"rank", whole(rank)},
           {"d", whole(d)},
           {"l", whole(fixed_length)},
           {"draws", whole(draws)}},
          static_cast<double>(draws) * (2e-11 * fixed_length * r * (2 * n + fixed_length) + 1e-3)};
}

bool readable(const GivenPositions& given) { return given.weights && cols(*given.positions) % 2 == 0; }

/// The tables stand in the cell's name: no other cell of the claim reads them.
Cell given_cell(const GivenPositions& given, std::size_t orders) {
  const double l = static_cast<double>(rows(*given.positions)),
               d = static_cast<double>(cols(*given.positions));
  return {{{"what", std::string("given")},
           {"tables", sha256_hex(fmt::format("{}", fmt::join(given.hashes, "\n"))).substr(0, 16)},
           {"orders", whole(orders)}},
          static_cast<double>(orders + 2) * 4e-10 * l * d * (d + l)};
}

std::vector<Cell> cells(const Options& options, const GivenPositions& given) {
  const bool quick = options.preset == Preset::quick;
  const std::size_t orders = pick<std::size_t>(options.preset, 2, 8, 40),
                    draws = pick<std::size_t>(options.preset, 24, 200, 2000);
  std::vector<Cell> cells{change_cell(8, 9, 10, orders), change_cell(64, 256, usual_base, orders)};
  if (!quick) cells.push_back(change_cell(512, 512, usual_base, pick<std::size_t>(options.preset, 1, 1, 8)));
  cells.push_back(fixed_cell("gaussian", 0, 64, draws));
  cells.push_back(fixed_cell("heads", head, 64, draws));
  cells.push_back(fixed_cell("heads", head, 768, draws));  // the shape of GPT-2's heads
  cells.push_back(fixed_cell("tied", head, 768, draws));
  if (readable(given)) cells.push_back(given_cell(given, pick<std::size_t>(options.preset, 4, 40, 400)));
  return cells;
}

// ---- weights that follow -------------------------------------------------------------------------------

Matrix<double> normal(std::size_t rows, std::size_t cols, const Stream& stream) {
  Matrix<double> out = matrix<double>(rows, cols);
  fill_normal(stream, std::span<double>(out.data(), out.size()));
  return out;
}

std::vector<std::size_t> random_order(std::size_t d, const Stream& stream) {
  const std::vector<std::uint32_t> drawn = permutation(stream, static_cast<std::uint32_t>(d));
  return {drawn.begin(), drawn.end()};
}

Records run_change(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), length = size_at(cell.at, "l"), width = std::min(head, d);
  const double base = number_at(cell.at, "base");
  const OrderedTables tables{layout_permutation(d, Layout::interleaved),
                             Layout::interleaved,
                             base,
                             sinusoidal<double>(length, d, base),
                             normal(length, d, streams("words")),
                             normal(d, d, streams("weights")),
                             normal(d, width, streams("query")),
                             normal(d, width, streams("key"))};
  std::vector<OrderedTables> others{
      reordered(tables, layout_permutation(d, Layout::half_split), Layout::half_split)};
  for (std::size_t i = 0; i < size_at(cell.at, "orders"); ++i)
    others.push_back(reordered(tables, random_order(d, streams("order", i)), std::nullopt));
  Records records;
  for (const LayoutMeasure& measure : layout_measures()) {
    const std::optional<Reading> own = measure.read(tables);
    if (!own) continue;
    double half_split = 0, other = std::nan("");
    for (const OrderedTables& t : others)
      if (const std::optional<Reading> seen = measure.read(t)) {
        const double moved = change(*own, *seen);
        if (t.layout)
          half_split = moved;
        else
          other = std::isnan(other) ? moved : std::max(other, moved);
      }
    records.push_back({"change",
                       {{"measure", std::string(measure.name)},
                        {"numbers", whole(own->values.size())},
                        {"half_split", half_split},
                        {"any_order", other},
                        {"bound", own->bound}}});
  }
  return records;
}

// ---- weights that do not -------------------------------------------------------------------------------

Matrix<float> single(const Matrix<double>& table) {
  Matrix<float> out = matrix<float>(rows(table), cols(table));
  std::transform(table.data(), table.data() + table.size(), out.data(),
                 [](double x) { return static_cast<float>(x); });
  return out;
}

double r2_through(const ScoreCase& c, const Matrix<float>& positions, const Streams& streams,
                  std::size_t draw) {
  const Factors<float> f = score_factors<float>(c, positions, streams, draw);
  return toeplitz_r2(lag_statistics(View<float>(f.left), View<float>(f.right), 1));
}

/// One and the same weights for both layouts: the same streams.
Records run_fixed(const Cell& cell, const Streams& streams) {
  const ScoreCase c{"sinusoidal", text_at(cell.at, "matrix"), size_at(cell.at, "rank"), size_at(cell.at, "d"),
                    size_at(cell.at, "l")};
  const Matrix<double> table = score_positions(c, streams, 0);
  const Matrix<float> interleaved = single(table),
                      half_split =
                          single(reorder_columns(table, layout_permutation(c.d, Layout::half_split)));
  Records records;
  for (std::size_t draw = 0; draw < size_at(cell.at, "draws"); ++draw)
    records.push_back({"fixed",
                       {{"draw", whole(draw)},
                        {"interleaved", r2_through(c, interleaved, streams, draw)},
                        {"half_split", r2_through(c, half_split, streams, draw)}}});
  return records;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

/// The sinusoid at the given rows' positions through the given weights, which stay as they are.
Records run_given(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  const std::size_t length = rows(*given.positions), d = cols(*given.positions);
  const Matrix<double> all = sinusoidal<double>(given.first + length, d);
  Matrix<double> table = matrix<double>(length, d);
  std::copy_n(all.data() + given.first * d, table.size(), table.data());
  const auto through = [&](const std::vector<std::size_t>& order) {
    return head_r2(reorder_columns(table, order), given);
  };
  const std::vector<double> interleaved = head_r2(table, given),
                            half_split = through(layout_permutation(d, Layout::half_split));
  Records records;
  for (std::size_t h = 0; h < interleaved.size(); ++h)
    records.push_back(
        {"head", {{"head", whole(h)}, {"interleaved", interleaved[h]}, {"half_split", half_split[h]}}});
  for (std::size_t i = 0; i < size_at(cell.at, "orders"); ++i)
    records.push_back({"order", {{"mean", mean(through(random_order(d, streams("order", i))))}}});
  return records;
}

Records run(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  const std::string& what = text_at(cell.at, "what");
  if (what == "change") return run_change(cell, streams);
  return what == "fixed" ? run_fixed(cell, streams) : run_given(cell, streams, given);
}

}  // namespace

Experiment layout_of_pairs(const Options& options, const SharedPositions& given) {
  return {"Q1",
          "Interleaved or half-split sines and cosines make no difference, as long as weights follow.",
          "(asked)",
          {},
          cells(options, *given),
          [given](const Cell& cell, const Streams& streams) { return run(cell, streams, *given); },
          summarise_layout};
}

}  // namespace perp::distance
