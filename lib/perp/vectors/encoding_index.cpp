#include <algorithm>
#include <cmath>

#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Index final : public Encoding {
 public:
  Index() : Encoding("index", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && d > 0, "index: {} positions in {} dimensions; expected at least 1 of each", length,
            d);
    Matrix<double> table = matrix<double>(length, d);
    const double root = std::sqrt(static_cast<double>(d));
    for (std::size_t t = 0; t < length; ++t)
      std::fill_n(row(table, t).begin(), d, static_cast<double>(t) / root);
    return table;
  }
};

}  // namespace

EncodingPointer index_encoding() { return std::make_unique<Index>(); }

}  // namespace perp
