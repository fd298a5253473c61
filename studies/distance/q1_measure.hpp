#pragma once
// What question Q1 measures of tables and weights in one order of their dimensions, and how far rounding
// alone can move it when the order changes.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/stream.hpp"
#include "perp/vectors/layout.hpp"

namespace perp::distance {

/// Tables and the weights that read them, all in one order of the d dimensions.
struct OrderedTables {
  std::vector<std::size_t> order;  ///< dimension j here is dimension order[j] of the interleaved tables
  std::optional<Layout> layout;    ///< absent for an order that no layout has
  double base = 0;                 ///< T
  Matrix<double> positions;        ///< L x d, the sinusoid
  Matrix<double> words;            ///< L x d
  Matrix<double> m;                ///< d x d
  Matrix<double> query, key;       ///< d x h

  std::size_t d() const { return cols(positions); }
  std::size_t length() const { return rows(positions); }
};

/// Tables and weights with their dimensions in the order `order` of these: columns of tables, rows of query
/// and key, rows and columns of m.
OrderedTables reordered(const OrderedTables& tables, const std::vector<std::size_t>& order,
                        std::optional<Layout> layout);

/// Numbers that a change of order must leave alone.
struct Reading {
  std::vector<double> values;
  double bound = 0;  ///< what rounding can change at worst, relative to `scale`; u d and the like
  double scale = 1;  ///< a change is relative to this
};

struct LayoutMeasure {
  const char* name;      ///< in a finding's id
  const char* label;     ///< in the table
  const char* relative;  ///< what a change is relative to
  const char* formula;   ///< of the bound, u = 2^-53, v = 2^-24
  /// Nothing where the measure does not apply: to orders that no layout has, or to so large a d.
  std::optional<Reading> (*read)(const OrderedTables&);
};
/// Every measure of this study and of study orthogonality that takes tables of vectors.
std::span<const LayoutMeasure> layout_measures();

/// The largest |a - b| over values, over a's scale. Throws Error for readings of different length.
double change(const Reading& a, const Reading& b);

}  // namespace perp::distance
