// S3: the rows of Q, K and V carry the order. If they did, exchanging tokens would change more than the place
// where a row stands. In words: s3.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/model/transformer.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

constexpr model::Shape shape{.width = 64, .heads = 4, .inner = 256, .depth = 1};
constexpr std::size_t length = 64, permutations = 20;

/// The largest ‖f(PX) - P f(X)‖/‖f(X)‖ over the permutations P, in units of the bound for rounding.
void measure(const Streams& streams, Out& out) {
  const auto transformer = model::random_transformer<double>(shape, streams("weights"));
  const auto words = converted<double>(draw_words(Family::gaussian, length, shape.width, streams("words")));
  const model::Attention<double>& attention = transformer.blocks.front().attention;
  for (const auto& [name, map] :
       {std::pair{"query", &attention.query}, {"key", &attention.key}, {"value", &attention.value}}) {
    const Matrix<double> before = model::apply(*map, View<double>(words));
    double largest = 0;
    for (std::size_t p = 0; p < permutations; ++p) {
      const auto drawn = permutation(streams("permutation", p), static_cast<std::uint32_t>(length));
      const std::vector<std::size_t> order(drawn.begin(), drawn.end());
      const Matrix<double> moved = select_rows(words, order), expected = select_rows(before, order);
      const Matrix<double> after = model::apply(*map, View<double>(moved));
      double apart = 0, all = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        apart += squared(after.data()[i] - expected.data()[i]);
        all += squared(expected.data()[i]);
      }
      largest = std::max(largest, std::sqrt(apart / all));
    }
    out("rows", {{"rows", name},
                 {"defect", largest / model::rounding_bound(1, std::max(shape.inner, length), 0x1p-53)}});
  }
}

}  // namespace

Experiment order_of_rows(const Options&) {
  Experiment claim("S3", toml_of("s3"));
  claim.cell({{"permutations", whole(permutations)}}, 1e-2, measure);
  return claim;
}

}  // namespace perp::order
