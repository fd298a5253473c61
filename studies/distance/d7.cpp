// D7: do many frequencies capture short and long range, and do wavelengths run from 2π to 2π·10000?

#include <array>
#include <cmath>
#include <numbers>

#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d7_measure.hpp"

namespace perp::distance {
namespace {

constexpr double pi = std::numbers::pi;
/// Dimension of all tables but that of the wavelengths.
constexpr std::size_t dimension = 512;
/// A quarter carries a range if more than half of the change there is its own.
constexpr double carries = 0.5;
/// A wavelength reaches 2πT if it is this share of it.
constexpr double reaches = 0.99;

const auto base = exact("base", "T; d = 512", &Place::base);
const auto quarter = [](auto get) { return exact("quarter", "of the frequencies, 1 the fastest", get); };

void add_bands(const Cells& cells, Summary& summary) {
  const auto bands = rows_of<Band>(cells);
  const auto limit = [](const Band& b) { return distance_share_limit(b.base, b.quarter, b.lag); };
  const auto lag = exact("lag", "distance of two positions", &Band::lag).unit("positions");
  const auto share = rounded("share", "of the squared distance of the two positions", &Band::share);
  summary.table(
      "d7_bands.csv", bands,
      {base, lag, quarter(&Band::quarter), share, rounded("limit", "the same for d to infinity", limit)});
  const auto named = [](const Band& b) { return b.lag == 4096 || (b.lag == 1 && b.quarter == 1); };
  summary.each(where(bands, named), {exact("q", "", &Band::quarter), lag},
               {share
                    .as("distance_share",
                        "Share of the squared distance of two positions that a quarter of the frequencies "
                        "carries, q1 the fastest; theory: for d to infinity; n columns.")
                    .theory(limit)
                    .n(dimension / quarters)});
}

/// A quarter and the first lag of the octave in the middle of its reach, 1/ω, for T = 10,000.
struct Range {
  std::size_t q, from;
};
constexpr std::array<Range, quarters> ranges{{{1, 1}, {2, 16}, {3, 256}, {4, 2048}}};

void add_octaves(const Cells& cells, Summary& summary) {
  summary.table(
      "d7_octaves.csv", rows_of<Octave>(cells),
      {base,
       exact("first", "the octave's first lag: lags from it to twice it", &Octave::first).unit("positions"),
       quarter(&Octave::quarter),
       rounded("change", "its part of (g(k) - g(2k))/g(0), mean over every lag k of the octave",
               &Octave::change),
       rounded("limit", "the same for d to infinity", &Octave::limit)});
  const auto share = [](const char* name, double ChangeShare::*part, const char* meaning) {
    const auto exactly = [=](const Range& r) {
      return change_share(dimension, usual_base, r.q, r.from).*part;
    };
    const auto limit = [=](const Range& r) { return change_share_limit(usual_base, r.q, r.from).*part; };
    return rounded(name, meaning, exactly).theory(limit).n(&Range::from);
  };
  summary.each(
      ranges, {exact("q", "", &Range::q), exact("from", "", &Range::from)},
      {share(
           "change_share", &ChangeShare::single,
           "Share of quarter q of the frequencies in the change of similarity from lag k to 2k, signs aside, "
           "summed over every k in the octave from a lag on, d = 512; theory: for d to infinity; n lags."),
       share("mean_change_share", &ChangeShare::mean,
             "The same of the quarters' mean changes over the octave, which forget the aliases of single "
             "lags.")});
}

void add_wavelengths(const Cells& cells, Summary& summary) {
  const auto waves = rows_of<Wavelength>(cells);
  const auto law = [](const Wavelength& w) { return theory::last_wavelength(w.d, w.base); };
  const auto claimed = [](const Wavelength& w) { return 2 * pi * w.base; };
  const auto d = exact("d", "dimension", &Wavelength::d);
  const auto last = rounded("last", "wavelength of the slowest pair of columns, measured", &Wavelength::last)
                        .unit("positions")
                        .theory("theory", "2 pi T^(1 - 2/d)", law);
  const auto ratio = rounded("ratio", "measured wavelength over 2 pi T", [=](const Wavelength& w) {
                       return w.last / claimed(w);
                     }).theory([=](const Wavelength& w) { return law(w) / claimed(w); });
  summary.table("d7_wavelengths.csv", waves, {base.as("base", "T"), d, last, ratio});
  summary.each(
      where(waves, [](const Wavelength& w) { return w.d == 64 || w.d == 512; }), {d},
      {ratio.as("wavelength_ratio", "Wavelength of the slowest pair of columns over 2πT, T = 10,000.")});
}

void add_columns(const Cells& cells, Summary& summary) {
  const auto texts = rows_of<Turns>(cells);
  const auto less_line = [](const Turns& t) {
    return std::max(0.0, 1 - std::log((t.l - 1) / (2 * pi)) / std::log(t.base));
  };
  const auto standing_line = [](const Turns& t) { return still_share_line(t.base, t.l - 1); };
  const auto less = rounded("less_than_once", "share of columns that turn less than once within the text",
                            &Turns::less_than_once)
                        .theory("less_line", "1 - ln((L - 1)/(2 pi))/ln T, for d to infinity", less_line)
                        .n(dimension);
  const auto standing =
      rounded("standing", "share of columns with a standard deviation below a tenth over the text",
              &Turns::standing)
          .theory("standing_line", "the same for d to infinity", standing_line)
          .n(dimension);
  summary.table("d7_columns.csv", texts,
                {base, exact("positions", "length of the text L", &Turns::l), less, standing});
  summary.each(where(texts, [](const Turns& t) { return t.base == usual_base && t.l != 2048; }),
               {exact("l", "", &Turns::l)}, {less, standing});
}

void add_noise(const Cells& cells, Summary& summary) {
  const auto noises = rows_of<Noise>(cells);
  const auto line = [](const Noise& n) {
    return std::pow(n.base, n.noise * n.noise / 2) * std::exp(-std::numbers::egamma);
  };
  const auto reached = counted("reached", "first lag at which positions lie that far apart", &Noise::reached)
                           .unit("positions")
                           .theory("line", "T^(noise^2/2) exp(-gamma), the log line's", line);
  summary.table(
      "d7_noise.csv", noises,
      {base, exact("noise", "standard deviation of the noise along a direction, over |p|", &Noise::noise),
       reached,
       counted("last_below", "last lag measured at which they do not", &Noise::last_below).unit("positions"),
       exact("lags", "lags measured", &Noise::lags).unit("positions")});
}

void add_errors(const Cells& cells, Summary& summary) {
  const auto errors = rows_of<Errors>(cells);
  /// Q(D/2n) for positions D apart and noise n along every direction: the chance that it carries one of them
  /// beyond the middle.
  const auto confusion = [](const Errors& e) {
    const double apart = std::sqrt(2 * (1 - theory::kernel_share(e.d, e.base, e.lag)));
    return two_sided_p(apart / (2 * confusion_noise)) / 2;
  };
  const auto share_of_errors = [](const Errors& e) {
    return estimated(e.errors / double(e.trials), share_spread(e.errors, e.trials));
  };
  const auto lag = exact("lag", "distance of the two positions", &Errors::lag).unit("positions");
  const auto share = sampled("share", "share nearer to the second", share_of_errors)
                         .interval("share_low", "share_high", "its 99% interval (Wilson)")
                         .theory("line", "Q(D/2n), D the distance of the two and n the noise", confusion);
  summary.table("d7_errors.csv", errors,
                {base, lag, exact("trials", "noisy copies of the first", &Errors::trials), share});
}

Rule rule() {
  Rule rule;
  for (const Range& range : ranges)
    rule.push_back(condition(Role::core, fmt::format("change_share.q{}.from{}", range.q, range.from),
                             Is::above, carries, Evidence::closed_form,
                             {{"part", "ranges"}, {"quarter", fmt::format("{}", range.q)}}));
  rule.push_back(
      condition(Role::core, elsewhere, Is::above, 0.0, Evidence::closed_form, {{"part", "wavelengths"}},
                "departure of the wavelengths from a geometric progression from 2π on", "study anatomy"));
  for (const std::size_t d : {512, 64})
    rule.push_back(condition(Role::limit, fmt::format("wavelength_ratio.d{}", d), Is::above, reaches,
                             Evidence::closed_form,
                             {{"part", "last wavelength"}, {"d", fmt::format("{}", d)}}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_bands(cells, summary);
  add_octaves(cells, summary);
  add_wavelengths(cells, summary);
  add_columns(cells, summary);
  add_noise(cells, summary);
  add_errors(cells, summary);
  summary.rule = rule();
}

}  // namespace

Experiment short_and_long(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  const std::size_t lags = pick<std::size_t>(options.preset, 8192, 65536, 1048576),
                    trials = pick<std::size_t>(options.preset, 1000, 10000, 100000);
  const Sizes bases{100, 1000, 10000, 100000, 1000000}, lengths{512, 2048, 8192},
      widths = pick<Sizes>(options.preset, {16, 64, 512}, {16, 64, 512, 4096}, {16, 64, 512, 4096});
  Experiment claim{"D7",
                   "Many frequencies capture short and long range; wavelengths run from 2π to 2π·10000.",
                   "[c, a, b]"};
  claim.measure(std::vector<Reach>{{{"bands", dimension, 10000}, lags}}, 0.1, measure_bands);
  claim.measure(grid<Reach>(grid<Place>("noise", dimension, bases), lags), 1e-5 * lags, measure_noise);
  claim.measure(grid<Place>("wavelength", widths, std::size_t{10000}), 1e-3, measure_wavelength);
  claim.measure(
      grid<Text>(grid<Place>("columns", dimension, bases), lengths),
      [](const Text& at) { return 2e-5 * at.l; }, measure_columns);
  claim.measure(std::vector<Copies>{{{"errors", dimension, 10000}, trials}}, 5e-5 * trials, measure_errors);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
