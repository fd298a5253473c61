// What the cells of a study that reads words depend on.

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
