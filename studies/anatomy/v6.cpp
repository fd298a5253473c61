// V6: what a position does to each dimension of a word: a shift that is the same everywhere, and what moves. In words:
// v6.toml.

#include <numeric>

#include "perp/study/experiment.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

constexpr const char* quarters[] = {"first", "second", "third", "last"};
constexpr std::size_t quarter_width = width / std::size(quarters);

/// Both parts of each dimension over the positions, and each quarter's share of what moves.
void measure(std::size_t l, Out& out) {
  const Matrix<double> table = sinusoidal<double>(l, width);
  std::vector<MomentSums> columns(width);
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t j = 0; j < width; ++j) columns[j].add(table(t, j));
  std::vector<double> moves;
  for (std::size_t j = 0; j < width; ++j) {
    const Moments m = columns[j].moments();
    // Positions are all there are, not a sample of them.
    moves.push_back(m.variance * double(l - 1) / double(l));
    if (l == text_length)
      out("dimensions", {{"dimension", j},
                         {"wave", j % 2 ? "cosine" : "sine"},
                         {"shift", m.mean * m.mean},
                         {"moves", moves.back()},
                         {"moves_line", theory::sinusoid_column(l, width, j, usual_base).variance}});
  }
  const double all = std::accumulate(moves.begin(), moves.end(), 0.0);
  for (std::size_t q = 0; q < std::size(quarters); ++q) {
    const auto first = moves.begin() + std::ptrdiff_t(q * quarter_width);
    out("quarter", {{"quarter", quarters[q]},
                    {"share", std::accumulate(first, first + quarter_width, 0.0) / all},
                    {"entries", l * quarter_width}});
  }
}

}  // namespace

Experiment distortion(const Options&) {
  Experiment claim("V6", toml_of("v6"));
  for (const std::size_t l : {std::size_t{50}, text_length, std::size_t{8192}})
    claim.cell({{"l", whole(l)}}, 1e-8 * double(l * width),
               [=](const Streams&, Out& out) { measure(l, out); });
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
