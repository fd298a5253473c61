// A model's config.json, and the finder of its tables on the names and shapes of published models, and on
// others.

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "perp/io/model_config.hpp"
#include "perp/io/model_tables.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_model_config)

namespace {

ModelConfig read(const std::string& text) {
  return read_model_config(ByteSource("config.json", InMemory{text, nullptr}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_it_says) {
  const ModelConfig bert = read(
      R"({"architectures":["BertModel"],"num_attention_heads":12,"model_type":"bert","pad_token_id":0,"x":{"n_head":3}})");
  BOOST_TEST(bert.type == "bert");
  BOOST_TEST(bert.heads.value() == 12U);
  BOOST_TEST(bert.padding.value() == 0U);
  for (const char* name : {"n_head", "n_heads", "num_heads"})
    BOOST_TEST(read(std::string("{\"") + name + "\":6}").heads.value() == 6U);
  const ModelConfig none =
      read(R"({"pad_token_id":-1,"model_type":null,"task":{"a":[1,[2,{"model_type":3}]]},"p":0.1})");
  BOOST_TEST((none.type.empty() && !none.heads && !none.padding));
  // Brackets in a text, behind a quote of its own, nest nothing; nor do lists side by side.
  std::string lists = "[]";
  for (int i = 0; i < 100; ++i) lists += ",[]";
  BOOST_TEST(
      read(R"({"n_head":6,"a":"\")" + std::string(100, '[') + R"(","b":[)" + lists + "]}").heads.value() ==
      6U);
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  const auto refused = [](const std::string& text, const std::string& says) {
    check_refusal([&] { read(text); }, says);
  };
  for (const char* value : {"\"12\"", "12.5", "-12", "0", "true", "[12]", "{}"})
    refused(std::string(R"({"num_attention_heads":)") + value + "}", "num_attention_heads is ");
  for (const char* value : {"\"1\"", "1.5", "false", "[]", "{}"})
    refused(std::string(R"({"pad_token_id":)") + value + "}", "pad_token_id is ");
  for (const char* value : {"1", "true", "[\"bert\"]", "{}"})
    refused(std::string(R"({"model_type":)") + value + "}", "model_type is ");
  for (const char* text : {"[]", "3", "\"bert\"", "null", "true"}) refused(text, "expected an object");
  for (const char* text : {"", "{", "{\"a\":}", "{}x", "bert"}) refused(text, "is no JSON from byte");
  refused(std::string("{}\0", 3), "is no JSON from byte 3");
  refused("{\"a\":" + std::string(100'000, '['), "is nested deeper than 64");
  refused("{\"a\":\"" + std::string(5'000'000, ' ') + "\"}", "a configuration of 5000008 bytes");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_model_tables)

namespace {

using Tensors = std::vector<ModelTensor>;
using Shape = std::vector<std::uint64_t>;

/// A tensor of each layer; {} stands for its number.
void add_layers(Tensors& to, std::size_t count, const char* name, const Shape& shape) {
  for (std::size_t n = 0; n < count; ++n) to.push_back({fmt::format(fmt::runtime(name), n), shape});
}

Tensors gpt2(const std::string& prefix = "") {
  Tensors made{{prefix + "wpe.weight", {1024, 768}}, {prefix + "wte.weight", {50257, 768}}};
  add_layers(made, 12, (prefix + "h.{}.attn.bias").c_str(), {1, 1, 1024, 1024});
  add_layers(made, 12, (prefix + "h.{}.attn.c_attn.weight").c_str(), {768, 2304});
  add_layers(made, 12, (prefix + "h.{}.mlp.c_fc.weight").c_str(), {768, 3072});
  return made;
}

/// BERT and whoever has its names.
Tensors bert(const std::string& prefix, Shape words, Shape positions, std::uint64_t hidden) {
  Tensors made{{prefix + "embeddings.position_ids", {1, positions[0]}},
               {prefix + "embeddings.word_embeddings.weight", words},
               {prefix + "embeddings.position_embeddings.weight", positions},
               {prefix + "embeddings.token_type_embeddings.weight", {2, positions[1]}},
               {prefix + "embeddings.LayerNorm.weight", {positions[1]}}};
  for (const char* of : {"query", "key", "value"})
    add_layers(made, 12, fmt::format("{}encoder.layer.{{}}.attention.self.{}.weight", prefix, of).c_str(),
               {hidden, hidden});
  made.push_back({"cls.predictions.decoder.weight", words});
  return made;
}

Tensors opt(std::uint64_t width, std::uint64_t hidden) {
  Tensors made{{"model.decoder.embed_tokens.weight", {50272, width}},
               {"model.decoder.embed_positions.weight", {2050, hidden}},
               {"lm_head.weight", {50272, width}}};
  for (const char* of : {"q_proj", "k_proj", "v_proj"})
    add_layers(made, 12, fmt::format("model.decoder.layers.{{}}.self_attn.{}.weight", of).c_str(),
               {hidden, hidden});
  return made;
}

const Tensors clip_vision{{"vision_model.embeddings.class_embedding", {768}},
                          {"vision_model.embeddings.patch_embedding.weight", {768, 3, 32, 32}},
                          {"vision_model.embeddings.position_embedding.weight", {50, 768}}};

const Tensors vit{{"vit.embeddings.cls_token", {1, 1, 768}},
                  {"vit.embeddings.position_embeddings", {1, 197, 768}},
                  {"vit.embeddings.patch_embeddings.projection.weight", {768, 3, 16, 16}},
                  {"vit.encoder.layer.0.attention.attention.query.weight", {768, 768}},
                  {"classifier.weight", {1000, 768}}};
const Tensors t5{{"shared.weight", {32128, 512}},
                 {"encoder.block.0.layer.0.SelfAttention.q.weight", {512, 512}},
                 {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {32, 8}},
                 {"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {32, 8}}};
const Tensors llama{{"model.embed_tokens.weight", {32000, 2048}},
                    {"model.layers.0.self_attn.q_proj.weight", {2048, 2048}},
                    {"lm_head.weight", {32000, 2048}}};
Tensors llama_gguf() {
  Tensors made{{"token_embd.weight", {49152, 576}}, {"output_norm.weight", {576}}};
  add_layers(made, 30, "blk.{}.attn_q.weight", {576, 576});
  add_layers(made, 30, "blk.{}.attn_k.weight", {192, 576});
  return made;
}
const Tensors bart{{"model.shared.weight", {50265, 768}},
                   {"model.encoder.embed_positions.weight", {1026, 768}},
                   {"model.decoder.embed_positions.weight", {1026, 768}}};

/// Names of words and positions, rows that are skipped, number of layers and their family.
std::string taken(const Tensors& tensors, const ModelConfig& config = {}) {
  const ModelTables found = find_tables(tensors, config);
  const auto name = [&](const std::optional<std::size_t>& table) {
    return table ? tensors[*table].name : "-";
  };
  return fmt::format(
      "{} | {} | {} | {} | {}", found.family, name(found.words), name(found.positions), found.skipped,
      found.layers ? fmt::format("{} x {}", found.layers->count, found.layers->names->family) : "-");
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_of_published_models) {
  BOOST_TEST(taken(gpt2("transformer.")) ==
             "GPT-2 | transformer.wte.weight | transformer.wpe.weight | 0 | 12 x GPT-2");
  const std::string words = "embeddings.word_embeddings.weight",
                    positions = "embeddings.position_embeddings.weight";
  const auto named = [&](const char* family, const char* prefix, const char* rest) {
    return fmt::format("{} | {}{} | {}{} | {}", family, prefix, words, prefix, positions, rest);
  };
  const Tensors plain = bert("", {30522, 384}, {512, 384}, 384);
  BOOST_TEST(taken(plain) == named("BERT", "", "0 | 12 x BERT"));
  BOOST_TEST(taken(plain, {"bert", 12, 0}) == named("BERT", "", "0 | 12 x BERT"));
  BOOST_TEST(find_tables(plain, {"bert", 12, 0}).heads.value() == 12U);
  BOOST_TEST(taken(bert("bert.", {30522, 768}, {512, 768}, 768)) == named("BERT", "bert.", "0 | 12 x BERT"));
  BOOST_TEST(taken(opt(768, 768)) ==
             "OPT | model.decoder.embed_tokens.weight | model.decoder.embed_positions.weight | 2 | 12 x OPT");
  // fairseq counts positions from behind the padding, too, however many there are.
  const std::string encoder = "model.decoder.sentence_encoder.";
  BOOST_TEST(taken({{encoder + "embed_tokens.weight", {25, 128}},
                    {encoder + "embed_positions.weight", {146, 128}}}) ==
             fmt::format("fairseq | {0}embed_tokens.weight | {0}embed_positions.weight | 2 | -", encoder));
  BOOST_TEST(taken(clip_vision) ==
             "CLIP's images | - | vision_model.embeddings.position_embedding.weight | 1 | -");
  BOOST_TEST(taken(vit) == "ViT | - | vit.embeddings.position_embeddings | 1 | -");
}

// A small ELECTRA's and an ALBERT's layers read what a map made of the tables.
BOOST_AUTO_TEST_CASE(layers_behind_a_map_are_not_taken) {
  const ModelTables small = find_tables(bert("electra.", {30522, 128}, {512, 128}, 256), {"electra", 4, 0});
  BOOST_TEST((!small.layers && !small.heads));
}

BOOST_AUTO_TEST_CASE(rows_that_are_no_positions) {
  const Tensors roberta = bert("roberta.", {50265, 768}, {514, 768}, 768);
  const auto skipped = [](const Tensors& tensors, const ModelConfig& config) {
    return find_tables(tensors, config).skipped;
  };
  BOOST_TEST(skipped(roberta, {}) == 2U);
  BOOST_TEST(skipped(roberta, {"roberta", 12, 1}) == 2U);
  BOOST_TEST(skipped(roberta, {"roberta", 12, {}}) == 2U);
  BOOST_TEST(skipped(roberta, {"xlm-roberta", 12, 0}) == 1U);
  BOOST_TEST(skipped(roberta, {"bert", 12, 0}) == 0U);
  BOOST_TEST(skipped(bert("", {100, 8}, {34, 8}, 8), {}) == 0U);
  check_refusal([&] { skipped(roberta, {"roberta", 12, 513}); }, "514 of its rows are said to be padding");
}

BOOST_AUTO_TEST_CASE(models_without_positions_say_so) {
  BOOST_TEST(taken(t5) == "T5 | shared.weight | - | 0 | -");
  BOOST_TEST(find_tables(t5, {}).no_positions.starts_with("T5 has no positions that are added"));
  BOOST_TEST(taken(llama) == "llama | model.embed_tokens.weight | - | 0 | -");
  BOOST_TEST(taken(llama_gguf()) == "llama (GGUF) | token_embd.weight | - | 0 | 30 x llama (GGUF)");
  BOOST_TEST(find_tables(llama_gguf(), {}).no_positions.find("rotary") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tables_of_no_known_family) {
  BOOST_TEST(taken({{"embedding.weight", {128256, 256}}}) == " | embedding.weight | - | 0 | -");
  BOOST_TEST(taken({{"words", {100, 8}, 0}, {"wpe", {64, 8}, 1}}) == " | words | wpe | 0 | -");
  BOOST_TEST(taken({{"a.wte.weight", {9, 8}}, {"a.wpe.weight", {7, 8}}}).starts_with("GPT-2 |"));
  BOOST_TEST(taken({{"newte.weight", {9, 8}}, {"newpe.weight", {7, 8}}}).starts_with(" |"));
  check_refusal([] { taken({{"word", {100, 8}}, {"other", {100, 8}}}); }, "it has word (100 x 8)");
  check_refusal(
      [] {
        taken({{"wpe", {64, 8}}, {"h0.query.weight", {8, 8}}});
      },
      "expected --words FILE:TENSOR or --positions FILE:wpe");
  check_refusal([] { taken({{"x", {100}}}); }, "no table of words or positions in it");
  Tensors many;
  for (int i = 0; i < 20; ++i) many.push_back({fmt::format("t{}\n", i), {3, 4}});
  check_refusal([&] { taken(many); },
                "t5\\x0a (3 x 4) and 14 more tables (perp list FILE); expected --words FILE:TENSOR");
}

BOOST_AUTO_TEST_CASE(several_that_fit_are_candidates) {
  check_refusal(
      [] { taken(bart); },
      "it has model.encoder.embed_positions.weight (1026 x 768), model.decoder.embed_positions.weight "
      "(1026 x 768), model.shared.weight (50265 x 768); expected");
  // The tallest first of those whose names say nothing.
  check_refusal(
      [] {
        taken({{"x", {9, 8}}, {"y", {90, 8}}, {"w.bias", {99}}});
      },
      "it has y (90 x 8), x (9 x 8);");
  Tensors two = bert("question_encoder.", {100, 8}, {64, 8}, 8);
  const Tensors other = bert("ctx_encoder.", {100, 8}, {64, 8}, 8);
  two.insert(two.end(), other.begin(), other.end());
  check_refusal([&] { taken(two); },
                "several tables fit: question_encoder.embeddings.word_embeddings.weight (100 x 8), ");
  check_refusal([] { taken(opt(512, 1024)); }, "differ in width: one of them goes through a projection");
}

BOOST_AUTO_TEST_CASE(heads_divide_the_queries) {
  check_refusal(
      [] {
        taken(gpt2(), {"gpt2", 7, {}});
      },
      "config.json: 7 heads do not divide the 768 columns of h.0.attn.c_attn.weight");
}

BOOST_AUTO_TEST_SUITE_END()
