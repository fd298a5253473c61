#pragma once
// One run on a text: a fixed number of steps at a rate that falls to 0, what it cost a byte of those not
// learned from, and what became of the two tables.

#include "studies/learning/training.hpp"

namespace perp::learning {

/// Tokens a step; steps over which the rate rises; sequences of the test.
inline constexpr std::size_t text_step_tokens = 4096, text_warm_up = 100, text_test_sequences = 2048;

/// `until` of A10's pairs, all of whose steps are made: a trial, tested on what is chosen on, and what is judged.
inline constexpr std::string_view until_tried = "tried", until_judged = "judged";

/// Writes three rows "HeldOut", the bits a byte of the test after a quarter, half and all of the steps (`share`); a row
/// "Trained" with `nats` at the end; and, of words and positions that are added or concatenated, "JoinedTables" before
/// and after, in the coordinates of the first block's input: their overlap ω (chance 1), the participation `ratio` of the
/// positions' coordinates and its mean under rotations (`turned`), the share of d that holds 80 % of the positions'
/// variance (`held`) and the words' share of variance in it (`words`). Throws Error{failed} as `train` does if the loss
/// diverges.
void train_on_text(const Run& run, const Text& text, std::uint64_t seed, Out& out);

}  // namespace perp::learning
