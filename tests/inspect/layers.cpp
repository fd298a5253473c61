// All layers of a model out of its own file: found under each architecture's names, and what is said of them
// held against the definitions, formed in full.

#include "studies/inspect/layers.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/model_under_test.hpp"
#include "studies/inspect/study.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/safetensors_bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

constexpr std::size_t dim = 24, heads = 6, key_heads = 2, width = 4, depth = 3;

/// Of layer n the weights `name`, in x out; float32 as files hold them.
Matrix<float> drawn(const std::string& name, std::size_t n, std::size_t in, std::size_t out) {
  return normal_matrix<float>(in, out, stream(1, "test", "layers", n, name));
}
std::string bytes_of(const Matrix<float>& table) {
  return {reinterpret_cast<const char*>(table.data()), table.size() * sizeof(float)};
}

std::string llama(std::size_t blocks = depth, const char* architecture = "llama") {
  GgufWriter file;
  file.value(gguf_value("general.architecture", 8, gguf_text(architecture)))
      .value(gguf_count("llama.attention.head_count", heads))
      .value(gguf_count("llama.attention.head_count_kv", key_heads))
      .value(gguf_count("llama.block_count", static_cast<std::uint32_t>(blocks)));
  for (std::size_t n = 0; n < depth; ++n) {
    const auto add = [&](const char* name, std::size_t out) {
      file.add(fmt::format("blk.{}.{}.weight", n, name), {dim, out}, f32,
               bytes_of(transposed(drawn(name, n, dim, out))));
    };
    add("attn_q", heads * width);
    add("attn_k", key_heads * width);
    add("attn_v", key_heads * width);
    file.add(fmt::format("blk.{}.attn_norm.weight", n), {dim}, f32, bytes_of(drawn("gain", n, 1, dim)));
  }
  return file.file();
}

std::string shape_of(const Matrix<float>& table) { return fmt::format("[{}, {}]", rows(table), cols(table)); }

std::string bert(const char* prefix, const char* gain, const char* bias) {
  TensorWriter file;
  const auto add = [&](const std::string& name, const Matrix<float>& table) {
    file.add(prefix + name, "F32", shape_of(table), bytes_of(table));
  };
  const auto add_norm = [&](const std::string& name, std::size_t n) {
    add(name + gain, drawn("gain", n, 1, dim));
    add(name + bias, drawn("norm bias", n, 1, dim));
  };
  add_norm("embeddings.LayerNorm.", 0);
  for (std::size_t n = 0; n < depth; ++n) {
    const std::string layer = fmt::format("encoder.layer.{}.", n);
    for (const std::string which : {"query", "key", "value"}) {
      add(layer + "attention.self." + which + ".weight", transposed(drawn(which, n, dim, heads * width)));
      add(layer + "attention.self." + which + ".bias", drawn(which + " bias", n, 1, heads * width));
    }
    add_norm(layer + "output.LayerNorm.", n + 1);
  }
  return file.file();
}

std::string gpt2() {
  TensorWriter file;
  const auto add = [&](const std::string& name, const Matrix<float>& table) {
    file.add("transformer.h." + name, "F32", shape_of(table), bytes_of(table));
  };
  for (std::size_t n = 0; n < depth; ++n) {
    Matrix<float> all = matrix<float>(dim, 3 * heads * width), bias = matrix<float>(1, 3 * heads * width);
    const char* parts[] = {"query", "key", "value"};
    for (std::size_t part = 0; part < 3; ++part) {
      const Matrix<float> own = drawn(parts[part], n, dim, heads * width),
                          own_bias = drawn(fmt::format("{} bias", parts[part]), n, 1, heads * width);
      for (std::size_t j = 0; j < heads * width; ++j) {
        bias(0, part * heads * width + j) = own_bias(0, j);
        for (std::size_t i = 0; i < dim; ++i) all(i, part * heads * width + j) = own(i, j);
      }
    }
    add(fmt::format("{}.attn.c_attn.weight", n), all);
    add(fmt::format("{}.attn.c_attn.bias", n), bias);
    add(fmt::format("{}.ln_1.weight", n), drawn("gain", n, 1, dim));
    add(fmt::format("{}.ln_1.bias", n), drawn("norm bias", n, 1, dim));
  }
  return file.file();
}

