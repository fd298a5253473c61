// O3: words fill a smaller subspace, positions another. In words: o3.toml.

#include <algorithm>
#include <cmath>

#include "perp/measures/spectrum.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

void measure(std::size_t l, std::size_t d, Out& out) {
  const SinusoidSpectra spectra = sinusoid_spectra(frequencies(d, usual_base), l);
  const auto add = [&](const char* centring, const std::vector<double>& eigenvalues, double line) {
    const EffectiveDimension e = effective_dimension(eigenvalues);
    out("dimensions", {{"positions", l},
                       {"centring", centring},
                       {"stable_rank", e.stable_rank},
                       {"participation", e.participation_ratio},
                       {"r90", e.r90},
                       {"r99", e.r99},
                       {"r999", e.r999},
                       {"r99_line", line}});
  };
  add("as_is", spectra.uncentred, theory::sinusoid_r99(l, d, usual_base));
  add("centred", spectra.centred, theory::sinusoid_r99_centred(l, d, usual_base));
}

/// Widths and contexts that people use, and longer ones; the spectrum has a closed form, up to eigenvalues.
void fold(const Frames& measured, Out& out) {
  const Frame as_is = measured["dimensions"].where("centring", "as_is");
  for (const auto& [d, l] :
       {std::pair{512, 512}, {512, 2048}, {512, 8192}, {768, 512}, {768, 1024}, {1024, 2048}}) {
    const Frame known = as_is.where("d", whole(d)).where("l", whole(l));
    const double r99 = known.empty() ? double(measured_r99(l, d)) : known.front().number("r99"),
                 line = theory::sinusoid_r99(l, d, usual_base), width = d;
    out("asked", {{"c", "as_is"},
                  {"d", d},
                  {"l", l},
                  {"r99", r99},
                  {"line", line},
                  {"share", r99 / width},
                  {"line_share", line / width}});
  }
}

}  // namespace

Experiment smaller_subspaces(const Options& options) {
  Experiment claim("O3", toml_of("o3"));
  const bool quick = options.preset == Preset::quick;
  for (const std::size_t d : quick ? std::vector<std::size_t>{128, 512} : doubling(64, 4096))
    for (const std::size_t l : quick ? std::vector<std::size_t>{128, 512, 2048, 8192} : doubling(16, 65536))
      claim.cell({{"l", whole(l)}, {"d", whole(d)}}, 1e-9 * std::pow(double(d) / 2, 3) / 4 + 1e-3,
                 [=](const Streams&, Out& out) { measure(l, d, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::orthogonality
