// S3: the rows of Q, K and V carry the order. If they did, exchanging tokens would change more than the place
// where a row stands.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/model/transformer.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

constexpr model::Shape shape{.width = 64, .heads = 4, .inner = 256, .depth = 1};
constexpr std::size_t length = 64;

struct Setting {
  std::size_t permutations;
};
PERP_ROW(Setting, permutations)
/// The largest ‖f(PX) - P f(X)‖/‖f(X)‖ over the permutations P.
struct Defect : Setting {
  std::string rows;
  double largest;
};
PERP_ROW_OF(Defect, Setting, rows, largest)

void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const auto transformer = model::random_transformer<double>(shape, streams("weights"));
  const auto words = converted<double>(draw_words(Family::gaussian, length, shape.width, streams("words")));
  const model::Attention<double>& attention = transformer.blocks.front().attention;
  for (const auto& [name, map] :
       {std::pair{"query", &attention.query}, {"key", &attention.key}, {"value", &attention.value}}) {
    const Matrix<double> before = model::apply(*map, View<double>(words));
    Defect defect{at, name, 0};
    for (std::size_t p = 0; p < at.permutations; ++p) {
      const auto drawn = permutation(streams("permutation", p), static_cast<std::uint32_t>(length));
      const std::vector<std::size_t> order(drawn.begin(), drawn.end());
      const Matrix<double> moved = select_rows(words, order), expected = select_rows(before, order);
      const Matrix<double> after = model::apply(*map, View<double>(moved));
      double apart = 0, all = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        apart += squared(after.data()[i] - expected.data()[i]);
        all += squared(expected.data()[i]);
      }
      defect.largest = std::max(defect.largest, std::sqrt(apart / all));
    }
    rows.add(defect);
  }
}

double over(const Defect& d) {
  return d.largest / model::rounding_bound(1, std::max(shape.inner, length), 0x1p-53);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto all = rows_of<Defect>(cells);
  summary.each(
      all, {exact("rows", "of Q, K or V", &Defect::rows)},
      {rounded("defect",
               "Without encoding, what exchanging tokens does to a map's rows besides moving them, in units "
               "of the bound for rounding; |f(PX) - P f(X)|/|f(X)|, largest over the permutations P.",
               over)
           .unit("× rounding error")
           .chance(0)
           .n(&Defect::permutations)});
  // Rows that carried the order would change when words change places, not only move.
  for (const Defect& of : all)
    summary.rule.push_back(
        condition(Role::core, "defect." + of.rows, Is::above, 1.0, Evidence::theorem, {{"rows", of.rows}}));
}

}  // namespace

Experiment order_of_rows(const Options&) {
  Experiment claim{"S3", "The order of the words is implicit in the order of the rows of Q, K and V.", "[c]"};
  claim.measure(grid<Setting>(std::size_t{20}), 1e-2, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
