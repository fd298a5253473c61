// S4: positions survive many layers. Place and word read linearly from the states of every depth.

#include "studies/order/s4_depth.hpp"

#include <algorithm>

#include "perp/base/linalg.hpp"
#include "perp/model/transformer.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

std::vector<Cell> cells(const Options& options) {
  const std::size_t draws = pick<std::size_t>(options.preset, 2, 8, 20),
                    sequences = pick<std::size_t>(options.preset, 8, 40, 96);
  std::vector<Cell> cells;
  for (const std::string_view meeting : meetings)
    for (const std::string_view variant : variants)
      for (std::size_t draw = 0; draw < draws; ++draw)
        cells.push_back({{{"meeting", std::string(meeting)},
                          {"variant", std::string(variant)},
                          {"draw", whole(draw)},
                          {"sequences", whole(sequences)}},
                         1e-2 * static_cast<double>(sequences)});
  return cells;
}

/// Column 0 the place, then the entries of the token's word vector.
Matrix<double> targets(const Matrix<float>& words) {
  Matrix<double> out = matrix<double>(rows(words), cols(words) + 1);
  for (std::size_t r = 0; r < rows(words); ++r) {
    out(r, 0) = static_cast<double>(r % depth_length);
    std::ranges::copy(row(words, r), row(out, r).begin() + 1);
  }
  return out;
}

Records run(const Cell& cell, const Streams& streams) {
  const Streams draw = of_draw(streams, size_at(cell.at, "draw"));
  const std::string& meeting = text_at(cell.at, "meeting");
  const model::Shape shape = shape_of(text_at(cell.at, "variant"));
  const std::size_t batch = size_at(cell.at, "sequences"),
                    word_width = meeting == "concat" ? depth_width - depth_appended : depth_width;
  // Every token has a word of its own, so no word to be read was seen in learning.
  const Matrix<float> words = draw_words(Family::gaussian, batch * depth_length, word_width, draw("words"));
  Matrix<float> x = words;
  model::AttentionPositions<float> inside;
  if (meeting == "add")
    x = input(words, positional_input<float>("sinusoidal", depth_length, shape, draw));
  else if (meeting == "concat")
    x = model::append_positions(View<float>(words),
                                View<double>(sinusoidal<double>(depth_length, depth_appended)));
  else
    inside = positional_input<float>("rotary", depth_length, shape, draw).attention;
  const Matrix<double> wanted = targets(words);
  const Split split{depth_length, 0, Held::tokens};
  Records records;
  const auto hook = [&](std::size_t depth, const Matrix<float>& states) {
    if (!std::ranges::count(read_depths, depth)) return;
    const std::vector<double> r2 = read(states, wanted, split);
    records.push_back({"read",
                       {{"depth", whole(depth)},
                        {"place", r2[0]},
                        {"word", mean_of(r2, 1, r2.size())},
                        {"spread", spread_within(states, depth_length)}}});
  };
  const auto transformer =
      model::random_transformer<float>(shape, model::Initialisation::fan_in, draw("weights"));
  model::forward<float>(transformer, std::move(x), depth_length, inside, hook);
  return records;
}

}  // namespace

model::Shape shape_of(std::string_view variant) {
  model::Shape shape{.width = depth_width, .heads = 4, .inner = 4 * depth_width, .depth = depth_blocks};
  if (variant == "norm_after") shape.norm = model::Norm::after;
  if (variant == "no_norm" || variant == "bare") shape.norm = model::Norm::none;
  if (variant == "no_feed_forward" || variant == "bare") shape.feed_forward = false;
  if (variant == "no_residual" || variant == "bare") shape.residual = false;
  return shape;
}

Line line_at_input(std::string_view meeting) {
  if (meeting == "rotary") return {0, 1};
  const std::size_t d = meeting == "add" ? depth_width : depth_appended;
  Matrix<double> p = sinusoidal<double>(depth_length, d), t = matrix<double>(depth_length, 1);
  const double length = static_cast<double>(depth_length);
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < depth_length; ++i) mean += p(i, j) / length;
    for (std::size_t i = 0; i < depth_length; ++i) p(i, j) -= mean;
  }
  double variance = 0;
  for (std::size_t i = 0; i < depth_length; ++i) {
    t(i, 0) = static_cast<double>(i) - (length - 1) / 2;
    variance += t(i, 0) * t(i, 0) / length;
  }
  Matrix<double> covariance = gram_columns(View<double>(p)), identity = zeros<double>(d, d);
  for (double& entry : std::span<double>(covariance.data(), covariance.size())) entry /= length;
  for (std::size_t j = 0; j < d; ++j) {
    identity(j, j) = 1;
    covariance(j, j) += meeting == "add" ? 1 : ridge;
  }
  const Matrix<double> lower = cholesky(covariance);
  const Matrix<double> inverse = solve_lower(lower, identity);
  const Matrix<double> c = product_tn<double>(p, t), half = product<double>(inverse, c);
  Line line{0, meeting == "add" ? 0.0 : 1.0};
  for (std::size_t j = 0; j < d; ++j) line.place += half(j, 0) * half(j, 0) / (length * length * variance);
  if (meeting == "add")
    for (std::size_t i = 0; i < inverse.size(); ++i)
      line.word += inverse.data()[i] * inverse.data()[i] / static_cast<double>(d);
  return line;
}

Experiment surviving_depth(const Options& options) {
  return {"S4", "Positions survive many layers.", "[b]", {}, cells(options), run, summarise_depth};
}

}  // namespace perp::order
