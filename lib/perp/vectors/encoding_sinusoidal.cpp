#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Sinusoidal final : public Encoding {
 public:
  Sinusoidal(double base, Layout layout)
      : Encoding("sinusoidal", Action::adds_vector), base_(base), layout_(layout) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    return sinusoidal<double>(length, d, base_, layout_);
  }

 private:
  double base_;
  Layout layout_;
};

}  // namespace

EncodingPointer sinusoidal_encoding(double base, Layout layout) {
  frequencies(2, base);  // refuses an unusable base here and not at the first use
  return std::make_unique<Sinusoidal>(base, layout);
}

}  // namespace perp
