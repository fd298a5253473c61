#include "perp/measures/information.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/statistics/moments.hpp"

// Adding: all V·L hypotheses at once.

namespace perp {
namespace {

/// Largest |x·p|/n² = R for which products of exponentials stay in range. Each factor is scaled to a largest
/// value of 1, so the best hypothesis has e^a e^b >= e^(-2R); what underflows is below e^(2R - 87) of it in
/// float, e^(2R - 708) in double: e^-31 and e^-108 at these bounds.
constexpr double float_range = 28, double_range = 300;
/// Samples whose V factors are held at once: 128 x 4096 floats are 2 MiB.
constexpr std::size_t tile = 128;

struct Problem {
  const CodeProducts& words;
  const CodeProducts& positions;
  const CrossTable& cross;
  double noise;
  Scales scales;

  std::size_t samples() const { return words.sent.size(); }
  std::size_t word_count() const { return words.half_squared_norms.size(); }
  std::size_t position_count() const { return positions.half_squared_norms.size(); }

  /// What x_v·p_s counts for, and the largest of it.
  double mixed() const { return scales.word * scales.position / (noise * noise); }
  double range() const { return cross.largest * mixed(); }

  /// a_v of sample i, codewords scale·x_v; `shared` holds x_v·p_t of the sent position t.
  template <class T>
  void exponents(const CodeProducts& code, double scale, std::size_t i, std::span<const float> shared,
                 T* out) const {
    const std::span<const float> own = row(code.own, i), other = row(code.noise, i);
    const T signal = static_cast<T>(scale * scale / (noise * noise)), both = static_cast<T>(mixed()),
            disturbance = static_cast<T>(scale / noise);
    for (std::size_t v = 0; v < own.size(); ++v)
      out[v] = signal * (static_cast<T>(own[v]) - static_cast<T>(code.half_squared_norms[v])) +
               both * static_cast<T>(shared[v]) + disturbance * static_cast<T>(other[v]);
  }
  double crossed(std::size_t v, std::size_t s) const {
    return -static_cast<double>(cross.by_word(v, s)) * mixed();
  }
};

/// e^c, c = -mixed·(x·p).
template <class T>
Matrix<T> exp_of_crossed(View<float> products, double mixed) {
  Matrix<T> result = matrix<T>(products.rows, products.cols);
  const T scale = static_cast<T>(-mixed);
  for (std::size_t v = 0; v < products.rows; ++v) {
    const std::span<const float> from = products.row(v);
    T* __restrict to = row(result, v).data();
    for (std::size_t s = 0; s < from.size(); ++s) to[s] = quick_exp(scale * static_cast<T>(from[s]));
  }
  return result;
}

/// The factors of a tile of samples: e^(a - top) in rows, a of the sent codeword and the tops.
template <class T>
struct Factors {
  Matrix<T> values;
  std::vector<double> top, sent;
};

template <class T>
Factors<T> factors(const Problem& problem, const CodeProducts& code, double scale, const CodeProducts& other,
                   View<float> shared, std::size_t first, std::size_t last) {
  Factors<T> result{matrix<T>(last - first, code.half_squared_norms.size()), {}, {}};
  for (std::size_t i = first; i < last; ++i) {
    const std::span<T> out = row(result.values, i - first);
    problem.exponents(code, scale, i, shared.row(other.sent[i]), out.data());
    const T top = largest_of(out.data(), out.size());
    result.top.push_back(static_cast<double>(top));
    result.sent.push_back(static_cast<double>(out[code.sent[i]]));
    exp_in_place(out.data(), out.size(), top);
  }
  return result;
}

NegativeLogLikelihood one_by_one(const Problem& problem, std::size_t i) {
  const std::size_t w = problem.words.sent[i], t = problem.positions.sent[i];
  std::vector<double> a(problem.word_count()), b(problem.position_count());
  std::vector<float> by_word(a.size()), by_position(b.size());
  for (std::size_t v = 0; v < a.size(); ++v) by_word[v] = problem.cross.by_word(v, t);
  for (std::size_t s = 0; s < b.size(); ++s) by_position[s] = problem.cross.by_word(w, s);
  problem.exponents(problem.words, problem.scales.word, i, by_word, a.data());
  problem.exponents(problem.positions, problem.scales.position, i, by_position, b.data());
  const double sent = a[w] + b[t] + problem.crossed(w, t);
  // Each sum by its own largest term: the sent pair may be e^-1000 as likely as the likeliest.
  double top = sent, word_top = sent, position_top = sent;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t s = 0; s < b.size(); ++s) {
      const double exponent = a[v] + b[s] + problem.crossed(v, s);
      top = std::max(top, exponent);
      if (v == w) word_top = std::max(word_top, exponent);
      if (s == t) position_top = std::max(position_top, exponent);
    }
  double both = 0, word = 0, position = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (std::size_t s = 0; s < b.size(); ++s) {
      const double exponent = a[v] + b[s] + problem.crossed(v, s);
      both += std::exp(exponent - top);
      if (v == w) word += std::exp(exponent - word_top);
      if (s == t) position += std::exp(exponent - position_top);
    }
  return {std::log(both) + top - sent, std::log(word) + word_top - sent,
          std::log(position) + position_top - sent};
}

template <class T>
std::vector<NegativeLogLikelihood> factored(const Problem& problem) {
  const Matrix<T> turned = exp_of_crossed<T>(problem.cross.by_position, problem.mixed());
  std::vector<NegativeLogLikelihood> result(problem.samples());
  Matrix<T> columns = matrix<T>(std::min(tile, problem.samples()), problem.position_count());
  for (std::size_t first = 0; first < problem.samples(); first += tile) {
    const std::size_t last = std::min(problem.samples(), first + tile);
    const Factors<T> a = factors<T>(problem, problem.words, problem.scales.word, problem.positions,
                                    problem.cross.by_position, first, last),
                     b = factors<T>(problem, problem.positions, problem.scales.position, problem.words,
                                    problem.cross.by_word, first, last);
    product_nt_into(a.values, turned, columns.data());
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t k = i - first, w = problem.words.sent[i], t = problem.positions.sent[i];
      const std::span<const T> column = row(columns, k), scale = row(b.values, k);
      double both = 0, word = 0;
      for (std::size_t s = 0; s < column.size(); ++s) {
        both += static_cast<double>(scale[s]) * static_cast<double>(column[s]);
        word += static_cast<double>(scale[s]) * static_cast<double>(turned(s, w));
      }
      const double position = static_cast<double>(column[t]);
      // A sent pair so unlikely that its own factors underflow.
      if (!(both > 0 && word > 0 && position > 0)) {
        result[i] = one_by_one(problem, i);
        continue;
      }
      const double c = problem.crossed(w, t);
      result[i] = {std::log(both) + (a.top[k] - a.sent[k]) + (b.top[k] - b.sent[k]) - c,
                   std::log(word) + (b.top[k] - b.sent[k]) - c,
                   std::log(position) + (a.top[k] - a.sent[k]) - c};
    }
  }
  return result;
}

}  // namespace

