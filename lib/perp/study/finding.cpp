#include "perp/study/finding.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "perp/base/error.hpp"

namespace perp {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 4> kinds{
    {{Kind::exact, "exact"}, {Kind::count, "count"}, {Kind::rounded, "rounded"}, {Kind::sampled, "sampled"}}};

std::string id_part(const std::string& given) {
  std::string text = given;
  for (char& c : text) {
    if (c == '.') c = 'p';
    if (c == '-') c = 'm';
    require((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_',
            "finding id part '{}' holds '{}'; expected a-z, 0-9 and _", given, c);
  }
  return text;
}

}  // namespace

Finding::Finding(std::string id_, Coordinates at_, double value_, std::optional<double> low_,
                 std::optional<double> high_, std::optional<double> level_, std::optional<double> theory_,
                 std::string_view unit_, std::uint64_t n_, Kind kind_, std::string_view meaning_)
    : id(std::move(id_)),
      at(std::move(at_)),
      value(value_),
      low(low_),
      high(high_),
      level(level_),
      theory(theory_),
      unit(unit_),
      n(n_),
      kind(kind_),
      meaning(meaning_) {}

std::string_view to_text(Kind kind) {
  return std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first)->second;
}

Kind kind_from(std::string_view text) {
  const auto entry = std::ranges::find(kinds, text, &decltype(kinds)::value_type::second);
  require(entry != kinds.end(), "kind '{}' is none of exact, count, rounded, sampled", text);
  return entry->first;
}

std::string finding_id(std::string_view claim, std::string_view measure, const Coordinates& at) {
  std::string id = fmt::format("{}.{}", claim, id_part(std::string(measure)));
  for (const auto& [key, value] : at) {
    const bool is_text = std::holds_alternative<std::string>(value);
    id += fmt::format(".{}{}", is_text ? "" : id_part(key), id_part(to_text(value)));
  }
  return id;
}

Finding finding(std::string_view claim, std::string_view measure, const Coordinates& at,
                const Estimate& estimate, const About& about) {
  std::string id = finding_id(claim, measure, at);
  require(about.n || about.kind != Kind::sampled, "finding {} is sampled and does not say of how many (n)",
          id);
  Finding made{std::move(id),
               at,
               estimate.value,
               estimate.low,
               estimate.high,
               estimate.level,
               about.theory && std::isnan(*about.theory) ? std::nullopt : about.theory,
               about.unit,
               about.n.value_or(1),
               about.kind,
               about.meaning};
  made.spread = estimate.spread;
  return made;
}

Estimate estimated(double value, const Spread& spread) {
  const Interval interval = interval_at(value, spread, shown_level);
  return {value, interval.low, interval.high, interval.level, spread};
}

Estimate estimated(const Moments& moments) { return estimated(moments.mean, spread_of(moments)); }

Estimate mean_estimate(const Moments& moments) {
  return moments.count < 2 ? Estimate{moments.mean} : estimated(moments);
}

Estimate estimated(std::span<const double> values) {
  MomentSums sums;
  for (const double value : values) sums.add(value);
  return mean_estimate(sums.moments());
}

std::string sentence(std::string words) {
  if (words.empty()) return words;
  const std::string_view first = std::string_view(words).substr(0, words.find(' '));
  if (std::ranges::all_of(first, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }))
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  if (words.back() != '.') words += '.';
  return words;
}

const Finding* find(const std::vector<Finding>& findings, std::string_view id) {
  const auto it = std::ranges::find(findings, id, &Finding::id);
  return it == findings.end() ? nullptr : &*it;
}

}  // namespace perp