Layers layers_of(const std::filesystem::path& path, const char* number_of_heads = nullptr) {
  Model model{"m", {}};
  model.options.extra = {{"layers", path.string()}};
  if (number_of_heads != nullptr) model.options.extra["heads"] = number_of_heads;
  return *Layers::of(model, std::nullopt);
}

bool same(const Matrix<double>& found, const Matrix<float>& expected) {
  bool same = rows(found) == rows(expected) && cols(found) == cols(expected);
  for (std::size_t i = 0; same && i < found.size(); ++i)
    same = found.data()[i] == static_cast<double>(expected.data()[i]);
  return same;
}
bool same(const std::vector<double>& found, const Matrix<float>& expected) {
  return found.size() == expected.size() && std::equal(found.begin(), found.end(), expected.data());
}

Results results_of(const std::string& models, const Scratch& scratch) {
  Options options;
  options.preset = Preset::quick;
  options.threads = 2;
  options.build = scratch / "kept";
  options.only = {"M6"};
  options.extra = {{"models", scratch.file("models.txt", models).string()}};
  return measure(study(true), options);
}

double value(const Results& results, const char* id) {
  const Finding* found = find(results.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return found->value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_layers)

BOOST_AUTO_TEST_CASE(llama_in_a_gguf_file) {
  const Scratch scratch;
  const Layers layers = layers_of(scratch.file("m.gguf", llama()));
  BOOST_TEST(layers.count() == depth);
  BOOST_TEST(layers.heads() == heads);
  BOOST_TEST(layers.key_heads() == key_heads);
  BOOST_TEST(layers.width() == width);
  BOOST_TEST(layers.rotary());
  for (std::size_t n = 0; n < depth; ++n) {
    const Layer layer = layers.read(n);
    BOOST_TEST(same(layer.query, drawn("attn_q", n, dim, heads * width)));
    BOOST_TEST(same(layer.key, drawn("attn_k", n, dim, key_heads * width)));
    BOOST_TEST(same(layer.value.value(), drawn("attn_v", n, dim, key_heads * width)));
    BOOST_TEST(same(layer.gain, drawn("gain", n, 1, dim)));
    BOOST_TEST(layer.query_bias.empty());
  }
}

// Layer n of BERT reads through the LayerNorm at the end of what stands before it.
BOOST_AUTO_TEST_CASE(bert_and_gpt2_in_safetensors) {
  const Scratch scratch;
  const auto plain = scratch.file("bert", bert("", "weight", "bias")),
             older = scratch.file("older", bert("bert.", "gamma", "beta")),
             other = scratch.file("gpt2", gpt2());
  for (const auto& path : {plain, older, other}) {
    const Layers layers = layers_of(path, "6");
    BOOST_TEST(layers.count() == depth, path);
    BOOST_TEST(layers.key_heads() == heads);
    BOOST_TEST(!layers.rotary());
    for (std::size_t n = 0; n < depth; ++n) {
      const Layer layer = layers.read(n);
      BOOST_TEST(same(layer.query, drawn("query", n, dim, heads * width)), path);
      BOOST_TEST(same(layer.key, drawn("key", n, dim, heads * width)), path);
      BOOST_TEST(same(layer.value.value(), drawn("value", n, dim, heads * width)), path);
      BOOST_TEST(same(layer.query_bias, drawn("query bias", n, 1, heads * width)), path);
      BOOST_TEST(same(layer.key_bias, drawn("key bias", n, 1, heads * width)), path);
      BOOST_TEST(same(layer.gain, drawn("gain", n, 1, dim)), path);
      BOOST_TEST(same(layer.norm_bias, drawn("norm bias", n, 1, dim)), path);
    }
  }
}

// What is not of the layers does not count: a change of the words leaves what was measured of the layers
// good.
BOOST_AUTO_TEST_CASE(layers_in_several_files) {
  const Scratch scratch;
  const auto shard = [&](const char* name, std::size_t first, std::size_t last) {
    TensorWriter file;
    for (std::size_t n = first; n < last; ++n)
      for (const std::string which : {"query", "key"}) {
        const Matrix<float> table = transposed(drawn(which, n, dim, heads * width));
        file.add(fmt::format("encoder.layer.{}.attention.self.{}.weight", n, which), "F32", shape_of(table),
                 bytes_of(table));
      }
    scratch.file(name, file.file());
  };
  shard("a", 0, 1);
  shard("b", 1, 3);
  scratch.file("words",
               TensorWriter().add("embeddings.word_embeddings.weight", "F32", "[1, 1]", "1234").file());
  std::string entries = R"("embeddings.word_embeddings.weight": "words")";
  for (std::size_t n = 0; n < depth; ++n)
    for (const char* which : {"query", "key"})
      entries +=
          fmt::format(R"(, "encoder.layer.{}.attention.self.{}.weight": "{}")", n, which, n == 0 ? "a" : "b");
  const auto index = scratch.file("index.json", fmt::format(R"({{"weight_map": {{{}}}}})", entries));
  const Layers layers = layers_of(index, "6");
  BOOST_TEST(layers.count() == depth);
  BOOST_TEST(same(layers.read(2).key, drawn("key", 2, dim, heads * width)));
  BOOST_TEST((layers.files() == std::vector<std::filesystem::path>{index, scratch / "a", scratch / "b"}));
}

BOOST_AUTO_TEST_CASE(a_pair_is_two_neighbouring_columns_of_every_head) {
  const Scratch scratch;
  const Layers layers = layers_of(scratch.file("m.gguf", llama()));
  const Layer layer = layers.read(1);
  const std::vector<double> found = pair_squares(layer.key, layer.gain, key_heads, width);
  BOOST_TEST_REQUIRE(found.size() == width / 2);
  std::vector<double> squares(width / 2);
  for (std::size_t h = 0; h < key_heads; ++h)
    for (std::size_t pair = 0; pair < width / 2; ++pair)
      for (const std::size_t column : {h * width + 2 * pair, h * width + 2 * pair + 1})
        for (std::size_t i = 0; i < dim; ++i)
          squares[pair] += std::pow(layer.gain[i] * layer.key(i, column), 2);
  for (std::size_t pair = 0; pair < width / 2; ++pair)
    BOOST_TEST(std::abs(found[pair] - squares[pair]) < 1e-14 * squares[pair]);  // 96 terms, all positive
  check_refusal([&] { pair_squares(layer.key, layer.gain, 4, 3); }, "pairs of columns");
}

BOOST_AUTO_TEST_CASE(antisymmetric_share_of_the_whole_matrix) {
  const Scratch scratch;
  const Layers layers = layers_of(scratch.file("m.gguf", llama()));
  const Layer layer = layers.read(2);
  const std::vector<double> shares = antisymmetric_shares(layer, layers);
  BOOST_TEST_REQUIRE(shares.size() == heads);
  for (std::size_t h = 0; h < heads; ++h) {
    // Three query heads in a row share a key head.
    Matrix<double> m = zeros<double>(dim, dim);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j)
        for (std::size_t c = 0; c < width; ++c)
          m(i, j) +=
              layer.gain[i] * layer.query(i, h * width + c) * layer.gain[j] * layer.key(j, h / 3 * width + c);
    double all = 0, odd = 0;
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        all += m(i, j) * m(i, j);
        odd += std::pow((m(i, j) - m(j, i)) / 2, 2);
      }
    BOOST_TEST(std::abs(shares[h] - odd / all) < 1e-13);  // sums of d² w terms, cancelling at most to a half
  }
  Layer same_twice = layer;
  same_twice.query = matrix<double>(dim, heads * width);
  for (std::size_t i = 0; i < dim; ++i)
    for (std::size_t j = 0; j < heads * width; ++j)
      same_twice.query(i, j) = layer.key(i, j / (3 * width) * width + j % width);
  for (const double share : antisymmetric_shares(same_twice, layers)) BOOST_TEST(std::abs(share) < 1e-13);
}

