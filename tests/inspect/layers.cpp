// All layers of a model out of its own file: found under each architecture's names, and what is said of them
// held against the definitions, formed in full.

#include "studies/inspect/layers.hpp"

#include "studies/inspect/m6_layers.hpp"
#include "tests/inspect/made.hpp"
#include "tests/io/gguf_bytes.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

constexpr std::size_t dim = bert::width, depth = bert::layers, heads = 6, key_heads = 2, width = 4;

Matrix<double> turned(const Matrix<float>& table) { return converted<double>(transposed(table)); }
std::vector<double> numbers(const Matrix<float>& table) {
  return {table.data(), table.data() + table.size()};
}

std::string block_name(std::size_t n, const char* rest) { return fmt::format("blk.{}.{}.weight", n, rest); }
/// Of layer n, output by output; attn_norm: one number an input.
Matrix<float> llama_table(std::size_t n, const char* which) {
  const std::string name = block_name(n, which);
  return normals(name,
                 name.ends_with("norm.weight") ? 1 : width * (name.ends_with("q.weight") ? heads : key_heads),
                 dim);
}

std::string llama(std::size_t blocks = depth, const char* architecture = "llama") {
  GgufWriter file;
  file.value(gguf_value("general.architecture", 8, gguf_text(architecture)))
      .value(gguf_count("llama.attention.head_count", heads))
      .value(gguf_count("llama.attention.head_count_kv", key_heads))
      .value(gguf_count("llama.block_count", static_cast<std::uint32_t>(blocks)));
  for (std::size_t n = 0; n < depth; ++n)
    for (const char* which : {"attn_q", "attn_k", "attn_v", "attn_norm"}) {
      const Matrix<float> table = llama_table(n, which);
      std::vector<std::uint64_t> shape{dim};
      if (rows(table) > 1) shape.push_back(rows(table));
      file.add(block_name(n, which), shape, f32, bytes_of(table));
    }
  return file.file();
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
/// What layer 1 reads is normalised at the end of layer 0, what layer 0 reads is not.
Tensors gpt1() {
  Tensors own = renamed(gpt2(), {{"transformer.", ""}, {"h.0.ln_1", "unread"}, {"h.1.ln_1", "h.0.ln_2"}});
  own.push_back({"tokens_embed.weight", false, normals("words", 5, dim)});
  return own;
}

Layers layers_of(const std::filesystem::path& path, const char* number_of_heads = nullptr) {
  Model model{"m", {}};
  model.options.extra = {{"layers", path.string()}};
  if (number_of_heads != nullptr) model.options.extra["heads"] = number_of_heads;
  return *Layers::of(model, std::nullopt);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_layers)

BOOST_AUTO_TEST_CASE(llama_in_a_gguf_file) {
  const Made made;
  const Layers layers = layers_of(made.file("m.gguf", llama()));
  BOOST_TEST(layers.count() == depth);
  BOOST_TEST(layers.heads() == heads);
  BOOST_TEST(layers.key_heads() == key_heads);
  BOOST_TEST(layers.width() == width);
  BOOST_TEST(layers.rotary());
  for (std::size_t n = 0; n < depth; ++n) {
    const Layer layer = layers.read(n);
    BOOST_TEST((layer.query == turned(llama_table(n, "attn_q"))));
    BOOST_TEST((layer.key == turned(llama_table(n, "attn_k"))));
    BOOST_TEST((layer.value.value() == turned(llama_table(n, "attn_v"))));
    BOOST_TEST(layer.gain == numbers(llama_table(n, "attn_norm")));
    BOOST_TEST(layer.query_bias.empty());
  }
}

// Layer n of BERT reads through the LayerNorm at the end of what stands before it.
BOOST_AUTO_TEST_CASE(families_in_safetensors) {
  const Made made;
  Tensors tensors = small_bert();
  for (const auto& path : {made.file("bert", file_of(tensors)), made.file("gpt2", file_of(gpt2())),
                           made.file("distilbert", file_of(distilbert())), made.file("opt", file_of(opt())),
                           made.file("older", file_of(older_bert()))}) {
    const Layers layers = layers_of(path, "6");
    BOOST_TEST(layers.count() == depth, path);
    BOOST_TEST(layers.key_heads() == heads);
    BOOST_TEST(!layers.rotary());
    std::string norm = "embeddings.LayerNorm";
    for (std::size_t n = 0; n < depth; ++n) {
      const Layer layer = layers.read(n);
      const auto weights = [&](const char* which) {
        return turned(named(tensors, part_of(n, which, "weight")).numbers);
      };
      const auto of = [&](const std::string& name) { return numbers(named(tensors, name).numbers); };
      BOOST_TEST((layer.query == weights("query")), path);
      BOOST_TEST((layer.key == weights("key")), path);
      BOOST_TEST((layer.value.value() == weights("value")), path);
      BOOST_TEST(layer.query_bias == of(part_of(n, "query", "bias")), path);
      BOOST_TEST(layer.key_bias == of(part_of(n, "key", "bias")), path);
      BOOST_TEST(layer.gain == of(norm + ".weight"), path);
      BOOST_TEST(layer.norm_bias == of(norm + ".bias"), path);
      norm = fmt::format("encoder.layer.{}.output.LayerNorm", n);
    }
  }
}

BOOST_AUTO_TEST_CASE(gpt1_normalises_behind_its_layers) {
  const Made made;
  const Layers ours = layers_of(made.file("gpt1", file_of(gpt1())), "6"),
               gpt2s = layers_of(made.file("gpt2", file_of(gpt2())), "6");
  BOOST_TEST(ours.count() == depth);
  BOOST_TEST((ours.read(0).gain.empty() && ours.read(0).norm_bias.empty()));
  BOOST_TEST(ours.read(1).gain == gpt2s.read(1).gain);
  BOOST_TEST((ours.read(1).query == gpt2s.read(1).query));
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
  BOOST_TEST((layers.read(1).key == turned(named(all, part_of(1, "key", "weight")).numbers)));
  BOOST_TEST((layers.files() == std::vector<std::filesystem::path>{index, made / "0", made / "1"}));
}

BOOST_AUTO_TEST_CASE(a_pair_is_two_neighbouring_columns_of_every_head) {
  const Made made;
  const Layer layer = layers_of(made.file("m.gguf", llama())).read(1);
  const std::vector<double> found = pair_squares(layer.key, layer.gain, key_heads, width);
  BOOST_TEST_REQUIRE(found.size() == width / 2);
  for (std::size_t pair = 0; pair < width / 2; ++pair) {
    double squares = 0;
    for (std::size_t h = 0; h < key_heads; ++h)
      for (const std::size_t column : {h * width + 2 * pair, h * width + 2 * pair + 1})
        for (std::size_t i = 0; i < dim; ++i) squares += std::pow(layer.gain[i] * layer.key(i, column), 2);
    BOOST_TEST(std::abs(found[pair] - squares) < 1e-14 * squares);  // 96 terms, all positive
  }
  check_refusal([&] { pair_squares(layer.key, layer.gain, 4, 3); }, "pairs of columns");
}

// Three query heads in a row share a key head.
BOOST_AUTO_TEST_CASE(antisymmetric_share_of_the_whole_matrix) {
  const Made made;
  const Layers layers = layers_of(made.file("m.gguf", llama()));
  Layer layer = layers.read(1);
  const std::vector<double> shares = antisymmetric_shares(layer, layers);
  BOOST_TEST_REQUIRE(shares.size() == heads);
  for (std::size_t h = 0; h < heads; ++h) {
    const auto m = [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c)
        sum += layer.query(i, h * width + c) * layer.key(j, h / 3 * width + c);
      return layer.gain[i] * layer.gain[j] * sum;
    };
    double all = 0, odd = 0;
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        all += m(i, j) * m(i, j);
        odd += std::pow((m(i, j) - m(j, i)) / 2, 2);
      }
    BOOST_TEST(std::abs(shares[h] - odd / all) < 1e-13);  // sums of d² w terms, cancelling at most to a half
  }
  // A shared key head stands behind each of its queries; as queries these have no antisymmetric part.
  const GivenPositions given = as_given(layer, layers, sinusoidal<double>(10, dim));
  BOOST_TEST_REQUIRE(cols(given.weights->key) == heads * width);
  for (std::size_t j = 0; j < heads * width; ++j)
    BOOST_TEST(given.weights->key(5, j) == layer.key(5, j / (3 * width) * width + j % width));
  BOOST_TEST(given.layer_norm->gain == layer.gain);
  BOOST_TEST(given.layer_norm->bias == std::vector<double>(dim));
  layer.query = given.weights->key;
  for (const double share : antisymmetric_shares(layer, layers)) BOOST_TEST(std::abs(share) < 1e-13);
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
  for (const auto& [bytes, number_of_heads, says] : std::initializer_list<Case>{
           {llama(depth + 1), nullptr, "llama.block_count is 3, but there are query weights of 2"},
           {llama(depth, "qwen3"), nullptr, "architecture 'qwen3'; llama was expected"},
           {bert, nullptr, "expected --heads H"},
           {bert, "5", "5 heads do not divide 24 columns"},
           {bert, "six", "expected a whole number from 1"},
           {one(3, 0, 2), "1", "takes 2 numbers to 3; expected 2 to 2"},
           {one(2, NAN, 2), "1", "row 0 holds"},
           {one(2, 0, 3), "1", "is 1 x 3; expected 2 numbers"}})
    check_refusal(
        [&, &file = bytes, heads = number_of_heads] { layers_of(made.file("m", file), heads).read(0); },
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

// A model of layers alone has no part in what is said of tables, and D6 has no condition on it.
BOOST_AUTO_TEST_CASE(a_study_of_layers_with_and_without_positions) {
  const Made made;
  const Results alone =
      made.results(fmt::format("[m]\nlayers = {}\n", made.file("m.gguf", llama()).string()), {"M6"});
  BOOST_TEST(value(alone, "M6.layers") == 1);
  BOOST_TEST(value(alone, "M6.layers_rotary") == 1);
  BOOST_TEST(!find(alone.findings, "M6.layers_with_positions"));
  BOOST_TEST(!find(alone.findings, "M6.models"));
  BOOST_TEST(to_text(at(alone.parameters, "with_pairs")) == "m");
  BOOST_TEST(to_text(at(alone.parameters, "models")) == "");

  const Results both = made.results(
      made.model("b", sinusoidal<double>(30, dim)) +
          fmt::format("layers = {}\nheads = 6\n", made.file("bert", file_of(small_bert())).string()),
      {"M6"});
  BOOST_TEST(value(both, "M6.layers_with_positions") == 1);
  // Of layer 0 the rows are the heads that D6 judges.
  const Table& layers = table(both, "m6_by_layer.csv");
  BOOST_TEST_REQUIRE(layers.rows.size() == depth);
  BOOST_TEST(layers.number(0, "r2") == value(both, "M6.median.b"));
  BOOST_TEST(layers.number(0, "control") == finding(both, "M6.r2.b").theory.value());
  BOOST_TEST(layers.number(1, "r2") != layers.number(0, "r2"));
  BOOST_TEST(table(both, "m6_pairs.csv").rows.size() == depth * 3 * width / 2);
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

BOOST_AUTO_TEST_CASE(a_head_is_above_its_control_from_three_standard_deviations_on) {
  LayerHead head;
  head.r2 = 0.5, head.control = 0.25, head.control_sd = 0.125;
  BOOST_TEST(!head.is_above());
  head.control_sd = 0.0625;
  BOOST_TEST(head.is_above());
}

BOOST_AUTO_TEST_CASE(readings_of_one_lineage_and_what_a_median_hides) {
  const Made made;
  const auto table_of = [&](const char* name, std::size_t rows) {
    return made.table(fmt::format("{}.npy", name), normals(name, rows, dim));
  };
  const std::string model = fmt::format("positions = {}\nquery = {}\nkey = {}\nheads = 6\nlineage = tree\n",
                                        made.table("wave.npy", sinusoidal<double>(30, dim)),
                                        table_of("query", dim), table_of("key", dim));
  const Results results = made.results(fmt::format("[bare]\n{0}[norm]\n{0}layernorm = {1},{2}\n", model,
                                                   table_of("gain", 1), table_of("bias", 1)),
                                       {"M6"});
  // Two readings, one witness: the one that the layer has, wherever it stands.
  const Claim& said = claim(results, "M6");
  BOOST_TEST_REQUIRE(said.rule.size() == 1U);
  BOOST_TEST(said.rule[0].finding == "M6.median.norm");
  BOOST_TEST(contains(said.rule[0].says, "weights after LayerNorm"));
  BOOST_TEST(value(results, "M6.layers") == 1);
  BOOST_TEST(finding(results, "M6.layers").unit == "model families");
  const Table& layers = table(results, "m6_by_layer.csv");
  BOOST_TEST(layers.number(0, "least") == value(results, "M6.least.bare"));
  BOOST_TEST(layers.number(0, "upper") == value(results, "M6.upper.bare"));
  // A sinusoid's products tell the lag alone; behind a LayerNorm less so.
  BOOST_TEST(std::abs(layers.number(0, "plain") - 1) < 1e-9);
  BOOST_TEST(layers.number(1, "plain") < 0.99);
}

BOOST_AUTO_TEST_SUITE_END()
