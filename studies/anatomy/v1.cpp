// V1: the heat map. What stands still towards its right end does so because the picture is short.

#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/matrix.hpp"

namespace perp::anatomy {
namespace {

/// A dimension "is 0" or "is 1" if it stays this near to it at every position.
constexpr double nearness = 0.1;

struct Size {
  std::size_t d, l;
};
PERP_ROW(Size, d, l)
struct Still : Size {
  std::size_t still;
};
PERP_ROW_OF(Still, Size, still)

/// Dimensions at the right end that stay within `nearness` of 0 (sines) or 1 (cosines), counted from the end.
std::size_t still_columns(const Matrix<double>& table) {
  std::size_t still = 0;
  for (std::size_t j = cols(table); j-- > 0; ++still) {
    const double rest = j % 2 ? 1 : 0;
    for (std::size_t t = 0; t < rows(table); ++t)
      if (std::abs(table(t, j) - rest) > nearness) return still;
  }
  return still;
}

void measure(const Size& at, const Streams&, Rows& rows) {
  rows.add(Still{at, still_columns(sinusoidal<double>(at.l, at.d))});
}

struct Entry {
  std::size_t position, dimension;
  double value;
};

void add_pictures(Summary& summary) {
  const Matrix<double> small = sinusoidal<double>(small_length, small_width),
                       large = sinusoidal<double>(length, width);
  std::vector<Entry> entries;
  for (std::size_t t = 0; t < small_length; ++t)
    for (std::size_t j = 0; j < small_width; ++j) entries.push_back({t, j, four_decimals(small(t, j))});
  summary.table("v1_heatmap16.csv", entries,
                {exact("position", "row of the picture", &Entry::position).unit("positions"),
                 exact("dimension", "column: even a sine, odd a cosine", &Entry::dimension),
                 rounded("value", "entry of the table of 32 dimensions, to four decimals", &Entry::value)});
  summary.tables.push_back(matrix_table("v1_heatmap.csv",
                                        {"dimension", "1", Kind::exact, "row: even a sine, odd a cosine"},
                                        "entry at position", transposed(large)));
}

void conclude(const Cells& cells, Summary& summary) {
  const auto still =
      counted("still", "dimensions at the right end that stay within a tenth of 0 (sines) or 1 (cosines)",
              &Still::still)
          .unit("dimensions")
          .n([](const Size& at) { return at.l * at.d; });
  summary.each(rows_of<Still>(cells), {exact("d", "dimension", &Size::d), exact("l", "positions", &Size::l)},
               {still});
  add_pictures(summary);
  const auto seen = [](Role role, std::size_t d, std::size_t l) {
    return condition(role, fmt::format("still.d{}.l{}", d, l), Is::above, 0.0, Evidence::closed_form,
                     {{"positions", fmt::format("{}", l)}});
  };
  // Both pictures, and a table that is long beside the base.
  summary.rule = {seen(Role::core, small_width, small_length), seen(Role::core, width, length),
                  seen(Role::limit, width, 8192)};
}

}  // namespace

Experiment heat_map(const Options&) {
  Experiment claim{"V1", "Towards the right end of the heat map the values alternate between 0 and 1.",
                   "[b]"};
  claim.measure(
      std::vector<Size>{{small_width, small_length}, {width, length}, {width, text_length}, {width, 8192}},
      [](const Size& at) { return 1e-8 * at.d * at.l; }, measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
