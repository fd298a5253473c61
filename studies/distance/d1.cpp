// D1: p_t·p_{t+k} depends on k alone. Measured in the formats that tables and angles are held in.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// Deviations below this share of g(0) = d/2 leave the product, for this study, a function of the lag alone.
constexpr double same_enough = 0.01;
constexpr std::size_t block_rows = 128;  // consecutive positions at every place
constexpr std::uint64_t block_products = block_rows * (block_rows + 1) / 2;
/// Texts are read up to here: the last of the measured places from position 8,192 on.
constexpr std::size_t text_end = 10'127;

/// The table is stored in one format, the angles ω_i t are computed in another: the table short alone, the
/// angle short alone, and both as code has them. (bfloat16, bfloat16) is the rotary layer that holds
/// frequencies and positions in the model's own type; (bfloat16, float32) is its repair.
struct Storage {
  std::string_view table, angle;
};
constexpr Storage storages[] = {{"float64", "float64"}, {"float32", "float64"},   {"bfloat16", "float64"},
                                {"float16", "float64"}, {"float64", "float32"},   {"float64", "bfloat16"},
                                {"float64", "float16"}, {"float32", "float32"},   {"bfloat16", "float32"},
                                {"float16", "float32"}, {"bfloat16", "bfloat16"}, {"float16", "float16"}};
bool is_short(std::string_view angle) { return angle == "bfloat16" || angle == "float16"; }

struct Place {
  std::string measure, table, angle;
  std::size_t d, l;
};
PERP_ROW(Place, measure, table, angle, d, l)
struct Block : Place {
  std::size_t position;
  double worst, bound;
};
PERP_ROW_OF(Block, Place, position, worst, bound)
struct Toeplitz : Place {
  double defect;
};
PERP_ROW_OF(Toeplitz, Place, defect)
struct Dimension {
  std::string measure;
  std::size_t d;
};
PERP_ROW(Dimension, measure, d)
struct Pair : Dimension {
  std::size_t t, s;
  double float64, float32, short_table, short_angle;
};
PERP_ROW_OF(Pair, Dimension, t, s, float64, float32, short_table, short_angle)

Block measure_block(const Place& at, std::size_t first, const std::vector<double>& kernel) {
  const Format table_format = format_from(at.table), angle = format_from(at.angle);
  std::vector<std::uint64_t> positions(block_rows);
  std::iota(positions.begin(), positions.end(), first);
  const Matrix<double> table = sinusoidal_in_format(positions, at.d, usual_base, table_format, angle);
  const Matrix<double> products = gram_rows(table);
  double worst = 0;
  for (std::size_t t = 0; t < block_rows; ++t)
    for (std::size_t s = t; s < block_rows; ++s)
      worst = std::max(worst, std::abs(products(t, s) - kernel[s - t]));
  const std::size_t last = positions.back();
  return {at, last, worst, product_rounding_bound(table_format, angle, at.d, usual_base, last)};
}

void measure_blocks(const Place& at, const Streams&, Rows& rows) {
  const Format angle = format_from(at.angle);
  const std::vector<double> kernel = kernel_of_format(at.d, angle, block_rows);
  for (const std::size_t first : {0, 100, 300, 1000, 3000, 10'000, 30'000, 100'000, 300'000, 1'000'000})
    if (first + block_rows < largest_finite(angle)) rows.add(measure_block(at, first, kernel));
}

/// The Toeplitz residual of all L x L products.
void measure_residual(const Place& at, const Streams&, Rows& rows) {
  const Matrix<double> table =
      sinusoidal_in_format(at.l, at.d, usual_base, format_from(at.table), format_from(at.angle));
  rows.add(Toeplitz{at, toeplitz_defect(lag_statistics(table, 1, at.l - 1))});
}

void measure_pairs(const Dimension& at, const Streams&, Rows& rows) {
  const std::uint64_t pairs[][2] = {
      {105, 106}, {5, 6}, {5, 10}, {1005, 1006}, {100'005, 100'006}, {1'000'005, 1'000'006}};
  for (const auto& [t, s] : pairs) {
    const auto dot = [&, both = std::array{t, s}](Format table_format, Format angle) {
      const Matrix<double> table = sinusoidal_in_format(both, at.d, usual_base, table_format, angle);
      return std::inner_product(row(table, 0).begin(), row(table, 0).end(), row(table, 1).begin(), 0.0);
    };
    rows.add(Pair{at, t, s, dot(Format::float64, Format::float64), dot(Format::float32, Format::float32),
                  dot(Format::bfloat16, Format::float32), dot(Format::bfloat16, Format::bfloat16)});
  }
}

const auto table_format = exact("table", "format in which the table is stored", &Place::table);
const auto angle_format = exact("angle", "format in which the angles are computed", &Place::angle);
const auto share = [](const Block& b) { return b.worst / (b.d / 2.0); };

