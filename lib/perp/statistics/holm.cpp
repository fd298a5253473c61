#include "perp/statistics/holm.hpp"

#include <algorithm>
#include <numeric>

namespace perp {

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace perp
