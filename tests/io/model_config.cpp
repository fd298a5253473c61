// config.json as models have it, and as nobody should.

#include "perp/io/model_config.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace {

ModelConfig read(const std::string& text) {
  return read_model_config(ByteSource("config.json", InMemory{text, nullptr}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_model_config)

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
