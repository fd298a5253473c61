// V1: the heat map. What stands still towards its right end does so because the picture is short.

#include <algorithm>
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
  double sine, cosine;
};
PERP_ROW_OF(Still, Size, still, sine, cosine)

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

/// The same from the angles: sines leave 0 first, at asin(nearness), a whole pair before their cosines leave
/// 1. Where a pair's sine has left and its cosine not, the cosine still counts.
std::size_t still_line(const Size& at) {
  const std::vector<double> omega = frequencies(at.d);
  const double last = at.l - 1;
  std::size_t still = 0;
  for (std::size_t i = omega.size(); i-- > 0; still += 2) {
    if (omega[i] * last > std::acos(1 - nearness)) return still;
    if (omega[i] * last > std::asin(nearness)) return still + 1;
  }
  return still;
}

void measure(const Size& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, at.d);
  Still still{at, still_columns(table), 0, 1};
  for (std::size_t t = 0; t < at.l; ++t) {
    still.sine = std::max(still.sine, std::abs(table(t, at.d - 2)));
    still.cosine = std::min(still.cosine, table(t, at.d - 1));
  }
  rows.add(still);
}

void add_still(const std::vector<Still>& stills, Summary& summary) {
  const auto d = exact("d", "dimension", &Size::d);
  const auto positions = exact("positions", "L", &Size::l).unit("positions");
  const auto still =
      counted(
          "still",
          "dimensions at the right end that stay within a tenth of 0 (sines) or 1 (cosines); theory: from "
          "the angles",
          &Still::still)
          .theory("line", "the same from the angles at the last position", still_line)
          .n([](const Size& at) { return at.l * at.d; });
  const auto sine = rounded("sine", "largest value of the slowest sine", &Still::sine).chance(0).n(&Size::l);
  summary.table(
      "v1_still.csv", stills,
      {d, positions, still, sine, rounded("cosine", "smallest value of the slowest cosine", &Still::cosine)});
  const auto l = exact("l", "positions", &Size::l);
  summary.each(stills, {d, l}, {still.unit("dimensions")});
  summary.each(
      where(stills, [](const Still& s) { return s.l == small_length || s.l == 8192; }), {d, l},
      {sine.as("slowest_sine", "Largest value of the slowest sine; theory: the 0 that people see.")});
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
  add_still(rows_of<Still>(cells), summary);
  add_pictures(summary);
  const auto still = [](Role role, std::size_t d, std::size_t l) {
    return condition(role, fmt::format("still.d{}.l{}", d, l), Is::above, 0.0, Evidence::closed_form,
                     {{"positions", fmt::format("{}", l)}});
  };
  // Both pictures, and a table that is long beside the base.
  summary.rule = {still(Role::core, small_width, small_length), still(Role::core, width, length),
                  still(Role::limit, width, 8192)};
}

}  // namespace

Experiment heat_map(const Options& options) {
  Experiment claim{"V1", "Towards the right end of the heat map the values alternate between 0 and 1.",
                   "[b]"};
  std::vector<Size> sizes{{small_width, small_length}, {width, length}, {width, text_length}, {width, 8192}};
  if (options.preset == Preset::long_) sizes.push_back({width, 65536});
  claim.measure(
      sizes, [](const Size& at) { return 1e-8 * at.d * at.l; }, measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
