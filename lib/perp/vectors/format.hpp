#pragma once
// Short number formats, imitated in double: what a table of positions looks like after it was stored in one.
// IEEE 754-2019 binary16 and binary32; bfloat16 is binary32 with its last 16 bits left off, TF32 with its
// last 13: not a format that is stored, but what tensor cores make of the inputs of a product in float32.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

enum class Format { float64, float32, bfloat16, float16, tf32 };
std::string_view to_text(Format format);
/// Throws Error for a name that `to_text` never gives.
Format format_from(std::string_view text);

/// u: the largest relative error of rounding to nearest, 2⁻⁵³, 2⁻²⁴, 2⁻⁸, 2⁻¹¹, 2⁻¹¹. It holds from the
/// smallest normal number up; below, the error is at most u times that number.
double unit_roundoff(Format format);

/// Largest finite number (65504 for float16).
double largest_finite(Format format);

/// The format's number nearest to x, ties to even; gradual underflow; infinite from halfway beyond
/// `largest_finite`. Keeps NaN, infinities and the sign of zero. (float32 from double is one rounding; so are
/// the shorter ones here, not two.)
double round_to(Format format, double x);
/// The same for each of them, in place.
void round_to(Format format, std::span<double> values);

/// positions.size() x d, interleaved (sin, cos): the sinusoid as arithmetic in short formats makes it.
///   ω_i, t and their product are each rounded to `angle`: what a rotary or sinusoidal layer does that holds
///   its frequencies and positions in the model's own type;
///   sine and cosine of that angle are taken in float64 and rounded to `table`.
/// Rounding ω_i alone leaves a kernel of the lag alone, of other frequencies; rounding t (exact up to
/// 1/u) and the product does not. With both float64 this is `sinusoidal` up to
/// the roundings its docstring states. A position that overflows `angle` (float16 ends at 65519) makes NaN.
Matrix<double> sinusoidal_in_format(std::span<const std::uint64_t> positions, std::size_t d, double base,
                                    Format table, Format angle);
/// g(k) = p_t·p_s, s - t = k, for k = 0 … side² - 1, each lag from one pair of rows of the table in float64:
/// product of the rows at positions side·(q+1) - 1 with those at side - 1 - r, q, r = 0 … side-1, whose
/// distance is side·q + r. Claim D1 says that any other pair would have done. 2·side rows are held, and the
/// products.
std::vector<double> kernel_of_table(std::size_t d, double base, std::size_t side);

/// g(0) … g(lags-1) of the frequencies (usual base) as the format holds them, summed beyond float64, so that
/// a deviation from it is the table's.
std::vector<double> kernel_of_format(std::size_t d, Format angle, std::size_t lags);

}  // namespace perp
