// All layers of a model out of its own file: found under each architecture's names, and what is said of their heads.

#include "studies/inspect/layers.hpp"

#include "perp/statistics/spread.hpp"
#include "studies/distance/heads.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/studies/inspect/made.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

constexpr std::size_t dim = bert::width, depth = bert::layers, heads = 6;
const Matrix<double> positions = zeros<double>(2, dim);  // that nobody looks at

Matrix<double> turned(const Matrix<float>& table) { return converted<double>(transposed(table)); }
std::vector<double> numbers(const Matrix<float>& table) {
  return {table.data(), table.data() + table.size()};
}

/// Queries as llama has them in a GGUF file.
std::string llama() {
  const Matrix<float> queries = normals("queries", dim, dim);
  return GgufWriter().add("blk.0.attn_q.weight", {dim, dim}, f32, bytes_of(queries)).file();
}

std::string part_of(std::size_t n, const char* which, const char* what) {
  return fmt::format("encoder.layer.{}.attention.self.{}.{}", n, which, what);
}

/// BERT's weights as GPT-2 has them: input by input, the three parts of a layer side by side.
Tensors gpt2() {
  Tensors bert = small_bert(), own;
  for (std::size_t n = 0; n < depth; ++n) {
    const std::string layer = fmt::format("transformer.h.{}.", n);
    Matrix<float> all = matrix<float>(dim, 3 * dim), bias = matrix<float>(1, 3 * dim);
    for (std::size_t column = 0; column < 3 * dim; ++column) {
      const char* which = column < dim ? "query" : column < 2 * dim ? "key" : "value";
      bias(0, column) = named(bert, part_of(n, which, "bias")).numbers(0, column % dim);
      for (std::size_t i = 0; i < dim; ++i)
        all(i, column) = named(bert, part_of(n, which, "weight")).numbers(column % dim, i);
    }
    const std::string norm =
        n == 0 ? "embeddings.LayerNorm" : fmt::format("encoder.layer.{}.output.LayerNorm", n - 1);
    own.push_back({layer + "attn.c_attn.weight", false, all});
    own.push_back({layer + "attn.c_attn.bias", true, bias});
    own.push_back({layer + "ln_1.weight", true, named(bert, norm + ".weight").numbers});
    own.push_back({layer + "ln_1.bias", true, named(bert, norm + ".bias").numbers});
  }
  return own;
}

Tensors distilbert() {
  return renamed(small_bert(), {{"encoder.layer.", "distilbert.transformer.layer."},
                                {"embeddings.", "distilbert.embeddings."},
                                {"attention.self.query", "attention.q_lin"},
                                {"attention.self.key", "attention.k_lin"},
                                {"attention.self.value", "attention.v_lin"},
                                {".output.LayerNorm", ".output_layer_norm"}});
}
/// A layer's LayerNorm is its own, as GPT-2's is.
Tensors opt() {
  return renamed(small_bert(),
                 {{"encoder.layer.0.output.LayerNorm", "model.decoder.layers.1.self_attn_layer_norm"},
                  {"embeddings.LayerNorm", "model.decoder.layers.0.self_attn_layer_norm"},
                  {"encoder.layer.", "model.decoder.layers."},
                  {"attention.self.query", "self_attn.q_proj"},
                  {"attention.self.key", "self_attn.k_proj"},
                  {"attention.self.value", "self_attn.v_proj"}});
}

Layers layers_of(const std::filesystem::path& path, const char* number_of_heads = nullptr) {
  Model model{"m", {}};
  model.options.extra = {{"layers", path.string()}};
  if (number_of_heads != nullptr) model.options.extra["heads"] = number_of_heads;
  return *Layers::of(model, std::nullopt);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_layers)

// Layer n of BERT reads through the LayerNorm at the end of what stands before it.
BOOST_AUTO_TEST_CASE(families_in_safetensors) {
  const Made made;
  Tensors tensors = small_bert();
  for (const auto& path : {made.file("bert", file_of(tensors)), made.file("gpt2", file_of(gpt2())),
                           made.file("distilbert", file_of(distilbert())), made.file("opt", file_of(opt())),
                           made.file("older", file_of(older_bert()))}) {
    const Layers layers = layers_of(path, "6");
    BOOST_TEST(layers.count() == depth, path);
    std::string norm = "embeddings.LayerNorm";
    for (std::size_t n = 0; n < depth; ++n) {
      const GivenPositions given = layers.read(n, positions);
      const AttentionWeights& layer = *given.weights;
      BOOST_TEST(layer.heads == heads);
      const auto weights = [&](const char* which) {
        return turned(named(tensors, part_of(n, which, "weight")).numbers);
      };
      const auto of = [&](const std::string& name) { return numbers(named(tensors, name).numbers); };
      BOOST_TEST((layer.query == weights("query")), path);
      BOOST_TEST((layer.key == weights("key")), path);
      BOOST_TEST(layer.query_bias == of(part_of(n, "query", "bias")), path);
      BOOST_TEST(layer.key_bias == of(part_of(n, "key", "bias")), path);
      BOOST_TEST(given.layer_norm->gain == of(norm + ".weight"), path);
      BOOST_TEST(given.layer_norm->bias == of(norm + ".bias"), path);
      norm = fmt::format("encoder.layer.{}.output.LayerNorm", n);
    }
  }
}

