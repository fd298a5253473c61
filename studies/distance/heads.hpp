#pragma once
// What a trained layer's heads keep of the lag: R² of every head's position scores, and its control.

#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {

/// positions: L x d, after the given LayerNorm if there is one. The input of the weights.
Matrix<double> normalised(const Matrix<double>& positions, const GivenPositions& given);

/// Share of the variance of a head's L x L position scores that their lag explains (score_r2), head by head,
/// for any L x d table through the given weights, biases and LayerNorm: NaN of a dead head, as score_r2.
std::vector<double> head_r2(const Matrix<double>& positions, const GivenPositions& given);

/// One head's R² over draws of random weights in place of its own.
struct HeadControl {
  double mean = 0, sd = 0;
  std::vector<double> draws;
};

/// The same positions, LayerNorm and biases through weights whose entries are iid normal with the mean square
/// of the head's own; `streams` are the layer's. All heads share a draw's numbers: without biases R² knows no
/// scale and every head has the same control; a dead one's are NaN. Draws run side by side on `threads`.
std::vector<HeadControl> head_controls(const Matrix<double>& positions, const GivenPositions& given,
                                       const Streams& streams, std::size_t draws, std::size_t threads);

/// What stands between the positions and their scores: "weights alone", "weights and biases", either "behind
/// LayerNorm".
std::string reading_of(const GivenPositions& given);

/// What of a head is turned at random. The singular values of its weights stay.
enum class Turned {
  pairing,   ///< head space, W_Q R W_Kᵀ: which query direction meets which key direction
  alignment  ///< input space, O W_Q: which directions of the positions the queries read
};
/// The shares of head_r2 under random rotations, uniform: draws x heads; `streams` are the layer's. All heads
/// share a draw's rotation; a bias stands behind O W_Q and before R. Draws run side by side on `threads`.
Matrix<double> turned_r2(const Matrix<double>& positions, const GivenPositions& given, Turned what,
                         const Streams& streams, std::size_t draws, std::size_t threads);

/// Of the one layer that D6 is given: the same in its cells and in `perp heads`.
Streams streams_of_heads(std::uint64_t seed);
std::size_t control_draws(Preset preset);  ///< of random weights in place of a head's

/// Of --query and --key a line for each head, or with --json
///   {"heads":[{"head":0,"r2":…,"control_mean":…,"control_sd":…},…],"null":…}, null = 2/(L+1), and null for what
/// a dead head does not define. Throws Error without weights, and as load_positions does.
std::string answer_heads(const Options& options);

}  // namespace perp::distance
