// D11: is bfloat16 precise enough for positions? One step of their computation rounded at a time, in the
// number formats that models run in, for the sinusoid and for RoPE.

#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d11_measure.hpp"

namespace perp::distance {
namespace {

const auto encoding =
    exact("encoding", "sinusoid, or RoPE with a query and a key of one content each", &Setting::encoding);
const auto d = exact("d", "dimension: of the table, or of a head", &Setting::d);
const auto base = exact("base", "T", &Setting::base);
const auto step = exact("step", "what is rounded; all: each of them", &Setting::step);
const auto format = exact("format", "to what; tf32 rounds the factors of a matrix product", &Setting::format);

double expected(const Setting& at) {
  return expected_first_bad(step_from(at.step), format_from(at.format), at.d, static_cast<double>(at.base));
}
const auto first_bad =
    counted("first_bad",
            "first position whose score with one up to 512 before it is off by a hundredth of g(0), or of "
            "|q||k|; empty: none",
            &Precision::first_bad)
        .unit("positions")
        .theory("expected", "the rule of thumb's; empty where it expects none or says nothing", expected);

/// Sizes that the figure and the sentences speak of: the base of the first paper and of most RoPE models.
bool shown(const Setting& at) { return at.base == 10'000 && at.d != 64; }

void add_table(const std::vector<Precision>& trials, Summary& summary) {
  summary.table(
      "d11_precision.csv", trials,
      {encoding, d, base, step, format, first_bad,
       exact("dense",
             "every position tried up to here, then 128 before every power of two, and before a million",
             &Trial::dense)
           .unit("positions"),
       rounded("text_error",
               "largest error over g(0), or over |q||k|, of the positions tried up to 8192; where the first "
               "bad position comes sooner, up to it and before the powers of two; lags to 512",
               &Precision::text_error),
       rounded("far_error", "the same up to a million; empty where the format ends before",
               &Precision::far_error)});
}

void add_findings(const std::vector<Precision>& trials, Summary& summary) {
  const auto rounded_here = where(trials, [](const Precision& p) { return p.format != "float64"; });
  const auto worst = [](const char* name, double Precision::*error, const char* meaning) {
    return rounded(name, meaning, [=](const Group<Precision>& group) { return most(group, error); })
        .n(&Group<Precision>::size);
  };
  const auto by_step = group_by(rounded_here, &Precision::step, &Precision::format);
  const auto in_text = [](const Group<Precision>& group) {
    const Precision& p = group.front();
    return p.format == "bfloat16" ? p.step != "all" : p.step == "all" && p.format != "float32";
  };
  summary.each(where(by_step, in_text), {step, format},
               {worst("text_error", &Precision::text_error,
                      "Largest error of a score over g(0) or |q||k|, to position 8,192, lags to 512, this "
                      "step rounded to this format; over sinusoid and RoPE and n bases and widths.")});
  const auto far_out = [](const Group<Precision>& group) {
    const Precision& p = group.front();
    return p.format == "bfloat16" ? cannot_fail(step_from(p.step), Format::bfloat16)
                                  : p.step == "all" && p.format == "float32";
  };
  summary.each(where(by_step, far_out), {step, format},
               {worst("far_error", &Precision::far_error,
                      "Largest error of a score over g(0) or |q||k|, to position 1,000,000, lags to 512, "
                      "this step rounded to this format.")});
  const auto named = [](const Precision& p) {
    if (!shown(p) || std::isnan(p.first_bad)) return false;
    if (p.format == "bfloat16" && (p.step == "angle" || p.step == "all")) return true;
    return p.encoding == "sinusoid" && p.step == "position" && p.format != "tf32";
  };
  summary.each(
      where(rounded_here, named), {encoding, step, format},
      {first_bad
           .as("first_bad",
               "First position with a score off by a hundredth of g(0), or of |q||k|, base 10,000, d = 512 "
               "for the sinusoid, 128 for RoPE; theory: the rule of thumb; n positions tried one by one.")
           .n(&Precision::dense)});
}

/// A table, vectors and scores in bfloat16 are asked again farther out; what strays within a text does so
/// there.
Rule rule() {
  Rule rule;
  const auto add = [&](Role role, const char* measure, Step step, const char* format) {
    rule.push_back(condition(role, fmt::format("{}.{}.{}", measure, to_text(step), format), Is::below,
                             too_far, Evidence::closed_form, {{"step", std::string(to_text(step))}}));
  };
  for (const Step step : steps)
    if (step != Step::all) add(Role::core, "text_error", step, "bfloat16");
  add(Role::limit, "text_error", Step::all, "float16");
  add(Role::limit, "text_error", Step::all, "tf32");
  for (const Step step : {Step::table, Step::vectors, Step::scores})
    add(Role::limit, "far_error", step, "bfloat16");
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto trials = rows_of<Precision>(cells);
  add_table(trials, summary);
  add_findings(trials, summary);
  summary.rule = rule();
}

}  // namespace

Experiment which_format(const Options& options) {
  Experiment claim{"D11", "bfloat16 is precise enough for positions.", "[threads]"};
  const bool quick = options.preset == Preset::quick;
  const std::size_t dense = pick<std::size_t>(options.preset, 384, text_end, 4 * text_end);
  std::vector<Trial> trials;
  const auto add = [&](const char* encoding, std::size_t d, std::size_t base, Step step, Format format) {
    const bool needs_each = !cannot_fail(step, format);
    trials.push_back({{encoding, std::string(to_text(step)), std::string(to_text(format)), d, base},
                      needs_each ? dense : dense / 4});
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
  claim.measure(
      trials, [](const Trial& at) { return 8e-8 * double(at.dense * at.d); }, measure_precision);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
