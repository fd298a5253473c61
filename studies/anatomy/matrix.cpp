#include "studies/anatomy/matrix.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perp::anatomy {

Records matrix_records(const std::string& name, const std::string& row_name, const Matrix<double>& values) {
  Records records;
  for (std::size_t i = 0; i < rows(values); ++i) {
    Record record{name, {{row_name, whole(i)}}};
    for (std::size_t j = 0; j < cols(values); ++j)
      record.values.emplace_back(fmt::format("t{}", j), std::round(values(i, j) * 1e4) / 1e4 + 0.0);
    records.push_back(std::move(record));
  }
  return records;
}

Table matrix_table(const std::vector<CellRecords>& cells, const std::string& name, const std::string& file,
                   const Column& index, const std::string& meaning) {
  Table table{file, {index}, {}};
  for (const Coordinates& r : records_of(cells, name)) {
    std::vector<Value> row;
    for (const auto& [key, value] : r) {
      if (key != index.name && (row.empty() || key.front() != 't')) continue;
      if (table.rows.empty() && key != index.name)
        table.columns.push_back(
            {key, "1", Kind::rounded, fmt::format("{} {}, to four decimals", meaning, key.substr(1))});
      row.push_back(value);
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace perp::anatomy
