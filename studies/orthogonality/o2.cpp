// O2: word vectors and PE are unrelated, so they are nearly orthogonal. In words: o2.toml.

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t usual_length = 2048;

/// The two tables again and again, one of them turned at random each time: tr(A Q B Qᵀ) of a random rotation Q is Σ a_i
/// Q_ij² b_j with the eigenvalues of A and of B. No table is turned, and only as many columns of Q are drawn as B has
/// eigenvalues that are no rounding.
void measure(const Matrix<float>& words, std::size_t rotations, const Streams& streams, Out& out) {
  constexpr double rounding = 1e-12;
  const std::size_t width = cols(words);
  const Matrix<float> positions = unit_rows(sinusoidal<float>(usual_length, width)).rows;
  const TableOverlap of = table_overlap(words, positions);
  const theory::OverlapNull null =
      theory::overlap_null(width, of.trace_a, of.trace_square_a, of.trace_b, of.trace_square_b);
  const double d = double(width);
  const std::vector<double> a = symmetric_eigenvalues(mean_outer_product(words));
  std::vector<double> b = symmetric_eigenvalues(mean_outer_product(positions));
  std::erase_if(b, [least = rounding * std::ranges::max(b)](double x) { return x <= least; });
  // The largest meets the first row: how many are no rounding, another LAPACK may see otherwise.
  std::ranges::reverse(b);
  for (std::size_t rotation = 0; rotation < rotations; ++rotation) {
    const Matrix<double> columns =
        orthonormal_rows(normal_matrix<double>(b.size(), width, streams("rotation", rotation)));
    double sum = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      double inside = 0;
      const std::span<const double> q = row(columns, j);
      for (std::size_t i = 0; i < a.size(); ++i) inside += a[i] * q[i] * q[i];
      sum += b[j] * inside;
    }
    out("turned", {{"words", rows(words)},
                   {"positions", usual_length},
                   {"rotation", rotation},
                   {"mean_square_d", d * sum},
                   {"theory", d * null.mean},
                   {"null_sd", d * null.sd}});
  }
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& rotations : measured["turned"].by("family d l"))
    out("mean", rotations,
        {{"square", rotations.mean("mean_square_d")},
         {"theory", rotations.front().number("theory")},
         {"rotations", rotations.size()}});
}

}  // namespace

Experiment words_against_positions(const Options& options, const SharedInputs& inputs) {
  Experiment claim("O2", toml_of("o2"), inputs->hashes);
  const std::size_t words = pick<std::size_t>(options.preset, 1000, 4000, 20000),
                    rotations = pick<std::size_t>(options.preset, 40, 1000, 4000);
  const auto add = [&](const char* family, std::size_t v, std::size_t d,
                       const std::function<Matrix<float>(const Streams&)>& table) {
    claim.cell({{"family", family},
                {"v", whole(v)},
                {"d", whole(d)},
                {"l", whole(usual_length)},
                {"rotations", whole(rotations)}},
               2e-8 * double(rotations * d * d),
               [=](const Streams& streams, Out& out) { measure(table(streams), rotations, streams, out); });
  };
  add("gaussian", words, 512, [=](const Streams& streams) {
    return unit_rows(draw_words(Family::gaussian, words, 512, streams("words"))).rows;
  });
  if (inputs->words)  // learned, or given
    add("real", rows(inputs->words->unit), cols(inputs->words->unit),
        [inputs](const Streams&) { return inputs->words->unit; });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::orthogonality
