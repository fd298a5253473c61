#pragma once
// Shared by the files of claim A1. The size of a position is ρ = ‖p‖/‖x‖, root mean squares over positions
// and words.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perp/measures/decoding.hpp"
#include "perp/study/experiment.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {

/// Where the star's axes cross, and the sizes of joint decoding, which compares all pairs.
inline constexpr std::size_t usual_width = 512, usual_words = 5000, usual_positions = 512;
inline constexpr std::size_t paired_words = 512;
/// A model's own vocabulary, about.
inline constexpr std::size_t many_words = 50'000;
/// Model widths at which multiplying embeddings by √d is measured.
inline constexpr std::array<std::size_t, 4> model_widths{384, 512, 768, 1024};
/// Fewer words than this recovered: they are ruined. A loss of less than this share is none.
inline constexpr double ruined = 0.5, noticeable = 0.01;
/// What "comparable" and "A ≪ 1" mean here.
inline constexpr double comparable = 1, small = 0.1;

/// Sizes at which every cell is read: the grid, √½ (sinusoid against words of variance 1 per dimension) and
/// √(d/2) (against words of length 1), ascending.
std::vector<double> sizes(std::size_t d);

/// A share of hits over several independent codebooks. Trials that share a codebook share their competitors,
/// so that the interval is the wider, on either side, of Wilson's over trials and Student's over codebooks.
struct Share {
  std::uint64_t right = 0, n = 0;
  std::vector<double> by_codebook;
  void add(const Hits& hits);
  double value() const { return static_cast<double>(right) / static_cast<double>(n); }
  Interval interval(double level) const;
};
/// "<name>", "<name>_low", "<name>_high" appended at the level that is shown.
void put(Coordinates& values, const std::string& name, const Share& share);

/// Positions L x d with mean square length 1: of the sinusoid, or of the sinusoid less its mean.
Matrix<float> unit_power_positions(std::size_t length, std::size_t d, bool centred);

// One cell's records; each file says what it measures.
Records run_star(const Cell& cell, const Streams& streams, const WordInputs& inputs);
Records run_decoders(const Cell& cell, const Streams& streams);
Records run_read_out(const Cell& cell, const Streams& streams);

/// Tables of A1 from its cells' records, and its findings and rule from these tables.
std::vector<Table> size_tables(const std::vector<CellRecords>& cells);
Outcome summarise_sizes(const std::vector<CellRecords>& cells, const std::string& missing);

}  // namespace perp::capacity
