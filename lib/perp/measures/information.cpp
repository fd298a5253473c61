#include "perp/measures/information.hpp"

#include <cmath>
#include <numbers>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/quick_exp.hpp"
#include "perp/statistics/moments.hpp"

namespace perp {
namespace {

void require_noise(const char* where, double noise) {
  require(noise > 0 && std::isfinite(noise), "{}: noise {}, expected above 0", where, noise);
}

void require_products(const char* where, const CodeProducts& table) {
  const std::size_t samples = table.sent.size(), codewords = table.half_squared_norms.size();
  expect(samples > 0 && codewords > 0 && rows(table.own) == samples && cols(table.own) == codewords &&
             rows(table.noise) == samples && cols(table.noise) == codewords,
         "{}: {} samples of {} codewords, products are {} x {} and {} x {}", where, samples, codewords,
         rows(table.own), cols(table.own), rows(table.noise), cols(table.noise));
}

/// ℓ_v of one sample for codewords scale·x_v, in `out`; returns that of the sent one.
float log_likelihoods(const CodeProducts& table, std::size_t i, double noise, double scale,
                      float* __restrict out) {
  const float *own = row(table.own, i).data(), *other = row(table.noise, i).data(),
              *halves = table.half_squared_norms.data();
  const auto signal = static_cast<float>(scale * scale / (noise * noise)),
             disturbance = static_cast<float>(scale / noise);
  const std::size_t n = table.half_squared_norms.size();
  for (std::size_t v = 0; v < n; ++v) out[v] = signal * (own[v] - halves[v]) + disturbance * other[v];
  return out[table.sent[i]];
}

Bits bits_of(const MomentSums& sums, double ceiling) {
  const Moments moments = sums.moments();
  return {ceiling - moments.mean, standard_error(moments)};
}

}  // namespace

CodeProducts code_products(View<float> table, View<float> noise, std::vector<std::size_t> sent) {
  require(table.rows > 0 && table.cols > 0 && noise.rows > 0,
          "code_products: table is {} x {}, noise {} x {}; none of them may be empty", table.rows, table.cols,
          noise.rows, noise.cols);
  expect(table.cols == noise.cols && noise.rows == sent.size(),
         "code_products: table is {} x {}, noise {} x {}, {} rows sent", table.rows, table.cols, noise.rows,
         noise.cols, sent.size());
  for (const std::size_t i : sent)
    expect(i < table.rows, "code_products: row {} sent of a table of {}", i, table.rows);
  CodeProducts result;
  result.own = product_nt(select_rows(table, sent), table);
  result.noise = product_nt(noise, table);
  result.half_squared_norms.resize(table.rows);
  for (std::size_t v = 0; v < table.rows; ++v) {
    double square = 0;
    for (const float x : table.row(v)) square += static_cast<double>(x) * static_cast<double>(x);
    result.half_squared_norms[v] = static_cast<float>(square / 2);
  }
  result.sent = std::move(sent);
  return result;
}

void append_columns(CodeProducts& products, const CodeProducts& more) {
  require_products("append_columns", products);
  require_products("append_columns", more);
  expect(products.sent == more.sent && products.half_squared_norms.size() == more.half_squared_norms.size(),
         "append_columns: {} samples of {} codewords and {} of {}, expected the same ones",
         products.sent.size(), products.half_squared_norms.size(), more.sent.size(),
         more.half_squared_norms.size());
  for (std::size_t i = 0; i < products.own.size(); ++i) products.own.data()[i] += more.own.data()[i];
  for (std::size_t i = 0; i < products.noise.size(); ++i) products.noise.data()[i] += more.noise.data()[i];
  for (std::size_t v = 0; v < products.half_squared_norms.size(); ++v)
    products.half_squared_norms[v] += more.half_squared_norms[v];
}

std::vector<double> single_negative_log_likelihoods(const CodeProducts& table, double noise, double scale) {
  require_noise("single_negative_log_likelihoods", noise);
  require(scale > 0 && std::isfinite(scale), "single_negative_log_likelihoods: scale {}, expected above 0",
          scale);
  require_products("single_negative_log_likelihoods", table);
  std::vector<float> exponents(table.half_squared_norms.size());
  std::vector<double> result;
  for (std::size_t i = 0; i < table.sent.size(); ++i) {
    const float sent = log_likelihoods(table, i, noise, scale, exponents.data()),
                top = largest_of(exponents.data(), exponents.size());
    result.push_back(std::log(sum_of_exp(exponents.data(), exponents.size(), top)) +
                     static_cast<double>(top - sent));
  }
  return result;
}

SharedBits shared_bits(std::span<const NegativeLogLikelihood> nats, std::size_t words,
                       std::size_t positions) {
  require(nats.size() >= 2 && words > 0 && positions > 0,
          "shared_bits: {} samples of {} words and {} positions, expected at least two samples", nats.size(),
          words, positions);
  MomentSums both, word, position, word_known, position_known;
  for (const NegativeLogLikelihood& s : nats) {
    both.add(s.both / std::numbers::ln2);
    word.add((s.both - s.word) / std::numbers::ln2);
    position.add((s.both - s.position) / std::numbers::ln2);
    word_known.add(s.position / std::numbers::ln2);
    position_known.add(s.word / std::numbers::ln2);
  }
  const double v = std::log2(static_cast<double>(words)), l = std::log2(static_cast<double>(positions));
  return {bits_of(both, v + l), bits_of(word, v), bits_of(position, l), bits_of(word_known, v),
          bits_of(position_known, l)};
}

Bits channel_bits(std::span<const double> nats, std::size_t codewords) {
  require(nats.size() >= 2 && codewords > 0,
          "channel_bits: {} samples of {} codewords, expected at least two samples", nats.size(), codewords);
  MomentSums sums;
  for (const double s : nats) sums.add(s / std::numbers::ln2);
  return bits_of(sums, std::log2(static_cast<double>(codewords)));
}

SharedBits shared_bits(const CodeProducts& words, const CodeProducts& positions, const CrossTable& cross,
                       double noise, const Scales& scales) {
  return shared_bits(added_negative_log_likelihoods(words, positions, cross, noise, scales), cols(words.own),
                     cols(positions.own));
}

Bits channel_bits(const CodeProducts& table, double noise, double scale) {
  return channel_bits(single_negative_log_likelihoods(table, noise, scale), cols(table.own));
}

}  // namespace perp