BOOST_AUTO_TEST_CASE(a_shared_key_head_stands_behind_each_of_its_queries) {
  const Scratch scratch;
  const Layers layers = layers_of(scratch.file("m.gguf", llama()));
  const Layer layer = layers.read(0);
  const GivenPositions given = as_given(layer, layers, sinusoidal<double>(10, dim));
  BOOST_TEST_REQUIRE(cols(given.weights->key) == heads * width);
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t j = 0; j < width; ++j)
      BOOST_TEST(given.weights->key(5, h * width + j) == layer.key(5, h / 3 * width + j));
  BOOST_TEST(given.layer_norm->gain == layer.gain);
  BOOST_TEST(given.layer_norm->bias == std::vector<double>(dim));
}

BOOST_AUTO_TEST_CASE(files_that_do_not_fit) {
  const Scratch scratch;
  const auto said = [&](const std::string& bytes, const char* number_of_heads, const char* part) {
    const auto path = scratch.file("m", bytes);
    check_refusal([&] { layers_of(path, number_of_heads).read(0); }, part);
  };
  said(llama(depth + 1), nullptr, "llama.block_count is 4, but there are query weights of 3");
  said(llama(depth, "qwen3"), nullptr, "architecture 'qwen3'; llama was expected");
  said(bert("", "weight", "bias"), nullptr, "expected --heads H");
  said(bert("", "weight", "bias"), "5", "5 heads do not divide 24 columns");
  said(bert("", "weight", "bias"), "six", "expected a whole number from 1");
  // Keys of another shape; a number that is none.
  const auto one = [](const char* key_shape, const std::string& key) {
    return TensorWriter()
        .add("encoder.layer.0.attention.self.query.weight", "F32", "[2, 2]", std::string(16, '\0'))
        .add("encoder.layer.0.attention.self.key.weight", "F32", key_shape, key)
        .file();
  };
  said(one("[2, 3]", std::string(24, '\0')), "1", "takes 3 numbers to 2; expected 2 to 2");
  said(one("[2, 2]", std::string(16, '\xff')), "1", "row 0 holds");
  said(TensorWriter()
           .add("encoder.layer.0.attention.self.query.weight", "F32", "[2, 2]", std::string(16, '\0'))
           .add("encoder.layer.0.attention.self.key.weight", "F32", "[2, 2]", std::string(16, '\0'))
           .add("encoder.layer.0.attention.self.query.bias", "F32", "[3]", std::string(12, '\0'))
           .file(),
       "1", "is 1 x 3; expected 2 numbers");
  scratch.file("m.gguf", llama());
  write_npy(scratch / "wave.npy", sinusoidal<double>(30, dim));
  const std::string rotary = fmt::format("[m]\nlayers = {}\n", (scratch / "m.gguf").string());
  const std::string table = fmt::format("positions = {}\n", (scratch / "wave.npy").string());
  check_refusal([&] { results_of(rotary + "transpose = weights\n", scratch); }, "how they lie");
  const std::string added = fmt::format("[m]\nlayers = {}\nheads = 6\n{}",
                                        scratch.file("bert", bert("", "weight", "bias")).string(), table);
  check_refusal([&] { results_of(added + "query = a\nkey = b\n", scratch); }, "--layers and --query");
  check_refusal([&] { results_of(added + "layernorm = a,b\n", scratch); }, "it is read with the layers");
}

