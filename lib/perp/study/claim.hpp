#pragma once
// A claim as one value, from question to verdict: the cells of its grid and what each measures (typed rows),
// then tables, findings, rule and sentences. One file per claim; CONTRIBUTING.md, "Add a claim", has a worked
// example.
//
//   void measure_curve(const Curve& at, const Streams& streams, Rows& rows);
//   Experiment nearby_is_similar(const Options& options) {
//     Experiment claim{"D2", "Nearby positions are similar.", "[d, c]"};
//     claim.measure(grid<Curve>(widths, bases), cost, measure_curve);
//     claim.conclude([](const Cells& cells, Summary& summary) {
//       const auto orders = rows_of<Order>(cells);
//       summary.table("d2_nearness.csv", orders, {d, base, rise});
//       summary.each(orders, {d}, {rise.as("first_rise", "Smallest k with g(k+1) > g(k).")});
//       summary.rule = {{.finding = "first_rise.d512", .is = Is::above, .bound = 510.0, …}};
//     });
//     return claim;
//   }

#include "perp/study/column.hpp"
#include "perp/study/row.hpp"

namespace perp {

/// What follows from a claim's cells. Ids in the rule are without the claim's own, which is put before them.
/// A condition without words of its own says what its finding means, and where.
class Summary : public Outcome {
 public:
  explicit Summary(std::string_view claim) : claim_(claim) {}

  /// Items times columns.
  template <class Items>
  void table(std::string_view file, const Items& items,
             std::initializer_list<ColumnOf<typename Items::value_type>> columns) {
    add_table(file, sequence(items), sequence(columns));
  }

  /// For each item one finding per column, in the place that the keys give: O4.largest_cosine.d512.k64.r128.
  template <class Items>
  void each(const Items& items, std::initializer_list<ColumnOf<typename Items::value_type>> keys,
            std::initializer_list<ColumnOf<typename Items::value_type>> columns) {
    add_findings(sequence(items), sequence(keys), sequence(columns));
  }

  /// One finding.
  void number(std::string_view measure, const Coordinates& at, const Estimate& estimate, const About& about) {
    findings.push_back(finding(claim_, measure, at, estimate, about));
  }

  /// The value of the finding `id`. Throws Error if there is none.
  double value(std::string_view id) const;

  /// The outcome with whole ids.
  Outcome finish() &&;

 private:
  /// Items, or columns (their AnyColumn), one after the other in memory, `stride` bytes apart.
  struct Sequence {
    const void* first;
    std::size_t count, stride;
    const void* operator[](std::size_t i) const { return static_cast<const char*>(first) + i * stride; }
    const detail::AnyColumn& column(std::size_t i) const {
      return *static_cast<const detail::AnyColumn*>((*this)[i]);
    }
  };
  static Sequence sequence(const auto& items) {
    return {std::data(items), std::size(items), sizeof(*std::data(items))};
  }
  template <class Item>
  static Sequence sequence(std::initializer_list<ColumnOf<Item>> columns) {
    return {columns.size() ? &columns.begin()->any() : nullptr, columns.size(), sizeof(ColumnOf<Item>)};
  }
  void add_table(std::string_view file, const Sequence& items, const Sequence& columns);
  void add_findings(const Sequence& items, const Sequence& keys, const Sequence& columns);

  std::string claim_;
};

/// A finding over `n` numbers: the worst of them, a count.
void add_overall(Summary& summary, std::string_view measure, const Coordinates& at, double value,
                 std::uint64_t n, std::string_view meaning, std::optional<double> theory = {},
                 Kind kind = Kind::rounded, std::string_view unit = "1");

template <class At, class Cost, class Run>
void Experiment::measure(const std::vector<At>& grid, const Cost& cost, Run run) {
  std::vector<Cell> places;
  for (const At& at : grid) {
    if constexpr (std::invocable<const Cost&, const At&>)
      places.emplace_back(coordinates_of(at), static_cast<double>(cost(at)));
    else
      places.emplace_back(coordinates_of(at), static_cast<double>(cost));
  }
  add_cells(std::move(places), [run](const Cell& cell, const Streams& streams) {
    Rows rows(cell);
    run(row_from<At>(cell.at), streams, rows);
    return rows.take();
  });
}

}  // namespace perp
