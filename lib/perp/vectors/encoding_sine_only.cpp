#include <cmath>

#include "perp/base/quick_sine.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class SineOnly final : public Encoding {
 public:
  explicit SineOnly(double base) : Encoding("sine_only", Action::adds_vector), base_(base) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    require(length > 0 && d > 0, "sine_only: {} positions in {} dimensions; expected at least 1 of each",
            length, d);
    const std::vector<double> omega = frequencies(2 * d, base_);  // T^(-2i/2d)
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(d), turned(2 * d);
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < d; ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, turned.data());
      for (std::size_t i = 0; i < d; ++i) table(t, i) = turned[2 * i];
    }
    return table;
  }

 private:
  double base_;
};

}  // namespace

EncodingPointer sine_only_encoding(double base) {
  frequencies(2, base);  // refuses an unusable base here and not at the first use
  return std::make_unique<SineOnly>(base);
}

}  // namespace perp
