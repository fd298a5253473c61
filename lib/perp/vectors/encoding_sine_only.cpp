#include "perp/base/quick_sine.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class SineOnly final : public Encoding {
 public:
  SineOnly() : Encoding("sine_only", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && d > 0, "sine_only: {} positions in {} dimensions; expected at least 1 of each",
            length, d);
    const std::vector<double> omega = frequencies(2 * d, usual_base);  // T^(-2i/2d)
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(d), turned(2 * d);
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < d; ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, turned.data());
      for (std::size_t i = 0; i < d; ++i) table(t, i) = turned[2 * i];
    }
    return table;
  }
};

}  // namespace

EncodingPointer sine_only_encoding() { return std::make_unique<SineOnly>(); }

}  // namespace perp