// A model of layers alone has no part in what is said of tables, and D6 has no condition on it.
BOOST_AUTO_TEST_CASE(a_study_of_layers_with_and_without_positions) {
  const Scratch scratch;
  write_npy(scratch / "wave.npy", sinusoidal<double>(30, dim));
  const Results alone =
      results_of(fmt::format("[m]\nlayers = {}\n", scratch.file("m.gguf", llama()).string()), scratch);
  BOOST_TEST(value(alone, "M6.layers") == 1);
  BOOST_TEST(value(alone, "M6.layers_rotary") == 1);
  BOOST_TEST(find(alone.findings, "M6.layers_with_positions") == nullptr);
  BOOST_TEST(find(alone.findings, "M6.models") == nullptr);
  BOOST_TEST(text_at(alone.parameters, "with_pairs") == "m");
  BOOST_TEST(text_at(alone.parameters, "models") == "");

  const Results both =
      results_of(fmt::format("[b]\npositions = {}\nlayers = {}\nheads = 6\n", (scratch / "wave.npy").string(),
                             scratch.file("bert", bert("", "weight", "bias")).string()),
                 scratch);
  BOOST_TEST(value(both, "M6.layers_with_positions") == 1);
  // Of layer 0 the rows are the heads that D6 judges.
  const auto table = [&](const char* file) {
    for (const Table& each : both.tables)
      if (each.file == file) return each;
    throw std::runtime_error("no table");
  };
  const Table layers = table("m6_by_layer.csv");
  BOOST_TEST_REQUIRE(layers.rows.size() == depth);
  BOOST_TEST(layers.number(0, "r2") == value(both, "M6.median.b"));
  BOOST_TEST(layers.number(0, "control") == find(both.findings, "M6.r2.b")->theory.value());
  BOOST_TEST(layers.number(1, "r2") != layers.number(0, "r2"));
  BOOST_TEST(table("m6_pairs.csv").rows.size() == depth * 3 * width / 2);
}

