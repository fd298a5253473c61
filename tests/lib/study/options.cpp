// The command line: lists, presets, parts, and complaints of one line; which of several studies it asks for; ids of
// findings and names that readers see; a trial of a BLAS.

#include "perp/study/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/study/display.hpp"
#include "perp/study/finding.hpp"
#include "perp/study/measuring.hpp"
#include "perp/study/start.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(study_options)

namespace {

/// Words apart by one blank.
Parsed parse(const std::string& line) {
  std::vector<std::string> words{"study"};
  for (std::size_t at = 0, end = 0; at <= line.size() && !line.empty(); at = end + 1) {
    end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_options("study", "about", {"O1", "O2"}, {{"dim", "LIST", "dimensions"}},
                       static_cast<int>(argv.size()), argv.data());
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_and_ranges) {
  const auto is = [](std::string_view text, const std::vector<double>& expected) {
    BOOST_TEST(parse_list(text) == expected, boost::test_tools::per_element());
  };
  is("64,128,512", {64, 128, 512});
  is("64..512*2", {64, 128, 256, 512});
  is("3..10+3,100", {3, 6, 9, 100});
  is("1e+2..1e+6*1e+2", {1e2, 1e4, 1e6});
  is("1e2..2.5E+2+5e+1", {100, 150, 200, 250});
  is("1e-3..1e-1*10", {1e-3, 1e-2, 1e-1});
  is("0..0.3+0.1", {0, 0.1, 0.2, 0.3});  // three tenths land a hair beyond .3
  BOOST_TEST(parse_list("0..1+0.1").size() == 11U);
  BOOST_TEST(parse_list("0..1+0.1").back() == 1.0);  // ten steps of .1 added one by one end beside 1
}

BOOST_AUTO_TEST_CASE(lists_that_cannot_be_read_say_which_part) {
  for (const auto& [text, message] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"64,x", "'x' is not a number"},
           {"", "'' is not a number"},
           {"1..2", "range '1..2' has no step"},
           {"1..1e+2", "range '1..1e+2' has no step"},
           {"1..1e400*2", "'1e400' is not a number"},
           {"1..x+2*3", "'x' is not a number"},
           {"1..2*1", "does not move forward"},
           {"0..2*2", "does not move forward"},
           {"1..2+0", "does not move forward"},
           {"1..inf+1", "'inf' is not a number"},
           {"128..64*2", "range '128..64*2' holds no number; expected its end at 128"},
           {"8,3..2+1", "holds no number"},
           {"1,\x1b[31m\n", "'\\x1b[31m\\x0a' is not a number"},
           {"1..1e9+1", "has over 100000 numbers"}})
    check_refusal([list = text] { parse_list(list); }, message);
}

BOOST_AUTO_TEST_CASE(options_are_read) {
  const Options usual = parse("").options.value();
  BOOST_TEST((usual.preset == Preset::full));
  BOOST_TEST(usual.seed == 1U);
  BOOST_TEST(usual.threads >= 1U);
  BOOST_TEST(usual.out == "reports/out/study");
  BOOST_TEST(usual.wants("O2"));
  const Options given =
      parse("--preset quick --seed 18446744073709551615 --threads 010 --only O2 --dim 8,16 --fresh")
          .options.value();
  BOOST_TEST((given.preset == Preset::quick));
  BOOST_TEST(given.seed == 18446744073709551615U);
  BOOST_TEST(given.threads == 10U);  // decimal, not octal
  BOOST_TEST(given.fresh);
  BOOST_TEST(!given.wants("O1"));
  BOOST_TEST(parse("--seed 010").options->seed == 10U);
  BOOST_TEST((given.sizes("dim", {4}) == std::vector<std::size_t>{8, 16}));
  BOOST_TEST((given.sizes("length", {4}) == std::vector<std::size_t>{4}));
}

