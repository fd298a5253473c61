// What the cells of a study that reads words depend on.

#include <zlib.h>

#include <boost/test/unit_test.hpp>

#include "perp/io/sha256.hpp"
#include "perp/vectors/corpus.hpp"
#include "studies/inputs/words.hpp"
#include "tests/io/safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(inspect_inputs)

BOOST_AUTO_TEST_CASE(words_of_an_index_depend_on_the_file_that_it_names) {
  const Scratch scratch;
  scratch.file("m.safetensors.index.json", R"({"weight_map": {"w": "shard.safetensors"}})");
  Options options;
  options.extra = {{"words", (scratch / "m.safetensors.index.json:w").string()}};
  const auto hashes = [&](float first) {
    scratch.file("shard.safetensors",
                 TensorWriter()
                     .add("w", "F32", "[2, 2]", items_bytes(std::vector<float>{first, 2, 3, 4}, false))
                     .file());
    return load_words(options).hashes;
  };
  const std::vector<std::string> one = hashes(1);
  BOOST_TEST((one == hashes(1)));
  BOOST_TEST((one != hashes(5)));
  BOOST_TEST(load_words(options).files.size() == 2U);
}

BOOST_AUTO_TEST_CASE(words_without_a_direction_are_left_out_with_their_names) {
  const Scratch scratch;
  scratch.file("words.txt", "<pad> 0 0\nking 1 0\nred 0 2\n<unk> 0 0\nsea 3 3\n");
  Options options;
  options.extra = {{"words", (scratch / "words.txt").string()}};
  const RealWords words = load_words(options).words.value();
  BOOST_TEST(words.words == (std::vector<std::string>{"king", "red", "sea"}));
  BOOST_REQUIRE(rows(words.unit) == 3U);
  BOOST_TEST(words.unit(1, 1) == 1.0F);
  // O2 asks for the neighbours of a word by its name.
  BOOST_TEST(nearest_neighbours(words.words, words.unit, {"red"}, 1).at(0).at(0).word == "sea");
}

// The text inside is what cells depend on; what people can compare is the file that they have.
BOOST_AUTO_TEST_CASE(a_text_is_named_by_the_hash_of_its_file) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 40'000; ++i)
    text += fmt::format("w{} ", char('a' + i * i % 17) + std::string(1 + i % 9, 'x'));
  scratch.file("plain.txt", text);
  const std::string packed = (scratch / "packed.gz").string();
  gzFile file = gzopen(packed.c_str(), "wb");
  BOOST_REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0);
  gzclose(file);
  Options options;
  options.build = scratch / "kept";
  options.threads = 1;
  options.preset = Preset::quick;
  options.extra = {{"corpus", packed}};
  const WordInputs learned = load_words(options);
  BOOST_REQUIRE(learned.files.size() == 1U);
  BOOST_TEST(learned.files.front().sha256 == sha256_file(packed));
  options.extra = {{"corpus", (scratch / "plain.txt").string()}};
  BOOST_TEST((load_words(options).hashes == learned.hashes));
}

BOOST_AUTO_TEST_SUITE_END()
