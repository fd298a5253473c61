#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "perp/io/text.hpp"
#include "studies/inspect/opening.hpp"

namespace perp::inspect {
namespace {

/// The exponent of pair i of n, of d dimensions: ω = T^-e; cosine: 0 of the sine, 1 of the cosine.
struct FrequencyRule {
  const char* words;
  double (*exponent)(double i, double n, double d, double cosine);
};
constexpr FrequencyRule frequency_rules[] = {
    {"exponents 2i/d, the paper's", [](double i, double, double d, double) { return 2 * i / d; }},
    {"exponents i/(d/2 − 1), tensor2tensor's",
     [](double i, double n, double, double) { return i / (n - 1); }},
    {"exponents 4i/d for the sine and (4i + 2)/d for the cosine, a slip: an index that counts by two doubled "
     "again",
     [](double i, double, double d, double cosine) { return (4 * i + 2 * cosine) / d; }},
    {"exponents 2i/d for the sine and (2i + 1)/d for the cosine, a slip: each column its own frequency",
     [](double i, double, double d, double cosine) { return (2 * i + cosine) / d; }},
};

struct Order {
  const char* words;
  bool is_split, is_cosine_first;
};
constexpr Order orders[] = {{"interleaved", false, false},
                            {"half-split", true, false},
                            {"interleaved, cosines first", false, true},
                            {"half-split, cosines first", true, true}};

/// A table in one order of its columns.
class OrderedTable {
 public:
  OrderedTable(const Matrix<double>& rows, const Order& order) : rows_(rows), order_(order) {}
  std::size_t length() const { return rows_.shape(0); }
  double dim() const { return double(rows_.shape(1)); }
  std::size_t pairs() const { return (rows_.shape(1) + 1) / 2; }
  /// Nothing for the cosine that an odd d lacks.
  std::optional<double> at(std::size_t t, std::size_t pair, bool is_cosine) const {
    const std::size_t second = is_cosine != order_.is_cosine_first ? 1 : 0;
    const std::size_t column = order_.is_split ? pair + second * pairs() : 2 * pair + second;
    return column < rows_.shape(1) ? std::optional(rows_(t, column)) : std::nullopt;
  }

 private:
  const Matrix<double>& rows_;
  const Order& order_;
};

/// To two digits where that is within 1 %: bases are typed by hand.
double rounded(double base) {
  const double unit = std::pow(10, std::floor(std::log10(base)) - 1), near = std::round(base / unit) * unit;
  return std::abs(near / base - 1) < 0.01 ? near : base;
}

/// The base from a pair of middle speed, whose angle from one position to the next says it; nothing where there is none.
std::optional<double> base_of(const OrderedTable& table, const FrequencyRule& rule, double first,
                              double amplitude) {
  const double n = double(table.pairs());
  for (std::size_t pair = std::max<std::size_t>(table.pairs() / 3, 1); pair + 1 < table.pairs(); ++pair) {
    const double exponent = rule.exponent(double(pair), n, table.dim(), 0);
    const std::size_t t = first >= 1 ? 0 : 1;
    const double sine = *table.at(t, pair, false) / amplitude;
    if (!(sine > 0 && sine < 0.9) || exponent <= 0) continue;
    const double base = std::pow(std::asin(sine) / (first + double(t)), -1 / exponent);
    if (base > 1 && std::isfinite(base)) return rounded(base);
  }
  return std::nullopt;
}

double largest_difference(const OrderedTable& table, const FrequencyRule& rule, const Sinusoid& of) {
  double off = 0;
  for (std::size_t pair = 0; pair < table.pairs() && off <= sinusoid_tolerance; ++pair)
    for (const bool is_cosine : {false, true}) {
      const double omega =
          std::pow(of.base, -rule.exponent(double(pair), double(table.pairs()), table.dim(), is_cosine));
      for (std::size_t t = 0; t < table.length(); ++t) {
        const std::optional<double> value = table.at(t, pair, is_cosine);
        const double angle = omega * (of.first_position + double(t));
        if (value)
          off = std::max(off,
                         std::abs(*value / of.amplitude - (is_cosine ? std::cos(angle) : std::sin(angle))));
      }
    }
  return off;
}

/// The nearer one; of two that are equally near (100^2e = 10,000^e) that of the usual base.
bool is_likelier(const Sinusoid& found, const Sinusoid& best) {
  constexpr double equally = 1e-3, usual = 10000;
  if (std::abs(found.off - best.off) > equally) return found.off < best.off;
  return found.base == usual && best.base != usual;
}

}  // namespace

std::optional<Sinusoid> sinusoid_of(const Matrix<double>& positions) {
  if (positions.shape(0) < 3 || positions.shape(1) < 4) return std::nullopt;
  std::optional<Sinusoid> best;
  for (const Order& order : orders) {
    const OrderedTable table(positions, order);
    // The first pair turns by one radian a position in every rule but where its cosine is off.
    const double sine = *table.at(0, 0, false), cosine = *table.at(0, 0, true),
                 amplitude = std::hypot(sine, cosine);
    const double first =
        std::round(std::fmod(std::atan2(sine, cosine) + 2 * std::numbers::pi, 2 * std::numbers::pi));
    if (!(amplitude > 0) || !std::isfinite(amplitude) || first > 6) continue;
    for (const FrequencyRule& rule : frequency_rules) {
      const std::optional<double> base = base_of(table, rule, first, amplitude);
      if (!base) continue;
      Sinusoid found{*base, order.words, rule.words, first, amplitude, 0};
      found.off = largest_difference(table, rule, found);
      if (found.off <= sinusoid_tolerance && (!best || is_likelier(found, *best))) best = found;
    }
  }
  return best;
}

std::string sinusoid_text(const std::optional<Sinusoid>& sinusoid) {
  if (!sinusoid) return "The positions are no sinusoid.";
  return fmt::format(
      "The positions are the sinusoid of base {:.6g}, {}, {}{}{}; off by {:.1e} at most.", sinusoid->base,
      sinusoid->layout, sinusoid->rule,
      sinusoid->first_position > 0 ? fmt::format(", from position {:.0f} on", sinusoid->first_position) : "",
      std::abs(sinusoid->amplitude - 1) > sinusoid_tolerance
          ? fmt::format(", times {:.4g}", sinusoid->amplitude)
          : "",
      sinusoid->off);
}

std::string sinusoid_json(const std::optional<Sinusoid>& sinusoid) {
  if (!sinusoid) return "null";
  return fmt::format(R"({{"base":{},"layout":"{}","rule":"{}","first_position":{},"amplitude":{},"off":{}}})",
                     shortest(sinusoid->base), sinusoid->layout, sinusoid->rule,
                     shortest(sinusoid->first_position), shortest(sinusoid->amplitude),
                     shortest(sinusoid->off));
}

}  // namespace perp::inspect
