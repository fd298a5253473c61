#pragma once
// What the report's own questions come to for one model, in front of all its numbers: can word and position
// be read from their sum (A1), do the two spreads overlap (O4), do few coordinates hold the positions (A11),
// do products of positions tell their distance (D1).

#include "perp/measures/decoding.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/layers.hpp"

namespace perp::inspect {

// ---- whether positions are a sinusoid, and by whose rule
//
// Sources: Vaswani et al. 2017, 3.5 (exponents 2i/d, interleaved); tensor2tensor, common_attention.py (i/(d/2 - 1),
// half-split; fairseq and Whisper after it); slips of public code: SamLynnEvans/Transformer#25 (an index that already
// counts by two is doubled again), a cosine with the exponent of its own column. Half of an exponent is the root of the
// base, which is what is said then.

struct Sinusoid {
  double base = 0;
  std::string layout;  ///< "interleaved" or "half-split", ", cosines first" behind it
  std::string rule;    ///< the exponents of sine and cosine, in words
  double first_position = 0, amplitude = 1;
  double off = 0;  ///< the largest difference from that sinusoid, in amplitudes
};

/// Of a table (L x d, L >= 3, d >= 4), whatever its first position from 0 to 6 and whatever all of it is multiplied by; an
/// odd d lacks its last cosine. Nothing for a table that is off by more than `sinusoid_tolerance` from each rule: numbers in
/// bfloat16 are by 2^-8.
inline constexpr double sinusoid_tolerance = 0.01;
std::optional<Sinusoid> sinusoid_of(const Matrix<double>& positions);

/// One sentence; "no sinusoid" for none.
std::string sinusoid_text(const std::optional<Sinusoid>& sinusoid);
/// An object, or null.
std::string sinusoid_json(const std::optional<Sinusoid>& sinusoid);

// ---- the questions

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
