#include "studies/learning/arms.hpp"

#include <algorithm>
#include <cmath>

#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::learning {
namespace {

using model::Meeting;

Matrix<float> normals(std::size_t rows, std::size_t cols, double deviation, const Stream& stream) {
  Matrix<float> table = matrix<float>(rows, cols);
  const std::span<float> all{table.data(), table.size()};
  fill_normal(stream, all);
  for (float& x : all) x *= static_cast<float>(deviation);
  return table;
}

Matrix<float> sinusoids(std::size_t length, std::size_t width) {
  const Matrix<double> exact = sinusoidal<double>(length, width);
  Matrix<float> table = matrix<float>(length, width);
  std::ranges::transform(std::span<const double>(exact.data(), exact.size()), table.data(),
                         [](double x) { return static_cast<float>(x); });
  return table;
}

Meeting meeting_of(const std::string& arm) {
  if (arm == "add_fixed" || arm == "add_learned") return Meeting::add;
  if (arm == "concat" || arm == "concat_learned") return Meeting::concatenate;
  if (arm == "project") return Meeting::project;
  require(arm == "rotary" || arm == "none",
          "learning: no arm '{}'; there are add_fixed, add_learned, concat, concat_learned, project, rotary, "
          "none",
          arm);
  return Meeting::alone;
}

model::Embedding<float> embedding_of(const Run& run, const Task& task, const Streams& shared) {
  const Meeting meeting = meeting_of(run.arm);
  const bool apart = meeting == Meeting::concatenate || meeting == Meeting::project;
  require(apart ? run.position_width >= 2 && run.position_width % 2 == 0 && run.position_width < run.width
                : run.position_width == 0,
          "learning: {} dimensions of position for arm '{}' of width {}; expected {}", run.position_width,
          run.arm, run.width, apart ? "an even number below the width" : "0");
  model::Embedding<float> embedding;
  embedding.meeting = meeting;
  embedding.words =
      normals(task.words, meeting == Meeting::concatenate ? run.width - run.position_width : run.width,
              run.start, shared("words"));
  if (meeting == Meeting::alone) return embedding;
  const std::size_t width = apart ? run.position_width : run.width;
  embedding.learned_positions = run.arm.ends_with("_learned");
  embedding.positions = embedding.learned_positions
                            ? normals(task.length, width, std::sqrt(0.5), shared("positions"))
                            : sinusoids(task.length, width);
  if (meeting == Meeting::project)
    embedding.projection = {
        normals(run.width, run.width + width, 1 / std::sqrt(static_cast<double>(run.width + width)),
                shared("projection")),
        std::vector<float>(run.width, 0.0F)};
  return embedding;
}

}  // namespace

Coordinates coordinates(const Run& run) {
  return {{"task", run.task},
          {"arm", run.arm},
          {"position_width", whole(run.position_width)},
          {"width", whole(run.width)},
          {"depth", whole(run.depth)},
          {"steps", whole(run.steps)},
          {"start", run.start},
          {"rate", run.rate},
          {"seed", whole(run.seed)}};
}

Run run_of(const Coordinates& at) {
  return {text_at(at, "task"),    text_at(at, "arm"),    size_at(at, "position_width"),
          size_at(at, "width"),   size_at(at, "depth"),  size_at(at, "steps"),
          number_at(at, "start"), number_at(at, "rate"), size_at(at, "seed")};
}

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
  predictor.head = {
      normals(task.classes, run.width, 1 / std::sqrt(static_cast<double>(run.width)), shared("head")),
      std::vector<float>(task.classes, 0.0F)};
  if (run.arm == "rotary")
    predictor.attention_positions =
        model::rotary_positions<float>(*rotary_encoding(), task.length, run.width / shape.heads);
  return predictor;
}

}  // namespace perp::learning
