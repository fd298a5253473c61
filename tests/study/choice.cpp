// Which of several studies a command line asks for, and which of its options each of them gets.

#include "perp/study/choice.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

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

BOOST_AUTO_TEST_SUITE(study_choice)

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
