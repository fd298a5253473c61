#include <cmath>

#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Rotary final : public Encoding {
 public:
  Rotary(double base, Layout layout)
      : Encoding("rotary", Action::rotates_vector), base_(base), layout_(layout) {}

  void rotate(Matrix<double>& x, std::size_t first_position) const override {
    const std::size_t pairs = cols(x) / 2;
    const std::vector<double> omega = frequencies(cols(x), base_);
    const std::vector<std::size_t> place = places(cols(x));
    for (std::size_t r = 0; r < rows(x); ++r)
      for (std::size_t i = 0; i < pairs; ++i) {
        const double angle = omega[i] * static_cast<double>(first_position + r);
        const double c = std::cos(angle), s = std::sin(angle);
        double &a = x(r, place[2 * i]), &b = x(r, place[2 * i + 1]);
        const double turned = a * c - b * s;
        b = a * s + b * c;
        a = turned;
      }
  }

 private:
  /// Where the layout puts the interleaved columns: the inverse of its permutation.
  std::vector<std::size_t> places(std::size_t d) const {
    const std::vector<std::size_t> order = layout_permutation(d, layout_);
    std::vector<std::size_t> place(d);
    for (std::size_t j = 0; j < d; ++j) place[order[j]] = j;
    return place;
  }

  double base_;
  Layout layout_;
};

}  // namespace

EncodingPointer rotary_encoding(double base, Layout layout) {
  frequencies(2, base);  // refuses an unusable base here and not at the first use
  return std::make_unique<Rotary>(base, layout);
}

}  // namespace perp
