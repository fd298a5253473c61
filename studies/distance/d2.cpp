// D2: nearby positions are similar. The kernel of the table, lag by lag, against its laws. In words: d2.toml.

#include <algorithm>
#include <cmath>

#include "perp/measures/scores.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t ordered_lags = 512;  // positions whose distances are put in order
const std::vector<std::size_t> bases{100, 1000, 10000, 100000, 1000000};

/// The kernel by steps of a twentieth of a decade: value at the step's first lag, least and most in the step.
void add_steps(std::size_t d, double T, std::span<const double> g, Out& out) {
  const double half = d / 2.0;
  for (std::size_t lag = 1, next; lag < g.size(); lag = next) {
    next = std::min(std::max(lag + 1, std::size_t(std::pow(10, 0.05) * double(lag))), g.size());
    const auto [least, most] = std::ranges::minmax(g.subspan(lag, next - lag));
    out("kernel", {{"lag", lag},
                   {"share", g[lag] / half},
                   {"least", least / half},
                   {"most", most / half},
                   {"limit", theory::kernel_limit(T, lag)},
                   {"finite", lag < theory::alias_lag(d, T) ? theory::kernel_finite(d, T, lag) : NAN},
                   {"log_line", theory::kernel_log_line(T, lag)}});
  }
}

void measure(std::size_t d, double T, std::size_t side, Out& out) {
  const double half = d / 2.0;
  const std::vector<double> g = kernel_of_table(d, T, side);
  const KernelOrder near = kernel_order(g);
  out("nearness", {{"rise", near.first_rise},
                   {"rise_theory", theory::first_rise(d, T)},
                   {"rise_estimate", theory::rise_estimate(d, T)},
                   {"rise_share", g[near.first_rise] / half},
                   {"rise_near", kernel_order(std::span(g).first(ordered_lags)).largest_rise / half},
                   {"alias_size", theory::alias_size(d, T)},
                   {"ordered", ordered_share(g, ordered_lags)},
                   {"distance", std::sqrt(std::max(0.0, 2 * (half - g[near.best])))},
                   {"distance_limit", std::sqrt(d * (1 - theory::kernel_limit(T, 1)))}});
  out("most_similar", {{"lag", near.best}, {"next", near.best_beyond}});
  // Curves that are drawn or worth a look: every width at the usual base, every base at the usual width.
  if (d == 512 || T == usual_base) add_steps(d, T, g, out);
}

/// Widths below those of the cells, in closed form: how often is a lag above 1 the most similar one?
constexpr std::size_t narrow_widths[] = {16, 32}, narrow_lags = 8192;
std::size_t narrow_strangers() {
  std::size_t strangers = 0;
  for (const std::size_t d : narrow_widths)
    for (const std::size_t base : bases) {
      const std::vector<double> g = sinusoid_kernel(narrow_lags + 1, d, double(base));
      strangers += std::max_element(g.begin() + 1, g.end()) != g.begin() + 1;
    }
  return strangers;
}

/// Over all d and T that were measured, and narrower ones.
void fold(const Frames& measured, Out& out) {
  const Frame& all = measured["most_similar"];
  const auto other_than = [&](const char* lag, std::size_t usual) {
    return all.where([=](const Row& row) { return row.whole(lag) != usual; }).size();
  };
  out("everywhere", {{"strangers", other_than("lag", 1)},
                     {"strangers_beyond", other_than("next", 2)},
                     {"lags", all.sum("lags")},
                     {"strangers_narrow", narrow_strangers()},
                     {"narrow_lags", std::size(narrow_widths) * bases.size() * narrow_lags}});
}

}  // namespace

Experiment nearby_is_similar(const Options& options) {
  Experiment claim("D2", toml_of("d2"));
  const std::size_t side = pick<std::size_t>(options.preset, 128, 512, 1024), lags = side * side;
  for (const std::size_t d : doubling(64, 4096))
    for (const std::size_t base : options.preset == Preset::quick ? std::vector<std::size_t>{10000} : bases)
      claim.cell({{"d", whole(d)}, {"base", whole(base)}, {"lags", whole(lags)}},
                 1e-10 * double(lags * d) + 0.01,
                 [=](const Streams&, Out& out) { measure(d, double(base), side, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
