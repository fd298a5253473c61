#include "perp/vectors/encoding.hpp"

#include <array>

namespace perp {

std::string_view to_text(Action action) {
  constexpr std::array<std::string_view, 3> names{"adds a vector", "turns a vector", "biases a score"};
  return names[static_cast<std::size_t>(action)];
}

Matrix<double> Encoding::vectors(std::size_t, std::size_t, const Stream&) const {
  refuse("encoding '{}' {}; it has no vectors to add", name_, to_text(action_));
}

void Encoding::rotate(Matrix<double>&, std::size_t) const {
  refuse("encoding '{}' {}; it turns no queries and keys", name_, to_text(action_));
}

double Encoding::bias(std::int64_t, std::int64_t) const {
  refuse("encoding '{}' {}; it has no bias of a score", name_, to_text(action_));
}

std::vector<EncodingPointer> encodings(const EncodingSettings& settings) {
  std::vector<EncodingPointer> list;
  list.push_back(sinusoidal_encoding());
  list.push_back(sine_only_encoding());
  list.push_back(index_encoding());
  list.push_back(normalised_index_encoding());
  list.push_back(random_encoding());
  list.push_back(random_fourier_encoding());
  list.push_back(rotary_encoding());
  list.push_back(alibi_encoding(settings.head, settings.heads));
  list.push_back(t5_encoding(settings.biases));
  return list;
}

EncodingPointer encoding_named(std::string_view name, const EncodingSettings& settings) {
  std::string names;
  for (EncodingPointer& encoding : encodings(settings)) {
    if (encoding->name() == name) return std::move(encoding);
    names += (names.empty() ? "" : ", ") + encoding->name();
  }
  refuse("encoding '{}' is none of {}", name, names);
}

}  // namespace perp
