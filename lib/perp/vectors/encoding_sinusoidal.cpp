#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Sinusoidal final : public Encoding {
 public:
  Sinusoidal() : Encoding("sinusoidal", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    return sinusoidal<double>(length, d);
  }
};

}  // namespace

EncodingPointer sinusoidal_encoding() { return std::make_unique<Sinusoidal>(); }

}  // namespace perp
