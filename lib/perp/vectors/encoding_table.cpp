#include <algorithm>
#include <cmath>
#include <utility>

#include "perp/io/npy.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Table final : public Encoding {
 public:
  Table(Matrix<double> table, std::string source)
      : Encoding("table", Action::adds_vector), table_(std::move(table)), source_(std::move(source)) {
    require(table_.size() > 0, "{}: an empty table, expected at least one row and column", source_);
    for (std::size_t t = 0; t < rows(table_); ++t)
      for (std::size_t j = 0; j < cols(table_); ++j)
        require(std::isfinite(table_(t, j)), "{}: row {}, column {} is {}, expected finite numbers", source_,
                t, j, table_(t, j));
  }

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && length <= rows(table_), "{}: {} positions asked for, it holds {}", source_, length,
            rows(table_));
    require(d == cols(table_), "{}: dimension {} asked for, its rows have {}", source_, d, cols(table_));
    Matrix<double> result = matrix<double>(length, d);
    std::copy_n(table_.data(), result.size(), result.data());
    return result;
  }

 private:
  Matrix<double> table_;
  std::string source_;
};

}  // namespace

EncodingPointer table_encoding(Matrix<double> table) {
  return std::make_unique<Table>(std::move(table), "table of positions");
}

EncodingPointer table_encoding(const std::filesystem::path& npy) {
  return std::make_unique<Table>(read_npy<double>(npy), npy.string());
}

}  // namespace perp
