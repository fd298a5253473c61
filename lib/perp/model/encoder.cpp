#include "perp/model/encoder.hpp"

#include <algorithm>

#include "perp/base/expect.hpp"

namespace perp::model {

template <class T>
Matrix<T> embed(const Encoder<T>& encoder, std::span<const std::int32_t> tokens, std::size_t length) {
  const std::size_t d = cols(encoder.words);
  require(cols(encoder.positions) == d && cols(encoder.types) == d && rows(encoder.types) > 0,
          "encoder: words of {} dimensions, positions of {}, {} token types of {}", d,
          cols(encoder.positions), rows(encoder.types), cols(encoder.types));
  require(length > 0 && tokens.size() % length == 0, "encoder: {} tokens are no texts of {}", tokens.size(),
          length);
  require(length <= rows(encoder.positions), "encoder: texts of {} tokens for {} positions", length,
          rows(encoder.positions));
  Matrix<T> sum = matrix<T>(tokens.size(), d);
  for (std::size_t r = 0; r < tokens.size(); ++r) {
    require(0 <= tokens[r] && std::size_t(tokens[r]) < rows(encoder.words),
            "encoder: token {} at place {} of text {}; expected 0 to {}", tokens[r], r % length, r / length,
            rows(encoder.words) - 1);
    const T *word = row(encoder.words, tokens[r]).data(), *type = row(encoder.types, 0).data(),
            *position = row(encoder.positions, r % length).data();
    T* out = row(sum, r).data();
    for (std::size_t j = 0; j < d; ++j) out[j] = word[j] + position[j] + type[j];
  }
  return normalise(encoder.norm, sum).out;
}

template <class T>
Matrix<T> forward_in_batches(const Transformer<T>& body, Matrix<T> x, std::size_t length,
                             std::size_t together, const LayerHook<T>& hook) {
  expect(cols(x) == body.shape.width, "Transformer: tokens of width {} for a model of width {}", cols(x),
         body.shape.width);
  expect(length > 0 && rows(x) % length == 0 && together > 0,
         "Transformer: {} tokens are no texts of {}, {} of them at a time", rows(x), length, together);
  if (hook) hook(0, x);
  for (std::size_t k = 0; k < body.blocks.size(); ++k) {
    for (std::size_t first = 0; first < rows(x); first += together * length) {
      const std::size_t last = std::min(rows(x), first + together * length);
      const BlockActivations<T> passed =
          pass(body.blocks[k], body.shape, View<T>(block(x, first, last)), length);
      const Matrix<T>& out = passed.out(body.shape);
      std::copy_n(out.data(), out.size(), x.data() + first * cols(x));
    }
    if (hook) hook(k + 1, x);
  }
  return x;
}

#define PERP_INSTANTIATE(T)                                                                         \
  template Matrix<T> embed(const Encoder<T>&, std::span<const std::int32_t>, std::size_t);          \
  template Matrix<T> forward_in_batches(const Transformer<T>&, Matrix<T>, std::size_t, std::size_t, \
                                        const LayerHook<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
