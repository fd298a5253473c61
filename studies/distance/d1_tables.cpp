// D1: records as tables.

#include "studies/distance/d1_lag_alone.hpp"

namespace perp::distance {
namespace {

const Column table_column{"table", "", Kind::exact, "format in which the table is stored"};
const Column angle_column{"angle", "", Kind::exact, "format in which the angles are computed"};

/// What the source states for a lag at d = 16.
double stated(double lag) { return lag == 1 ? 7.4852 : 6.1370; }

}  // namespace

Table position_table(const std::vector<CellRecords>& cells) {
  Table table{"d1_positions.csv",
              {table_column,
               angle_column,
               {"d", "1", Kind::exact, "dimension"},
               {"position", "1", Kind::exact, "last of 128 consecutive positions"},
               {"worst", "1", Kind::rounded, "largest |p_t.p_s - g(s-t)| among these positions"},
               {"worst_share", "1", Kind::rounded, "the same over g(0) = d/2"},
               {"worst_lag", "1", Kind::rounded, "the lag at which it was found"},
               {"rms", "1", Kind::rounded, "root mean square of the deviations"},
               {"bound", "1", Kind::exact, "bound on worst: the table's rounding and the angles'"},
               {"distinct", "1", Kind::count, "different encodings among these 128 positions"}},
              {}};
  for (const Coordinates& r : records_of(cells, "block"))
    table.add({at(r, "table"), at(r, "angle"), at(r, "d"), at(r, "position"), at(r, "worst"),
               number_at(r, "worst") / (number_at(r, "d") / 2), at(r, "worst_lag"), at(r, "rms"),
               at(r, "bound"), at(r, "distinct")});
  return table;
}

Table toeplitz_table(const std::vector<CellRecords>& cells) {
  Table table{"d1_toeplitz.csv",
              {table_column,
               angle_column,
               {"d", "1", Kind::exact, "dimension"},
               {"l", "1", Kind::exact, "positions L"},
               {"max_lag", "1", Kind::exact, "largest lag that was read; L - 1: all"},
               {"defect", "1", Kind::rounded, "|G - Toep(G)|/|G|, Frobenius norms, over the lags read"},
               {"r2", "1", Kind::rounded, "share of the products' variance that the lag explains"},
               {"worst", "1", Kind::rounded, "largest deviation of a product from the mean of its lag"}},
              {}};
  for (const Coordinates& r : records_of(cells, "lags"))
    table.add({at(r, "table"), at(r, "angle"), at(r, "d"), at(r, "l"), at(r, "max_lag"), at(r, "defect"),
               at(r, "r2"), at(r, "worst")});
  return table;
}

Table lag_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d1_lags.csv",
      {table_column,
       angle_column,
       {"d", "1", Kind::exact, "dimension"},
       {"l", "1", Kind::exact, "positions L"},
       {"lag", "1", Kind::exact, "k"},
       {"mean", "1", Kind::rounded, "mean of p_t.p_{t+k} over t"},
       {"exact", "1", Kind::exact, "g(k)"},
       {"worst", "1", Kind::rounded, "largest deviation from the mean"},
       {"bound", "1", Kind::exact, "twice the bound by the table's rounding and the angles' at L - 1"},
       {"pairs", "1", Kind::exact, "pairs of positions at this lag"}},
      {}};
  for (const Coordinates& r : records_of(cells, "lag"))
    table.add({at(r, "table"), at(r, "angle"), at(r, "d"), at(r, "l"), at(r, "lag"), at(r, "mean"),
               at(r, "exact"), at(r, "worst"), at(r, "bound"), at(r, "pairs")});
  return table;
}

Table pair_table(const std::vector<CellRecords>& cells) {
  Table table{"d1_pairs.csv",
              {{"t", "1", Kind::exact, "position"},
               {"s", "1", Kind::exact, "position"},
               {"stated", "1", Kind::exact, "the product that the source states for this lag, d = 16"},
               {"float64", "1", Kind::rounded, "product, all in float64"},
               {"float32", "1", Kind::rounded, "product, table and angles in float32"},
               {"bfloat16_table", "1", Kind::rounded, "table in bfloat16, angles in float32"},
               {"bfloat16_angle", "1", Kind::rounded, "table and angles in bfloat16"}},
              {}};
  for (const Coordinates& r : records_of(cells, "pair"))
    table.add({at(r, "t"), at(r, "s"), stated(number_at(r, "s") - number_at(r, "t")), at(r, "float64"),
               at(r, "float32"), at(r, "short_table"), at(r, "short_angle")});
  return table;
}

}  // namespace perp::distance
