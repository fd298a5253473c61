#pragma once
// What a table of V words in d dimensions, held against L positions, costs on R processes: bytes and
// operations by counting, seconds from a machine's measured rates. Nothing here knows a clock.

#include <cstdint>
#include <string_view>
#include <vector>

namespace perp::theory {

struct ScaleShape {
  std::uint64_t words = 0, positions = 0, width = 0;  ///< V, L, d
  std::uint64_t ranks = 1;                            ///< R processes
};

/// Rates of one core, as measured; all positive.
struct ScaleRates {
  double product = 0;        ///< operations a second in a float32 product
  double decomposition = 0;  ///< operations a second in a float64 eigendecomposition
  double memory = 0;         ///< bytes a second, read and written
  double cell = 0;           ///< seconds to keep a finished cell and to read it again
};

/// One part of the work.
struct ScaleStep {
  std::string_view name;
  double operations = 0, bytes = 0;
  double seconds = 0;    ///< on one core
  bool divides = false;  ///< over the ranks; what does not is done by one of them while the others wait
  double on_ranks(std::uint64_t ranks) const {
    return divides ? seconds / static_cast<double>(ranks) : seconds;
  }
};

/// The two ways to merge; one of them is taken.
inline constexpr std::string_view merge_in_turn = "merge in turn";
inline constexpr std::string_view merge_in_tree = "merge in a tree";

/// Rows that stream_table takes at once: four million numbers, so that products run at full speed and adding
/// their d x d sums up costs little beside them; 256 to 4096 rows.
std::uint64_t scale_tile_rows(std::uint64_t width);
/// Bytes of a table in float32: 4 V d.
double table_bytes(std::uint64_t rows, std::uint64_t width);
/// Bytes of the moments that a rank hands over: two d x d matrices of float64 and two sums of rows.
double moment_bytes(std::uint64_t width);
/// Memory of one streaming thread: two tiles, two d x d matrices of float32 and three of float64.
double streaming_bytes(std::uint64_t width);
/// Memory of one eigendecomposition: the matrix and LAPACK's workspace of 1 + 6d + 2d² numbers (syevd's
/// documentation).
double eigen_bytes(std::uint64_t width);

/// Reading the words, their cosines with the positions, the moments of rows, directions and centred rows,
/// merging the ranks' moments (by one rank, or in a tree of ⌈log₂ R⌉ levels), three eigendecompositions,
/// keeping one cell per tile. Throws Error unless all sizes and rates are positive.
std::vector<ScaleStep> scale_steps(const ScaleShape& shape, const ScaleRates& rates);

/// How many times over its limit something is; above 1 it breaks.
struct ScaleLimit {
  std::string_view name;
  std::string_view unit;
  double is = 0, may_be = 0;
  double over() const { return is / may_be; }
};
/// Memory of a process against `memory_bytes`; rows against BLAS's int; the ranks against the number at which
/// the steps that do not divide take as long as those that do, for each of these steps alone (beyond it, more
/// ranks mostly wait). The most exceeded first.
std::vector<ScaleLimit> scale_limits(const ScaleShape& shape, const ScaleRates& rates, double memory_bytes);

}  // namespace perp::theory
