// What the cells of a study that reads words depend on, and which rows training never met.

#include <boost/test/unit_test.hpp>

#include "perp/io/sha256.hpp"
#include "perp/vectors/corpus.hpp"
#include "studies/inputs/trained_rows.hpp"
#include "studies/inputs/words.hpp"
#include "tests/io/safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

WordInputs loaded(const char* option, const std::filesystem::path& value, const Scratch& scratch) {
  Options options;
  options.preset = Preset::quick;
  options.threads = 1;
  options.build = scratch / "kept";
  options.extra = {{option, value.string()}};
  return load_words(options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_inputs)

BOOST_AUTO_TEST_CASE(words_of_an_index_depend_on_the_file_that_it_names) {
  const Scratch scratch;
  scratch.file("m.safetensors.index.json", R"({"weight_map": {"w": "shard.safetensors"}})");
  const auto inputs = [&](float first) {
    const std::string bytes = items_bytes(std::vector<float>{first, 2, 3, 4}, false);
    scratch.file("shard.safetensors", TensorWriter().add("w", "F32", "[2, 2]", bytes).file());
    return loaded("words", scratch / "m.safetensors.index.json:w", scratch);
  };
  const WordInputs one = inputs(1);
  BOOST_TEST(one.files.size() == 2U);
  BOOST_TEST((one.hashes == inputs(1).hashes));
  BOOST_TEST((one.hashes != inputs(5).hashes));
}

BOOST_AUTO_TEST_CASE(words_without_a_direction_are_left_out_with_their_names) {
  const Scratch scratch;
  const auto file = scratch.file("words.txt", "<pad> 0 0\nking 1 0\nred 0 2\n<unk> 0 0\nsea 3 3\n");
  const RealWords words = loaded("words", file, scratch).words.value();
  BOOST_TEST(words.words == (std::vector<std::string>{"king", "red", "sea"}));
  BOOST_REQUIRE(rows(words.unit) == 3U);
  BOOST_TEST(words.unit(1, 1) == 1.0F);
  // O2 asks for the neighbours of a word by its name.
  BOOST_TEST(nearest_neighbours(words.words, words.unit, {"red"}, 1).at(0).at(0).word == "sea");
}

BOOST_AUTO_TEST_CASE(rows_below_half_of_the_median_are_left_out_and_the_longest_run_is_the_first) {
  const std::vector<bool> trained = trained_rows({0.99, 2, 1, 0, 3, 2, 2});  // median 2
  BOOST_TEST((trained == std::vector<bool>{false, true, true, false, true, true, true}));
  BOOST_TEST(trained_rows({}).empty());
  BOOST_TEST((trained_rows({0, 0}) == std::vector<bool>{false, false}));
  for (const auto& [met, run] : {std::pair<std::vector<bool>, const char*>{{true, true, true}, "0:3"},
                                 {{false, true, true, false, true, true, false}, "1:3"},
                                 {{true, false, true, true}, "2:4"},
                                 {{true, true, false}, "0:2"},
                                 {{false, false}, "0:0"},
                                 {{}, "0:0"}})
    BOOST_TEST(trained_run(met).text() == run);
}

BOOST_AUTO_TEST_SUITE_END()
