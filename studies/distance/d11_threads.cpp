#include "studies/distance/d11_threads.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <set>

#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d11_measure.hpp"

namespace perp::distance {
namespace {

double bfloat16(double x) { return round_to(Format::bfloat16, x); }
double float16(double x) { return round_to(Format::float16, x); }
double float32(double x) { return round_to(Format::float32, x); }

/// From a number of the format to the next.
double spacing(Format format, double x) { return 2 * unit_roundoff(format) * std::exp2(std::ilogb(x)); }

/// Different values of count positions from `first` on.
double different(Format format, std::size_t first, std::size_t count) {
  std::set<double> values;
  for (std::size_t t = first; t < first + count; ++t) values.insert(round_to(format, static_cast<double>(t)));
  return static_cast<double>(values.size());
}

/// The first position after this one that becomes another number.
double next_to_differ(Format format, double position) {
  double t = position;
  while (round_to(format, t) == round_to(format, position)) ++t;
  return t;
}

/// inv_freq as its authors compute it: in float32.
std::vector<double> frequencies_in_float32(std::size_t d, double base) {
  std::vector<double> omega = frequencies(d, base);
  round_to(Format::float32, omega);
  return omega;
}

/// Farthest that a phase is off modulo a turn when frequencies are in bfloat16, positions below `length`.
double phase_error(std::size_t d, double base, std::size_t length) {
  double largest = 0;
  for (const double omega : frequencies_in_float32(d, base))
    for (std::size_t t = 0; t < length; ++t) {
      const double off = (bfloat16(omega) - omega) * static_cast<double>(t);
      largest = std::max(largest, std::abs(std::remainder(off, 2 * std::numbers::pi)));
    }
  return largest;
}

/// A vector of entries i/d (halves turned against each other) at position t, all in bfloat16 but the angles,
/// with frequencies in float32 and in bfloat16.
struct Outputs {
  double different = 0, largest = 0;
};
Outputs outputs(std::size_t d, double base, double t) {
  Outputs out;
  const auto turned = [&](double omega, double x, double y) {
    const double angle = float32(omega * t), c = bfloat16(std::cos(angle)), s = bfloat16(std::sin(angle));
    return std::pair{bfloat16(bfloat16(x * c) - bfloat16(y * s)),
                     bfloat16(bfloat16(y * c) + bfloat16(x * s))};
  };
  const std::vector<double> omega = frequencies_in_float32(d, base);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(d), y = x + 0.5;
    const auto [a, b] = turned(omega[i], x, y);
    const auto [c, e] = turned(bfloat16(omega[i]), x, y);
    for (const double off : {std::abs(a - c), std::abs(b - e)}) {
      out.different += off != 0;
      out.largest = std::max(out.largest, bfloat16(off));
    }
  }
  return out;
}

/// Largest difference of a cosine table in float16 throughout from one in float32.
double cosine_difference(std::size_t d, double base, std::size_t length) {
  double largest = 0;
  for (const double omega : frequencies_in_float32(d, base))
    for (std::size_t t = 0; t < length; ++t) {
      const double wide = float32(omega * static_cast<double>(t)),
                   narrow = float16(float16(omega) * float16(static_cast<double>(t)));
      largest = std::max(largest, std::abs(float32(std::cos(wide)) - float16(std::cos(narrow))));
    }
  return largest;
}

/// Different rows of 512 positions when the rotated vectors alone are in float16.
double different_vectors(std::size_t first) {
  const RoundedScores scores("rope", 128, usual_base, roundings(Step::vectors, Format::float16));
  return static_cast<double>(different_rows(scores.keys(first, 512)));
}

}  // namespace

std::string ThreadNumber::met() const {
  if (std::isnan(claimed)) return "";
  return std::abs(here - claimed) < last_digit ? "yes" : "no";
}

