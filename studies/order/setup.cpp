#include "studies/order/setup.hpp"

#include <fmt/format.h>

namespace perp::order {

template <class T>
PositionalInput<T> positional_input(std::string_view encoding, std::size_t length, const model::Shape& shape,
                                    const Streams& streams) {
  if (encoding == no_encoding) return {};
  const EncodingPointer one = encoding_named(encoding);
  switch (one->action()) {
    case Action::adds_vector:
      return {one->vectors(length, shape.width, streams("encoding")), {}};
    case Action::rotates_vector:
      return {zeros<double>(0, 0), model::rotary_positions<T>(*one, length, shape.head_width())};
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
  return {zeros<double>(0, 0), model::biased_positions<T>(per_head, length)};
}

template <class T>
Matrix<T> input(const Matrix<T>& words, const PositionalInput<T>& positions) {
  return positions.added.size() == 0 ? words : model::add_positions(words, positions.added);
}

template PositionalInput<float> positional_input(std::string_view, std::size_t, const model::Shape&,
                                                 const Streams&);
template PositionalInput<double> positional_input(std::string_view, std::size_t, const model::Shape&,
                                                  const Streams&);
template Matrix<float> input(const Matrix<float>&, const PositionalInput<float>&);
template Matrix<double> input(const Matrix<double>&, const PositionalInput<double>&);

Streams of_draw(const Streams& streams, std::size_t draw) {
  return {streams.seed, streams.experiment, fmt::format("draw {}", draw)};
}

}  // namespace perp::order