CrossTable cross_table(View<float> words, View<float> positions) {
  CrossTable result{product_nt(words, positions), {}, 0};
  result.by_position = transposed(result.by_word);
  std::vector<float> sizes(positions.rows);
  for (std::size_t v = 0; v < words.rows; ++v) {
    const std::span<const float> products = row(std::as_const(result.by_word), v);
    for (std::size_t s = 0; s < sizes.size(); ++s) sizes[s] = std::abs(products[s]);
    result.largest = std::max(result.largest, static_cast<double>(largest_of(sizes.data(), sizes.size())));
  }
  return result;
}

std::vector<NegativeLogLikelihood> added_negative_log_likelihoods(const CodeProducts& words,
                                                                  const CodeProducts& positions,
                                                                  const CrossTable& cross, double noise,
                                                                  const Scales& scales) {
  const Problem problem{words, positions, cross, noise, scales};
  if (problem.range() <= float_range) return factored<float>(problem);
  if (problem.range() <= double_range) return factored<double>(problem);
  return added_negative_log_likelihoods_one_by_one(words, positions, cross, noise, scales);
}

std::vector<NegativeLogLikelihood> added_negative_log_likelihoods_one_by_one(const CodeProducts& words,
                                                                             const CodeProducts& positions,
                                                                             const CrossTable& cross,
                                                                             double noise,
                                                                             const Scales& scales) {
  const Problem problem{words, positions, cross, noise, scales};
  std::vector<NegativeLogLikelihood> result;
  for (std::size_t i = 0; i < problem.samples(); ++i) result.push_back(one_by_one(problem, i));
  return result;
}

namespace {

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
  for (std::size_t i = 0; i < products.own.size(); ++i) products.own.data()[i] += more.own.data()[i];
  for (std::size_t i = 0; i < products.noise.size(); ++i) products.noise.data()[i] += more.noise.data()[i];
  for (std::size_t v = 0; v < products.half_squared_norms.size(); ++v)
    products.half_squared_norms[v] += more.half_squared_norms[v];
}

SharedBits shared_bits(const CodeProducts& words, const CodeProducts& positions, const CrossTable& cross,
                       double noise, const Scales& scales) {
  MomentSums both, word, position;
  for (const NegativeLogLikelihood& s :
       added_negative_log_likelihoods(words, positions, cross, noise, scales)) {
    both.add(s.both / std::numbers::ln2);
    word.add((s.both - s.word) / std::numbers::ln2);
    position.add((s.both - s.position) / std::numbers::ln2);
  }
  const double v = std::log2(static_cast<double>(cols(words.own))),
               l = std::log2(static_cast<double>(cols(positions.own)));
  return {bits_of(both, v + l), bits_of(word, v), bits_of(position, l)};
}

Bits channel_bits(std::span<const double> nats, std::size_t codewords) {
  MomentSums sums;
  for (const double s : nats) sums.add(s / std::numbers::ln2);
  return bits_of(sums, std::log2(static_cast<double>(codewords)));
}

Bits channel_bits(const CodeProducts& table, double noise, double scale) {
  std::vector<float> exponents(table.half_squared_norms.size());
  std::vector<double> nats;
  for (std::size_t i = 0; i < table.sent.size(); ++i) {
    const float sent = log_likelihoods(table, i, noise, scale, exponents.data()),
                top = largest_of(exponents.data(), exponents.size());
    nats.push_back(std::log(sum_of_exp(exponents.data(), exponents.size(), top)) +
                   static_cast<double>(top - sent));
  }
  return channel_bits(nats, cols(table.own));
}

}  // namespace perp
