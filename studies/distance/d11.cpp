// D11: is bfloat16 precise enough for positions? One step of their computation rounded at a time, in the
// number formats that models run in, for the sinusoid and for RoPE. In words: d11.toml.

#include "studies/distance/d11.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// Errors at or above this share of g(0), or of ‖q‖‖k‖, are too large.
constexpr double too_far = 0.01;
constexpr std::size_t far_end = 1'000'000, window = 128;

constexpr std::string_view names[] = {
    "inverse_frequencies", "position", "angle", "table", "vectors", "scores", "all"};

/// What each step before the last of `steps` rounds.
constexpr Format Roundings::*rounded_in[] = {&Roundings::frequency, &Roundings::position, &Roundings::angle,
                                             &Roundings::table,     &Roundings::vector,   &Roundings::score};

/// Pairs of length 1 at irrational parts of a turn, in 8 significant bits.
std::vector<double> content_of(std::size_t d, double part_of_turn) {
  std::vector<double> content(d);
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double angle = 2 * std::numbers::pi * part_of_turn * static_cast<double>(i);
    content[2 * i] = round_to(Format::bfloat16, std::cos(angle));
    content[2 * i + 1] = round_to(Format::bfloat16, std::sin(angle));
  }
  return content;
}

/// Scores of consecutive queries with the keys up to `lags` - 1 before each, as shares of the whole.
class Scores {
 public:
  Scores(const RoundedScores& of, View<double> queries, View<double> keys, std::size_t first_query,
         std::size_t first_key)
      : of_(of), products_(product_nt(queries, keys)), first_query_(first_query), first_key_(first_key) {
    of_.round_scores({products_.data(), products_.size()});
  }

  std::size_t queries() const { return rows(products_); }
  std::size_t position(std::size_t row) const { return first_query_ + row; }
  std::size_t lags(std::size_t row) const { return std::min(position(row) + 1, RoundedScores::lags); }
  double score(std::size_t r, std::size_t lag) const {
    return products_(r, position(r) - lag - first_key_) / of_.whole();
  }
  double error(std::size_t row) const {
    double largest = 0;
    for (std::size_t k = 0; k < lags(row); ++k)
      largest = std::max(largest, std::abs(score(row, k) - of_.exact(k) / of_.whole()));
    return largest;
  }

 private:
  const RoundedScores& of_;
  Matrix<double> products_;
  std::size_t first_query_, first_key_;
};

std::size_t before(std::size_t first) { return first - std::min(first, RoundedScores::lags - 1); }

/// Position after position until one is too far off.
void try_every_position(const RoundedScores& scores, std::size_t dense, Precision& found) {
  const Matrix<double> keys = scores.keys(0, dense + 1);
  const Matrix<double> queries = scores.symmetric() ? Matrix<double>{} : scores.queries(0, dense + 1);
  for (std::size_t first = 0; first <= dense; first += window) {
    const std::size_t last = std::min(first + window, dense + 1), from = before(first);
    const Scores here(scores, block(scores.symmetric() ? keys : queries, first, last),
                      block(keys, from, last), first, from);
    for (std::size_t r = 0; r < here.queries(); ++r) {
      const double error = here.error(r);
      found.text_error = std::max(found.text_error, error);
      if (!(error >= too_far)) continue;
      found.first_bad = static_cast<double>(here.position(r));
      return;
    }
  }
}

/// The 128 positions that end here.
void try_place(const RoundedScores& scores, std::size_t last, Precision& found) {
  const std::size_t first = last + 1 - window, from = before(first), count = last + 1 - from;
  const Matrix<double> keys = scores.keys(from, count), queries = scores.queries(first, window);
  const Scores here(scores, queries, keys, first, from);
  double largest = 0;
  for (std::size_t r = 0; r < here.queries(); ++r) {
    const double error = here.error(r);
    if (error >= too_far && std::isnan(found.first_bad))
      found.first_bad = static_cast<double>(here.position(r));
    largest = std::max(largest, error);
  }
  if (last <= text_end) found.text_error = std::max(found.text_error, largest);
  found.far_error = std::max(found.far_error, largest);
}

}  // namespace

std::string_view to_text(Step step) { return names[static_cast<std::size_t>(step)]; }

