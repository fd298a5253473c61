#pragma once
// What question Q4 measures of a table of positions, whichever it is.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/table_reference.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/study/judge.hpp"

namespace perp::distance {

/// Share of the variance that the lag explains among the products of different rows, lag 0 left out. NaN of
/// fewer than 3 rows, which have one lag each, and where these products differ by rounding alone.
double r2_apart(const LagStatistics& lags);

struct Portrait {
  EffectiveDimension centred, as_is;  ///< of the rows about their mean, and about the origin
  double toeplitz_defect = 0;         ///< of PPᵀ, as toeplitz_defect
  double r2 = 0;                      ///< of PPᵀ, as toeplitz_r2
  double r2_apart = 0;                ///< the same without lag 0, where every row meets itself
  double neighbours =
      0;  ///< share of the rows whose largest cosine, of those with other rows, is with a row beside
  double norm = 0;             ///< mean of the rows' norms
  double norm_spread = 0;      ///< their standard deviation over their mean
  std::vector<double> kernel;  ///< mean of p_t·p_{t+k} over t, over that of lag 0; k = 0 … L-1
  std::vector<double> norms;   ///< of the rows
};

/// table: L x d, L at least 3. Throws Error for fewer rows, for rows of length 0 and for equal rows.
Portrait portrait(View<double> table);

/// The mean products of two tables of L rows, at lags up to L/2: their largest difference.
struct KernelDeparture {
  double size = 0;
  std::size_t lag = 0;
};
KernelDeparture kernel_departure(std::span<const double> kernel, std::span<const double> other);
/// Larger over smaller.
inline double factor_between(double a, double b) { return a > b ? a / b : b / a; }

/// A table of positions beside the sinusoid of its shape.
struct BesideSinusoid {
  Portrait own, wave;
  KernelDeparture kernel() const { return kernel_departure(own.kernel, wave.kernel); }
};
/// Rows that training reached, the longest run side by side: within a run lags are what they were.
RowRange trained_run_of(const Matrix<double>& table);
/// That run; none of fewer than three rows or of equal ones, which have no spectrum.
std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table);

/// One number of a portrait, as the tables and findings of Q4 call it.
struct PortraitMeasure {
  const char* name;   ///< in a finding's id
  const char* label;  ///< in the table
  double (*read)(const Portrait&);
  const char* meaning = nullptr;  ///< the definition, of those that are findings
  const char* unit = "1";
};
std::span<const PortraitMeasure> portrait_measures();

/// Two dimensions, or two sizes, are alike if they are within this factor of one another.
inline constexpr double alike_factor = 2;
/// Two kernels are alike if they nowhere differ by more than this share of lag 0; rows have one length if
/// their lengths' standard deviation is below this share of the mean.
inline constexpr double alike_share = 0.1;
/// "Mostly": this share.
inline constexpr double most = 0.5;

/// One respect in which a learned table may be like the sinusoid, as Q4's rule and that of given models ask
/// for it: of all rows, and as a limit of those that training reached.
struct Respect {
  const char *measure, *rows;  ///< Q4's finding of all rows is `measure` followed by `rows`
  Is is;
  double bound;
  const char *name, *words;
  std::string says(bool trained) const;
};
std::span<const Respect> respects();
inline constexpr const char* needs_trained_run = "at least three positions in a row that training met";

}  // namespace perp::distance