void add_pairs(const std::vector<Pair>& pairs, Summary& summary) {
  summary.table("d1_pairs.csv", pairs,
                {exact("t", "position", &Pair::t), exact("s", "position", &Pair::s),
                 exact("stated", "the product that the source states for this lag, d = 16",
                       [](const Pair& p) { return p.s - p.t == 1 ? 7.4852 : 6.1370; }),
                 rounded("float64", "product, all in float64", &Pair::float64),
                 rounded("float32", "product, table and angles in float32", &Pair::float32),
                 rounded("bfloat16_table", "table in bfloat16, angles in float32", &Pair::short_table),
                 rounded("bfloat16_angle", "table and angles in bfloat16", &Pair::short_angle)});
}

// ---- one storage: its blocks, from position 0 on

using Blocks = Group<Block>;

/// A number of the block that ends at this position; NaN where the format does not reach it.
template <class Get>
auto at_position(std::size_t last, Get get) {
  return [=](const Blocks& blocks) {
    const auto found = std::ranges::find(blocks, last, &Block::position);
    return found == blocks.end() ? NAN : double(std::invoke(get, *found));
  };
}

const auto largest = [](auto get) { return [get](const Blocks& blocks) { return most(blocks, get); }; };

Blocks of_texts(const Blocks& blocks) {
  return where(blocks, [](const Block& b) { return b.position <= text_end; });
}
double text_share(const Blocks& blocks) { return most(of_texts(blocks), share); }

void add_formats(const std::vector<Blocks>& by_format, const std::vector<Toeplitz>& toeplitz,
                 Summary& summary) {
  const auto defect = [&](const Block& b) {
    const auto found = only(toeplitz, &Place::table, b.table, &Place::angle, b.angle);
    return found.empty() ? NAN : found.front().defect;
  };
  summary.table(
      "d1_formats.csv", by_format,
      {table_format, angle_format,
       rounded("start", "worst deviation over g(0), positions 0 to 127", at_position(127, share)),
       rounded("at_10k", "the same, positions 10000 to 10127", at_position(10'127, share)),
       rounded("at_1m", "the same, positions 1000000 to 1000127", at_position(1'000'127, share)),
       rounded("bound_share", "worst deviation over its bound, largest of all places",
               largest([](const Block& b) { return b.worst / b.bound; }))
           .unit("× rounding error"),
       rounded("defect", "Toeplitz residual of all products of the first positions, d = 512", defect)});
  summary.each(by_format, {table_format, angle_format},
               {rounded("text_share",
                        "largest |p_t·p_s - g(s-t)| over g(0), d = 512, to position 10,127, table and angles "
                        "in these formats",
                        text_share)
                    .n([](const Blocks& b) { return block_products * of_texts(b).size(); })});
}

/// Angles in float32 or wider with any table, the usual format first; shorter angles are where it ends.
Rule rule() {
  std::vector<Storage> ordered(std::begin(storages), std::end(storages));
  std::ranges::stable_sort(ordered, {}, [&](const Storage& s) {
    return is_short(s.angle) ? 2 : s.table == "float32" && s.angle == "float32" ? 0 : 1;
  });
  Rule rule;
  for (const auto& [table, angle] : ordered)
    rule.push_back(condition(
        is_short(angle) ? Role::limit : Role::core, fmt::format("text_share.{}.{}", table, angle), Is::below,
        same_enough, table == "float64" && angle == "float64" ? Evidence::theorem : Evidence::closed_form,
        {{"angles", std::string(angle)}, {"table", std::string(table)}}));
  rule.push_back(condition(Role::limit, elsewhere, Is::above, 0.0, Evidence::released,
                           {{"evidence", "released"}},
                           "what the lag leaves of the products of learned positions", needs_model));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_pairs(rows_of<Pair>(cells), summary);
  add_formats(group_by(rows_of<Block>(cells), &Place::table, &Place::angle), rows_of<Toeplitz>(cells),
              summary);
  summary.rule = rule();
}

}  // namespace

Experiment lag_alone(const Options& options) {
  Experiment claim{
      "D1",
      "The dot product of two positions depends on their distance alone: p_t·p_{t+k} is a function of k.",
      "[c]"};
  const std::size_t whole_length = pick<std::size_t>(options.preset, 512, 2048, 4096);
  std::vector<Place> blocks, residuals;
  for (const auto& [table, angle] : storages) {
    blocks.push_back({"blocks", std::string(table), std::string(angle), 512, 1'000'000});
    residuals.push_back({"whole", std::string(table), std::string(angle), 512, whole_length});
  }
  claim.measure(std::vector<Dimension>{{"pairs", 16}}, 1e-3, measure_pairs);
  claim.measure(blocks, 0.3, measure_blocks);
  claim.measure(
      residuals, [](const Place& p) { return 4e-8 * double(p.l * p.l); }, measure_residual);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
