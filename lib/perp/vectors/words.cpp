#include "perp/vectors/words.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "perp/base/linalg.hpp"
#include "perp/random/draws.hpp"

namespace perp {
namespace {

constexpr std::array<std::pair<Family, std::string_view>, 5> names{{{Family::gaussian, "gaussian"},
                                                                    {Family::sphere, "sphere"},
                                                                    {Family::uniform, "uniform"},
                                                                    {Family::rademacher, "rademacher"},
                                                                    {Family::anisotropic, "anisotropic"}}};

/// √λ_i of the anisotropic family, scaled so that Σλ_i is the share of d that is not common to all words.
std::vector<float> anisotropic_scales(std::size_t d) {
  std::vector<double> variance(d);
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i)
    sum += variance[i] = std::pow(static_cast<double>(i + 1), -anisotropic_exponent);
  std::vector<float> scales(d);
  const double total = static_cast<double>(d) * (1 - anisotropic_mean_share);
  for (std::size_t i = 0; i < d; ++i) scales[i] = static_cast<float>(std::sqrt(variance[i] * total / sum));
  return scales;
}

void shape_anisotropic(Matrix<float>& words) {
  const std::vector<float> scales = anisotropic_scales(cols(words));
  const float mean = static_cast<float>(std::sqrt(anisotropic_mean_share));
  for (std::size_t i = 0; i < rows(words); ++i) {
    const std::span<float> word = row(words, i);
    for (std::size_t j = 0; j < word.size(); ++j) word[j] = mean + scales[j] * word[j];
  }
}

}  // namespace

std::string_view to_text(Family family) {
  return std::ranges::find(names, family, &decltype(names)::value_type::first)->second;
}

Family family_from(std::string_view text) {
  const auto entry = std::ranges::find(names, text, &decltype(names)::value_type::second);
  require(entry != names.end(),
          "word family '{}' is none of gaussian, sphere, uniform, rademacher, anisotropic", text);
  return entry->first;
}

bool is_spherical(Family family) { return family == Family::gaussian || family == Family::sphere; }

Matrix<float> draw_words(Family family, std::size_t count, std::size_t d, const Stream& stream) {
  Matrix<float> words = matrix<float>(count, d);
  const std::span<float> all(words.data(), count * d);
  switch (family) {
    case Family::gaussian:
      fill_normal(stream, all);
      break;
    case Family::sphere:
      fill_sphere(stream, words);
      break;
    case Family::uniform:
      fill_uniform(stream, all, -1.0f, 1.0f);
      break;
    case Family::rademacher:
      fill_signs(stream, all);
      break;
    case Family::anisotropic:
      fill_normal(stream, all);
      shape_anisotropic(words);
      break;
  }
  return words;
}

Matrix<float> random_rotation(std::size_t d, const Stream& stream) {
  const Matrix<float> gaussian = normal_matrix<float>(d, d, stream);
  Matrix<float> basis = orthonormal_rows(gaussian);
  // Householder QR leaves the sign of each row to its reflections; only the sign of its product with the row
  // it came from makes the distribution uniform.
  for (std::size_t i = 0; i < d; ++i) {
    const std::span<const float> from = row(gaussian, i);
    const std::span<float> to = row(basis, i);
    double along = 0;
    for (std::size_t j = 0; j < d; ++j) along += static_cast<double>(from[j]) * to[j];
    if (along < 0)
      for (float& value : to) value = -value;
  }
  return basis;
}

std::vector<double> zipf_chances(std::size_t words) {
  std::vector<double> chances;
  for (std::size_t rank = 1; rank <= words; ++rank) chances.push_back(1 / double(rank));
  const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
  for (double& chance : chances) chance /= sum;
  return chances;
}

std::vector<std::uint32_t> drawn_text(std::size_t count, std::span<const double> chances,
                                      const Stream& stream) {
  std::vector<double> until(chances.size()), at(count);
  std::partial_sum(chances.begin(), chances.end(), until.begin());
  fill_uniform(stream, std::span(at), 0.0, until.back());
  std::vector<std::uint32_t> words;
  for (const double x : at)
    words.push_back(std::uint32_t(
        std::min(chances.size() - 1, std::size_t(std::ranges::upper_bound(until, x) - until.begin()))));
  return words;
}

}  // namespace perp
