#pragma once
// Word vectors drawn at random: the families that stand in for an embedding table.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"

namespace perp {

/// Laws of one word vector x in R^d; each has E‖x‖² = d except `sphere`, which has ‖x‖ = 1, and `uniform`,
/// d/3.
enum class Family {
  gaussian,    ///< iid N(0, 1) entries
  sphere,      ///< uniform on the unit sphere: the direction of a Gaussian word
  uniform,     ///< iid uniform on [-1, 1]: entries of at most 1 in size, as people picture an embedding
  rademacher,  ///< iid ±1
  anisotropic  ///< a mean common to all words and a decaying spectrum, as learned tables have
};
inline constexpr std::array<Family, 5> families{Family::gaussian, Family::sphere, Family::uniform,
                                                Family::rademacher, Family::anisotropic};
std::string_view to_text(Family family);
Family family_from(std::string_view text);

/// Whether directions are uniform on the sphere, so that the law of a cosine is exact.
bool is_spherical(Family family);

/// Anisotropic words: share of the mean power that is common to all words, and the exponent of the spectrum
/// λ_i ∝ i^-exponent of the rest. Chosen by eye to look like learned tables, not fitted to one.
inline constexpr double anisotropic_mean_share = 0.1, anisotropic_exponent = 0.5;

/// words: count x d, row i depends on the stream and i alone. The anisotropic family lies along the axes
/// (mean along the all-ones direction); see `random_rotation` where axes matter.
Matrix<float> draw_words(Family family, std::size_t count, std::size_t d, const Stream& stream);

/// A Haar-distributed rotation (or reflection) of R^d, d x d: orthonormal rows of a Gaussian matrix, signs
/// fixed (Mezzadri 2007, "How to generate random matrices from the classical compact groups").
Matrix<float> random_rotation(std::size_t d, const Stream& stream);

/// Zipf's law (1935, The psycho-biology of language): chances ∝ 1/rank of `words` words, with sum 1.
std::vector<double> zipf_chances(std::size_t words);
/// Words of a text, `count` of them, each drawn on its own with these chances.
std::vector<std::uint32_t> drawn_text(std::size_t count, std::span<const double> chances,
                                      const Stream& stream);

}  // namespace perp
