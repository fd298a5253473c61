#include <fmt/format.h>

#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {

PositionalInput positional_input(std::string_view encoding, std::size_t length, const model::Shape& shape,
                                 const Streams& streams) {
  if (encoding == no_encoding) return {};
  const EncodingPointer one = encoding_named(encoding);
  switch (one->action()) {
    case Action::adds_vector:
      return {one->vectors(length, shape.width, streams("encoding")), {}};
    case Action::rotates_vector:
      return {zeros<double>(0, 0), model::rotary_positions<double>(*one, length, shape.head_width())};
    case Action::biases_score:
      break;
  }
  std::vector<EncodingPointer> per_head;
  for (std::size_t head = 1; head <= shape.heads; ++head) {
    EncodingSettings settings;
    settings.head = head;
    settings.heads = shape.heads;
    settings.biases = streams("biases", head);
    per_head.push_back(encoding_named(encoding, settings));
  }
  return {zeros<double>(0, 0), model::biased_positions<double>(per_head, length)};
}

Streams of_draw(const Streams& streams, std::size_t draw) {
  return {streams.seed, streams.experiment, fmt::format("draw {}", draw)};
}

namespace {

/// Of the states' covariance's mean eigenvalue, added to each: enough to invert it, too little to matter.
constexpr double ridge = 1e-6;

/// The tokens of one side, as row numbers.
std::vector<std::size_t> side(std::size_t batch, const Split& split, bool tested) {
  std::vector<std::size_t> tokens;
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t t = split.skipped; t < split.length; ++t) {
      const bool held = split.held == Held::sequences ? 4 * b >= 3 * batch : (b + t) % 4 == 0;
      if (held == tested) tokens.push_back(b * split.length + t);
    }
  return tokens;
}

Matrix<double> chosen(const Matrix<float>& states, const std::vector<std::size_t>& tokens, Seen seen) {
  const bool squares = seen == Seen::squares;
  const std::size_t d = cols(states);
  Matrix<double> out = matrix<double>(tokens.size(), squares ? 2 * d : d);
  for (std::size_t r = 0; r < tokens.size(); ++r)
    for (std::size_t j = 0; j < d; ++j) {
      const double value = static_cast<double>(states(tokens[r], j));
      out(r, j) = value;
      if (squares) out(r, d + j) = value * value;
    }
  return out;
}

bool varies(const Matrix<double>& table) {
  for (std::size_t i = 1; i < rows(table); ++i)
    for (std::size_t j = 0; j < cols(table); ++j)
      if (table(i, j) != table(0, j)) return true;
  return false;
}

}  // namespace

std::vector<double> read(const Matrix<float>& states, const Matrix<double>& targets, const Split& split,
                         Seen seen) {
  const std::size_t batch = rows(states) / split.length;
  const std::vector<std::size_t> learned = side(batch, split, false), tested = side(batch, split, true);
  const Matrix<double> x = chosen(states, learned, seen), held_x = chosen(states, tested, seen);
  if (!varies(x)) return std::vector<double>(cols(targets), 0.0);
  return read_out_r2({x, select_rows(targets, learned)}, {held_x, select_rows(targets, tested)}, ridge);
}

Matrix<double> log_places(std::size_t batch, std::size_t length) {
  Matrix<double> out = matrix<double>(batch * length, 1);
  for (std::size_t r = 0; r < rows(out); ++r) out(r, 0) = std::log(static_cast<double>(r % length + 1));
  return out;
}

namespace {

Prepared prepare(const Options& options) {
  return {{same_sentence(options), causal_mask(options), order_of_rows(options), surviving_depth(options)},
          {},
          {}};
}

}  // namespace

Study study() {
  return {"order",
          "What does a Transformer know of the order of its words, and where does it know it from?",
          {"S1", "S2", "S3", "S4"},
          {},
          prepare};
}

}  // namespace perp::order
