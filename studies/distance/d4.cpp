// D4: why sine and cosine: what becomes of the products with sines alone, at equal width. In words: d4.toml.
// Sines alone: p_t,i = sin(T^(-i/d) t), i = 0 … d-1.

#include <algorithm>
#include <cmath>

#include "perp/measures/kernel.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

using Sizes = std::vector<std::size_t>;

/// The smallest residual of d sines over many lengths, by exact sums of cosines.
double least_residual(std::size_t d, const Sizes& lengths) {
  // d sines have the frequencies of a sinusoid of 2d dimensions.
  const std::vector<double> kernel = sinusoid_kernel(2 * lengths.back(), 2 * d);
  double least = INFINITY;
  for (const std::size_t length : lengths) least = std::min(least, sine_alone_defect(length, kernel));
  return least;
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& sizes : measured["defect"].by("encoding")) {
    const bool both = sizes.front().text("encoding") == "sinusoidal";
    out("largest", sizes,
        {{"defect", sizes.most("defect")}, {"exact", both ? 0.0 : NAN}, {"sizes", sizes.size()}});
  }
  const Sizes lengths = doubling(64, 2048);
  for (const std::size_t d : doubling(32, 1024))
    out("law", {{"d", d}, {"least", least_residual(d, lengths)}, {"lengths", lengths.size()}});
}

}  // namespace

Experiment sine_alone(const Options& options) {
  Experiment claim("D4", toml_of("d4"));
  const Sizes widths = pick<Sizes>(options.preset, {64, 512}, doubling(32, 512), doubling(32, 1024)),
              lengths = pick<Sizes>(options.preset, {64, 512}, {64, 256, 512, 1024, 2048},
                                    {64, 256, 512, 1024, 4096, 16384});
  for (const char* encoding : {"sine_only", "sinusoidal"})
    for (const std::size_t d : widths)
      for (const std::size_t l : lengths)
        claim.cell({{"encoding", encoding}, {"d", whole(d)}, {"l", whole(l)}},
                   1e-10 * double(l * l) * double(d) + 1e-3, [=](const Streams& streams, Out& out) {
                     const Matrix<double> table = encoding_named(encoding)->vectors(l, d, streams("nothing"));
                     const bool alone = encoding == std::string_view("sine_only");
                     out("defect", {{"positions", l},
                                    {"defect", toeplitz_defect(lag_statistics(table, 1))},
                                    {"line", alone ? sine_alone_defect(l, usual_base) : 0.0}});
                   });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
