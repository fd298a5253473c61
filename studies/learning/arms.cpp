#include "studies/learning/arms.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/measuring.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

namespace perp::learning {
namespace {

using model::Combination;

Matrix<float> scaled(Matrix<float> table, double factor) {
  for (float& x : std::span(table.data(), table.size())) x *= float(factor);
  return table;
}
Matrix<float> normals(std::size_t rows, std::size_t cols, double deviation, const Stream& stream) {
  return scaled(normal_matrix<float>(rows, cols, stream), deviation);
}

/// What narrower tables share with wider ones.
Matrix<float> first_columns(const Matrix<float>& table, std::size_t count) {
  return converted<float>(block(table, 0, rows(table), count));
}

/// Less its mean over positions, of the power that it had: d/2 a row.
Matrix<double> centred_at_its_power(const Matrix<double>& table) {
  Matrix<double> result = centred(table);
  double sum = 0;
  for (const double x : result) sum += x * x;
  const double factor = std::sqrt(0.5 * double(table.size()) / sum);
  for (double& x : result) x *= factor;
  return result;
}

Combination combination_of(const std::string& arm) {
  if (arm == "add" || arm == "framed") return Combination::add;
  if (arm == "concat") return Combination::concatenate;
  if (arm == "project") return Combination::project;
  require(arm == "rotary" || arm == "none",
          "learning: no arm '{}'; there are add, framed, concat, project, rotary, none", arm);
  return Combination::alone;
}

model::Embedding<float> embedding_of(const Run& run, const Task& task, const Streams& shared) {
  const Combination combination = combination_of(run.arm);
  const bool alone = combination == Combination::alone,
             may_be_whole = run.arm == "add" || run.arm == "framed";
  const std::size_t p = run.position_width;
  require(alone || (may_be_whole && p == 0) ? p == 0 : p >= 2 && p % 2 == 0 && p < run.width,
          "learning: {} dimensions of position for arm '{}' of width {}; expected {}", p, run.arm, run.width,
          alone          ? "0"
          : may_be_whole ? "0 or an even number below the width"
                         : "an even number below the width");
  require(alone == (run.positions == "none"), "learning: arm '{}' with positions '{}'", run.arm,
          run.positions);
  model::Embedding<float> embedding;
  embedding.combination = combination;
  embedding.words = first_columns(normals(task.words, run.width, run.start, shared("words")),
                                  run.width - (combination == Combination::concatenate ? p : 0));
  if (alone) return embedding;
  const std::size_t width = p > 0 ? p : run.width;
  const bool is_random = run.positions == "learned";
  embedding.learned_positions = is_random || run.positions == "started";
  embedding.positions = scaled(
      first_columns(positions_of(run.positions, task.length, is_random ? run.width : width, shared), width),
      run.size);
  if (run.arm == "framed") {
    require(!embedding.learned_positions,
            "learning: arm 'framed' with learned positions; its table is fixed");
    const Matrix<float> rotation = random_rotation(run.width, shared("frame"));
    embedding.positions = product(embedding.positions, block(rotation, 0, width));
  }
  if (combination == Combination::project)
    embedding.projection = {
        normals(run.width, run.width + width, 1 / std::sqrt(double(run.width + width)), shared("projection")),
        std::vector<float>(run.width, 0.0F)};
  return embedding;
}

/// What attention itself is told.
model::AttentionPositions<float> attention_positions_of(const Run& run, std::size_t length,
                                                        std::size_t heads) {
  if (run.arm != "rotary") return {};
  return model::rotary_positions<float>(*rotary_encoding(), length, run.width / heads);
}

/// Its fields by name, in the order of its cell's coordinates.
void visit(auto& run, const auto& each) {
  each("task", run.task);
  each("arm", run.arm);
  each("positions", run.positions);
  each("position_width", run.position_width);
  each("width", run.width);
  each("depth", run.depth);
  each("inner", run.inner);
  each("steps", run.steps);
  each("rate", run.rate);
  each("size", run.size);
  each("start", run.start);
  each("until", run.until);
  each("seed", run.seed);
}

void read(std::string& value, const Row& row, const char* field) { value = row.text(field); }
void read(std::size_t& value, const Row& row, const char* field) { value = row.whole(field); }
void read(double& value, const Row& row, const char* field) { value = row.number(field); }

}  // namespace

Coordinates coordinates_of(const Run& run) {
  Coordinates at;
  visit(run, [&at](const char* name, const auto& value) { at.emplace_back(name, Field(name, value).value); });
  return at;
}

Run run_from(const Row& row, std::string_view fields, Run like) {
  const std::vector<std::string> names = names_in(fields);
  visit(like, [&](const char* name, auto& value) {
    if (std::ranges::count(names, name) > 0) read(value, row, name);
  });
  return like;
}

std::string name_of(const Run& run) { return to_text(coordinates_of(run)); }
std::string name_of(const Row& row) {
  Coordinates at;
  for (const Field& field : row.place) at.emplace_back(field.name, field.value);
  return to_text(at);
}

Frame place_of(const Run& run) {
  Frame group("run");
  group.key = fields_of(coordinates_of(run));
  return group;
}

std::size_t heads_of(const Task& task, std::size_t width) {
  return std::clamp<std::size_t>(width / task.head_width, 1, 4);
}

Matrix<float> positions_of(const std::string& positions, std::size_t length, std::size_t width,
                           const Streams& shared) {
  if (positions == "learned") return normals(length, width, std::sqrt(0.5), shared("positions"));
  const Matrix<double> sinusoid = sinusoidal<double>(length, width);
  require(positions == "as_is" || positions == "centred" || positions == "started",
          "learning: no positions '{}'; there are as_is, centred, learned, started", positions);
  return converted<float>(positions == "as_is" ? sinusoid : centred_at_its_power(sinusoid));
}

model::Predictor<float> start_of(const Run& run, const Task& task, const Streams& shared) {
  const model::Shape shape{.width = run.width,
                           .heads = heads_of(task, run.width),
                           .inner = 4 * run.width + run.inner,
                           .depth = run.depth,
                           .causal = task.causal,
                           .activation = task.activation};
  model::Predictor<float> predictor;
  predictor.embedding = embedding_of(run, task, shared);
  predictor.body = model::random_transformer<float>(shape, shared("weights"));
  predictor.last = {std::vector<float>(run.width, 1.0F), std::vector<float>(run.width, 0.0F)};
  predictor.head = {normals(task.classes, run.width, 1 / std::sqrt(double(run.width)), shared("head")),
                    std::vector<float>(task.classes, 0.0F)};
  predictor.attention_positions = attention_positions_of(run, task.length, shape.heads);
  return predictor;
}

}  // namespace perp::learning
