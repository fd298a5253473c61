#pragma once
// What a study found: one number with its interval, its theory or chance level, its n, its place and its
// meaning.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perp/statistics/spread.hpp"

namespace perp {

// ---- the plain values that travel from cells to tables, findings and files

/// An integer, a real number (NaN: absent) or a text.
class Value : public std::variant<std::int64_t, double, std::string> {
 public:
  Value() = default;
  Value(int integer);
  Value(std::int64_t integer);
  Value(double real);
  Value(const char* text);
  Value(const std::string& text);
  Value(std::string&& text);
};

struct Coordinate {
  std::string name;
  Value value;

  Coordinate(std::string_view name, int integer);
  Coordinate(std::string_view name, std::int64_t integer);
  Coordinate(std::string_view name, double real);
  Coordinate(std::string_view name, const char* text);
  Coordinate(std::string_view name, const std::string& text);
  Coordinate(std::string_view name, const Value& value);
  bool operator==(const Coordinate&) const;
};

/// Named values in a fixed order: a cell's coordinates, a finding's place.
using Coordinates = std::vector<Coordinate>;

/// A size or count as a value.
inline Value whole(std::size_t count) { return static_cast<std::int64_t>(count); }

/// Shortest text that reads back as the same value; '.' is the decimal point in every locale; NaN is "".
std::string to_text(const Value& value);

/// Back from text: an integer or a real number if it is written so, "" absent, anything else a text.
Value value_from(const std::string& text);

/// The value as a real number. Throws Error for a text.
double to_number(const Value& value);

/// The coordinate called `name`. Throws Error naming those there are.
const Value& at(const Coordinates& coordinates, std::string_view name);

/// "d=512 family=gaussian": a cell's name in messages, in the stream's key and in the cell store. Different
/// coordinates have different names; a '=' or '\\' in a value gets a '\\' before it.
std::string to_text(const Coordinates& coordinates);

// ---- findings

/// How a number may move between two runs, and so how `make verify` compares it.
enum class Kind {
  exact,    ///< the same in every run: integers, identities
  count,    ///< an integer that rounding may move by one
  rounded,  ///< a real number that moves with rounding only
  sampled   ///< moves with the random draws
};
std::string_view to_text(Kind kind);
Kind kind_from(std::string_view text);

struct Finding {
  std::string id;  ///< claim.measure[.key value]…, for example O4.largest_cosine.d512.k64.r128
  Coordinates at;
  double value = 0;
  std::optional<double> low, high, level;  ///< interval and its level; absent where there is none
  std::optional<double> theory;            ///< theory line or chance level
  std::string unit;                        ///< "1" for a pure number
  std::uint64_t n = 1;                     ///< observations behind the value
  Kind kind = Kind::exact;
  std::string meaning;           ///< the definition, in a sentence without a number that was measured
  std::optional<Spread> spread;  ///< what gives the interval at any level; a rule needs it of every interval

  Finding() = default;
  Finding(std::string id, Coordinates at, double value, std::optional<double> low, std::optional<double> high,
          std::optional<double> level, std::optional<double> theory, std::string_view unit, std::uint64_t n,
          Kind kind, std::string_view meaning);
};

/// "O4.largest_cosine.d512.k64.r128" from its parts; '.' in a value becomes 'p', '-' becomes 'm', and a text
/// value stands alone ("O2.spread.gaussian"). Throws Error for characters outside [a-z0-9_] after the claim.
std::string finding_id(std::string_view claim, std::string_view measure, const Coordinates& at = {});

/// A number with its interval, if it has one.
struct Estimate {
  double value = 0;
  std::optional<double> low = {}, high = {}, level = {};
  std::optional<Spread> spread = {};
};

/// The level of intervals that are shown; rules judge by wider ones (judge.hpp).
inline constexpr double shown_level = 0.99;

/// A value with its interval at shown_level.
Estimate estimated(double value, const Spread& spread);
/// A mean with Student's interval. Throws Error below two values.
Estimate estimated(const Moments& moments);
/// The same from one value on: a single one has no interval.
Estimate mean_estimate(const Moments& moments);
/// Mean over replicates, likewise; values are added one by one (MomentSums::add of a whole span rounds
/// otherwise in the last bits). Throws Error for none.
Estimate estimated(std::span<const double> values);

/// What a finding says besides its place and its number; each has a usual value and is given by name. Texts
/// are looked at only: made in the call of `finding` they live long enough.
struct About {
  std::optional<double> theory = {};  ///< none where it is NaN
  std::string_view unit = "1";
  std::optional<std::uint64_t> n = {};  ///< a sampled number has to say it, others are of one
  Kind kind = Kind::exact;
  std::string_view meaning;
};

/// The finding `claim.measure.at`; throws Error for a sampled one without n:
///   finding("A1", "recovered", {{"d", 512}}, {share, low, high, level}, {.theory = p, .n = trials,
///           .kind = Kind::sampled, .meaning = "Share of words found again."})
Finding finding(std::string_view claim, std::string_view measure, const Coordinates& at,
                const Estimate& estimate, const About& about);

/// "share of the pairs" -> "Share of the pairs."; a name such as r99_share stays as it is.
std::string sentence(std::string words);

/// The finding called `id`, or nullptr.
const Finding* find(const std::vector<Finding>& findings, std::string_view id);

}  // namespace perp
