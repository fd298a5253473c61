#pragma once
// A model's numbers, and each in words: beside chance, how many standard deviations away, what that means.

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/kernel.hpp"
#include "studies/inspect/model.hpp"

namespace perp::inspect {

// ---- In which respects a table of positions is like the sinusoid of its shape (question Q4).

/// Share of the variance that the lag explains among the products of different rows, lag 0 left out. NaN of
/// fewer than 3 rows, which have one lag each, and where these products differ by rounding alone.
double r2_apart(const LagStatistics& lags);

struct Portrait {
  std::size_t r99 = 0;  ///< dimensions that hold 99 % of the variance of the rows about their mean
  double r2_apart = NAN;
  double neighbours = NAN;     ///< share of the rows whose largest cosine with another is with a row beside
  std::vector<double> kernel;  ///< mean of p_t·p_{t+k} over t, over that of lag 0; k = 0 … L-1
};

/// table: L x d, L at least 3, no row of length 0, not all equal.
Portrait portrait(View<double> table);

/// The mean products of two tables of L rows, at lags up to L/2: their largest difference.
double kernel_departure(std::span<const double> kernel, std::span<const double> other);

/// A table of positions beside the sinusoid of its shape.
struct BesideSinusoid {
  Portrait own, wave;
};
/// Of the longest run of rows that training reached: within a run lags are what they were; none of fewer than three
/// rows or of equal ones, which have no spectrum.
std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table);

/// Whatever of a model could be measured.
struct Measurement {
  std::optional<Words> words;
  std::optional<Positions> positions;
  std::optional<Between> between;
  /// Of positions, where a claim asks (M5, M8): at least 3 rows, none of them 0, not all equal.
  std::optional<Portrait> portrait;
};

/// Measures a model's tables, but for the portrait; bins: of the histogram of cosines, or 0.
Measurement measure_tables(const Tables& tables, const std::optional<RowStream>& words, std::size_t bins,
                           std::size_t threads);

/// "12 standard deviations above chance", "within three standard deviations of chance (-0.2)".
std::string in_words(double departure);

/// One number with its chance level and a note.
struct DescribedNumber {
  std::string table;    ///< "words", "positions" or "between"
  std::string measure;  ///< [a-z0-9_]+
  std::string label;    ///< for people
  AgainstChance number;
  std::string note;  ///< of at most 22 characters; none where there is no number
};

/// In the order in which they are read. Chance: independent normal entries for a table alone, a random
/// rotation of one of them for the two together.
std::vector<DescribedNumber> describe(const Measurement& measurement);

/// The same as a table of text, in lines of at most 80 columns.
std::string as_text(const std::vector<DescribedNumber>& numbers);

}  // namespace perp::inspect
