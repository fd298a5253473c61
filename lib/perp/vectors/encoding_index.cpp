#include <algorithm>
#include <cmath>

#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

/// The index, or the index over the last one.
class Index final : public Encoding {
 public:
  explicit Index(bool normalised)
      : Encoding(normalised ? "normalised_index" : "index", Action::adds_vector), normalised_(normalised) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && d > 0, "{}: {} positions in {} dimensions; expected at least 1 of each", name(),
            length, d);
    Matrix<double> table = matrix<double>(length, d);
    const double last = normalised_ ? static_cast<double>(std::max<std::size_t>(length - 1, 1)) : 1;
    const double root = std::sqrt(static_cast<double>(d));
    for (std::size_t t = 0; t < length; ++t)
      std::fill_n(row(table, t).begin(), d, static_cast<double>(t) / last / root);
    return table;
  }

 private:
  bool normalised_;
};

}  // namespace

EncodingPointer index_encoding() { return std::make_unique<Index>(false); }
EncodingPointer normalised_index_encoding() { return std::make_unique<Index>(true); }

}  // namespace perp