Roundings roundings(Step step, Format format) {
  if (format == Format::tf32) {
    constexpr Format factor = Format::tf32, sum = Format::float32;
    if (step == Step::angle) return {.frequency = factor, .position = factor, .angle = sum};
    if (step == Step::scores) return {.factor = factor, .score = sum};
    if (step == Step::all) return {factor, factor, sum, sum, sum, factor, sum};
  }
  if (step == Step::all) return {format, format, format, format, format, format, format};
  Roundings to;
  to.*rounded_in[static_cast<std::size_t>(step)] = format;
  return to;
}

RoundedScores::RoundedScores(std::vector<double> omega, bool is_turned, const Roundings& to)
    : to_(to), omega_(std::move(omega)), exact_(lags), whole_(double(omega_.size())) {
  const std::size_t d = 2 * omega_.size();
  if (is_turned) content_ = {content_of(d, std::numbers::phi), content_of(d, std::numbers::sqrt2)};
  std::vector<double> dot(omega_.size(), 1.0), cross(omega_.size(), 0.0);
  if (const auto& [q, k] = content_; !q.empty()) {
    for (std::size_t i = 0; i < omega_.size(); ++i) {
      dot[i] = q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
      cross[i] = q[2 * i + 1] * k[2 * i] - q[2 * i] * k[2 * i + 1];
    }
    whole_ = std::sqrt(perp::dot(q, q)) * std::sqrt(perp::dot(k, k));
  }
  // The query is `lag` positions after the key: q·R(-ωk)k.
  for (std::size_t lag = 0; lag < lags; ++lag)
    for (std::size_t i = 0; i < omega_.size(); ++i) {
      const double angle = omega_[i] * static_cast<double>(lag);
      exact_[lag] += dot[i] * std::cos(angle) - cross[i] * std::sin(angle);
    }
  round_to(to_.frequency, omega_);
}

double RoundedScores::last_position() const {
  return std::min(largest_finite(to_.position), largest_finite(to_.angle));
}

Matrix<double> RoundedScores::rows(const std::vector<double>& content, std::size_t first,
                                   std::size_t count) const {
  Matrix<double> table = matrix<double>(count, 2 * omega_.size());
  std::vector<double> angles(omega_.size());
  for (std::size_t r = 0; r < count; ++r) {
    const double t = round_to(to_.position, static_cast<double>(first + r));
    for (std::size_t i = 0; i < omega_.size(); ++i) angles[i] = omega_[i] * t;
    round_to(to_.angle, angles);
    sines_and_cosines(angles, row(table, r).data());
  }
  round_to(to_.table, {table.data(), table.size()});
  if (!content.empty()) table = turned(content, std::move(table));
  round_to(to_.factor, {table.data(), table.size()});
  return table;
}

Matrix<double> RoundedScores::turned(const std::vector<double>& content, Matrix<double> table) const {
  for (std::size_t r = 0; r < perp::rows(table); ++r) {
    double* entry = row(table, r).data();
    for (std::size_t i = 0; i < content.size(); i += 2) {
      const double sine = entry[i], cosine = entry[i + 1], x = content[i], y = content[i + 1];
      entry[i] = x * cosine - y * sine;
      entry[i + 1] = x * sine + y * cosine;
    }
  }
  round_to(to_.vector, {table.data(), table.size()});
  return table;
}

Precision precision_of(const RoundedScores& scores, std::size_t dense) {
  Precision found{NAN, 0, 0};
  try_every_position(scores, dense, found);
  found.far_error = found.text_error;
  std::vector<std::size_t> places;
  for (std::size_t power = 512; power < far_end; power *= 2)
    places.push_back(power == text_end ? power : power + 1);
  places.push_back(far_end);
  for (const std::size_t last : places)
    if (static_cast<double>(last) <= scores.last_position()) try_place(scores, last, found);
  if (scores.last_position() < far_end) found.far_error = NAN;
  return found;
}

