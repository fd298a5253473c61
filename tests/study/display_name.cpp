// Names for readers: found by column first, once each, and nothing of a model's.

#include "perp/study/display_name.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>
#include <vector>

namespace perp {
namespace {

BOOST_AUTO_TEST_SUITE(names_shown)

BOOST_AUTO_TEST_CASE(by_column_by_any_and_as_it_is) {
  for (const auto& [identifier, column, shown] : std::vector<std::array<std::string_view, 3>>{
           {"as_is", "centring", "uncentred"},
           {"named", "", "named"},
           {"named", "task", "named position"},
           {"0", "rank", "full"},
           {"0", "d", "0"},
           {"minilm", "model", "MiniLM"},  // a model has its own names alone
           {"minilm", "", "minilm"},
           {"bite", "model", "bite"}})
    BOOST_TEST(display_name(identifier, column) == shown);
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
