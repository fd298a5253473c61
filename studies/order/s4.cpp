// S4: positions survive many layers. The place read from the states of random Transformers, block by block, with
// and without residuals.

#include <algorithm>

#include "perp/model/transformer.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

constexpr std::size_t blocks = 24, depth_width = 64, depth_length = 64;
/// Dimensions of the positions where they are concatenated; words have the others.
constexpr std::size_t appended = 16;
constexpr std::size_t read_depths[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24};
/// R² below which a place counts as lost.
constexpr double lost = 0.5;

struct Setting {
  std::string meeting, variant;
  std::size_t draw, sequences;
};
PERP_ROW(Setting, meeting, variant, draw, sequences)
struct Read : Setting {
  std::size_t depth;
  double place;
};
PERP_ROW_OF(Read, Setting, depth, place)
using Reads = Group<Read>;

/// "full" is GPT-2's, "norm_after" BERT's.
model::Shape shape_of(std::string_view variant) {
  model::Shape shape{.width = depth_width, .heads = 4, .inner = 4 * depth_width, .depth = blocks};
  if (variant == "norm_after") shape.norm = model::Norm::after;
  shape.residual = variant != "no_residual";
  return shape;
}

void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, at.draw);
  const bool added = at.meeting == "add";
  // Every token has a word of its own.
  const Matrix<float> words = draw_words(Family::gaussian, at.sequences * depth_length,
                                         added ? depth_width : depth_width - appended, draw("words"));
  Matrix<double> place = matrix<double>(at.sequences * depth_length, 1);
  for (std::size_t r = 0; r < place.size(); ++r) place(r, 0) = static_cast<double>(r % depth_length);
  const auto hook = [&](std::size_t depth, const Matrix<float>& states) {
    if (std::ranges::count(read_depths, depth))
      rows.add(Read{at, depth, read(states, place, {depth_length, 0, Held::tokens})[0]});
  };
  model::forward<float>(model::random_transformer<float>(shape_of(at.variant), draw("weights")),
                        added ? model::add_positions(words, sinusoidal<double>(depth_length, depth_width))
                              : model::append_positions(words, sinusoidal<double>(depth_length, appended)),
                        depth_length, {}, hook);
}

/// With residuals, LayerNorm before each layer as in GPT-2 or after it as in BERT; without is where it ends.
Rule rule() {
  struct Variant {
    Role role;
    const char *name, *residuals;
  };
  constexpr Variant asked[] = {{Role::core, "full", "LayerNorm before"},
                               {Role::core, "norm_after", "LayerNorm after"},
                               {Role::limit, "no_residual", "none"}};
  Rule rule;
  for (const Variant& variant : asked)
    for (const auto& [meeting, positions] : {std::pair{"add", "added"}, {"concat", "concatenated"}})
      rule.push_back(
          condition(variant.role, fmt::format("place.{}.{}.depth{}", meeting, variant.name, blocks),
                    Is::above, lost, Evidence::simulation,
                    {{"positions", positions}, {"residuals", variant.residuals}}, {}, "at least 8 seeds"));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Read> draws = rows_of<Read>(cells);
  const auto all = group_by(draws, &Read::meeting, &Read::variant, &Read::depth);
  const auto meeting = exact(
      "meeting", "add: sinusoid added; concat: 48 dimensions for words, 16 for positions", &Read::meeting);
  const auto variant = exact("variant",
                             "full: residuals, LayerNorm before each layer; norm_after: LayerNorm after the "
                             "sum; no_residual: without residuals",
                             &Read::variant);
  const auto depth = exact("depth", "blocks passed", &Read::depth);
  const auto place =
      mean("place",
           "Held-out R² of a token's position from the states, linear, mean over draws; theory: chance.",
           &Read::place)
          .chance(0);
  summary.table(
      "s4_read.csv", all,
      {meeting, variant, depth,
       place.interval("place_low", "place_high", "Student's t over draws of words and weights, 99%"),
       rows_in<Read>("draws", "draws of words and weights")});
  summary.table("s4_draws.csv", draws,
                {meeting, variant, depth, exact("draw", "of words and weights", &Read::draw),
                 sampled("place", "held-out R² of a token's position", &Read::place)});
  summary.each(where(all,
                     [](const Reads& reads) {
                       const Read& r = reads.front();
                       return r.depth == blocks || (r.depth == 0 && r.variant == "full");
                     }),
               {meeting, variant, depth}, {place});
  summary.rule = rule();
}

}  // namespace

Experiment surviving_depth(const Options& options) {
  Experiment claim{"S4", "Positions survive many layers.", "[b]"};
  claim.measure(
      grid<Setting>(std::vector<std::string>{"add", "concat"},
                    std::vector<std::string>{"full", "norm_after", "no_residual"},
                    first(pick<std::size_t>(options.preset, 2, 8, 20)),
                    pick<std::size_t>(options.preset, 8, 40, 96)),
      [](const Setting& at) { return 1e-2 * at.sequences; }, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
