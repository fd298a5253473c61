#include <algorithm>
#include <array>
#include <bit>

#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

class T5 final : public Encoding {
 public:
  explicit T5(const Stream& biases) : Encoding("t5", Action::biases_score) {
    fill_normal(biases, std::span<double>(biases_));
  }
  bool is_random() const override { return true; }

  double bias(std::int64_t t, std::int64_t s) const override { return biases_[t5_bucket(s - t)]; }

 private:
  std::array<double, t5_buckets> biases_{};
};

}  // namespace

std::size_t t5_bucket(std::int64_t lag) {
  constexpr std::uint64_t exact = 8,
                          most = 128;  // distances with a bucket each; where the last begins at most
  constexpr std::size_t per_side = t5_buckets / 2;
  const std::size_t side = lag > 0 ? per_side : 0;
  const std::uint64_t distance = lag < 0 ? -static_cast<std::uint64_t>(lag) : static_cast<std::uint64_t>(lag);
  if (distance < exact) return side + static_cast<std::size_t>(distance);
  if (distance >= most) return side + per_side - 1;
  // 8 + floor(8 log(n/8)/log(128/8)) = 8 + floor(log2(n²/8²)), in integers: logarithms in floating point may
  // fall short of a whole number at n = 16, 32, 64.
  const auto halves = static_cast<std::size_t>(std::bit_width(distance * distance / (exact * exact))) - 1;
  return side + std::min(exact + halves, per_side - 1);
}

EncodingPointer t5_encoding(const Stream& biases) { return std::make_unique<T5>(biases); }

}  // namespace perp
