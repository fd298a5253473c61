#pragma once
// Texts with a known answer, written on the spot.

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// `words` words, the i-th most frequent of `distinct` about as 1/i: "waaa waab …". Every stretch of 20 words
/// prefers one of 16 classes, so that co-occurrence is far from chance.
inline std::string zipf_text(std::size_t words, std::uint32_t distinct) {
  Picks picks(12345);
  std::string text;
  std::uint32_t topic = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (i % 20 == 0) topic = std::uint32_t(picks.below(16));
    const double u = picks.uniform();
    auto word = static_cast<std::uint32_t>(std::pow(static_cast<double>(distinct), u)) - 1;
    if (picks.below(2) == 0) word = std::min(word / 16 * 16 + topic, distinct - 1);
    text += 'w';
    for (int letter = 0; letter < 3; ++letter, word /= 26) text += static_cast<char>('a' + word % 26);
    text += i % 11 == 10 ? ".\r\n" : " ";
  }
  return text;
}

inline const std::array<std::vector<std::string>, 4> topics{
    {{"dog", "cat", "horse", "cow", "sheep", "goat"},
     {"red", "green", "blue", "yellow", "purple", "brown"},
     {"king", "queen", "prince", "duke", "emperor", "baron"},
     {"bread", "cheese", "soup", "butter", "apple", "cake"}}};

/// Sentences in which words of one topic fill the same places.
inline std::string topical_text(std::size_t sentences) {
  constexpr std::array<std::array<std::string_view, 3>, 4> frames{
      {{"The farmer fed the", "and the", "in the stable before dawn. "},
       {"She painted the old door", "and then", "with a broad brush. "},
       {"Long ago the", "and the noble", "ruled over the wide land. "},
       {"For dinner we eat", "with some fresh", "from the kitchen table. "}}};
  Picks picks(12345);
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) {
    const std::size_t topic = picks.below(4);
    const auto pick = [&] { return topics[topic][picks.below(6)]; };
    text += std::string(frames[topic][0]) + ' ' + pick() + ' ' + std::string(frames[topic][1]) + ' ';
    text += pick() + ' ' + std::string(frames[topic][2]);
  }
  return text;
}

}  // namespace perp::test
