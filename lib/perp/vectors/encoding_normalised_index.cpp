#include <algorithm>
#include <cmath>

#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class NormalisedIndex final : public Encoding {
 public:
  NormalisedIndex() : Encoding("normalised_index", Action::adds_vector) {}
  bool depends_on_length() const override { return true; }

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && d > 0,
            "normalised_index: {} positions in {} dimensions; expected at least 1 of each", length, d);
    Matrix<double> table = matrix<double>(length, d);
    const double last = static_cast<double>(std::max<std::size_t>(length - 1, 1));
    const double root = std::sqrt(static_cast<double>(d));
    for (std::size_t t = 0; t < length; ++t)
      std::fill_n(row(table, t).begin(), d, static_cast<double>(t) / last / root);
    return table;
  }
};

}  // namespace

EncodingPointer normalised_index_encoding() { return std::make_unique<NormalisedIndex>(); }

}  // namespace perp
