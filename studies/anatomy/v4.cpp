// V4: wavelengths of all pairs, read from the table. "From 2π to 10000·2π": is the end reached? In words: v4.toml.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

constexpr double circle = 2 * std::numbers::pi, belief = circle * usual_base;

/// Positions to a full turn, from the turn between positions 0 and 1.
void measure(std::size_t d, Out& out) {
  const Matrix<double> table = sinusoidal<double>(2, d);
  const std::vector<double> omega = frequencies(d);
  const double ratio = std::pow(usual_base, 2.0 / double(d)), law = theory::last_wavelength(d, usual_base);
  double first = 0, last = 0, departure = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const double wavelength = circle / read_hand(table, 2 * i, 2 * i + 1).turned;
    if (i == 0) first = wavelength;
    if (i > 0) departure = std::max(departure, std::abs(wavelength / last / ratio - 1));
    last = wavelength;
    if (d <= width)
      out("wavelengths", {{"pair", i},
                          {"place", 2.0 * double(i) / double(d)},
                          {"wavelength", wavelength},
                          {"line", circle / omega[i]}});
  }
  out("ends", {{"pairs", d / 2},
               {"last", last},
               {"law", law},
               {"share", last / belief},
               {"law_share", law / belief},
               {"first", std::abs(first / circle - 1)},
               {"ratio", departure}});
}

void fold(const Frames& measured, Out& out) {
  const Frame& ends = measured["ends"];
  out("all", {{"first", ends.most("first")}, {"ratio", ends.most("ratio")}, {"pairs", ends.sum("pairs")}});
}

}  // namespace

Experiment wavelengths(const Options&) {
  Experiment claim("V4", toml_of("v4"));
  for (const std::size_t d : {std::size_t{16}, std::size_t{64}, width, std::size_t{4096}})
    claim.cell({{"d", whole(d)}}, 1e-7 * double(d), [=](const Streams&, Out& out) { measure(d, out); });
  claim.fold(fold);
  return evidence_for("D7", claim);
}

}  // namespace perp::anatomy
