#pragma once
// How many bits of a word and of a position survive noise, by Monte Carlo over all V·L hypotheses.
//
//   adding          y = a x_w + b p_t + n z in d dimensions, z ~ N(0, I); w and t uniform and independent
//   concatenating   y = [a x_w + n z, b p_t + n z′], a split: two channels that know nothing of each other;
//                   bits of a split = `channel_bits` of the word + `channel_bits` of the position
//
// The log-likelihood of hypothesis (v, s) is, up to a constant of the sample, α_v + β_s + γ_vs with
//   α_v = (a y·x_v − a²‖x_v‖²/2)/n²,  β_s = (b y·p_s − b²‖p_s‖²/2)/n²,  γ_vs = −ab x_v·p_s/n²,
// so V + L products of y and one V x L table serve all V·L hypotheses, and their sum, Σ_s e^β Σ_v e^α e^γ, is
// a matrix product over samples: (N x V)(V x L). Products with the sent vectors and with z are kept apart:
// they serve every noise and every a and b.

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// One table of V codewords against N samples.
struct CodeProducts {
  std::vector<std::size_t> sent;          ///< N; the row that sample i sent
  Matrix<float> own;                      ///< N x V: x_v · x_sent
  Matrix<float> noise;                    ///< N x V: x_v · z_i
  std::vector<float> half_squared_norms;  ///< V: ‖x_v‖²/2
};

/// table: V x d; noise: N x d, rows z_i ~ N(0, I); sent: N rows of the table.
CodeProducts code_products(View<float> table, View<float> noise, std::vector<std::size_t> sent);

/// Turns the products of a table's first columns into those of its first and further ones: `more` are the
/// products of the columns that follow, for the same samples.
void append_columns(CodeProducts& products, const CodeProducts& more);

/// x_v·p_s both ways round, and the largest of them in absolute value: what the hypotheses of a sum share,
/// whatever the noise.
struct CrossTable {
  Matrix<float> by_word;      ///< V x L
  Matrix<float> by_position;  ///< L x V
  double largest = 0;
};

/// words: V x d, positions: L x d.
CrossTable cross_table(View<float> words, View<float> positions);

/// What one sample says, natural logarithms: how far all hypotheses together, those with the sent word and
/// those with the sent position outweigh the sent pair; all 0 or more.
struct NegativeLogLikelihood {
  double both = 0, word = 0, position = 0;
};

/// a and b above, both above 0.
struct Scales {
  double word = 1, position = 1;
};

/// Adding, sample by sample. words: N x V products, positions: N x L, cross: of the same tables, noise n > 0.
/// Factored as above in float or double, whichever holds the exponents' range; one by one where neither does
/// (max |ab x·p|/n² above 300). Departs from `added_negative_log_likelihoods_one_by_one` by below 1e-5.
std::vector<NegativeLogLikelihood> added_negative_log_likelihoods(const CodeProducts& words,
                                                                  const CodeProducts& positions,
                                                                  const CrossTable& cross, double noise,
                                                                  const Scales& scales = {});

/// The same by a plain log-sum-exp in double over all V·L hypotheses: slow, for tests and extreme ranges.
std::vector<NegativeLogLikelihood> added_negative_log_likelihoods_one_by_one(const CodeProducts& words,
                                                                             const CodeProducts& positions,
                                                                             const CrossTable& cross,
                                                                             double noise,
                                                                             const Scales& scales = {});

/// Bits, and the standard error of their mean over samples.
struct Bits {
  double value = 0, standard_error = 0;
};
struct SharedBits {
  Bits both;      ///< I(W,T;Y)
  Bits word;      ///< I(W;Y), the position unknown
  Bits position;  ///< I(T;Y), the word unknown
};
/// Bits that a sum carries, of two samples or more.
SharedBits shared_bits(const CodeProducts& words, const CodeProducts& positions, const CrossTable& cross,
                       double noise, const Scales& scales = {});
/// Bits that one table carries in dimensions of its own, codewords scale·x_v; nats of a sample:
/// log Σ_v exp(ℓ_v − ℓ_sent).
Bits channel_bits(const CodeProducts& table, double noise, double scale = 1);
/// From such nats: log2(codewords) minus their mean over ln 2.
Bits channel_bits(std::span<const double> nats, std::size_t codewords);

}  // namespace perp
