#pragma once
// What claim A7 measures: bits of the best concatenation and of the best sum by reader, at the noise where the
// best concatenation carries a given share of log2(VL).
//
// Readers of a sum: *joint*, ideal, weighs all V·L pairs; *separate*, ideal, word and position each from its
// exact posterior, bits added; *linear*, a Gaussian discriminant for each that knows the other's mean and
// covariance (perp/measures/reader.hpp), bits added. In a concatenation nothing is in the way, and the three
// agree. Words of a sum are spread over all d ("flat"): one whose words leave coordinates free contains the
// concatenation and loses nothing (claim A4).
//
// Chooser codebooks fix the noise, the concatenation's width and share of the power, and each reader's width
// and share; other codebooks measure. So an interval over these is conditional on what was chosen.

#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {

/// A cell.
struct ReaderPlace {
  std::size_t d, v, l;
  std::string positions;  ///< a name of `Positions`
  std::size_t carried;    ///< per cent of log2(VL)
  std::string grid;       ///< of widths and shares: "coarse", by which streams are named
  std::size_t choosers, choosing_samples, codebooks, samples;
  /// The ideal readers', who weigh all pairs; 0: left out.
  std::size_t ideal_choosing_samples, ideal_samples;
};

/// What words are like; unless said, their coordinates are of one variance, and all are equally likely.
/// Coordinates that differ: variances ∝ i^-exponent, of mean 1, of as many coordinates as the words have. In a sum they
/// are turned at random, or stand strongest first: then a position narrower than d, in the last coordinates, meets the weakest.
struct Spectrum {
  double exponent = 0;
  bool is_turned = true;
  bool is_zipf = false;  ///< once all is chosen, the word of rank i is sent with a chance ∝ 1/i
};

/// Width d_p of the position and share β of the power.
struct Setting {
  std::size_t width = 0;
  double share = 0;
};

/// What the chooser codebooks fix: the noise n of a coordinate, the concatenation, the sum of each reader.
struct Chosen {
  double noise = 0;
  Setting split = {}, linear = {}, joint = {}, separate = {};
};
Chosen chosen_of(const ReaderPlace& at, const Streams& streams, const Spectrum& spectrum = {});

/// A codebook that measures, one reader.
struct ReaderBits : ReaderPlace {
  std::string reader;
  std::size_t codebook;  ///< from `choosers` on: those before chose
  double noise;          ///< n, a coordinate's
  std::size_t split_width;
  double split_share, split;
  std::size_t sum_width;
  double sum_share, sum;
  double predicted;  ///< linear: bits of the sum by one table alone in noise as wide as both; else NaN

  double ceiling() const { return std::log2(double(v) * double(l)); }
  double gain() const { return split - sum; }
};

/// About its seconds, on one core.
double reading_cost(const ReaderPlace& at);
std::vector<ReaderBits> measure_readers(const ReaderPlace& at, const Streams& streams,
                                        const Spectrum& spectrum = {});

// ---- A7 for released models: what a linear reader loses in the sum of a model's own words and positions, and what
// it would if the positions lay otherwise, in the noise where the two, each read alone, carry 90 % of log2(VL).
//
// Alone is as if they were orthogonal: no rotation of the positions exceeds it, and beside words that vary
// along all d axes none reaches it. It is no concatenation, which has d dimensions for both.

/// standing: "as_released"; "random", turned at random.
struct ReleasedBits {
  std::string standing;
  std::size_t rotation;
  double lost, lost_error;  ///< bits less than of each table alone, mean over samples, and its standard error
  double alone;             ///< bits of both tables, each alone
};

/// For both standings; none where alike rows keep 90 % from being carried in any noise.
std::vector<ReleasedBits> measure_reading(std::size_t samples, const Matrix<float>& words,
                                          const Matrix<float>& positions, const Streams& streams);

}  // namespace perp::capacity