// What is not of the layers does not count: a change of the words leaves what was measured of the layers
// good.
BOOST_AUTO_TEST_CASE(layers_in_several_files) {
  const Made made;
  Tensors all = small_bert();
  std::string entries = R"("embeddings.word_embeddings.weight": "words")";
  for (std::size_t n = 0; n < depth; ++n) {
    Tensors shard;
    for (const char* which : {"query", "key"}) {
      shard.push_back(named(all, part_of(n, which, "weight")));
      entries += fmt::format(R"(, "{}": "{}")", shard.back().name, n);
    }
    made.file(fmt::format("{}", n), file_of(shard));
  }
  made.file("words", file_of({named(all, "embeddings.word_embeddings.weight")}));
  const auto index = made.file("index.json", fmt::format(R"({{"weight_map": {{{}}}}})", entries));
  const Layers layers = layers_of(index, "6");
  BOOST_TEST(layers.count() == depth);
  BOOST_TEST(
      (layers.read(1, positions).weights->key == turned(named(all, part_of(1, "key", "weight")).numbers)));
  BOOST_TEST((layers.files() == std::vector<std::filesystem::path>{index, made / "0", made / "1"}));
}

BOOST_AUTO_TEST_CASE(files_that_do_not_fit) {
  const Made made;
  const auto one = [](std::size_t key_rows, float key, std::size_t biases) {
    Matrix<float> keys = zeros<float>(key_rows, 2);
    for (float& x : keys) x = key;
    return file_of({{part_of(0, "query", "weight"), false, zeros<float>(2, 2)},
                    {part_of(0, "key", "weight"), false, keys},
                    {part_of(0, "query", "bias"), true, zeros<float>(1, biases)}});
  };
  struct Case {
    std::string bytes;
    const char *heads, *says;
  };
  const std::string bert = file_of(small_bert());
  for (const auto& [bytes, number_of_heads, says] :
       std::initializer_list<Case>{{bert, nullptr, "expected --heads H"},
                                   {bert, "5", "5 heads do not divide 24 columns"},
                                   {bert, "six", "expected a whole number from 1"},
                                   {one(3, 0, 2), "1", "takes 2 numbers to 3; expected 2 to 2"},
                                   {one(2, NAN, 2), "1", "row 0 holds"},
                                   {one(2, 0, 3), "1", "is 1 x 3; expected 2 numbers"}})
    check_refusal([&, &file = bytes,
                   heads = number_of_heads] { layers_of(made.file("m", file), heads).read(0, positions); },
                  says);
  made.file("m.gguf", llama());
  made.file("bert", bert);
  const auto refused = [&](const std::string& lines, const char* says) {
    check_refusal([&] { made.results(lines, {"M6"}); }, says);
  };
  const std::string folder = made.path().string(),
                    added = made.model("m", sinusoidal<double>(30, dim)) +
                            fmt::format("layers = {}/bert\nheads = 6\n", folder);
  refused(fmt::format("[m]\nlayers = {}/m.gguf\ntranspose = weights\n", folder), "how they lie");
  refused(added + "query = a\nkey = b\n", "--layers and --query");
  refused(added + "layernorm = a,b\n", "it is read with the layers");
}

BOOST_AUTO_TEST_CASE(every_layer_of_a_file_is_read_and_the_first_is_judged) {
  const Made made;
  const std::string bert = made.file("bert", file_of(small_bert())).string();
  const Results results = made.results(
      made.model("b", sinusoidal<double>(30, dim)) + fmt::format("layers = {}\nheads = 6\n", bert), {"M6"});
  const Layers layers = layers_of(bert, "6");
  const Table& by_layer = table(results, "m6_by_layer.csv");
  BOOST_TEST_REQUIRE(by_layer.rows.size() == depth);
  std::vector<double> all;
  for (std::size_t n = 0; n < depth; ++n) {
    const Matrix<double> wave = sinusoidal<double>(30, dim);
    const std::vector<double> r2 = distance::head_r2(wave, layers.read(n, wave));
    const auto close = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(by_layer.number(n, "r2") == median(r2), close);
    BOOST_TEST(by_layer.number(n, "upper") == quantile(r2, 0.75), close);
    all.insert(all.end(), r2.begin(), r2.end());
  }
  BOOST_TEST(by_layer.number(0, "r2") == value(results, "M6.median.b"));
  BOOST_TEST(value(results, "M6.all_layers.b") == median(all), boost::test_tools::tolerance(1e-12));
}

// Two models of two layers, all four of the same weights: the controls are as independent as if they were not.
BOOST_AUTO_TEST_CASE(each_layer_of_each_model_has_draws_of_its_own) {
  const Made made;
  Tensors tensors = small_bert();
  const auto copy = [&](const std::string& from, const std::string& to) {
    for (const char* what : {".weight", ".bias"})
      named(tensors, to + what).numbers = Matrix<float>(named(tensors, from + what).numbers);
  };
  copy("embeddings.LayerNorm", "encoder.layer.0.output.LayerNorm");
  for (const char* which : {"query", "key"})
    copy(fmt::format("encoder.layer.0.attention.self.{}", which),
         fmt::format("encoder.layer.1.attention.self.{}", which));
  const std::string file = made.file("bert", file_of(tensors)).string();
  std::string models;
  for (const char* name : {"a", "b"})
    models += made.model(name, sinusoidal<double>(30, dim)) + fmt::format("layers = {}\nheads = 6\n", file);
  const Results results = made.results(models, {"M6"});
  const Table& layers = table(results, "m6_by_layer.csv");
  BOOST_TEST_REQUIRE(layers.rows.size() == 2 * depth);
  for (std::size_t one = 1; one < layers.rows.size(); ++one) {
    BOOST_TEST(layers.number(one, "r2") == layers.number(0, "r2"));
    for (std::size_t other = 0; other < one; ++other)
      for (const char* control : {"control", "pairing", "alignment"})
        BOOST_TEST(layers.number(one, control) != layers.number(other, control), control);
  }
}

BOOST_AUTO_TEST_SUITE_END()
