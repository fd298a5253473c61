#pragma once
// Two texts that say the same in other digits: words must be equal, printed numbers may differ in what they
// do not promise. Sentences that a study writes (conditions) and whole reports are compared so.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perp::report {

/// Where two texts part: the line in the first, and the words there.
struct Parting {
  std::size_t line = 1;
  std::string published, fresh;
};

/// The first word or number that is not the same; nothing where the texts agree. A number is digits that no
/// letter stands before (so "d512" is a word), with thousands' commas, decimals, an exponent (e-16 or ·10⁻¹⁶)
/// and a sign. Two of them agree if they are apart by one unit of the last digit printed, by tolerance::drawn
/// of them (whole numbers: tolerance::counted), or if both are below tolerance::noise;
/// before the words "rounding bounds" by one.
std::optional<Parting> parting(std::string_view published, std::string_view fresh);

}  // namespace perp::report
