#include "perp/model/predictor.hpp"

namespace perp::model {
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

#define PERP_INSTANTIATE(T)                                                 \
  template struct Predictor<T>;                                             \
  template std::vector<std::span<T>> parts(Predictor<T>&);                  \
  template Matrix<T> answer(const Predictor<T>&, const Batch&, Matrix<T>*); \
  template LossAndAccuracy loss(const Predictor<T>&, const Batch&, Predictor<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
