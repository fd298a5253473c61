#pragma once
// Streaming histogram of cosines over equal bins from -1 to 1: billions of values, exact counts, mergeable.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perp {

class Histogram {
 public:
  /// Up to 2^20 bins their numbers stay exact in float.
  explicit Histogram(std::size_t bins) : lanes_(bins * lanes) {}

  /// Values from -1 to 1, some 3·10⁹ of them a second and core. A bin holds its lower edge, the last one 1 too; all in float:
  /// a value within 2⁻²² of an inner edge may fall on either side of it, but for numbers of bins that are powers of two. What
  /// lies beyond is counted in the bin at that end, NaN in the last.
  void add(std::span<const float> values) noexcept;
  /// Exact, whatever the order; of as many bins.
  void merge(const Histogram& other);

  std::size_t bins() const noexcept { return lanes_.size() / lanes; }
  std::uint64_t total() const noexcept;
  std::vector<std::uint64_t> counts() const;  ///< per bin
  std::vector<double> centres() const;        ///< bins of them
  /// Linear within the bin that holds it.
  double quantile(double p) const;

 private:
  // Neighbouring values go to different lanes, so that equal ones do not wait for each other's store.
  static constexpr std::size_t lanes = 4;
  std::vector<std::uint64_t> lanes_;  // bins x lanes
};

}  // namespace perp
