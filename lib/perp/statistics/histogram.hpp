#pragma once
// Streaming histogram of floats over equal bins: billions of values, exact counts, mergeable.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perp {

/// Which counter a value goes to; inline so that a kernel that makes values may count them itself by the same
/// rule. Slot 0: below low; 1 … bins: bin 0 … bins-1; bins+1: above high; bins+2: NaN. A bin holds its lower
/// edge; the last one holds `high` too. All in float: a value within 2^-23·(high - low) of an inner edge may
/// fall on either side of it. The edge itself falls in its own bin where low and the width are powers of two,
/// as in -1 … 1 in 4096 bins. No branches and no fused operation: it vectorises, and every build counts
/// alike.
struct BinRule {
  float low = 0, high = 1, scale = 1;  // scale = bins/(high - low)
  std::int32_t bins = 1;

  std::uint32_t slot(float value) const noexcept {
    const float last = static_cast<float>(bins - 1);
    float place = (value - low) * scale;
    place = place < last ? place : last;  // NaN too: the conversion below is always defined
    place = place > 0 ? place : 0;
    std::int32_t slot = 1 + static_cast<std::int32_t>(place);
    slot = value < low ? 0 : slot;
    slot = value > high ? bins + 1 : slot;
    slot = value == value ? slot : bins + 2;
    return static_cast<std::uint32_t>(slot);
  }
};

class Histogram {
 public:
  /// The bounds are rounded to float. Throws Error unless low < high, both finite, and 1 <= bins <= 2^20.
  Histogram(double low, double high, std::size_t bins);

  void add(float value) noexcept;
  /// Some 3·10⁹ values a second and core.
  void add(std::span<const float> values) noexcept;
  /// Exact, whatever the order. Throws Error unless both have the same bounds and bins.
  void merge(const Histogram& other);

  const BinRule& rule() const noexcept { return rule_; }
  std::size_t bins() const noexcept { return static_cast<std::size_t>(rule_.bins); }
  double low() const noexcept { return rule_.low; }
  double high() const noexcept { return rule_.high; }
  double width() const noexcept { return (high() - low()) / static_cast<double>(bins()); }

  /// Values counted, without NaN.
  std::uint64_t total() const noexcept;
  std::uint64_t underflow() const noexcept { return slot_count(0); }
  std::uint64_t overflow() const noexcept { return slot_count(bins() + 1); }
  std::uint64_t nans() const noexcept { return slot_count(bins() + 2); }
  std::vector<std::uint64_t> counts() const;  ///< per bin

  std::vector<double> centres() const;  ///< bins of them
  /// Of everything counted but NaN, linear within the bin that holds it. Throws Error for an empty histogram,
  /// p outside [0, 1], or where the quantile lies in the underflow or the overflow.
  double quantile(double p) const;

 private:
  // Neighbouring values go to different lanes, so that equal ones do not wait for each other's store.
  static constexpr std::size_t lanes = 4;
  std::uint64_t slot_count(std::size_t slot) const noexcept;

  BinRule rule_;
  std::vector<std::uint64_t> lanes_;  // (bins + 3) x lanes
};

}  // namespace perp
