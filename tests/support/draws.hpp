#pragma once
// A table with a row for each draw beside the table of their means.

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "perp/study/table.hpp"

namespace perp::test {

/// Holds that the mean of `value` over the draws that agree in `keys` is `mean` in the table of means, for
/// each of its rows that has draws; and that there are at least so many.
inline void check_means(const Table& draws, const Table& means, const std::vector<std::string>& keys,
                        const std::string& value, const std::string& mean, std::size_t least) {
  const auto key = [&](const Table& table, std::size_t row) {
    std::string text;
    for (const std::string& name : keys) text += to_text(table.at(row, name)) + '|';
    return text;
  };
  std::map<std::string, std::pair<double, std::size_t>> sums;
  for (std::size_t i = 0; i < draws.rows.size(); ++i) {
    auto& [sum, count] = sums[key(draws, i)];
    sum += draws.number(i, value), ++count;
  }
  std::size_t found = 0;
  for (std::size_t i = 0; i < means.rows.size(); ++i)
    if (const auto of = sums.find(key(means, i)); of != sums.end()) {
      BOOST_TEST(std::abs(of->second.first / of->second.second - means.number(i, mean)) < 1e-9, of->first);
      ++found;
    }
  BOOST_TEST(found >= least);
}

}  // namespace perp::test
