#pragma once
// Picks, extremes and sums of lists of structs, each by a member pointer or a function of an item.

#include <cmath>
#include <cstdint>
#include <functional>

namespace perp {

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

}  // namespace perp
