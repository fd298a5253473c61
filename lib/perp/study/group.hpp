#pragma once
// Rows in groups: what tables and findings take means over.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "perp/study/finding.hpp"

namespace perp {

/// Rows that agree in some fields. A getter is a member pointer or a function of a row.
template <class Row>
struct Group : std::vector<Row> {
  using row_type = Row;
  using std::vector<Row>::vector;

  template <class Get>
  std::vector<double> values(const Get& get) const {
    std::vector<double> out;
    for (const Row& row : *this) out.push_back(static_cast<double>(std::invoke(get, row)));
    return out;
  }
  template <class Get>
  Moments moments(const Get& get) const {
    MomentSums sums;
    for (const Row& row : *this) sums.add(static_cast<double>(std::invoke(get, row)));
    return sums.moments();
  }
  /// Mean with Student's interval; without one for a single row.
  template <class Get>
  Estimate estimate(const Get& get) const {
    return estimated(values(get));
  }
  template <class Get>
  double mean(const Get& get) const {
    return moments(get).mean;
  }
};

namespace detail {

/// Numbers rows by what they are grouped by: one key after the other, then the next row's.
class Keys {
 public:
  void add(std::string_view text);
  void add(double real);
  void add(std::int64_t integer);
  void add(std::integral auto integer) { add(static_cast<std::int64_t>(integer)); }
  template <class... Parts>
  void add(const std::tuple<Parts...>& parts) {
    std::apply([this](const Parts&... part) { (add(part), ...); }, parts);
  }
  void end_row();

  std::size_t groups() const { return numbers_.size(); }
  /// For each row its group, numbered in the order in which each first appears.
  const std::vector<std::size_t>& group_of_row() const { return group_of_row_; }

 private:
  std::vector<Value> row_;
  std::map<std::vector<Value>, std::size_t> numbers_;
  std::vector<std::size_t> group_of_row_;
};

template <class Row>
std::vector<Group<Row>> grouped(const std::vector<Row>& rows, const Keys& keys) {
  std::vector<Group<Row>> groups(keys.groups());
  for (std::size_t row = 0; row < rows.size(); ++row) groups[keys.group_of_row()[row]].push_back(rows[row]);
  return groups;
}

}  // namespace detail

/// Rows with equal values of these getters, in the order in which each group first appears:
///   group_by(rows, &Angles::d, &Angles::k)
template <class Row, class... Gets>
std::vector<Group<Row>> group_by(const std::vector<Row>& rows, const Gets&... gets) {
  detail::Keys keys;
  for (const Row& row : rows) {
    (keys.add(std::invoke(gets, row)), ...);
    keys.end_row();
  }
  return detail::grouped(rows, keys);
}

/// The items for which `holds` (a function or a flag's member pointer) is true.
template <class Items, class Holds>
Items where(const Items& items, const Holds& holds) {
  Items out;
  for (const auto& item : items)
    if (std::invoke(holds, item)) out.push_back(item);
  return out;
}

/// The items whose getters have these values: only(rows, &Row::d, 512, &Row::base, 1e4).
template <class Items, class Get, class Wanted, class... Rest>
Items only(const Items& items, const Get& get, const Wanted& wanted, const Rest&... rest) {
  Items kept = where(items, [&](const auto& item) { return std::invoke(get, item) == wanted; });
  if constexpr (sizeof...(rest) == 0)
    return kept;
  else
    return only(kept, rest...);
}

/// The largest and the least value over items; NaN is passed over. -infinity and infinity of none.
template <class Items, class Get>
double most(const Items& items, const Get& get) {
  double most = -INFINITY;
  for (const auto& item : items) most = std::fmax(most, static_cast<double>(std::invoke(get, item)));
  return most;
}
template <class Items, class Get>
double least(const Items& items, const Get& get) {
  return -most(items, [&](const auto& item) { return -static_cast<double>(std::invoke(get, item)); });
}

template <class Items, class Get>
std::uint64_t total(const Items& items, const Get& get) {
  std::uint64_t sum = 0;
  for (const auto& item : items) sum += static_cast<std::uint64_t>(std::invoke(get, item));
  return sum;
}
template <class Items, class Holds>
std::uint64_t count_if(const Items& items, const Holds& holds) {
  return total(items, holds);
}

}  // namespace perp
