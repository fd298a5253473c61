#include <cmath>

#include "perp/base/quick_sine.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class RandomFourier final : public Encoding {
 public:
  RandomFourier(double length_scale, Layout layout)
      : Encoding("random_fourier", Action::adds_vector), length_scale_(length_scale), layout_(layout) {}
  bool is_random() const override { return true; }

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream& stream) const override {
    require(length > 0, "random_fourier: 0 positions; expected at least 1");
    const std::vector<std::size_t> order = layout_permutation(d, layout_);
    std::vector<double> omega(d / 2);
    fill_normal(stream, std::span<double>(omega));
    for (double& w : omega) w /= length_scale_;
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(omega.size()), turned(d);
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < omega.size(); ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, turned.data());
      for (std::size_t j = 0; j < d; ++j) table(t, j) = turned[order[j]];
    }
    return table;
  }

 private:
  double length_scale_;
  Layout layout_;
};

}  // namespace

EncodingPointer random_fourier_encoding(double length_scale, Layout layout) {
  require(length_scale > 0 && std::isfinite(length_scale),
          "random_fourier: length scale {}; expected a number above 0", length_scale);
  return std::make_unique<RandomFourier>(length_scale, layout);
}

}  // namespace perp
