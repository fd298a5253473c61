#pragma once
// One run on a text: a fixed number of steps at a rate that falls to 0, what it cost a byte on the way and on
// bytes that were not learned from, and what became of the two tables.

#include "studies/learning/training.hpp"

namespace perp::learning {

/// Tokens a step; steps over which the rate rises; sequences of the test; points of a curve.
inline constexpr std::size_t text_step_tokens = 4096, text_warm_up = 100, text_test_sequences = 2048,
                             curve_points = 32;

/// `until` of A10's pairs, all of whose steps are made: a trial, tested on what is chosen on, and what is judged.
inline constexpr std::string_view until_tried = "tried", until_judged = "judged";

/// Bits a byte that was asked for, mean over one of `curve_points` equal windows of steps. Batches are answered
/// before they are learned from.
struct CurvePoint : Run {
  double tokens = 0, bits = NAN;  ///< seen by the end of the window
};
PERP_ROW_OF(CurvePoint, Run, tokens, bits)

/// The same of the test after this share of the steps: a quarter, half, all.
struct HeldOut : Run {
  double share = 0, bits = NAN;
};
PERP_ROW_OF(HeldOut, Run, share, bits)

/// Words and positions in the coordinates of the first block's input, where they are added or concatenated.
struct JoinedTables : Run {
  std::string moment = {};                      ///< "before" or "after" training
  double word_norm = NAN, position_norm = NAN;  ///< root mean squares over rows
  double overlap = NAN;                         ///< ω of the two; chance 1
  double ratio = NAN,
         turned = NAN;             ///< participation ratio of the positions' coordinates; mean under rotation
  double held = NAN, words = NAN;  ///< share of d that holds 80 % of their variance; the words' share in it
  double position_share() const {
    return position_norm * position_norm / (word_norm * word_norm + position_norm * position_norm);
  }
};
PERP_ROW_OF(JoinedTables, Run, moment, word_norm, position_norm, overlap, ratio, turned, held, words)

/// Adds a Trained (with `nats` at the end), curve_points CurvePoints, three HeldOut, and JoinedTables before and
/// after. Throws Error{failed} as `train` does if the loss diverges.
void train_on_text(const Run& run, const Text& text, std::uint64_t seed, Rows& rows);

}  // namespace perp::learning
