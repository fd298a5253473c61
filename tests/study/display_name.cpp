// Names for readers: found by column first, once each, and nothing of a model's.

#include "perp/study/display_name.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>

namespace perp {
namespace {

BOOST_AUTO_TEST_SUITE(names_shown)

BOOST_AUTO_TEST_CASE(by_column_by_any_and_as_it_is) {
  BOOST_TEST(display_name("as_is", "positions") == "sinusoid, uncentred");
  BOOST_TEST(display_name("as_is", "centring") == "uncentred");
  BOOST_TEST(display_name("copy2") == "copy two before");
  BOOST_TEST(display_name("named") == "named");
  BOOST_TEST(display_name("named", "task") == "named position");
  BOOST_TEST(display_name("0", "rank") == "full");
  BOOST_TEST(display_name("0", "d") == "0");
  BOOST_TEST(display_name("anything else", "positions") == "anything else");
}

BOOST_AUTO_TEST_CASE(a_model_has_its_own_names_alone) {
  BOOST_TEST(display_name("minilm", "model") == "MiniLM");
  BOOST_TEST(display_name("minilm") == "minilm");
  BOOST_TEST(display_name("bite", "model") == "bite");
}

BOOST_AUTO_TEST_CASE(each_is_there_once_that_of_a_column_before_that_of_any) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const DisplayName& name : display_names()) {
    BOOST_TEST(!name.identifier.empty());
    BOOST_TEST(!name.shown.empty());
    BOOST_TEST(name.shown != name.identifier, name.identifier);
    BOOST_TEST((name.column.empty() || !seen.contains({"", name.identifier})), name.identifier);
    BOOST_TEST((seen.insert({name.column, name.identifier}).second), name.identifier);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
