#include "perp/base/quick_sine.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class RandomFourier final : public Encoding {
 public:
  RandomFourier() : Encoding("random_fourier", Action::adds_vector) {}
  bool is_random() const override { return true; }

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream& stream) const override {
    require(length > 0, "random_fourier: 0 positions; expected at least 1");
    require(d > 0 && d % 2 == 0, "random_fourier: dimension {}; expected an even number", d);
    std::vector<double> omega(d / 2);
    fill_normal(stream, std::span<double>(omega));
    for (double& w : omega) w /= random_fourier_scale;
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(omega.size());
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < omega.size(); ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, row(table, t).data());
    }
    return table;
  }
};

}  // namespace

EncodingPointer random_fourier_encoding() { return std::make_unique<RandomFourier>(); }

}  // namespace perp
