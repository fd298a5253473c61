#pragma once
// How far a number may move between two runs, by its kind and by what the runs have in common.
//
//   kind     same program, machine, BLAS   same seed                                     other seed
//   exact    equal                         whole numbers equal, else closed_form         as before
//   count    equal                         1, or counted of it if that is more           as before
//   rounded  equal                         rounding of it + noise + what a cutoff makes  as before
//                                          of it; one rounding bound; a whole number
//                                          (where an extreme lies) is listed
//   sampled  equal                         drawn of it or of its column, or its share    6 standard errors;
//                                          of the interval, or one decision of a share   else listed

#include <cstddef>
#include <optional>
#include <string>

#include "perp/study/finding.hpp"

namespace perp::report {

/// What two runs have in common, from most to least.
enum class Common {
  bytes,       ///< program, processor, BLAS and seed: every byte must agree
  draws,       ///< the seed: the same random numbers, rounded differently
  definitions  ///< neither, or where rounding grows: what was drawn may differ as far as chance goes
};

enum class Outcome { equal, within, listed, skipped, failed };
inline constexpr std::size_t outcomes = 5;

namespace tolerance {

/// Closed forms in float64, of a column's largest value: another compiler contracts other multiply-adds.
/// Their sums have up to 4096 terms of size one: n u = 4096 * 2^-53 = 4.5e-13, twice for the cancelling ones.
inline constexpr double closed_form = 1e-12;

/// Counts: a threshold that falls between two values moves by one of them, in long counts by a few.
inline constexpr double counted = 1e-3;

/// Results of float32 products: 2^-24 sqrt(n) for n = 4096 terms of random signs is 4e-6, and the square of a
/// sum doubles its relative error.
inline constexpr double rounding = 1e-5;

/// Numbers that are themselves rounding (a defect of 1e-15, a residual at a cutoff of 1e-9) have no digit in
/// common between two machines; both must stay below this, on the scale of one.
inline constexpr double noise = 1e-8;

/// Least squares without the singular values below a cutoff magnify rounding by up to 1/cutoff (Wedin 1973,
/// BIT 13:217): rows of a table with a column `cutoff` get this much over it, 8 roundings u = 2^-53.
inline constexpr double magnified = 8 * 0x1p-53;

/// The same draws, rounded differently: a value near the edge of a class, of a rank or of a step falls on the
/// other side now and then, two in a thousand. Of the number, of its column's largest, of one where the unit
/// is a share or standard deviations.
inline constexpr double drawn = 2e-3;
/// Of an interval: rounding must stay far below what the number does not know anyway.
inline constexpr double drawn_of_interval = 0.02;

/// An end of an interval, mean ± t s/√n, where each of the n observations moves by at most β: the mean moves
/// by β, s (the length of the vector of deviations over √(n-1)) by β √n/√(n-1), the end by β (1 + t/√(n-1)).
/// For two draws at 99.9 % that is 637 β, for sixteen 2 β. Where n counts trials and not the observations of
/// the mean, it is too little by no more than one_decision makes good.
double end_moves(double n, double level);

/// By how many decisions' worth (1/n of the share) an end of a share's interval moves when one of its n
/// decisions falls on the other side. Of Student's over groups: the mean moves by 1/n, and as one group's
/// share moves by δ = m/n, the spread s by at most δ √(1 - 1/m)/√(m-1) = δ/√m (it is the length of the vector
/// of deviations over √(m-1)), hence t s/√m by t/n. Wilson's ends move by less than 1.3/n, a normal t is 2.6.
double end_of_share(double freedom, double level);

/// Another seed: 6 standard errors, false alarm 2e-9 for each normal estimate. The interval's own error and
/// its heavier tails for few draws are inside that margin.
inline constexpr double standard_errors = 6;

}  // namespace tolerance

/// A column of this name holds the bins of a histogram, row by row: what one bin loses at an edge its
/// neighbour has. A law of atoms (products of signs) may have one on an edge, and rounding shares it out; the
/// two together stay.
inline constexpr const char* density = "density";

/// Units that say how a number may move.
/// Of natural size one: a departure near 0 is a difference of two numbers that both were rounded.
inline constexpr const char* standard_deviations = "standard deviations";
inline constexpr const char* share = "share";  ///< of many, none or all
/// Of two spaces: as a singular value it moves by the rounding of the whole product (Weyl 1912, Math. Ann.
/// 71:441), however small it is.
inline constexpr const char* cosine = "cosine";
inline constexpr const char* rounding_itself = "rounding";  ///< an error, which its claim's rule bounds
inline constexpr const char* rounding_bounds = "× rounding error";  ///< rounding, over what bounds it

/// One number of both runs; NaN where it was not measured.
struct Pair {
  Kind kind = Kind::exact;
  Estimate published, fresh;
  std::string unit = "1";
  double scale = 0;         ///< the largest magnitude of its column, where it has one
  double cutoff = 1;        ///< of the singular values behind it
  bool place = false;       ///< a whole number that says where an extreme lies
  double spread = 1;        ///< by how much more than the number an end of its interval moves: end_moves
  double one_decision = 0;  ///< what it moves by when one decision of a share falls on the other side
};

struct Judgement {
  Outcome outcome;
  std::string why;  ///< the bound that was missed, or why it is not judged
};
Judgement compare(const Pair& pair, Common common);

/// Why a text that differs is only listed.
inline constexpr const char* chosen_text = "a text that numbers chose";
/// The same for texts, for example a name of a nearest neighbour.
Judgement compare(Kind kind, const std::string& published, const std::string& fresh, Common common);

/// (high - low) / 2z at its level; nothing without an interval, or with one of no width, as a single draw
/// has.
std::optional<double> standard_error(const Estimate& estimate);

}  // namespace perp::report
