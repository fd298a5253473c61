#pragma once
// What inspect says of a table of words, of a table of positions, and of the two together.

#include <cstddef>
#include <optional>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/theory/subspaces.hpp"

namespace perp::inspect {

/// Of any table. What a table does not define (the mean cosine of one row, the dimension of equal rows) is
/// NaN, and then r90, r99 and r999 are 0.
struct TableNumbers {
  std::size_t rows = 0, dim = 0, zero_rows = 0;
  double mean_norm = 0;    ///< over all rows
  double mean_cosine = 0;  ///< over all pairs of different rows that are not 0
  EffectiveDimension centred;
  std::size_t r99_uncentred = 0;
  std::vector<double> spectrum;  ///< of the centred rows, descending
};

struct MeasuredTable {
  TableNumbers numbers;
  Matrix<double> as_is;                ///< Σ x xᵀ/n, d x d: its eigenvectors span the rows' subspaces
  Matrix<double> directions;           ///< the same of the rows divided by their lengths, rows of 0 left out
  std::vector<double> mean_direction;  ///< mean of the rows divided by their lengths, rows of 0 left out
};

struct Words : MeasuredTable {
  std::vector<double> mean;          ///< of all rows
  Matrix<double> centred;            ///< their covariance, d x d
  double max_abs_cosine = 0;         ///< with the positions they were measured against
  std::optional<Histogram> cosines;  ///< likewise, if it was asked for
};

struct Positions : MeasuredTable {
  double toeplitz_defect = 0, toeplitz_r2 = 0;
  double null_toeplitz_r2 = 0;  ///< of iid scores
  Matrix<float> unit;           ///< rows that are not 0, divided by their lengths
};

/// A number beside what it would be if nothing related the two tables: one of them turned by a random
/// rotation.
struct AgainstChance {
  double value = 0, chance = 0;
  double sd = 0;    ///< of the value under chance; NaN where no law is known
  double skew = 0;  ///< of the same law
  /// By how many standard deviations the value lies above chance; NaN without one.
  double departure() const;
  /// Whether chance alone gives so much, or so little, once in a thousand times at most. Beyond the outer half
  /// thousandths of the normal law, and of the gamma law, shifted or mirrored, of the same three moments (Pearson's
  /// type III), for tails of quadratic forms are like one of them; a test holds the rate. False without a
  /// standard deviation.
  bool departs() const;
};
/// Of AgainstChance::departs, two-sided.
inline constexpr double departure_level = 0.001;

/// In standard deviations a departure from chance counts from here on: one in 370 unrelated tables has it.
inline constexpr double departs = 3;

struct Between {
  std::size_t rank_words = 0, rank_positions = 0;
  std::vector<double> principal_cosines;  ///< min of the ranks, descending
  AgainstChance largest_cosine;
  /// Over all pairs: the product of the two mean directions. Under a random rotation 0, with standard
  /// deviation (product of their lengths)/√d.
  AgainstChance mean_cosine;
  AgainstChance mean_square_cosine;
  /// The same of the rows' directions less their mean, over what is left of their squares: d times it is
  /// their overlap d tr(AB)/(tr A tr B).
  AgainstChance mean_square_centred;
  AgainstChance max_abs_cosine;  ///< chance: the median over as many independent pairs
  AgainstChance energy;          ///< mean share of a word's energy inside the positions' subspace
};

/// positions: L x d, rows shorter than 1e18.
Positions measure_positions(const Matrix<double>& positions, std::size_t threads);

/// Reads the words to their end, with their cosines with `positions` if there are any. bins: of a histogram
/// of these, or 0.
Words measure_words(const RowStream& words, const Positions* positions, std::size_t bins,
                    std::size_t threads);

/// Dimensions of the two subspaces to compare; absent ones are chosen: those that hold 99 % of the energy,
/// both halved, rounding down, until their sum is at most d/2 (each at least 1).
struct Ranks {
  std::optional<std::size_t> words, positions;
};
/// Of two tables of d dimensions with so many that hold 99 %. Throws Error naming the option for a rank of 0 or above d.
std::pair<std::size_t, std::size_t> compared_ranks(std::size_t words, std::size_t positions, std::size_t d,
                                                   const Ranks& ranks = {});

/// tr(AB) of two of them, in any unit, beside its law with one turned at random, in the same unit. Without a standard
/// deviation where A or B is a multiple of 1 to the rounding of float32.
AgainstChance against_turned(double value, const theory::OverlapNull& null, const Matrix<double>& a,
                             const Matrix<double>& b);

/// Throws as compared_ranks.
Between measure_between(const Words& words, const Positions& positions, const Ranks& ranks);

/// Added in their order and divided; NaN of none. The standard deviation is NaN below two.
double mean_of(const std::vector<double>& values);
double sd_of(const std::vector<double>& values);

// ---- chance, where a table stands alone

/// Participation ratio of n x d iid normal entries about their mean: (n-1)d/(n+d), the ratio of the expected
/// (Σλ)² and Σλ² to leading order, or 1, the least there is.
double gaussian_participation_ratio(std::size_t rows, std::size_t d);
/// Stable rank likewise: d/(1 + √(d/n))², from the edge of Marchenko & Pastur's law (1967), or 1.
double gaussian_stable_rank(std::size_t rows, std::size_t d);
/// Standard deviation of the mean cosine over all pairs of n independent directions, √(2/(n(n-1)d)).
double mean_cosine_sd(std::size_t directions, std::size_t d);
/// A table's mean cosine beside that of n independent directions: 0, the deviation above and the skewness
/// (n-2)√8/√(n(n-1)d), for of three pairs only a triangle's have a mean product, 1/d². All exact.
AgainstChance mean_cosine_against_chance(const TableNumbers& of);

}  // namespace perp::inspect
