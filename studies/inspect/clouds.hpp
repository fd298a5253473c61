#pragma once
// Sets of rows by their first two moments, which pool; a table of words as many such sets; and how much what
// is computed of them would move with another choice of words.

#include <functional>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/study/experiment.hpp"

namespace perp::inspect {

/// Number, mean and covariance (over the number) of some rows.
struct Cloud {
  double rows = 0;
  std::vector<double> mean;
  Matrix<double> covariance;
};

/// Products in T, sums in float64.
template <class T>
Cloud cloud_of(const Matrix<T>& table);
/// Of all of their rows. Sets without rows count for nothing.
Cloud pooled(const Cloud& a, const Cloud& b);
Cloud pooled(std::span<const Cloud> clouds);
/// Mean outer product of the rows.
Matrix<double> about_origin(const Cloud& of);

/// Random groups of words, halves of which are compared: a power of two, fewer where matrices are large.
constexpr std::size_t word_groups(std::size_t d) { return d <= 1024 ? 16 : 8; }
using Groups = std::vector<Cloud>;

/// The rows of a table in random groups: one pass, and word_groups(d) matrices of d x d. Where counts[row] are
/// given, each row stands as often as that.
Groups grouped_words(const RowStream& stream, std::size_t rows, const Streams& streams,
                     const std::vector<double>& counts = {});

/// Standard error of a number that is computed from words, as another choice of words would move it.
/// Balanced repeated halves (McCarthy 1969, Rev. Int. Stat. Inst. 37, 239): of 16 groups of words 15 ways to
/// halve them that are orthogonal to one another, of 8 seven; half of the root mean square difference of the
/// two halves. No resampling with replacement, which would make covariances more alike than they are. NaN
/// below eight words a group.
double split_half_error(const Groups& words, const std::function<double(const Cloud&)>& of);
/// Of fewer words: one group after the other is left out (jackknife; Tukey 1958, Ann. Math. Stat. 29, 614). NaN
/// where fewer than eight groups have words.
double left_out_error(const Groups& words, const std::function<double(const Cloud&)>& of);

}  // namespace perp::inspect
