#include <cmath>

#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class Alibi final : public Encoding {
 public:
  explicit Alibi(double slope) : Encoding("alibi", Action::biases_score), slope_(slope) {}

  double bias(std::int64_t t, std::int64_t s) const override {
    return -slope_ * std::abs(static_cast<double>(t - s));
  }

 private:
  double slope_;
};

}  // namespace

double alibi_slope(std::size_t head, std::size_t heads) {
  require(1 <= head && head <= heads, "alibi: head {} of {}; expected 1 … {}", head, heads, heads);
  return std::exp2(-8 * static_cast<double>(head) / static_cast<double>(heads));
}

EncodingPointer alibi_encoding(std::size_t head, std::size_t heads) {
  return std::make_unique<Alibi>(alibi_slope(head, heads));
}

}  // namespace perp
