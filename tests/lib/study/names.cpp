// Ids of findings, names that readers see, and which of several studies a command line asks for.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "perp/study/display.hpp"
#include "perp/study/finding.hpp"
#include "perp/study/measuring.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace perp {
namespace {

BOOST_AUTO_TEST_SUITE(finding)

using test::check_refusal;

BOOST_AUTO_TEST_CASE(the_id_of_the_contract) {
  BOOST_TEST(finding_id("O4", "largest_cosine",
                        {{"d", std::int64_t{512}}, {"k", std::int64_t{64}}, {"r", std::int64_t{128}}}) ==
             "O4.largest_cosine.d512.k64.r128");
  BOOST_TEST(finding_id("O4", "largest_cosine") == "O4.largest_cosine");
  BOOST_TEST(finding_id("A1", "error", {{"rho", 0.25}}) == "A1.error.rho0p25");
  BOOST_TEST(finding_id("A1", "error", {{"log_noise", std::int64_t{-3}}}) == "A1.error.log_noisem3");
  BOOST_TEST(finding_id("O2", "spread", {{"family", "gaussian"}}) == "O2.spread.gaussian");
  check_refusal([] { finding_id("O2", "spread", {{"family", "my-Words"}}); }, "'my-Words' holds 'W'");
  check_refusal([] { finding_id("O2", "a b"); }, "'a b' holds ' '");
}

BOOST_AUTO_TEST_CASE(a_sampled_number_says_of_how_many) {
  const auto with = [](Kind kind, std::optional<std::uint64_t> n) {
    return perp::finding("O1", "share", Coordinates{}, {.5}, {.n = n, .kind = kind, .meaning = "A share."});
  };
  check_refusal([&] { with(Kind::sampled, {}); }, "O1.share is sampled and does not say of how many (n)");
  BOOST_TEST(with(Kind::sampled, 7).n == 7U);
  BOOST_TEST(with(Kind::rounded, {}).n == 1U);
}

BOOST_AUTO_TEST_CASE(a_mean_over_replicates_has_students_interval) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const Estimate mean = estimated(values);
  BOOST_TEST(mean.value == 3.);
  // t(0.995) with four degrees of freedom is 4.604094871, the standard error √(2.5/5).
  BOOST_TEST(*mean.low == 3 - 4.604094871 * std::sqrt(.5), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(*mean.high == 3 + 4.604094871 * std::sqrt(.5), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(*mean.level == shown_level);
  BOOST_TEST(mean.spread->replicates == 5U);
}

BOOST_AUTO_TEST_CASE(a_single_replicate_has_no_interval_and_none_no_mean) {
  const Estimate one = estimated(std::vector<double>{.25});
  BOOST_TEST(one.value == .25);
  BOOST_TEST((!one.low && !one.high && !one.level && !one.spread));
  check_refusal([] { estimated(std::vector<double>{}); }, "no values were added");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp

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

BOOST_AUTO_TEST_SUITE(study_choice)

namespace {

const std::vector<Study> studies = {
    {"words", "", {"O1", "O4"}, {{"words", "FILE", "of words"}, {"rows", "A:B", "of words"}}, {}},
    {"places",
     "",
     {"D1"},
     {{"list", "[FILE]", ""},
      {"positions", "FILE", ""},
      {"rows", "A:B", "of positions"},
      {"pairs", "T:S", "", true},
      {"dim", "D", ""}},
     {}},
    {"inspect", "", {"M1", "M2"}, {{"words", "FILE", ""}, {"models", "FILE", ""}}, {}}};

std::string shown(const std::vector<Chosen>& chosen) {
  std::string text;
  for (const Chosen& one : chosen) {
    text += one.study->name;
    for (const std::string& claim : one.claims) text += "." + claim;
    text += " ";
  }
  return text;
}

std::string chosen(const std::vector<std::string>& names, const std::vector<std::string>& claims,
                   bool has_model = false) {
  return shown(choose(studies, names, claims, has_model));
}

}  // namespace

BOOST_AUTO_TEST_CASE(studies_are_chosen_by_name_and_by_claim) {
  BOOST_TEST(chosen({}, {}) == "words places ");  // models are measured where there is one
  BOOST_TEST(chosen({}, {}, true) == "words places inspect ");
  BOOST_TEST(chosen({"inspect", "words"}, {}) == "inspect words ");  // in the order asked for
  BOOST_TEST(chosen({}, {"D1", "O4"}) == "words.O4 places.D1 ");
  BOOST_TEST(chosen({}, {"O4", "O1"}) == "words.O4.O1 ");
  BOOST_TEST(chosen({}, {"M2"}, true) == "inspect.M2 ");
}

BOOST_AUTO_TEST_CASE(what_there_is_not_is_refused) {
  check_refusal([] { chosen({"wrods"}, {}); }, "no study 'wrods'; there are: words places inspect");
  check_refusal([] { chosen({}, {"O9"}); },
                "--only 'O9': no study has this claim; there are: O1 O4 D1 M1 M2");
  check_refusal(
      [] {
        chosen({"places"}, {"D1", "O1"});
      },
      "--only O1: of the study words, which is not in --studies \"places\"");
  check_refusal([] { chosen({}, {"M1"}); }, "--only M1 is measured of a model: expected --words FILE");
}

BOOST_AUTO_TEST_CASE(each_study_gets_the_options_that_it_has) {
  const Given given = {{"words", "w.npy"}, {"rows", "1:9"}, {"pairs", "1:2"}};
  BOOST_TEST((options_for(studies[0], given) == Given{{"words", "w.npy"}}));  // rows are of positions
  BOOST_TEST((options_for(studies[1], given) == Given{{"rows", "1:9"}}));     // pairs have moved
  std::string names;
  for (const ExtraOption& option : options_of(studies)) names += option.name + "=" + option.help + " ";
  BOOST_TEST(names == "words=of words positions= rows=of positions dim= models= ");
}

BOOST_AUTO_TEST_CASE(an_option_that_nobody_has_is_refused) {
  const std::vector<Chosen> words = choose(studies, {"words"}, {}, false);
  BOOST_CHECK_NO_THROW(expect_used(words, {{"words", "w.npy"}}));
  check_refusal([&] { expect_used(words, {{"dim", "3"}}); }, "no study of words has the option --dim");
  check_refusal([&] { expect_used(words, {{"rows", "1:2"}}); }, "no study of words has the option --rows");
}

BOOST_AUTO_TEST_CASE(names_stand_apart_by_blanks_or_commas) {
  const std::vector<std::string> two = {"O1", "O4"};
  BOOST_TEST(names_in("O1 O4") == two, boost::test_tools::per_element());
  BOOST_TEST(names_in(",O1, O4 ") == two, boost::test_tools::per_element());
  BOOST_TEST(names_in("").empty());
  BOOST_TEST(names_in(" , ").empty());
}

BOOST_AUTO_TEST_SUITE_END()
