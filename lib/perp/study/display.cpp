#include "perp/study/display.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/csv.hpp"

namespace perp {

extern const char* const display_names_csv;

namespace {

/// display_names.csv, built in.
const std::vector<DisplayName>& names() {
  static const std::vector<DisplayName> all = [] {
    std::vector<DisplayName> read;
    for (std::vector<std::string>& row : parse_csv(display_names_csv, "display_names.csv").rows)
      read.push_back({std::move(row[0]), std::move(row[1]), std::move(row[2])});
    return read;
  }();
  return all;
}

}  // namespace

std::span<const DisplayName> display_names() { return names(); }

std::string display_name(std::string_view identifier, std::string_view column) {
  const auto found = std::ranges::find_if(names(), [&](const DisplayName& name) {
    return name.identifier == identifier &&
           (name.column == column || (name.column.empty() && column != "model"));
  });
  return found == names().end() ? std::string(identifier) : found->shown;
}

namespace {

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

struct Format {
  bool sign = false;
  std::string precision;  ///< ".3" or ""
  std::string type;       ///< f, e, g, d, % or deg
};

Format parse(std::string_view text) {
  std::string_view rest = text;
  const auto take = [&](std::string_view head) {
    const bool starts = rest.starts_with(head);
    if (starts) rest.remove_prefix(head.size());
    return starts;
  };
  Format format;
  format.sign = take("+");
  if (rest.starts_with(".")) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    format.precision = rest.substr(0, digits);
    rest.remove_prefix(digits);
  }
  format.type = rest;
  constexpr std::array<std::string_view, 6> types{"f", "e", "g", "d", "%", "deg"};
  const bool known = std::ranges::find(types, rest) != types.end() && format.precision.size() != 1 &&
                     format.precision.size() <= 3 && !(rest == "d" && !format.precision.empty());
  require(known, "format '{}' is not one of .3f .3e .3g d .1% .1deg, or these behind a '+'", text);
  return format;
}

std::string real(double value, char type, const Format& format) {
  const std::string digits = format.precision.empty() ? ".4" : format.precision;
  return fmt::format(fmt::runtime(fmt::format("{{:{}{}{}}}", format.sign ? "+" : "", digits, type)), value);
}

std::string grouped(double value, const Format& format) {
  require(value == std::floor(value) && std::abs(value) < largest_exact_integer,
          "format 'd' shows integers and the value is {}", value);
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  std::string text = value < 0 ? "-" : format.sign ? "+" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && digits.size() > 4 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string superscript(std::string_view natural) {
  static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : natural) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// "3.1e-14" -> "3.1·10⁻¹⁴", "1.5e+00" -> "1.5", and a true minus sign.
std::string typeset(std::string text) {
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    std::string exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
    const std::string mantissa = text.substr(0, e);
    const bool zero = mantissa.find_first_not_of("-0.") == std::string::npos;
    if (exponent == "0") return zero ? "0" : typeset(mantissa);
    text = fmt::format("{}10{}{}", mantissa == "1" ? "" : fmt::format("{}·", mantissa), negative ? "⁻" : "",
                       superscript(exponent));
  }
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace

std::string format_number(double value, std::string_view format) {
  require(std::isfinite(value), "the value is {}, a number was expected", value);
  const bool integer = value == std::floor(value) && std::abs(value) < largest_exact_integer;
  const Format parsed = parse(!format.empty() ? format : integer ? "d" : ".4g");
  if (parsed.type == "d") return typeset(grouped(value, parsed));
  if (parsed.type == "%") return typeset(real(100 * value, 'f', parsed)) + "%";
  if (parsed.type == "deg") {
    require(std::abs(value) <= 1 + 1e-9, "format 'deg' shows a cosine as its angle and the value is {}",
            value);
    const double cosine = std::min(1.0, std::max(-1.0, value));
    return typeset(real(std::acos(cosine) * 180 / std::numbers::pi, 'f', parsed)) + "°";
  }
  return typeset(real(value, parsed.type.front(), parsed));
}

std::string format_level(double level) { return fmt::format("{:.6g}%", 100 * level); }

std::string format_interval(const std::optional<double>& low, const std::optional<double>& high,
                            std::string_view format, const Draws& draws) {
  if (!low || !high) return "";
  if (*low < *high) return fmt::format("[{}, {}]", format_number(*low, format), format_number(*high, format));
  if (draws.n < 2) return "(no spread)";
  const double differ = 1 - std::pow(1 - draws.level, 1 / static_cast<double>(draws.n));
  return fmt::format("(the same in all {}; at {} fewer than {} can differ)",
                     format_number(static_cast<double>(draws.n)), format_level(draws.level),
                     format_number(std::ceil(1000 * differ) / 1000, ".1%"));
}

std::string format_with_interval(double value, const std::optional<double>& low,
                                 const std::optional<double>& high, std::string_view format,
                                 const Draws& draws) {
  if (!low || !high) return format_number(value, format);
  const double half = (*high - *low) / 2;
  std::string chosen(format);
  if (chosen.empty() && half > 0 && half < 1e6) {
    const int decimals = 1 - static_cast<int>(std::floor(std::log10(half)));
    chosen = decimals > 6 ? ".4g" : fmt::format(".{}f", std::max(decimals, 0));
  }
  if (const std::size_t digit = chosen.find('.') + 1; half > 0 && digit > 0)
    while (format_number(*low, chosen) == format_number(*high, chosen)) {
      if (chosen[digit] >= '6') return format_with_interval(value, value, value, format, draws);
      ++chosen[digit];
    }
  return fmt::format("{} {}", format_number(value, chosen), format_interval(low, high, chosen, draws));
}

std::string with_minus_signs(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(' || text[i - 1] == '[';
    if (text[i] == '-' && starts && digit(i + 1)) {
      out += "−";
    } else if (text[i] == 'e' && i > 0 && digit(i - 1) && i + 1 < text.size() &&
               (text[i + 1] == '-' || text[i + 1] == '+') && digit(i + 2)) {
      std::size_t end = i + 2;
      while (digit(end)) ++end;
      std::string_view exponent = text.substr(i + 2, end - i - 2);
      exponent.remove_prefix(std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
      if (exponent == "0") {  // the mantissa alone, of which nought has no decimals
        const std::size_t zeros = out.find_last_not_of("0.") + 1;
        if (zeros == 0 || out[zeros - 1] < '0' || out[zeros - 1] > '9') out.replace(zeros, out.npos, "0");
      } else {
        out += fmt::format("·10{}{}", text[i + 1] == '-' ? "⁻" : "", superscript(exponent));
      }
      i = end - 1;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace perp