namespace {

/// Whether a bound says that no position can be bad: a rounded table and rounded vectors move a score by at
/// most 2u + u² of the whole, a rounded score by u.
bool cannot_fail(Step step, Format format) {
  const double u = unit_roundoff(format);
  return (step == Step::table || step == Step::vectors || step == Step::scores) && 2 * u + u * u < too_far;
}

/// Where rounding one step is expected to bring the first error of a hundredth; NaN: nowhere, or no formula.
/// The first position is not exact at 1/u + 1. An angle is off by .42 u ωt (root mean square), so a score by
/// .42 u t/√(d ln T) of the whole, and the largest of thousands is four times that: t = √(d ln T)/(168 u). A
/// frequency that is off shifts every lag alike, by .30 u k/√(d ln T), twice that before long: k = √(d ln
/// T)/(60 u), if that is a lag that is read.
double expected_first_bad(Step step, Format format, std::size_t d, double base) {
  const double u = unit_roundoff(format), size = std::sqrt(static_cast<double>(d) * std::log(base));
  if (step == Step::position) return 1 / u + 1;
  if (step == Step::angle && format != Format::tf32) return size / (168 * u);
  const double lag = size / (60 * u);
  return step == Step::inverse_frequencies && lag < RoundedScores::lags ? lag : NAN;
}

void fold(const Frames& measured, Out& out) {
  for (const Row& at : measured["trial"]) {
    const Step step = steps[std::ranges::find(names, at.text("step")) - names];
    const Format format = format_from(at.text("format"));
    const std::size_t d = at.whole("d"), base = at.whole("base");
    const double first_bad = at.number("first_bad"),
                 expected = expected_first_bad(step, format, d, double(base));
    out("precision", {{"encoding", at.text("encoding")},
                      {"d", d},
                      {"base", base},
                      {"step", at.text("step")},
                      {"format", at.text("format")},
                      {"first_bad", first_bad},
                      {"expected", expected},
                      {"dense", at.whole("dense")},
                      {"text_error", at.number("text_error")},
                      {"far_error", at.number("far_error")}});
    // Sizes that the figure and the sentences speak of: the base of the first paper and of most RoPE models.
    if (base == 10'000 && d != 64 && !std::isnan(first_bad))
      out("bad", {{"encoding", at.text("encoding")},
                  {"step", at.text("step")},
                  {"format", at.text("format")},
                  {"first", first_bad},
                  {"expected", expected},
                  {"dense", at.whole("dense")}});
  }
  for (const Frame& trials : measured["trial"].by("step format"))
    out("errors", trials,
        {{"text", trials.most("text_error")}, {"far", trials.most("far_error")}, {"trials", trials.size()}});
}

}  // namespace

Experiment which_format(const Options& options) {
  Experiment claim("D11", toml_of("d11"));
  const bool quick = options.preset == Preset::quick;
  const std::size_t dense = pick<std::size_t>(options.preset, 384, text_end, 4 * text_end);
  const auto add = [&](const char* encoding, std::size_t d, std::size_t base, Step step, Format format) {
    const std::size_t tried = cannot_fail(step, format) ? dense / 4 : dense;
    claim.cell({{"encoding", encoding},
                {"step", std::string(to_text(step))},
                {"format", std::string(to_text(format))},
                {"d", whole(d)},
                {"base", whole(base)},
                {"dense", whole(tried)}},
               8e-8 * double(tried * d), [=](const Streams&, Out& out) {
                 const RoundedScores scores(frequencies(d, double(base)),
                                            std::string_view(encoding) == "rope", roundings(step, format));
                 const Precision found = precision_of(scores, tried);
                 out("trial", {{"first_bad", found.first_bad},
                               {"text_error", found.text_error},
                               {"far_error", found.far_error}});
               });
  };
  for (const std::size_t base : {10'000, 100'000, 500'000, 1'000'000})
    for (const auto& [encoding, d] : {std::pair{"sinusoid", 512}, {"rope", 64}, {"rope", 128}}) {
      if (quick && (base != 10'000 || d == 64)) continue;
      if (d == 64 && base > 100'000) continue;  // heads that wide have had the smaller bases
      add(encoding, d, base, Step::all, Format::float64);
      for (const Format format : {Format::float32, Format::tf32, Format::bfloat16, Format::float16})
        for (const Step step : steps)
          if (step != Step::vectors || encoding == std::string_view("rope"))
            add(encoding, d, base, step, format);
    }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
