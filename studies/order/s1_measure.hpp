#pragma once
// S1's cells: what one measures. Every arrangement of a text goes through the same model, and outputs are
// compared word by word and pooled.

#include <array>

#include "perp/model/transformer.hpp"
#include "perp/study/claim.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {

inline constexpr std::array<std::size_t, 8> sentence_depths{1, 2, 3, 4, 6, 8, 10, 12};

/// An encoding and a draw of words and weights.
struct Setting {
  std::string encoding;
  std::size_t draw, permutations;
};
PERP_ROW(Setting, encoding, draw, permutations)
struct Place : Setting {
  std::string precision;
  std::size_t depth;
  double bound() const {
    return model::permutation_bound(sentence_shape, depth, 1, unit_roundoff(precision));
  }
};
PERP_ROW_OF(Place, Setting, precision, depth)
/// A text against its partner and against its reverse.
struct OfText : Place {
  std::string text;
  double partner_token, partner_pooled, reversed_token;
};
PERP_ROW_OF(OfText, Place, text, partner_token, partner_pooled, reversed_token)
/// Random orders of all texts.
struct OfRandom : Place {
  std::size_t n;
  double token_least, token_median, token_largest, pooled_least, pooled_largest;
};
PERP_ROW_OF(OfRandom, Place, n, token_least, token_median, token_largest, pooled_least, pooled_largest)

/// All texts in all arrangements through one model, in float32 and in float64: OfText and OfRandom.
void measure_sentences(const Setting& at, const Streams& streams, Rows& rows);

}  // namespace perp::order
