// The command line: lists, presets, and complaints of one line.

#include "perp/study/options.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

Parsed parse(std::vector<std::string> words) {
  words.insert(words.begin(), "study");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_options("study", "about", {"O1", "O2"}, {{"dim", "LIST", "dimensions"}},
                       static_cast<int>(argv.size()), argv.data());
}

std::vector<double> list(std::string_view text) { return parse_list(text); }

}  // namespace

BOOST_AUTO_TEST_SUITE(study_options)

BOOST_AUTO_TEST_CASE(lists_and_ranges) {
  BOOST_TEST(list("64,128,512") == (std::vector<double>{64, 128, 512}), boost::test_tools::per_element());
  BOOST_TEST(list("64..512*2") == (std::vector<double>{64, 128, 256, 512}), boost::test_tools::per_element());
  BOOST_TEST(list("3..10+3,100") == (std::vector<double>{3, 6, 9, 100}), boost::test_tools::per_element());
  const std::vector<double> tenths = list("0..1+0.1");
  BOOST_TEST(tenths.size() == 11U);
  BOOST_TEST(tenths.back() == 1.0);             // ten steps of .1 added one by one end beside 1
  BOOST_TEST(list("0..0.3+0.1").size() == 4U);  // three tenths land a hair beyond .3
  BOOST_TEST(list("0..0.3+0.1").back() == 0.3);
}

BOOST_AUTO_TEST_CASE(lists_that_cannot_be_read_say_which_part) {
  check_refusal([] { list("64,x"); }, "'x' is not a number");
  check_refusal([] { list(""); }, "'' is not a number");
  check_refusal([] { list("1..2"); }, "range '1..2' has no step");
  check_refusal([] { list("1..2*1"); }, "does not move forward");
  check_refusal([] { list("0..2*2"); }, "does not move forward");
  check_refusal([] { list("1..2+0"); }, "does not move forward");
  check_refusal([] { list("1..inf+1"); }, "'inf' is not a number");
  check_refusal([] { list("128..64*2"); }, "range '128..64*2' holds no number; expected its end at 128");
  check_refusal([] { list("8,3..2+1"); }, "holds no number");
  check_refusal([] { list("1,\x1b[31m\n"); }, "'\\x1b[31m\\x0a' is not a number");
  check_refusal([] { list("1..1e9+1"); }, "has over 100000 numbers");
}

BOOST_AUTO_TEST_CASE(defaults) {
  const Parsed parsed = parse({});
  BOOST_REQUIRE(parsed.options.has_value());
  BOOST_TEST((parsed.options->preset == Preset::full));
  BOOST_TEST(parsed.options->seed == 1U);
  BOOST_TEST(parsed.options->threads >= 1U);
  BOOST_TEST(parsed.options->out == "reports/out/study");
  BOOST_TEST(parsed.options->wants("O2"));
}

BOOST_AUTO_TEST_CASE(options_are_read) {
  const Parsed parsed = parse(
      {"--preset", "quick", "--seed", "7", "--threads", "3", "--only", "O2", "--dim", "8,16", "--fresh"});
  BOOST_REQUIRE(parsed.options.has_value());
  BOOST_TEST((parsed.options->preset == Preset::quick));
  BOOST_TEST(parsed.options->seed == 7U);
  BOOST_TEST(parsed.options->threads == 3U);
  BOOST_TEST(parsed.options->fresh);
  BOOST_TEST(!parsed.options->wants("O1"));
  BOOST_TEST(parse({"--seed", "010"}).options->seed == 10U);  // decimal, not octal
  BOOST_TEST(parse({"--threads", "010"}).options->threads == 10U);
  BOOST_TEST(parse({"--seed", "18446744073709551615"}).options->seed == 18446744073709551615U);
  BOOST_TEST(parsed.options->sizes("dim", {4}) == (std::vector<std::size_t>{8, 16}),
             boost::test_tools::per_element());
  BOOST_TEST(parsed.options->sizes("length", {4}) == std::vector<std::size_t>{4},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unusable_options_exit_with_2) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--preset", "tiny"},
                                             {"--threads", "0"},
                                             {"--threads", "x"},
                                             {"--threads", "0x10"},
                                             {"--threads", "+2"},
                                             {"--threads", "1e1"},
                                             {"--threads", "4097"},
                                             {"--seed", "0x10"},
                                             {"--seed", "-1"},
                                             {"--seed", "+1"},
                                             {"--seed", "x"},
                                             {"--seed", "1.5"},
                                             {"--seed", ""},
                                             {"--seed", "18446744073709551616"},
                                             {"--nothing"},
                                             {"stray"}}) {
    const Parsed parsed = parse(words);
    BOOST_TEST(!parsed.options.has_value(), "accepted: " << words.front());
    BOOST_TEST(parsed.exit_code == 2);
  }
  check_refusal([] { parse({"--only", "O9"}); }, "--only O9: this study measures O1, O2");
  check_refusal([] { parse({"--dim", "2.5"}).options->sizes("dim", {}); }, "2.5 is not a whole number");
}

BOOST_AUTO_TEST_SUITE_END()
