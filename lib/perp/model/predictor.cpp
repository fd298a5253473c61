#include "perp/model/predictor.hpp"

#include <algorithm>

namespace perp::model {
namespace {

/// The token's coordinate at which its position's begin.
template <class T>
std::size_t position_offset(const Embedding<T>& embedding) {
  return cols(embedding.words) - (embedding.combination == Combination::add ? cols(embedding.positions) : 0);
}

/// [x_w, p_t], or x_w alone.
template <class T>
Matrix<T> side_by_side(const Embedding<T>& embedding, std::span<const std::int32_t> tokens,
                       std::size_t length) {
  const std::size_t word_width = cols(embedding.words);
  Matrix<T> x = matrix<T>(tokens.size(), word_width + cols(embedding.positions));
  for (std::size_t r = 0; r < tokens.size(); ++r) {
    const std::span<T> out = row(x, r);
    std::ranges::copy(row(embedding.words, static_cast<std::size_t>(tokens[r])), out.begin());
    if (cols(embedding.positions) > 0)
      std::ranges::copy(row(embedding.positions, r % length), out.subspan(word_width).begin());
  }
  return x;
}

/// Adds row r of columns first … first + cols(table) - 1 of d to the row `row_of(r)` of the table.
template <class T, class RowOf>
void gather(View<T> d, std::size_t first, RowOf row_of, Matrix<T>& table) {
  const std::size_t width = cols(table);
  for (std::size_t r = 0; r < d.rows; ++r) {
    T* sum = table.data() + row_of(r) * width;
    const T* in = d.data + r * d.stride + first;
    for (std::size_t j = 0; j < width; ++j) sum[j] += in[j];
  }
}

}  // namespace

template <class T>
std::size_t Embedding<T>::width() const {
  if (combination == Combination::project) return rows(projection.weight);
  return cols(words) + (combination == Combination::concatenate ? cols(positions) : 0);
}

template <class T>
std::uint64_t Embedding<T>::parameters() const {
  return words.size() + (learned_positions ? positions.size() : 0) + projection.parameters();
}

template <class T>
Matrix<T> embed(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length) {
  if (embedding.combination != Combination::add) {
    Matrix<T> x = side_by_side(embedding, tokens, length);
    return embedding.combination == Combination::project ? model::apply(embedding.projection, View(x)) : x;
  }
  Matrix<T> x = matrix<T>(tokens.size(), cols(embedding.words));
  for (std::size_t r = 0; r < tokens.size(); ++r) {
    std::ranges::copy(row(embedding.words, static_cast<std::size_t>(tokens[r])), row(x, r).begin());
    const std::span<const T> position = row(embedding.positions, r % length);
    const std::span<T> sum = row(x, r).subspan(position_offset(embedding));
    for (std::size_t j = 0; j < position.size(); ++j) sum[j] += position[j];
  }
  return x;
}

template <class T>
void backward(const Embedding<T>& embedding, std::span<const std::int32_t> tokens, std::size_t length,
              ViewLike<T> dx, Embedding<T>& gradient) {
  Matrix<T> joined = matrix<T>(0, 0);
  if (embedding.combination == Combination::project) {
    joined = backward(embedding.projection, side_by_side(embedding, tokens, length), dx, gradient.projection);
    dx = View(joined);
  }
  gradient.words.fill(T{0});
  gather(
      dx, 0, [&](std::size_t r) { return static_cast<std::size_t>(tokens[r]); }, gradient.words);
  if (!embedding.learned_positions) return;
  gradient.positions.fill(T{0});
  gather(
      dx, position_offset(embedding), [&](std::size_t r) { return r % length; }, gradient.positions);
}

namespace {

template <class T>
std::span<T> all(Matrix<T>& m) {
  return {m.data(), m.size()};
}

template <class T>
void list(Linear<T>& linear, std::vector<std::span<T>>& parts) {
  parts.push_back(all(linear.weight));
  parts.emplace_back(linear.bias);
}

template <class T>
void list(LayerNorm<T>& norm, std::vector<std::span<T>>& parts) {
  parts.emplace_back(norm.gain);
  parts.emplace_back(norm.bias);
}

template <class T>
void list(Block<T>& block, const Shape& shape, std::vector<std::span<T>>& parts) {
  Attention<T>& attention = block.attention;
  for (Linear<T>* map : {&attention.query, &attention.key, &attention.value, &attention.output})
    list(*map, parts);
  if (shape.norm != Norm::none) list(block.first, parts);
  if (!shape.feed_forward) return;
  list(block.feed_forward.inner, parts);
  list(block.feed_forward.outer, parts);
  if (shape.norm != Norm::none) list(block.second, parts);
}

}  // namespace

template <class T>
std::uint64_t Predictor<T>::inner_parameters() const {
  std::uint64_t sum = last.parameters() + head.parameters();
  for (const Block<T>& block : body.blocks) sum += parameters(block, body.shape);
  return sum;
}

template <class T>
std::vector<std::span<T>> parts(Predictor<T>& predictor) {
  std::vector<std::span<T>> parts{all(predictor.embedding.words)};
  if (predictor.embedding.learned_positions) parts.push_back(all(predictor.embedding.positions));
  if (predictor.embedding.combination == Combination::project) list(predictor.embedding.projection, parts);
  for (Block<T>& block : predictor.body.blocks) list(block, predictor.body.shape, parts);
  list(predictor.last, parts);
  list(predictor.head, parts);
  return parts;
}

template <class T>
Matrix<T> answer(const Predictor<T>& predictor, const Batch& batch, Matrix<T>* states) {
  Matrix<T> x = forward(predictor.body, embed<T>(predictor.embedding, batch.tokens, batch.length),
                        batch.length, predictor.attention_positions);
  Normalised<T> last = normalise(predictor.last, x);
  Matrix<T> logits = model::apply(predictor.head, last.out);
  if (states) *states = std::move(last.out);
  return logits;
}

template <class T>
LossAndAccuracy loss(const Predictor<T>& predictor, const Batch& batch, Predictor<T>& gradient) {
  const Shape& shape = predictor.body.shape;
  const AttentionPositions<T>& positions = predictor.attention_positions;
  // The head and the last feed-forward are asked at the rows that have a label, and nowhere else.
  std::vector<std::size_t> asked;
  std::vector<std::int32_t> labels;
  for (std::size_t r = 0; r < batch.labels.size(); ++r)
    if (batch.labels[r] != ignored_target) {
      asked.push_back(r);
      labels.push_back(batch.labels[r]);
    }
  const Trace<T> trace =
      model::trace(predictor.body, embed<T>(predictor.embedding, batch.tokens, batch.length), batch.length,
                   positions, std::span<const std::size_t>(asked));
  const Normalised<T> last = normalise(predictor.last, trace.out(shape));
  Matrix<T> logits = model::apply(predictor.head, last.out);
  const LossAndAccuracy result = cross_entropy(logits, asked.empty() ? batch.labels : labels);
  Matrix<T> d = backward(predictor.head, last.out, logits, gradient.head);
  d = backward(predictor.last, last, d, gradient.last);
  d = backward(predictor.body, trace, batch.length, positions, std::move(d), gradient.body);
  backward<T>(predictor.embedding, batch.tokens, batch.length, d, gradient.embedding);
  return result;
}

#define PERP_INSTANTIATE(T)                                                                        \
  template struct Embedding<T>;                                                                    \
  template Matrix<T> embed(const Embedding<T>&, std::span<const std::int32_t>, std::size_t);       \
  template void backward(const Embedding<T>&, std::span<const std::int32_t>, std::size_t, View<T>, \
                         Embedding<T>&);                                                           \
  template struct Predictor<T>;                                                                    \
  template std::vector<std::span<T>> parts(Predictor<T>&);                                         \
  template Matrix<T> answer(const Predictor<T>&, const Batch&, Matrix<T>*);                        \
  template LossAndAccuracy loss(const Predictor<T>&, const Batch&, Predictor<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
