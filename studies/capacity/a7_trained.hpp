#pragma once
// Beside claim A7: readers that learn. A linear reader knows the other table's mean and covariance; from how
// many hidden units on does a trained one win back what interference costs it?
//
//   y, scaled to mean square 1 -> [gelu(W y + c)] -> a matrix, a bias and a softmax each for word and position
//
// Without hidden units that is softmax regression, the linear reader's own class: what it lacks where the
// linear reader is ideal, in a concatenation, is what training leaves. Noise, widths and shares are chosen as
// for A7's linear reader at 90 % carried (a7_measure.hpp); every step of Adam sees fresh samples.

#include "perp/study/claim.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {

/// A cell: one codebook of 256 words and 64 positions, every reader.
struct TrainedPlace {
  std::string what;
  std::size_t d;
  std::string positions;  ///< a name of `Positions`
  std::size_t choosing_samples, codebook;
  std::size_t samples, tested;  ///< to learn from, each once; to measure on
  std::size_t most_units;
};
PERP_ROW(TrainedPlace, what, d, positions, choosing_samples, codebook, samples, tested, most_units)

/// One reader of one way to join; bits are those of word and position, added.
struct Trained : TrainedPlace {
  std::string joined;  ///< split, or sum, as the linear reader chose it
  double noise;
  std::size_t units;  ///< hidden; 0: softmax regression
  double rate;        ///< Adam's, the highest
  double bits;
  double linear,
      separate;  ///< of the same samples, by a linear reader and by the ideal one of each by itself
};
PERP_ROW_OF(Trained, TrainedPlace, joined, noise, units, rate, bits, linear, separate)

std::vector<TrainedPlace> trained_readers(Preset preset);
/// About its seconds, on one core.
double training_cost(const TrainedPlace& at);
void measure_trained(const TrainedPlace& at, const Streams& streams, Rows& rows);
/// Their table and findings, in no rule.
void add_trained_readers(const Cells& cells, Summary& summary);

}  // namespace perp::capacity
