// D10: is every base above the least good one good? Bases T of rotary positions that keep Σ_i cos(m
// T^(-2i/d)) above 0 at every lag m of a context, and what a closed form says of them. In words: d10.toml.

#include <cmath>

#include "perp/study/experiment.hpp"
#include "studies/distance/answers.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t widths[] = {64, 128, 256, 1024};
/// The context that the claim is judged by.
constexpr std::size_t judged = 4096;

/// The last lag before the first whose sum falls below, or `most`.
std::size_t good_to(std::size_t d, double base, std::size_t most, double tolerance) {
  const std::optional<std::size_t> negative = theory::first_negative_lag(d, base, most, tolerance);
  return negative ? *negative - 1 : most;
}

/// Every base, by taking out what each lag forbids; contexts from the shortest to `longest`.
void measure_exactly(std::size_t d, std::size_t longest, Out& out) {
  theory::BaseSieve sieve(d, {smallest_base(shortest_context), largest_base});
  std::size_t lag = 1;
  for (std::size_t length = shortest_context; length <= longest; length *= 2) {
    sieve.cut_below(smallest_base(length));
    for (; lag <= length; ++lag) sieve.take_out(lag);
    const std::vector<theory::BaseRange> good = sieve.left();
    const bool reaches = !good.empty() && good.back().high > largest_base * (1 - 1e-9);
    out("exact", {{"l", length},
                  {"least", good.empty() ? NAN : good.front().low},
                  {"safe", reaches ? good.back().low : NAN},
                  {"bad", good.empty() ? 0 : good.size() - 1}});
  }
}

struct InUse {
  const char* model;             ///< an example, or a dash
  std::size_t d, base, context;  ///< the context that it was trained for, or 0
};
constexpr InUse in_use[] = {
    {"TinyLlama 1.1B", 64, 10000, 2048},  {"SmolLM2 135M", 64, 100000, 8192},    {"–", 64, 500000, 0},
    {"Qwen2.5 0.5B", 64, 1000000, 32768}, {"Llama 2 7B", 128, 10000, 4096},      {"–", 128, 100000, 0},
    {"Llama 3 8B", 128, 500000, 8192},    {"Code Llama 7B", 128, 1000000, 16384}};

/// Where the first good stretch of a grid begins, and the last; NaN if there is none.
struct GoodBases {
  double least = NAN, safe = NAN;
};
/// `reached`: bases rising; those below L/8 are not asked.
GoodBases on_grid(const Frame& reached, std::size_t length) {
  GoodBases found;
  bool before = true;
  for (const Row& at : reached) {
    const double base = at.number("base");
    if (base < smallest_base(length)) continue;
    const bool good = at.whole("good_to") >= length;
    if (good && std::isnan(found.least)) found.least = base;
    if (good && (!before || std::isnan(found.safe))) found.safe = base;
    before = good;
  }
  if (!before) found.safe = NAN;  // bad up to the last base
  return found;
}

void add_grid(const Frame& reached, Out& out) {
  const std::size_t d = reached.front().whole("d");
  for (std::size_t length = 2 * longest_exact; length <= reached.front().whole("longest"); length *= 2) {
    const GoodBases found = on_grid(reached, length);
    const theory::BaseEstimate law = theory::base_estimate(d, length);
    out("grid", {{"d", d},
                 {"l", length},
                 {"per_octave", reached.front().whole("per_octave")},
                 {"least", found.least},
                 {"least_law", law.least},
                 {"safe", found.safe},
                 {"safe_law", law.safe}});
  }
}

void fold(const Frames& measured, Out& out) {
  for (const Row& at : measured["exact"]) {
    const std::size_t d = at.whole("d"), l = at.whole("l");
    const theory::BaseEstimate law = theory::base_estimate(d, l);
    out("bases", {{"d", d},
                  {"l", l},
                  {"least", at.number("least")},
                  {"least_law", law.least},
                  {"safe", at.number("safe")},
                  {"safe_law", law.safe},
                  {"bad", at.whole("bad")}});
  }
  for (const Frame& reached : measured["reached"].by("d")) add_grid(reached, out);
  // The lines through and beyond what is measured.
  for (const std::size_t d : widths)
    for (std::size_t l = shortest_context; l <= longest_context; l *= 2) {
      const theory::BaseEstimate law = theory::base_estimate(d, l);
      out("laws", {{"d", d},
                   {"l", l},
                   {"least", law.least},
                   {"safe", law.safe},
                   {"limit", theory::least_base_limit(l)},
                   {"published", theory::least_base_published(l)}});
    }
}

}  // namespace

Experiment base_for_context(const Options& options) {
  const Preset preset = options.preset;
  Experiment claim("D10", toml_of("d10"));
  for (const std::size_t d : widths) {
    const bool head = d <= 128;
    const std::size_t longest =
        preset == Preset::long_ || (preset == Preset::full && head) ? longest_exact : judged;
    claim.cell({{"measure", "sieve"}, {"d", whole(d)}, {"longest", whole(longest)}},
               3e-11 * std::pow(double(longest), 1.8) * double(d) * 0.03,
               [=](const Streams&, Out& out) { measure_exactly(d, longest, out); });
  }
  const std::size_t per_octave = pick<std::size_t>(preset, 4, 16, 32),
                    longest = pick<std::size_t>(preset, 65536, longest_context, longest_context);
  for (const std::size_t d : widths)
    if (d <= 128 || preset == Preset::long_)
      claim.cell({{"measure", "grid"},
                  {"d", whole(d)},
                  {"per_octave", whole(per_octave)},
                  {"longest", whole(longest)}},
                 3e-10 * double(longest * d * per_octave), [=](const Streams&, Out& out) {
                   for (const double base : grid_of_bases(smallest_base(2 * longest_exact), per_octave))
                     out("reached", {{"base", base}, {"good_to", good_to(d, base, longest, 0)}});
                 });
  for (const InUse& of : in_use)
    claim.cell({{"measure", "in use"}, {"d", whole(of.d)}, {"base", whole(of.base)}}, 0.01,
               [=](const Streams&, Out& out) {
                 const auto to = [&](double tolerance) {
                   return good_to(of.d, double(of.base), longest_context, tolerance);
                 };
                 out("models", {{"model", of.model},
                                {"context", of.context ? double(of.context) : NAN},
                                {"good_to", to(0)},
                                {"nearly_to", to(usual_tolerance)}});
               });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
