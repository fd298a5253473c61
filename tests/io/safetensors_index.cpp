#include "perp/io/safetensors_index.hpp"

#include <boost/test/unit_test.hpp>

#include "hostile.hpp"
#include "perp/io/table_rows.hpp"
#include "safetensors_bytes.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

std::string index_of(const std::string& map) {
  return R"({"metadata": {"total_size": 48}, "weight_map": {)" + map + "}}";
}

std::string refusal(const std::string& bytes) {
  const auto error = error_of([&] { read_safetensors_index(ByteSource("i.json", InMemory{bytes})); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  const std::string said = error->what();
  BOOST_TEST_REQUIRE(said.starts_with("'i.json': "), said);
  return said.substr(10);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_safetensors_index)

BOOST_AUTO_TEST_CASE(a_tensor_is_found_in_its_file) {
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
  BOOST_TEST(read_table<float>({index, "b"})(0, 5) == 6.F);

  const auto said = [&](const std::optional<std::string>& tensor) {
    return message_of([&] { open_table({index, tensor}); });
  };
  BOOST_TEST(contains(said("y"), "any.name' has no tensor 'y'; it has 'b', 'gone', 'w', 'x'"));
  BOOST_TEST(
      contains(said(std::nullopt), "any.name' holds 4 tensors; expected FILE:TENSOR with one of 'b', "));
  BOOST_TEST(contains(said("gone"), "two' has no tensor 'gone'; it has 'b'"));
  BOOST_TEST(contains(said("x"), "three': No such file"));
  // An index that names an index leads no further.
  const auto loop = scratch.file("loop", index_of(R"("w": "loop")"));
  BOOST_TEST(contains(message_of([&] { open_table({loop, "w"}); }), "is no safetensors or GGUF file"));
  const auto only = scratch.file("only", index_of(R"("w": "one")"));
  BOOST_TEST(open_table({only, std::nullopt}).rows() == 3U);
}

BOOST_AUTO_TEST_CASE(files_elsewhere_are_refused) {
  for (const char* file :
       {"", ".", "..", "../a", "a/b", "/etc/passwd", "a/..", "..\\\\a", "a\\u0000b", "a\\nb"})
    BOOST_TEST(
        contains(refusal(index_of(std::string(R"("w": ")") + file + "\"")), "tensor 'w' is said to lie in '"),
        file);
  BOOST_TEST(refusal(index_of(R"("w": "..a")")).empty());
}

BOOST_AUTO_TEST_CASE(damaged_indexes_say_where) {
  BOOST_TEST(refusal(index_of(R"("w": "a")")).empty());
  BOOST_TEST(refusal(R"({"weight_map": {"w": "a"}, "more": [1, -2, 0.5, null, true, {"x": []}]})").empty());
  BOOST_TEST(refusal(index_of("")) == "its weight_map names no tensor");
  BOOST_TEST(contains(refusal("{\"metadata\": {}}"), "no weight_map in it; expected {"));
  BOOST_TEST(refusal(index_of(R"("w": "a", "w": "b")")) == "the tensor 'w' comes twice");
  BOOST_TEST(refusal(R"({"weight_map": {"w": "a"}, "weight_map": {"w": "b"}})") ==
             "the key 'weight_map' comes twice");
  BOOST_TEST(contains(refusal(index_of(R"("w": 7)")), "weight_map holds a number at 'w'"));
  BOOST_TEST(contains(refusal(index_of(R"("w": ["a"])")), "weight_map holds an array at 'w'"));
  BOOST_TEST(contains(refusal(index_of(R"("w": {"a": "b"})")), "weight_map holds an object at 'w'"));
  BOOST_TEST(contains(refusal(index_of(R"("w": null)")), "weight_map holds null at 'w'"));
  BOOST_TEST(contains(refusal(R"({"weight_map": "a"})"), "weight_map holds a text"));
  BOOST_TEST(contains(refusal(R"({"weight_map": [])"), "weight_map holds an array"));
  // g++ 14 warns of the sum of a literal and a text this long.
  std::string arrays = R"({"x": )", objects;
  arrays.append(200'000, '[');
  BOOST_TEST(contains(refusal(arrays), "is nested deeper than 16"));
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  BOOST_TEST(contains(refusal(objects), "is nested deeper than 16"));
  for (const std::string& text : {index_of(R"("w": "a")") + "x", index_of(R"("w": "a")") + '\0',
                                  std::string("{\"weight_map\": {\"w\": \"a\"}"), std::string("{'w': 'a'}")})
    BOOST_TEST(contains(refusal(text), "is no JSON from byte "), text);
  const Scratch scratch;
  const auto large = scratch.file("large", index_of(R"("w": "a")"));
  std::filesystem::resize_file(large, 20'000'001);  // of which the disk holds nothing
  BOOST_TEST(contains(message_of([&] { open_table({large, "w"}); }), "an index of 20000001 bytes; at most"));
}

BOOST_AUTO_TEST_CASE(no_text_is_taken_for_one) {
  for (const char* text : {"{ 1 2\n", "{\" 1 2\n", "{\"a\" 1 2\n", "{\n\"\": 1\n", "{}", "{", "", "[{\"a\":"})
    BOOST_TEST(!is_safetensors_index(text) == (std::string_view(text) != "{\n\"\": 1\n"), text);
  BOOST_TEST(is_safetensors_index(" {\r\n\t\"weight_map\" : {"));
}

BOOST_AUTO_TEST_SUITE_END()
