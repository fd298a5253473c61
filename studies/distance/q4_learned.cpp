// Q4: are learned positions like sinusoids? A given table beside the sinusoid and a Gaussian table of its
// shape.

#include <algorithm>
#include <cmath>

#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/q4_portrait.hpp"
#include "studies/distance/q4_summary.hpp"

namespace perp::distance {
namespace {

/// What is multiplied for one portrait, in thousand millions.
double work(std::size_t length, std::size_t d) {
  const double l = static_cast<double>(length), n = static_cast<double>(d), side = std::min(l, n);
  return 1e-9 * (2 * l * l * n + 2 * l * n * side + 8 * side * side * side);
}

/// Fewer for tables so large that the study would be about chance alone.
std::size_t gaussian_draws(Preset preset, std::size_t length, std::size_t d) {
  const double affordable = std::floor(400 / work(length, d));
  return static_cast<std::size_t>(
      std::clamp(affordable, 3.0, static_cast<double>(pick<std::size_t>(preset, 5, 20, 100))));
}

std::vector<Cell> cells(const Options& options, const GivenPositions& given) {
  if (!given.positions) return {};
  const std::size_t length = rows(*given.positions), d = cols(*given.positions);
  std::vector<Cell> cells;
  for (const char* table : {"given", "sinusoidal", "gaussian"}) {
    const bool drawn = table == std::string("gaussian");
    const std::size_t draws = drawn ? gaussian_draws(options.preset, length, d) : 1;
    cells.push_back(
        {{{"table", std::string(table)}, {"l", whole(length)}, {"d", whole(d)}, {"draws", whole(draws)}},
         0.1 * static_cast<double>(draws) * work(length, d)});
  }
  return cells;
}

Matrix<double> table_of(const Cell& cell, const GivenPositions& given, const Streams& streams,
                        std::size_t draw) {
  const std::string& name = text_at(cell.at, "table");
  const std::size_t length = size_at(cell.at, "l"), d = size_at(cell.at, "d");
  if (name == "given") return *given.positions;
  // Where the sinusoid begins does not matter: a shift turns all of its rows by one and the same rotation.
  if (name == "sinusoidal") return sinusoidal<double>(length, d);
  Matrix<double> table = matrix<double>(length, d);
  fill_normal(streams("table", draw), std::span<double>(table.data(), table.size()));
  return table;
}

/// A number over draws: mean and interval, which a single draw does not have.
void append(Coordinates& values, const std::string& name, const MomentSums& sums) {
  const Moments moments = sums.moments();
  const double absent = std::nan("");
  const Interval interval =
      moments.count > 1 ? mean_interval(moments, shown_level) : Interval{absent, absent, shown_level};
  values.emplace_back(name, moments.mean);
  values.emplace_back(name + "_low", interval.low);
  values.emplace_back(name + "_high", interval.high);
}

Records run(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  std::vector<MomentSums> numbers(portrait_measures().size()), kernel, left;
  for (std::size_t draw = 0; draw < size_at(cell.at, "draws"); ++draw) {
    const Portrait seen = portrait(table_of(cell, given, streams, draw));
    kernel.resize(seen.kernel.size());
    left.resize(seen.left.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].add(portrait_measures()[i].read(seen));
    for (std::size_t k = 0; k < kernel.size(); ++k) kernel[k].add(seen.kernel[k]);
    for (std::size_t r = 0; r < left.size(); ++r) left[r].add(seen.left[r]);
  }
  Records records;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    records.push_back({"measure", {{"measure", std::string(portrait_measures()[i].label)}}});
    append(records.back().values, "value", numbers[i]);
  }
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    records.push_back({"kernel", {{"lag", whole(k)}}});
    append(records.back().values, "value", kernel[k]);
  }
  for (std::size_t r = 0; r < left.size(); ++r) {
    records.push_back({"spectrum", {{"dimensions", whole(r + 1)}}});
    append(records.back().values, "value", left[r]);
  }
  return records;
}

void check(const Matrix<double>& positions) {
  require(rows(positions) >= 3,
          "--positions: {} rows; expected at least 3, to compare them with the sinusoid", rows(positions));
  require(cols(positions) % 2 == 0,
          "--positions: {} dimensions; expected an even number, for the sinusoid beside them has pairs",
          cols(positions));
  for (std::size_t t = 0; t < rows(positions); ++t)
    require(std::ranges::any_of(row(positions, t), [](double x) { return x != 0; }),
            "--positions: row {} of those read is 0 throughout; leave it out with --rows", t);
}

}  // namespace

Experiment learned_positions(const Options& options, const SharedPositions& given) {
  if (given->positions && options.wants("Q4")) check(*given->positions);
  return {"Q4",
          "Learned positions are like sinusoids.",
          "(asked)",
          given->hashes,
          cells(options, *given),
          [given](const Cell& cell, const Streams& streams) { return run(cell, streams, *given); },
          [given](const std::vector<CellRecords>& cells) {
            return summarise_learned(cells, given->missing,
                                     given->positions ? known_file(given->files.front()) : "");
          }};
}

}  // namespace perp::distance
