#include "studies/learning/arms.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::learning {
namespace {

using model::Combination;

Matrix<float> normals(std::size_t rows, std::size_t cols, double deviation, const Stream& stream) {
  Matrix<float> table = normal_matrix<float>(rows, cols, stream);
  for (float& x : std::span(table.data(), table.size())) x *= float(deviation);
  return table;
}

Combination combination_of(const std::string& arm) {
  if (arm == "add_fixed" || arm == "add_learned") return Combination::add;
  if (arm == "concat" || arm == "concat_learned") return Combination::concatenate;
  if (arm == "project") return Combination::project;
  require(arm == "rotary" || arm == "none",
          "learning: no arm '{}'; there are add_fixed, add_learned, concat, concat_learned, project, rotary, "
          "none",
          arm);
  return Combination::alone;
}

model::Embedding<float> embedding_of(const Run& run, const Task& task, const Streams& shared) {
  const Combination combination = combination_of(run.arm);
  const bool apart = combination == Combination::concatenate || combination == Combination::project;
  require(apart ? run.position_width >= 2 && run.position_width % 2 == 0 && run.position_width < run.width
                : run.position_width == 0,
          "learning: {} dimensions of position for arm '{}' of width {}; expected {}", run.position_width,
          run.arm, run.width, apart ? "an even number below the width" : "0");
  model::Embedding<float> embedding;
  embedding.combination = combination;
  embedding.words = normals(
      task.words, combination == Combination::concatenate ? run.width - run.position_width : run.width,
      run.start, shared("words"));
  if (combination == Combination::alone) return embedding;
  const std::size_t width = apart ? run.position_width : run.width;
  embedding.learned_positions = run.arm.ends_with("_learned");
  embedding.positions = embedding.learned_positions
                            ? normals(task.length, width, std::sqrt(0.5), shared("positions"))
                            : converted<float>(sinusoidal<double>(task.length, width));
  if (combination == Combination::project)
    embedding.projection = {
        normals(run.width, run.width + width, 1 / std::sqrt(double(run.width + width)), shared("projection")),
        std::vector<float>(run.width, 0.0F)};
  return embedding;
}

}  // namespace

std::size_t heads_of(std::size_t width) { return std::clamp<std::size_t>(width / 8, 1, 4); }

model::Predictor<float> start_of(const Run& run, const Task& task, const Streams& shared) {
  const model::Shape shape{.width = run.width,
                           .heads = heads_of(run.width),
                           .inner = 4 * run.width,
                           .depth = run.depth,
                           .causal = task.causal,
                           .activation = model::Activation::relu};
  model::Predictor<float> predictor;
  predictor.embedding = embedding_of(run, task, shared);
  predictor.body = model::random_transformer<float>(shape, model::Initialisation::fan_in, shared("weights"));
  predictor.last = {std::vector<float>(run.width, 1.0F), std::vector<float>(run.width, 0.0F)};
  predictor.head = {normals(task.classes, run.width, 1 / std::sqrt(double(run.width)), shared("head")),
                    std::vector<float>(task.classes, 0.0F)};
  if (run.arm == "rotary")
    predictor.attention_positions =
        model::rotary_positions<float>(*rotary_encoding(), task.length, run.width / shape.heads);
  return predictor;
}

}  // namespace perp::learning
