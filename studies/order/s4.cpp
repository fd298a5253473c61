// S4: positions survive many layers. The place read from the states of random Transformers, block by block, with
// and without residuals. In words: s4.toml.

#include <algorithm>

#include "perp/model/transformer.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

constexpr std::size_t blocks = 24, depth_width = 64, depth_length = 64;
/// Dimensions of the positions where they are concatenated; words have the others.
constexpr std::size_t appended = 16;
constexpr std::size_t read_depths[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24};

/// "full" is GPT-2's, "norm_after" BERT's.
model::Shape shape_of(std::string_view variant) {
  model::Shape shape{.width = depth_width, .heads = 4, .inner = 4 * depth_width, .depth = blocks};
  if (variant == "norm_after") shape.norm = model::Norm::after;
  shape.residual = variant != "no_residual";
  return shape;
}

void measure(const std::string& meeting, const std::string& variant, std::size_t number,
             std::size_t sequences, const Streams& streams, Out& out) {
  const Streams draw = of_draw(streams, number);
  const bool added = meeting == "add";
  // Every token has a word of its own.
  const Matrix<float> words = draw_words(Family::gaussian, sequences * depth_length,
                                         added ? depth_width : depth_width - appended, draw("words"));
  Matrix<double> place = matrix<double>(sequences * depth_length, 1);
  for (std::size_t r = 0; r < place.size(); ++r) place(r, 0) = static_cast<double>(r % depth_length);
  const auto hook = [&](std::size_t depth, const Matrix<float>& states) {
    if (std::ranges::count(read_depths, depth))
      out("place", {{"depth", depth}, {"place", read(states, place, {depth_length, 0, Held::tokens})[0]}});
  };
  model::forward<float>(model::random_transformer<float>(shape_of(variant), draw("weights")),
                        added ? model::add_positions(words, sinusoidal<double>(depth_length, depth_width))
                              : model::append_positions(words, sinusoidal<double>(depth_length, appended)),
                        depth_length, {}, hook);
}

void fold(const Frames& measured, Out& out) {
  for (const Frame& draws : measured["place"].by("meeting variant depth"))
    out("read", draws, {{"place", draws.mean("place")}, {"draws", draws.size()}});
}

}  // namespace

Experiment surviving_depth(const Options& options) {
  Experiment claim("S4", toml_of("s4"));
  const std::size_t sequences = pick<std::size_t>(options.preset, 8, 40, 96);
  for (const std::string meeting : {"add", "concat"})
    for (const std::string variant : {"full", "norm_after", "no_residual"})
      for (const std::size_t draw : first(pick<std::size_t>(options.preset, 2, 8, 20)))
        claim.cell({{"meeting", meeting},
                    {"variant", variant},
                    {"draw", whole(draw)},
                    {"sequences", whole(sequences)}},
                   1e-2 * double(sequences), [=](const Streams& streams, Out& out) {
                     measure(meeting, variant, draw, sequences, streams, out);
                   });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::order
