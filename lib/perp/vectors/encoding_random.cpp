#include <numbers>

#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Random final : public Encoding {
 public:
  Random() : Encoding("random", Action::adds_vector) {}
  bool is_random() const override { return true; }

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream& stream) const override {
    require(length > 0 && d > 0, "random: {} positions in {} dimensions; expected at least 1 of each", length,
            d);
    Matrix<double> table = normal_matrix<double>(length, d, stream);
    for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] /= std::numbers::sqrt2;
    return table;
  }
};

}  // namespace

EncodingPointer random_encoding() { return std::make_unique<Random>(); }

}  // namespace perp
