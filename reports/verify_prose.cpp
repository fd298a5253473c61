#include "reports/verify_prose.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "reports/verify_rule.hpp"

namespace perp::report {
namespace {

struct Token {
  std::string text;
  std::size_t line = 1;
  bool number = false, whole = false;
  double value = 0, last_digit = 0;
};

constexpr std::string_view minus = "−", times_ten = "·10", superscript_minus = "⁻";
constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a text apart, word by word and number by number.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size())
      if (starts_number())
        take_number();
      else
        take_character();
    end_word();
  }
  std::vector<Token> list;

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char ahead(std::size_t by = 0) const { return at_ + by < text_.size() ? text_[at_ + by] : '\0'; }
  bool takes(std::string_view part) {
    const bool there = rest().starts_with(part);
    if (there) at_ += part.size();
    return there;
  }

  bool after_letter() const {
    const char before = word_.empty() ? ' ' : word_.back();
    return std::isalnum(static_cast<unsigned char>(before)) || before == '_' || before == '#';
  }
  std::size_t sign_length() const {
    if (after_letter()) return 0;
    return rest().starts_with(minus) ? minus.size() : ahead() == '-' || ahead() == '+' ? 1 : 0;
  }
  bool starts_number() const {
    const std::size_t sign = sign_length();
    return !after_letter() && (is_digit(ahead(sign)) || (ahead(sign) == '.' && is_digit(ahead(sign + 1))));
  }

  void take_character() {
    const char c = text_[at_++];
    if (c == ' ' || c == '\n')
      end_word();
    else
      word_ += c;
    if (c == '\n') ++line_;
  }
  void end_word() {
    if (!word_.empty()) list.push_back({word_, line_});
    word_.clear();
  }

  bool at_thousands() const {
    return ahead() == ',' && is_digit(ahead(1)) && is_digit(ahead(2)) && is_digit(ahead(3)) &&
           !is_digit(ahead(4));
  }
  /// e-16, ·10⁻¹⁶, or ⁻¹⁶ behind a 10.
  int take_exponent(bool& power_of_ten) {
    const bool letter = ahead() == 'e' &&
                        (is_digit(ahead(1)) || ((ahead(1) == '-' || ahead(1) == '+') && is_digit(ahead(2))));
    if (letter) {
      std::size_t used = 0;
      const int exponent = std::stoi(std::string(rest().substr(1, 5)), &used);
      at_ += 1 + used;
      return exponent;
    }
    if (!power_of_ten) takes(times_ten);
    const bool negative = takes(superscript_minus);
    int exponent = 0;
    bool any = false;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t digit = 0; digit < superscripts.size() && !more; ++digit)
        if (takes(superscripts[digit])) exponent = 10 * exponent + static_cast<int>(digit), more = any = true;
    }
    power_of_ten = power_of_ten && any;
    return negative ? -exponent : exponent;
  }

  void take_number() {
    end_word();
    const std::size_t from = at_;
    const bool negative = ahead() == '-' || rest().starts_with(minus);
    at_ += sign_length();
    std::string digits;
    int decimals = 0;
    for (; is_digit(ahead()) || at_thousands(); ++at_)
      if (is_digit(ahead())) digits += ahead();
    if (ahead() == '.' && is_digit(ahead(1)))
      for (++at_; is_digit(ahead()); ++at_, ++decimals) digits += ahead();
    bool power_of_ten = digits == "10" && decimals == 0;
    const int exponent = take_exponent(power_of_ten);
    const double mantissa = power_of_ten ? 1 : std::stod(digits) * std::pow(10, -decimals);
    Token token{std::string(text_.substr(from, at_ - from)), line_, true};
    token.value = (negative ? -1 : 1) * mantissa * std::pow(10, exponent);
    token.last_digit = std::pow(10, exponent - decimals);
    token.whole = token.last_digit == 1;
    list.push_back(std::move(token));
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
  std::string word_;
};

bool agree(const Token& a, const Token& b) {
  if (!a.number || !b.number) return a.text == b.text;
  const double distance = std::abs(a.value - b.value),
               larger = std::max(std::abs(a.value), std::abs(b.value));
  const double unit = std::min(a.last_digit, b.last_digit) * (1 + 1e-9);  // 0.3 less 0.2 is not 0.1
  const double relative = a.whole && b.whole ? tolerance::counted : tolerance::drawn;
  return distance <= std::max(unit, relative * larger) || larger <= tolerance::noise;
}

/// Whether a number counts rounding bounds, of which rounding may use one or none.
bool counts_bounds(const std::vector<Token>& tokens, std::size_t at) {
  return tokens[at].number && at + 2 < tokens.size() && tokens[at + 1].text == "rounding" &&
         tokens[at + 2].text.starts_with("bounds");
}

/// The word there and those around it.
std::string around(const std::vector<Token>& tokens, std::size_t at) {
  std::string text;
  for (std::size_t i = at < 3 ? 0 : at - 3; i < std::min(tokens.size(), at + 3); ++i)
    text += (text.empty() ? "" : " ") + tokens[i].text;
  return text;
}

}  // namespace

std::optional<Parting> parting(std::string_view published, std::string_view fresh) {
  const std::vector<Token> before = Tokens(published).list, now = Tokens(fresh).list;
  const std::size_t both = std::min(before.size(), now.size());
  std::size_t at = 0;
  const auto same = [&] {
    if (agree(before[at], now[at])) return true;
    return counts_bounds(before, at) && counts_bounds(now, at) &&
           std::abs(before[at].value - now[at].value) <= 1;
  };
  while (at < both && same()) ++at;
  if (at == before.size() && at == now.size()) return std::nullopt;
  const std::size_t line = at < before.size() ? before[at].line : before.empty() ? 1 : before.back().line;
  return Parting{line, around(before, at), around(now, at)};
}

}  // namespace perp::report
