// A4: words and positions in orthogonal subspaces, added, score as the concatenation does. In words: a4.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Fitted scores of all sums by the best matrix.
Matrix<double> scores(const Matrix<double>& table, std::size_t words, const BilinearFit& fit) {
  const Matrix<double> sums = whitened_rows(table, words);
  return product_nt(product(sums, fit.head), sums);
}

/// Words in d - l dimensions, l positions in the others, of equal power; and the same turned at random.
void measure(std::size_t v, std::size_t l, std::size_t d, std::size_t replicate, const Streams& streams,
             Out& out) {
  const auto normals = [&](std::size_t rows, std::size_t cols, const char* purpose) {
    return normal_matrix<double>(rows, cols, streams(purpose, replicate));
  };
  const Matrix<double> words = normals(v, d, "words"), positions = normals(l, d, "positions");
  Matrix<double> concatenated = zeros<double>(v + l, d);
  for (std::size_t i = 0; i < v; ++i)
    for (std::size_t j = 0; j < d - l; ++j)
      concatenated(i, j) = words(i, j) * std::sqrt(double(d) / double(d - l));
  for (std::size_t i = 0; i < l; ++i)
    for (std::size_t j = 0; j < l; ++j)
      concatenated(v + i, d - l + j) = positions(i, j) * std::sqrt(double(d) / double(l));
  const Matrix<double> added = product(concatenated, complete_basis(normals(d, d, "turn")));
  const BilinearTargets targets = bilinear_targets(normals(v + l, v + l, "targets"), v);
  const BilinearFit apart = bilinear_fit(concatenated, targets), together = bilinear_fit(added, targets);
  const Matrix<double> left = scores(concatenated, v, apart), right = scores(added, v, together);
  double off = 0;
  for (std::size_t i = 0; i < left.size(); ++i) off += squared(left.data()[i] - right.data()[i]);
  out("contained", {{"difference", std::max(std::sqrt(off / targets.energy),
                                            std::abs(apart.residual - together.residual))}});
}

void fold(const Frames& measured, Out& out) {
  const Frame& all = measured["contained"];
  out("all", {{"containment", all.most("difference")}, {"draws", all.size()}});
}

}  // namespace

Experiment adding_contains_concatenating(const Options& options) {
  Experiment claim("A4", toml_of("a4"));
  struct Size {
    std::size_t v, l, d;
  };
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 12);
  for (const Size& at : options.preset == Preset::quick
                            ? std::vector<Size>{{150, 16, 32}}
                            : std::vector<Size>{{300, 32, 64}, {150, 16, 32}, {60, 12, 24}})
    claim.cell({{"what", "containment"},
                {"v", whole(at.v)},
                {"l", whole(at.l)},
                {"d", whole(at.d)},
                {"replicates", whole(replicates)}},
               0.1, [=](const Streams& streams, Out& out) {
                 for (const std::size_t replicate : first(replicates))
                   measure(at.v, at.l, at.d, replicate, streams, out);
               });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
