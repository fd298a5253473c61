// O4: the subspace of words and the subspace of positions are approximately orthogonal. In words: o4.toml.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/subspaces.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 2048;  // positions that make the PE subspace
constexpr std::size_t draws_per_cell = 50;

/// The positions' directions in one width, made by the first cell that asks; who asks meanwhile waits.
struct Basis {
  std::once_flag once;
  Matrix<double> directions;
};

/// Ranks at i/12.5 of d: never on the line k + r = d, where no approximation of the largest angle holds.
std::vector<std::size_t> grid_ranks(std::size_t d) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 1; i <= 12; ++i)
    ranks.push_back(std::size_t(std::lround(double(i) * double(d) / 12.5)));
  return ranks;
}

/// Of one k-dimensional subspace of words with the positions' leading r dimensions.
void add_angles(std::size_t k, std::size_t r, const std::vector<double>& cosines, Out& out) {
  double squares = 0;
  for (const double c : cosines) squares += c * c;
  out("angles",
      {{"k", k}, {"r", r}, {"largest", cosines.front()}, {"mean_square", squares / double(cosines.size())}});
}

/// Of one random basis of words: for all pairs of ranks (a grid), or for equal ones.
void measure_nested(bool grid, const Matrix<double>& positions, const Streams& streams, Out& out) {
  const std::size_t d = cols(positions);
  const Matrix<double> words = complete_basis(normal_matrix<double>(d, d, streams("words")));
  const auto add = [&](std::span<const std::size_t> ks, std::span<const std::size_t> rs) {
    const auto cosines = principal_cosines_nested<double>(words, positions, ks, rs);
    for (std::size_t i = 0; i < cosines.size(); ++i)
      add_angles(ks[i / rs.size()], rs[i % rs.size()], cosines[i], out);
  };
  const std::vector<std::size_t> ranks = grid_ranks(d);
  if (grid) return add(ranks, ranks);
  for (const std::size_t k : ranks) add({{k}}, {{k}});
}

/// Of random words of one rank; several subspaces a cell.
void measure_pair(std::size_t k, const Matrix<double>& positions, const Streams& streams, Out& out) {
  for (std::size_t draw = 0; draw < draws_per_cell; ++draw)
    add_angles(
        k, rows(positions),
        principal_cosines(normal_matrix<double>(k, cols(positions), streams("words", draw)), positions), out);
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& draws : measured["angles"].by("measure d k r")) {
    const Row& at = draws.front();
    const std::size_t d = at.whole("d"), k = at.whole("k"), r = at.whole("r");
    const double johnstone = theory::largest_cosine_expected(d, k, r);
    const Moments square = draws.moments("mean_square");
    if (at.text("measure") == "law") {  // the rows of "pair" serve findings alone
      // Of projections, tr(AB) is the sum of the min(k, r) squared cosines: d tr(AB)/(kr) is their mean times this.
      const double factor = double(d) / std::max(k, r);
      out("pair", draws,
          {{"draws", draws.size()},
           {"largest", draws.mean("largest")},
           {"johnstone", johnstone},
           {"overlap", estimated(factor * square.mean, spread_of(square, factor))}});
    } else {
      out("largest", draws,
          {{"draws", draws.size()},
           {"largest", draws.mean("largest")},
           {"theory", johnstone},
           {"theory_sd", theory::largest_cosine_sd(d, k, r)},
           {"applies", theory::johnstone_applies(d, k, r)}});
    }
  }
}

}  // namespace

Experiment subspaces_against_chance(const Options& options) {
  Experiment claim("O4", toml_of("o4"));
  const auto bases = std::make_shared<std::map<std::size_t, Basis>>();
  const auto directions = [bases](std::size_t d) -> const Matrix<double>& {
    Basis& basis = bases->at(d);
    std::call_once(basis.once, [&] { basis.directions = position_basis(length, d); });
    return basis.directions;
  };
  const auto nested = [&](const char* measure, double scale, std::size_t d, std::size_t draws) {
    for (const std::size_t draw : first(draws))
      claim.cell({{"measure", measure}, {"d", whole(d)}, {"draw", whole(draw)}},
                 scale * std::pow(double(d), 3), [=](const Streams& streams, Out& out) {
                   measure_nested(measure == std::string("grid"), directions(d), streams, out);
                 });
    (*bases)[d];
  };
  nested("grid", 5e-9, 512, pick<std::size_t>(options.preset, 2, 50, 400));
  for (const std::size_t d : doubling(64, 1024))
    nested("diagonal", 3e-9, d, pick<std::size_t>(options.preset, 0, 20, 200));
  for (const std::size_t draw : first(pick<std::size_t>(options.preset, 1, 8, 40)))
    claim.cell({{"measure", "law"}, {"d", 512}, {"k", 64}, {"r", 128}, {"draw", whole(draw)}}, 0.1,
               [=](const Streams& streams, Out& out) {
                 measure_pair(64, leading_rows(directions(512), 128), streams, out);
               });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::orthogonality
