#include "reports/verify_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/base/special.hpp"
#include "perp/statistics/interval.hpp"

namespace perp::report {
namespace {

double larger(const Pair& pair) {
  return std::max({std::abs(pair.published.value), std::abs(pair.fresh.value)});
}

bool whole(double value) { return value == std::floor(value); }

double width(const Estimate& estimate) {
  return estimate.low && estimate.high ? *estimate.high - *estimate.low : 0;
}

double exact_bound(const Pair& pair) {
  if (whole(pair.published.value) && whole(pair.fresh.value)) return 0;
  return tolerance::closed_form * std::max(larger(pair), pair.scale);
}

double rounded_bound(const Pair& pair) {
  if (pair.unit == rounding_bounds || pair.unit == rounding_itself) return 1;
  const double magnified = pair.cutoff < 1 ? tolerance::magnified / pair.cutoff : 0;
  const double natural = pair.unit == cosine || pair.unit == standard_deviations ? 1 : 0;
  return tolerance::rounding * std::max(larger(pair), natural) + tolerance::noise + magnified;
}

double drawn_bound(const Pair& pair) {
  const double natural = pair.unit == standard_deviations || pair.unit == share ? 1 : 0;
  const double decision = pair.one_decision * (1 + tolerance::closed_form);
  return std::max({decision, pair.spread * tolerance::drawn * std::max({larger(pair), pair.scale, natural}),
                   tolerance::drawn_of_interval * std::max(width(pair.published), width(pair.fresh)),
                   tolerance::noise});
}

/// The bound and its name; nothing where the number is listed and not judged.
struct Bound {
  double allowed;
  const char* name;
};
std::optional<Bound> bound(const Pair& pair, Common common) {
  if (common == Common::bytes) return Bound{0, "the same bytes"};
  switch (pair.kind) {
    case Kind::exact:
      return Bound{exact_bound(pair), "exact"};
    case Kind::count:
      return Bound{std::max(1.0, tolerance::counted * larger(pair)), "count"};
    case Kind::rounded:
      if (pair.place) return std::nullopt;
      return Bound{rounded_bound(pair), "rounded"};
    case Kind::sampled:
      break;
  }
  if (common == Common::draws) return Bound{drawn_bound(pair), "the same draws"};
  const std::optional<double> before = standard_error(pair.published), now = standard_error(pair.fresh);
  if (!before || !now) return std::nullopt;
  return Bound{tolerance::standard_errors * std::hypot(*before, *now) + rounded_bound(pair),
               "six standard errors"};
}

}  // namespace

double tolerance::end_moves(double n, double level) {
  return n < 2 ? 1 : 1 + special::student_quantile_above(n - 1, (1 - level) / 2) / std::sqrt(n - 1);
}

double tolerance::end_of_share(double freedom, double level) {
  const double beyond = (1 - level) / 2;
  return 1 + (std::isfinite(freedom) ? special::student_quantile_above(freedom, beyond)
                                     : normal_quantile(1 - beyond));
}

std::optional<double> standard_error(const Estimate& estimate) {
  if (!estimate.low || !estimate.high || !estimate.level) return std::nullopt;
  if (width(estimate) <= 0) return std::nullopt;
  return width(estimate) / (2 * normal_quantile((1 + *estimate.level) / 2));
}

Judgement compare(const Pair& pair, Common common) {
  const double before = pair.published.value, now = pair.fresh.value;
  const bool absent_before = std::isnan(before), absent_now = std::isnan(now);
  if (before == now || (absent_before && absent_now)) return {Outcome::equal, ""};
  const std::optional<Bound> limit = bound(pair, common);
  if (!limit) return {Outcome::listed, pair.place ? "where an extreme lies" : "sampled, without an interval"};
  if (absent_before || absent_now) return {Outcome::failed, "measured in one of them only"};
  const double distance = std::abs(before - now);
  if (distance <= limit->allowed) return {Outcome::within, ""};
  return {Outcome::failed,
          fmt::format("{}: {:.2g} apart, {:.2g} allowed", limit->name, distance, limit->allowed)};
}

Judgement compare(Kind kind, const std::string& published, const std::string& fresh, Common common) {
  if (published == fresh) return {Outcome::equal, ""};
  if (common == Common::bytes) return {Outcome::failed, "the same bytes"};
  if (kind == Kind::exact) return {Outcome::failed, "exact"};
  return {Outcome::listed, chosen_text};
}

}  // namespace perp::report
