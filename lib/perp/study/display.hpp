#pragma once
// What a reader sees in place of an identifier: data files and findings keep "copy2", pages and figures say
// "copy two before".

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perp {

struct DisplayName {
  std::string column;      ///< the one column of tables in which it holds; "" for any but "model"
  std::string identifier;  ///< as a cell of a CSV file holds it, a code such as "0" too
  std::string shown;
};

/// All of them (display_names.csv); of an identifier those of one column come before that of any.
std::span<const DisplayName> display_names();

/// What is shown for the identifier in that column; without an entry the identifier.
std::string display_name(std::string_view identifier, std::string_view column = "");

// Numbers as people read them: "0.0442", "20,000", "3.1·10⁻¹⁴", "62.0%", "89.9°".

/// `value` by a format of the templates: ".3f" ".2e" ".4g" as in fmt, "d" for an integer (grouped from 10,000
/// on), ".1%" for a share, ".1deg" for a cosine as its angle, a '+' in front for the sign; "" chooses "d" for
/// integers and ".4g" for the rest. Throws Error for another format, for NaN or infinity, and for a value
/// that the format cannot show ("d" of a fraction, "deg" of 2).
std::string format_number(double value, std::string_view format = "");

/// A level as people say it, with as many digits as it has: "95%", "99.9%".
std::string format_level(double level);

/// How many draws are behind an interval, and its level; n = 0: not known.
struct Draws {
  std::uint64_t n = 0;
  double level = 0;
};

/// "[0.97, 0.99]", or "" unless both ends are there. Draws that are all alike leave no interval, but do not
/// show that all are: "(the same in all 144; at 99% fewer than 3.2% can differ)", by (1 - 0.032)^144 = 0.01;
/// "(no spread)" where nobody says how many they are.
std::string format_interval(const std::optional<double>& low, const std::optional<double>& high,
                            std::string_view format = "", const Draws& draws = {});

/// "1.000 [0.987, 1.013]": all three with `format`, and more decimals where it would show both ends alike, or
/// with as many decimals as leave the interval's width two digits; the value alone where there is no
/// interval.
std::string format_with_interval(double value, const std::optional<double>& low,
                                 const std::optional<double>& high, std::string_view format = "",
                                 const Draws& draws = {});

/// A sentence as it is printed: true minus signs before negative numbers, "(-0.2 of" -> "(−0.2 of", and
/// powers of ten, "7e-16" -> "7·10⁻¹⁶", "0.0e+00" -> "0". A hyphen after a letter, a digit or another hyphen
/// stays.
std::string with_minus_signs(std::string_view text);

}  // namespace perp
