#pragma once
// Small models made here, and the study over them.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/inspect/model_under_test.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/support/found.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

inline Matrix<float> normals(const std::string& what, std::size_t rows, std::size_t cols) {
  return normal_matrix<float>(rows, cols, stream(1, "test", "inspect", 0, what));
}
inline std::string bytes_of(const Matrix<float>& table) {
  return {reinterpret_cast<const char*>(table.data()), table.size() * sizeof(float)};
}

// ---- a file of BERT's form

namespace bert {
constexpr std::size_t vocabulary = 40, places = 20, width = 24, inner = 36, layers = 2;
}
struct Tensor {
  std::string name;
  bool is_flat;  ///< one-dimensional
  Matrix<float> numbers;
};
using Tensors = std::vector<Tensor>;

inline Tensor& named(Tensors& tensors, std::string_view name) {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  BOOST_REQUIRE_MESSAGE(found != tensors.end(), "no tensor " << name);
  return *found;
}

/// Small random weights.
inline Tensors small_bert() {
  using namespace bert;
  Tensors tensors;
  const auto table = [&](const std::string& name, std::size_t height, std::size_t wide, float deviation) {
    tensors.push_back({name, false, normals(name, height, wide)});
    for (float& x : tensors.back().numbers) x *= deviation;
  };
  const auto numbers = [&](const std::string& name, std::size_t count, float mean = 0) {
    tensors.push_back({name, true, normals(name, 1, count)});
    for (float& x : tensors.back().numbers) x = mean + 0.2F * x;
  };
  const auto norm = [&](const std::string& name) {
    numbers(name + ".weight", width, 1);
    numbers(name + ".bias", width);
  };
  const auto linear = [&](const std::string& name, std::size_t out, std::size_t in) {
    table(name + ".weight", out, in, 1 / std::sqrt(float(in)));
    numbers(name + ".bias", out);
  };
  table("embeddings.word_embeddings.weight", vocabulary, width, 1);
  table("embeddings.position_embeddings.weight", places, width, 0.5F);
  table("embeddings.token_type_embeddings.weight", 2, width, 0.5F);
  norm("embeddings.LayerNorm");
  for (std::size_t k = 0; k < layers; ++k) {
    const std::string layer = fmt::format("encoder.layer.{}.", k);
    for (const char* part : {"query", "key", "value"}) linear(layer + "attention.self." + part, width, width);
    linear(layer + "attention.output.dense", width, width);
    norm(layer + "attention.output.LayerNorm");
    linear(layer + "intermediate.dense", inner, width);
    linear(layer + "output.dense", width, inner);
    norm(layer + "output.LayerNorm");
  }
  return tensors;
}

/// The tensors with parts of their names exchanged.
using Exchanged = std::vector<std::pair<std::string, std::string>>;
inline Tensors renamed(Tensors tensors, const Exchanged& parts) {
  for (Tensor& tensor : tensors)
    for (const auto& [from, to] : parts)
      if (const std::size_t at = tensor.name.find(from); at != std::string::npos)
        tensor.name.replace(at, from.size(), to);
  return tensors;
}
/// BERT as older files call it.
inline Tensors older_bert() {
  return renamed(small_bert(), {{"embeddings.", "bert.embeddings."},
                                {"encoder.", "bert.encoder."},
                                {"LayerNorm.weight", "LayerNorm.gamma"},
                                {"LayerNorm.bias", "LayerNorm.beta"}});
}

inline std::string file_of(const Tensors& tensors) {
  TensorWriter writer;
  for (const Tensor& t : tensors) {
    const std::size_t height = rows(t.numbers), wide = cols(t.numbers);
    writer.add(t.name, "F32", t.is_flat ? fmt::format("[{}]", wide) : fmt::format("[{}, {}]", height, wide),
               bytes_of(t.numbers));
  }
  return writer.file();
}

// ---- models, and what the study says of them

/// A folder with models' tables.
struct Made : Scratch {
  template <class T>
  std::string table(const std::string& name, const Matrix<T>& rows) const {
    write_npy(*this / name, rows);
    return (*this / name).string();
  }
  /// Lines of a model file; the tables are called after the model.
  template <class T>
  std::string model(const std::string& name, const Matrix<T>& positions) const {
    return fmt::format("[{}]\npositions = {}\n", name, table(name + "-p.npy", positions));
  }
  template <class T, class U>
  std::string model(const std::string& name, const Matrix<T>& words, const Matrix<U>& positions) const {
    return fmt::format("{}words = {}\n", model(name, positions), table(name + "-w.npy", words));
  }

  Options options(const std::string& models, std::size_t threads = 2) const {
    Options options;
    options.preset = Preset::quick;
    options.threads = threads;
    options.build = *this / fmt::format("kept{}", threads);
    options.extra = {{"models", file("models.txt", models).string()}};
    return options;
  }
  Results results(const std::string& models, std::vector<std::string> only = {},
                  std::size_t threads = 2) const {
    Options asked = options(models, threads);
    asked.only = std::move(only);
    return measure(inspect::study(), asked);
  }
  /// The first model, opened.
  inspect::ModelUnderTest opened(const std::string& models) const {
    return {inspect::models_of(options(models)).front(), std::make_shared<SharedThreads>(1)};
  }
};

/// "holds": what the condition on a finding came to.
inline std::string_view answer(const Results& results, std::string_view finding) {
  return to_text(answer_on(claim(results, finding.substr(0, finding.find('.'))), finding));
}

}  // namespace perp::test