BOOST_AUTO_TEST_CASE(readings_of_one_lineage_and_what_a_median_hides) {
  const Scratch scratch;
  const Matrix<double> wave = sinusoidal<double>(30, dim);
  write_npy(scratch / "wave.npy", wave);
  for (const char* name : {"query", "key"})
    write_npy(scratch / fmt::format("{}.npy", name), drawn(name, 0, dim, dim));
  for (const char* name : {"gain", "bias"})
    write_npy(scratch / fmt::format("{}.npy", name), drawn(name, 0, 1, dim));
  const std::string model = fmt::format(
      "positions = {0}/wave.npy\nquery = {0}/query.npy\nkey = {0}/key.npy\nheads = {1}\nlineage = tree\n",
      scratch.path().string(), heads);
  const std::string norm = fmt::format("layernorm = {0}/gain.npy,{0}/bias.npy\n", scratch.path().string());
  const Results results = results_of("[bare]\n" + model + "[norm]\n" + model + norm, scratch);
  // Two readings, one witness: the one that the layer has, wherever it stands.
  const Claim* claim = nullptr;
  for (const Claim& each : results.claims)
    if (each.id == "M6") claim = &each;
  BOOST_TEST_REQUIRE(claim);
  BOOST_TEST_REQUIRE(claim->rule.size() == 1U);
  BOOST_TEST(claim->rule[0].finding == "M6.median.norm");
  BOOST_TEST(claim->rule[0].says.find("weights behind LayerNorm") != std::string::npos);
  BOOST_TEST(claim->condition.starts_with("norm: "), claim->condition);
  BOOST_TEST(value(results, "M6.layers") == 1);
  BOOST_TEST(find(results.findings, "M6.layers")->unit == "lineages");
  for (const Table& table : results.tables)
    if (table.file == "m6_by_layer.csv") {
      BOOST_TEST(table.number(0, "least") == value(results, "M6.least.bare"));
      BOOST_TEST(table.number(0, "upper") == value(results, "M6.upper.bare"));
      // A sinusoid's products tell the lag alone; behind a LayerNorm less so.
      BOOST_TEST(std::abs(table.number(0, "plain") - 1) < 1e-9);
      BOOST_TEST(table.number(1, "plain") < 0.99);
    }
}

BOOST_AUTO_TEST_SUITE_END()
