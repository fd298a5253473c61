// Reference vectors of public configurations, for whoever writes or tests an implementation.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "perp/io/numbers.hpp"
#include "studies/distance/d12.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
namespace {

constexpr std::array<std::size_t, 12> positions{0, 1, 2, 3, 7, 64, 127, 1023, 4095, 8191, 32767, 131071};

std::string list_of(const auto& numbers) {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(shortest(number));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

/// Rows at the positions: `turn` of each angle, times the amplitude.
std::string turned(const std::vector<double>& omega, double amplitude, double (*turn)(double)) {
  std::vector<std::string> rows;
  for (const std::size_t t : positions) {
    std::vector<double> row;
    for (const double w : omega) row.push_back(amplitude * turn(w * double(t)));
    rows.push_back(list_of(row));
  }
  return fmt::format("[{}]", fmt::join(rows, ",\n  "));
}

}  // namespace

std::map<std::string, std::string> rope_references() {
  std::map<std::string, std::string> files;
  std::string table = "model,pair,paper,library\n";
  for (const auto& [name, values] : public_configs()) {
    const RopeConfig config = rope_config_of(values);
    RopeSettings paper = config.settings;
    paper.ramp = Ramp::turns;
    const double length = std::max(config.claimed, config.settings.trained),
                 amplitude = rope_amplitude(config.settings);
    const auto omega = inverse_frequencies(config.settings, length),
               of_paper = inverse_frequencies(paper, length);
    double apart = 0;
    for (std::size_t i = 0; i < omega.size(); ++i) {
      apart = std::max(apart, std::abs(of_paper[i] / omega[i] - 1));
      table += fmt::format("{},{},{},{}\n", name, i, shortest(of_paper[i]), shortest(omega[i]));
    }
    files[name + ".json"] = fmt::format(
        "{{\"model\":\"{}\",\"type\":\"{}\",\"head_dim\":{},\"rotary_dim\":{},\"base\":{},\"sequence\":{},\n "
        "\"paper\":{},\n \"library\":{},\n"
        " \"largest_relative_difference\":{},\"attention_factor\":{},\"positions\":{},\n \"cos\":{},\n "
        "\"sin\":{}}}\n",
        config.name, to_text(config.settings.scaling), config.settings.head, config.settings.rotated,
        shortest(config.settings.base), shortest(length), list_of(of_paper), list_of(omega), shortest(apart),
        shortest(amplitude), list_of(positions), turned(omega, amplitude, std::cos),
        turned(omega, amplitude, std::sin));
  }
  files["rope.csv"] = table;
  return files;
}

}  // namespace perp::distance
