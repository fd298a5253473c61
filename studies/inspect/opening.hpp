#pragma once
// What the report's own questions come to for one model, in front of all its numbers: can word and position
// be read from their sum (A1), do the two spreads overlap (O4), do few coordinates hold the positions (A11),
// do products of positions tell their distance (D1).

#include "perp/measures/decoding.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/layers.hpp"
#include "studies/inspect/sinusoid.hpp"

namespace perp::inspect {

/// Sums of a word and a position, drawn with each row as likely as any other, and for how many of them the
/// nearest row of each table is the right one.
struct ReadBack {
  double size = 0;  ///< ρ: length of the positions in lengths of the words, root mean squares
  Hits words, positions;
  double unit_words = 0;  ///< share of words found, were they as many of one length without a direction
};

struct Opening {
  std::optional<ReadBack> read_back;                  ///< of a model with words and positions
  std::optional<AgainstChance> overlap;               ///< ω of the covariances of all rows that are not 0
  std::optional<AgainstChance> participation, share;  ///< of the positions' coordinates (concentration.hpp)
  bool is_spread = false;                             ///< whether the ratio is as in any rotation
  std::optional<Sinusoid> sinusoid;                   ///< of positions that are one
  std::optional<AgainstChance> distance;  ///< R² of the lag among products of different positions (Q4)
  std::vector<double> heads;  ///< the same of the positions' scores by each head of the first layer (D6)
};

/// Of tables that were measured, and of the model's layers if they are known. What equal rows do not define is
/// absent. The words are read once more, in tiles. Random numbers are the seed's own, the same on any number
/// of `threads`.
Opening measure_opening(const Tables& tables, const Measurement& measured,
                        const std::optional<Layers>& layers, std::uint64_t seed, std::size_t threads);

/// Random rotations of the positions: as many as give mean and deviation, and as many as tell by rank alone, for of 2,000
/// that are alike one is the least or the greatest once in a thousand times (departure_level).
inline constexpr std::size_t rotations = 24, ranked_rotations = 1999;
/// Of a table of so many rows and dimensions: as many as can be ranked, where that takes no longer than a second.
std::size_t rotations_for(std::size_t rows, std::size_t d);
/// Whether a random rotation gives such a participation ratio once in a thousand times at most, beside those of so many:
/// outside all of ranked_rotations, or eight deviations from the mean of `rotations`.
bool departs_from_rotations(double ratio, const std::vector<double>& turned);

/// In sentences, lines of at most 80 columns, each question under its name; it ends with an empty line.
std::string as_text(const Opening& opening, const Measurement& measured);

}  // namespace perp::inspect
