// D11: is bfloat16 precise enough for positions? One step of their computation rounded at a time, in the
// number formats that models run in, for the sinusoid and for RoPE. In words: d11.toml.

#include <cmath>

#include "perp/study/claim_file.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d11_measure.hpp"

namespace perp::distance {
namespace {

void fold(const Frames& measured, Out& out) {
  for (const Row& at : measured["trial"]) {
    const Step step = step_from(at.text("step"));
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
  DescribedClaim claim("D11", toml_of("d11"));
  const bool quick = options.preset == Preset::quick;
  const std::size_t dense = pick<std::size_t>(options.preset, 384, text_end, 4 * text_end);
  const auto add = [&](const char* encoding, std::size_t d, std::size_t base, Step step, Format format) {
    const Trial at{{encoding, std::string(to_text(step)), std::string(to_text(format)), d, base},
                   cannot_fail(step, format) ? dense / 4 : dense};
    claim.cell({{"encoding", at.encoding},
                {"step", at.step},
                {"format", at.format},
                {"d", whole(d)},
                {"base", whole(base)},
                {"dense", whole(at.dense)}},
               8e-8 * double(at.dense * d), [=](const Streams&, Out& out) {
                 const Precision found =
                     precision_of(RoundedScores(at.encoding, d, double(base), roundings(step, format)), at);
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
