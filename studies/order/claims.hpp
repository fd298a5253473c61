#pragma once
// Study `order`: what a Transformer knows of the order of its words. One file per claim; each returns its
// experiment. Words are random vectors and weights are random: nothing here is trained.

#include <array>
#include <string_view>

#include "perp/model/layers.hpp"
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
/// For each word of `a` where the same word stands in `b`, the first occurrence with the first. Throws Error
/// unless both hold the same words.
std::vector<std::size_t> matched(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace perp::order