BOOST_AUTO_TEST_CASE(parts_are_numbered_from_one) {
  const auto is = [](std::string_view text, std::size_t number, std::size_t of) {
    const Part part = parse_part(text);
    BOOST_TEST(part.number == number);
    BOOST_TEST(part.of == of);
  };
  is("1/1", 1, 1);
  is("3/16", 3, 16);
  is("100000/100000", 100'000, 100'000);
  BOOST_TEST(!parse("").options->part);
  BOOST_TEST(parse("--part 3/16").options->part->of == 16U);
  for (const std::string_view text : {"", "/", "3", "0/3", "4/3", "1/0", "1/", "/2", "1/2/3", "-1/2", "a/b",
                                      "1/100001", "18446744073709551617/18446744073709551618", "Slurm"})
    check_refusal([=] { parse_part(text); }, "expected I/N with I from 1 to N, for example 3/16, or slurm");
  const auto job = [](const char* id, const char* least, const char* most, const char* count) {
    ::setenv("SLURM_ARRAY_TASK_ID", id, 1);
    ::setenv("SLURM_ARRAY_TASK_MIN", least, 1);
    ::setenv("SLURM_ARRAY_TASK_MAX", most, 1);
    ::setenv("SLURM_ARRAY_TASK_COUNT", count, 1);
    return parse_part("slurm");
  };
  BOOST_TEST(job("4", "3", "5", "3").number == 2U);
  for (const auto& of : std::vector<std::array<const char*, 4>>{
           {"18446744073709551615", "0", "18446744073709551615", "0"}, {"1", "1", "100001", "100001"}})
    check_refusal([&] { job(of[0], of[1], of[2], of[3]); },
                  "expected an array without gaps of at most 100000");
  check_refusal([] { parse("--part 1/2 --json"); }, "expected one of them");
  check_refusal([] { parse("--part 1/2 --dim 8").options->expect_alone("dim", {}); }, "--dim and --part");
}

BOOST_AUTO_TEST_CASE(unusable_options_exit_with_2) {
  for (const char* line :
       {"--preset tiny", "--threads 0", "--threads x", "--threads 0x10", "--threads +2", "--threads 1e1",
        "--threads 4097", "--seed 0x10", "--seed -1", "--seed +1", "--seed x", "--seed 1.5", "--seed ",
        "--seed 18446744073709551616", "--nothing", "stray", "--fresh=no", "--json=false", "--list=0"}) {
    BOOST_TEST(!parse(line).options.has_value(), "accepted: " << line);
    BOOST_TEST(parse(line).exit_code == 2);
  }
  check_refusal([] { parse("--only O9"); }, "--only O9: this study measures O1, O2");
  for (const char* half : {"x=", "=/usr/lib"})
    check_refusal([=] { blas_folder(half); },
                  fmt::format("--blas '{}': expected NAME, or NAME=FOLDER", half));
  check_refusal([] { parse("--dim 2.5").options->sizes("dim", {}); }, "2.5 is not a whole number");
  check_refusal([] { parse("--dim 90%").options->sizes("dim", {}); },
                "--dim: list '90%': '90%' is not a number");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(study_blas_trial)

BOOST_AUTO_TEST_CASE(a_trial_starts_no_other_one) {
  BOOST_TEST(!perp::answer_trial().has_value());
  for (const std::string& set : {std::string(), fmt::format("{}:", ::getpid()), std::string("yes")}) {
    ::setenv("PERP_TRY_BLAS", set.c_str(), 1);
    BOOST_TEST(!perp::answer_trial().has_value(), "PERP_TRY_BLAS=" << set << " of no process above");
  }
  ::setenv("PERP_TRY_BLAS", fmt::format("{}:", ::getppid()).c_str(), 1);
  perp::test::check_refusal([] { perp::try_folder(""); }, "a trial of a BLAS within a trial",
                            perp::Exit::failed);
  ::unsetenv("PERP_TRY_BLAS");
}

BOOST_AUTO_TEST_SUITE_END()

namespace perp {
namespace {

BOOST_AUTO_TEST_SUITE(finding_ids)

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
     {{"positions", "FILE", ""}, {"rows", "A:B", "of positions"}, {"dim", "D", ""}},
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

BOOST_AUTO_TEST_CASE(each_study_gets_the_options_that_it_has) {
  const Given given = {{"words", "w.npy"}, {"rows", "1:9"}, {"pairs", "1:2"}};
  BOOST_TEST((options_for(studies[0], given) == Given{{"words", "w.npy"}}));  // rows are of positions
  BOOST_TEST((options_for(studies[1], given) == Given{{"rows", "1:9"}}));     // no study reads pairs
  std::string names;
  for (const ExtraOption& option : options_of(studies)) names += option.name + "=" + option.help + " ";
  BOOST_TEST(names == "words=of words positions= rows=of positions dim= models= ");
}

BOOST_AUTO_TEST_CASE(names_stand_apart_by_blanks_or_commas) {
  const std::vector<std::string> two = {"O1", "O4"};
  BOOST_TEST(names_in("O1 O4") == two, boost::test_tools::per_element());
  BOOST_TEST(names_in(",O1, O4 ") == two, boost::test_tools::per_element());
  BOOST_TEST(names_in("").empty());
  BOOST_TEST(names_in(" , ").empty());
  Options options;
  BOOST_TEST(names_typed(options, "studies").empty());
  options.extra["studies"] = "O1 O4,,O1";
  BOOST_TEST(names_typed(options, "studies") == two, boost::test_tools::per_element());
  options.extra["studies"] = " ,";
  check_refusal([&] { names_typed(options, "studies"); }, "--studies ' ,': holds no name");
}

BOOST_AUTO_TEST_SUITE_END()
