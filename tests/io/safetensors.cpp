// What the corpus does not hold of safetensors files and their indexes: rows alone, names, other files.

#include "perp/io/safetensors.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/io/safetensors_index.hpp"
#include "perp/io/table_rows.hpp"
#include "safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

std::string index_of(const std::string& map) {
  return R"({"metadata": {"total_size": 48}, "weight_map": {)" + map + "}}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_safetensors)

BOOST_AUTO_TEST_CASE(of_many_names_some_are_shown) {
  const Scratch scratch;
  TensorWriter writer;
  for (int i = 0; i < 25; ++i) writer.add("layer" + std::to_string(i), "F16", "[1]", "ab");
  const auto path = scratch.file("a.safetensors", writer.file());
  const std::string said = message_of([&] { open_table({path, "Layer\n"}); });
  BOOST_TEST(contains(said, " has no tensor 'Layer\\x0a'; it has 'layer0', 'layer1', "));
  BOOST_TEST(said.ends_with("'layer19' and 5 more"));
  BOOST_TEST(contains(message_of([&] { list_tensors(scratch / "absent"); }), "No such file"));
  BOOST_TEST(list_tensors(scratch.file("none", safetensors_file("{}", ""))).empty());
}

BOOST_AUTO_TEST_CASE(an_index_leads_to_a_tensors_file) {
  const Scratch scratch;
  scratch.file("one", TensorWriter().add("w", "F32", "[3, 2]", six_items).file());
  scratch.file("two", TensorWriter().add("b", "F32", "[6]", six_items).file());
  const auto index =
      scratch.file("any.name", index_of(R"("w": "one", "b": "two", "gone": "two", "x": "three")"));
  const TableRows table = open_table({index, "w"}, {.rows = RowRange{1, 3}});
  BOOST_TEST((table.format() == TableFormat::safetensors));
  BOOST_TEST(table.tensor() == "w");
  BOOST_TEST(table.files().size() == 2U);
  BOOST_TEST(table.files().back() == scratch / "one");
  BOOST_TEST(table.all<double>()(1, 1) == 6.0);
  BOOST_TEST(open_table({index, "b"}).all<float>()(0, 5) == 6.F);
  const auto only = scratch.file("only", index_of(R"("w": "one")"));
  BOOST_TEST(open_table({only, std::nullopt}).rows() == 3U);

  // An index that names an index leads no further.
  const auto loop = scratch.file("loop", index_of(R"("w": "loop")"));
  for (const auto& [reference, part] : std::vector<std::pair<TableReference, const char*>>{
           {{index, "y"}, "any.name' has no tensor 'y'; it has 'b', 'gone', 'w', 'x'"},
           {{index, std::nullopt}, "any.name' holds 4 tensors; expected FILE:TENSOR with one of 'b', "},
           {{index, "gone"}, "two' has no tensor 'gone'; it has 'b'"},
           {{index, "x"}, "three': No such file"},
           {{loop, "w"}, "is no safetensors or GGUF file"}})
    BOOST_TEST(contains(message_of([&, at = reference] { open_table(at); }), part), part);
}

BOOST_AUTO_TEST_CASE(no_text_is_taken_for_an_index) {
  for (const char* text : {"{ 1 2\n", "{\" 1 2\n", "{\"a\" 1 2\n", "{}", "{", "", "[{\"a\":"})
    BOOST_TEST(!is_safetensors_index(text), text);
  for (const char* text : {"{\n\"\": 1\n", " {\r\n\t\"weight_map\" : {"})
    BOOST_TEST(is_safetensors_index(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
