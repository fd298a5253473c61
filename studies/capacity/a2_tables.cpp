// A2: the tables of columns.

#include <cmath>

#include "studies/capacity/a2_dimensions.hpp"

namespace perp::capacity {
namespace {

/// Variance of a word's dimension over what positions add to it; empty where that is nothing but rounding.
double signal_to_noise(double disturbance) { return disturbance > 1e-14 ? 1 / disturbance : std::nan(""); }

Table dimension_table(const std::vector<CellRecords>& cells) {
  Table table{
      "a2_dimensions.csv",
      {{"dimension", "1", Kind::exact, "column of the interleaved sinusoid, from 0; d = 512, L = 512"},
       {"wave", "", Kind::exact, "sine or cosine"},
       {"mean", "1", Kind::rounded, "mean over the positions"},
       {"variance", "1", Kind::rounded, "variance over the positions"},
       {"as_is", "1", Kind::rounded,
        "word's variance over the positions' mean square, words of unit variance; empty where that is 0"},
       {"as_is_line", "1", Kind::exact, "the same in closed form"},
       {"centred", "1", Kind::rounded, "word's variance over the positions' variance"},
       // A variance of nearly nought is the difference of two squares: its last bits are rounding.
       {"centred_line", "1", Kind::rounded, "the same in closed form"}},
      {}};
  for (const Coordinates& r : records_of(cells, "column")) {
    const double mean = number_at(r, "mean"), line_mean = number_at(r, "line_mean"),
                 variance = number_at(r, "variance"), line_variance = number_at(r, "line_variance");
    table.add({at(r, "j"), std::string(size_at(r, "j") % 2 ? "cosine" : "sine"), mean, variance,
               signal_to_noise(variance + mean * mean),
               signal_to_noise(line_variance + line_mean * line_mean), signal_to_noise(variance),
               signal_to_noise(line_variance)});
  }
  return table;
}

Table quarter_table(const std::vector<CellRecords>& cells) {
  Table table{"a2_quarters.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"positions", "positions", Kind::exact, "L"},
               {"constant", "1", Kind::rounded, "share of the power that is the same at every position"},
               {"constant_line", "1", Kind::exact, "the same in closed form"},
               {"first", "1", Kind::rounded, "share of the first quarter's power that varies"},
               {"second", "1", Kind::rounded, "of the second"},
               {"third", "1", Kind::rounded, "of the third"},
               {"last", "1", Kind::rounded, "of the last"}},
              {}};
  for (const Coordinates& r : records_of(cells, "shares"))
    table.add({at(r, "d"), at(r, "l"), at(r, "constant"), at(r, "line"), at(r, "first"), at(r, "second"),
               at(r, "third"), at(r, "last")});
  return table;
}

}  // namespace

std::vector<Table> column_tables(const std::vector<CellRecords>& cells) {
  return {dimension_table(cells), quarter_table(cells)};
}

}  // namespace perp::capacity
