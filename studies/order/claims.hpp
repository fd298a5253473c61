#pragma once
// Study `order`: what a Transformer knows of the order of its words. One file per claim; each returns its
// experiment. Words are random vectors and weights are random: nothing here is trained.

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/model/layers.hpp"
#include "perp/model/transformer.hpp"
#include "perp/study/experiment.hpp"

namespace perp::order {

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment same_sentence(const Options& options);    // S1
Experiment causal_mask(const Options& options);      // S2
Experiment order_of_rows(const Options& options);    // S3
Experiment surviving_depth(const Options& options);  // S4

// ---- S1: a text and the same words in the other order that somebody asked about
struct Text {
  std::string_view name, words, partner;
};
/// The first two pairs as they were asked; in the last two "river" and "bank" stand side by side or apart.
/// Capitals and full stops left out: "A" and "a" are one word.
inline constexpr std::array<Text, 4> texts{
    {{"tom", "tom bit a dog", "a dog bit tom"},
     {"oranges", "i would like 3 oranges and 4 bananas", "i would like 4 oranges and 3 bananas"},
     {"river", "i went to the river bank", "i went to the bank river"},
     {"swimming", "i am going swimming in the river later i will go to the bank",
      "i am going swimming in the later i will go to the river bank"}}};
inline constexpr model::Shape sentence_shape{.width = 64, .heads = 4, .inner = 256, .depth = 12};

std::vector<std::string> words_of(std::string_view text);
/// For each word of `a` where the same word stands in `b`, the first occurrence with the first. Both hold the same words.
std::vector<std::size_t> matched(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// The study `order`: claims S1 to S4.
Study study();

// ---- What the claims of this study share: how a model is told where its words stand.

inline constexpr std::string_view no_encoding = "none";

/// What an encoding gives a model of one shape for one length: vectors to add, or what attention reads.
struct PositionalInput {
  Matrix<double> added = zeros<double>(0, 0);  ///< length x width; empty if nothing is added
  model::AttentionPositions<double> attention;
};

/// `encoding` is a name of perp::encodings() or "none". ALiBi gets its slope per head; T5's biases are drawn
/// per head; random ones read `streams`.
PositionalInput positional_input(std::string_view encoding, std::size_t length, const model::Shape& shape,
                                 const Streams& streams);

/// Streams that all cells of one draw share, whatever else differs: the same words, the same weights.
Streams of_draw(const Streams& streams, std::size_t draw);

// ---- Reading positions from the states of a model by ridge regression, sequences held out.

/// What a read-out sees of a state: its entries, or its entries and their squares.
enum class Seen { entries, squares };

/// What is kept from learning and tested: the last quarter of the sequences, where tokens of one sequence
/// resemble one another (under a mask neighbours do); or every fourth token of each, so that every place and
/// every sequence is on both sides, where what sequences have in common is not to be learned.
enum class Held { sequences, tokens };

/// Tokens that are read: sequences of `length` tokens, the first `skipped` of each left out.
struct Split {
  std::size_t length = 0, skipped = 0;
  Held held = Held::sequences;
};

/// Held-out R² of each column of `targets` (one row per row of `states`). 1 is perfect, 0 no better than the
/// mean; a read-out of nothing is a little below 0. States that are all equal read 0. Of four whole sequences or more.
std::vector<double> read(const Matrix<float>& states, const Matrix<double>& targets, const Split& split,
                         Seen seen = Seen::entries);

/// The logarithm of the place, 1 … length, of each token of `batch` sequences.
Matrix<double> log_places(std::size_t batch, std::size_t length);

}  // namespace perp::order