std::vector<ThreadNumber> thread_numbers(double table_error) {
  const std::string hub = "https://github.com/", transformers = hub + "huggingface/transformers/pull/",
                    candle = hub + "huggingface/candle/pull/3520",
                    diffusers = hub + "huggingface/diffusers/issues/13920",
                    sglang = hub + "sgl-project/sglang-jax/issues/1472",
                    mlx = hub + "ml-explore/mlx-lm/pull/1076", neox = hub + "EleutherAI/gpt-neox/issues/1003",
                    modalities = hub + "Modalities/modalities/pull/462";
  constexpr Format bf16 = Format::bfloat16, f16 = Format::float16;
  constexpr double none = NAN;
  const std::vector<double> omega = frequencies_in_float32(32, usual_base);
  const Outputs of_sglang = outputs(128, 1e6, 4095);
  return {
      {transformers + "29285",
       "different values of the positions below 8,192 in bfloat16 (shown as a picture)", none, 1,
       different(bf16, 0, 8192), "position"},
      {transformers + "29285", "the same in float16, whose loss is shown to be unharmed (8,192: all apart)",
       8192, 1, different(f16, 0, 8192), "position"},
      {transformers + "48450", "last position up to which TF32 holds each", 2048, 1,
       largest_exact_integer(Format::tf32), "position"},
      {candle, "spacing of bfloat16 at position 15,962", 16, 1, spacing(bf16, 15962), "position"},
      {candle, "cosine of 15,962", -0.547, 1e-3, std::cos(15962.0), "position"},
      {candle, "cosine of 15,968, said to be its neighbour in bfloat16", -0.882, 1e-3, std::cos(15968.0),
       "position"},
      {candle, "cosine of what 15,962 becomes in bfloat16", -0.882, 1e-3, std::cos(bfloat16(15962)),
       "position"},
      {diffusers, "spacing of bfloat16 at position 65,536", 512, 1, spacing(bf16, 65536), "position"},
      {diffusers, "different values of the 512 positions from 65,536 on in bfloat16", 1, 1,
       different(bf16, 65536, 512), "position"},
      {diffusers, "largest spacing of bfloat16 at positions from 1,024 to 2,047", 16, 1, spacing(bf16, 2047),
       "position"},
      {hub + "huggingface/diffusers/pull/13922",
       "first position after 65,536 that becomes another number in bfloat16", 66048, 1,
       next_to_differ(bf16, 65536), "position"},
      {sglang,
       "outputs of 128 at position 4,095 that change (base and input guessed: T = 1,000,000, entries i/128)",
       72, 1, of_sglang.different, "inverse frequencies"},
      {sglang, "the largest change", 0.828125, 1e-6, of_sglang.largest, "inverse frequencies"},
      {mlx,
       "different vectors of 512 positions from 262,144 on, rotated vectors in float16, said to be equal", 1,
       1, different_vectors(262'144), "not the rotated vectors"},
      {mlx, "spacing of float16 at 1", 6e-8, 1e-8, spacing(f16, 1), "not the rotated vectors"},
      {hub + "KellerJordan/modded-nanogpt/issues/39",
       "largest error of a score over |q||k| with a table in bfloat16, to position 8,192 (a loss is given)",
       none, 1, table_error, "table"},
      {hub + "nkalyanv99/UNI-D2/pull/6", "last position up to which bfloat16 holds each", 256, 1,
       largest_exact_integer(bf16), "position"},
      {modalities, "farthest phase in radians to position 511, frequencies in bfloat16", 0.62, 1e-2,
       phase_error(128, usual_base, 512), "inverse frequencies"},
      {modalities, "the same to 2,047", 2.5, 0.1, phase_error(128, usual_base, 2048), "inverse frequencies"},
      {modalities, "the same to 4,095", 3.14, 1e-2, phase_error(128, usual_base, 4096),
       "inverse frequencies"},
      {neox, "angle of position 1,857 at the second frequency of 16, float32", 1044.2678, 1e-4,
       float32(omega[1] * 1857), "angle"},
      {neox, "the same in float16", 1045, 1, float16(float16(omega[1]) * 1857), "angle"},
      {neox, "largest change of a cosine to position 2,047, all in float16", 0.7819, 1e-4,
       cosine_difference(32, usual_base, 2048), "angle"}};
}

}  // namespace perp::distance
