#include "studies/anatomy/matrix.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perp::anatomy {
namespace {

Table matrix_table(const char* file, const Column& index, const char* meaning, const Matrix<double>& values) {
  Table table{file, {index}};
  for (std::size_t j = 0; j < cols(values); ++j)
    table.columns.push_back(
        {fmt::format("t{}", j), "1", Kind::rounded, fmt::format("{} {}, to four decimals", meaning, j)});
  for (std::size_t i = 0; i < rows(values); ++i) {
    std::vector<Value> row{whole(i)};
    for (std::size_t j = 0; j < cols(values); ++j) row.emplace_back(four_decimals(values(i, j)));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

double four_decimals(double value) { return std::round(value * 1e4) / 1e4 + 0.0; }

void add_matrix(DescribedClaim& claim, const char* file, const Column& index, const char* meaning,
                std::function<Matrix<double>()> values) {
  claim.also(
      [=](Outcome& outcome) { outcome.tables.push_back(matrix_table(file, index, meaning, values())); });
}

}  // namespace perp::anatomy
