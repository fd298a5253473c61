// Q2: what does LayerNorm do to the sum of word and position? In words: q2.toml.

#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/study/claim_file.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2_measure.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
/// ρ of the sums; wide tables and the quick preset do with few.
constexpr double all_ratios[] = {0.25, 0.5, natural_ratio, 1, 2}, few_ratios[] = {0.25, natural_ratio, 2};

struct Measure {
  const char *name, *label;
  double Readouts::*number;
};
constexpr Measure measures[] = {{"lag_r2", "R² of relative distance", &Readouts::lag_r2},
                                {"readout", "position by a linear map", &Readouts::readout},
                                {"nearest", "nearest position right", &Readouts::nearest}};

void read_sums(const std::string& family, std::size_t d, std::size_t draws, std::span<const double> ratios,
               const Streams& streams, Out& out) {
  const Matrix<double> positions = sinusoidal<double>(length, d);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> words = drawn_words(family, words_needed(positions), d, streams, draw);
    for (const double ratio : ratios) {
      const auto [before, after] = measure_sums(positions, words, ratio, streams, draw);
      for (const Measure& of : measures)
        out("draw", {{"ratio", ratio},
                     {"measure", of.name},
                     {"label", of.label},
                     {"before", before.*of.number},
                     {"after", after.*of.number},
                     {"change", after.*of.number - before.*of.number}});
    }
  }
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& draws : measured["draw"].by("words d ratio measure")) {
    const Row& at = draws.front();
    out("sums", draws,
        {{"length", length},
         {"draws", draws.size()},
         {"label", at.text("label")},
         {"before", draws.mean("before")},
         {"after", draws.mean("after")},
         {"change", draws.mean("change")}});
    if (at.number("ratio") == natural_ratio)
      out("change", {{"measure", at.text("measure")},
                     {"positions", "sinusoidal"},
                     {"words", at.text("words")},
                     {"d", at.whole("d")},
                     {"change", draws.mean("change")},
                     {"draws", draws.size()}});
  }
}

}  // namespace

Experiment after_layer_norm(const Options& options) {
  DescribedClaim claim("Q2", toml_of("q2"));
  const bool quick = options.preset == Preset::quick;
  const std::size_t draws = pick<std::size_t>(options.preset, 16, 24, 240),
                    few_draws = pick<std::size_t>(options.preset, 4, 10, 40);
  for (const std::size_t d : {64, 512}) {
    if (quick && d > 64) continue;
    claim.cell({{"positions", "sinusoidal"}, {"d", whole(d)}}, 1e-2, [=](const Streams&, Out& out) {
      out("alone", {{"r2", toeplitz_r2(lag_statistics(layer_norm(sinusoidal<double>(length, d)), 1))}});
    });
    for (const std::string words : {"gaussian", "anisotropic", "turned"}) {
      const std::size_t count = d == 64 ? draws : few_draws;
      const std::span<const double> ratios =
          d == 64 && !quick ? std::span<const double>(all_ratios) : few_ratios;
      const double n = double(d), rows = double(training_rows(d) + tested_rows);
      claim.cell({{"what", "sums"},
                  {"positions", "sinusoidal"},
                  {"words", words},
                  {"d", whole(d)},
                  {"l", whole(length)},
                  {"draws", whole(count)},
                  {"ratios", whole(ratios.size())}},
                 double(count * ratios.size()) * (1e-10 * n * n * rows + 1e-7 * n * rows) + 3e-9 * n * n * n,
                 [=](const Streams& streams, Out& out) { read_sums(words, d, count, ratios, streams, out); });
    }
  }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
