// The command line: lists, presets, parts, and complaints of one line; a trial of a BLAS.

#include "perp/study/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "perp/study/start.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(study_options)

using perp::test::check_refusal;

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
  for (const char* line :
       {"--part 1/2 --fresh", "--part 1/2 --json", "--list --out x", "--list --part 1/2", "--list --dim 8"})
    check_refusal([=] { parse(line); }, "expected one of them");
  check_refusal([] { parse("--part 1/2 --dim 8").options->expect_alone("dim", {}); }, "--dim and --part");
}

BOOST_AUTO_TEST_CASE(a_job_of_an_array_is_a_part) {
  const auto set = [](const char* id, const char* least, const char* most, const char* count) {
    const std::vector<std::pair<std::string, const char*>> values{
        {"ID", id}, {"MIN", least}, {"MAX", most}, {"COUNT", count}};
    for (const auto& [name, value] : values)
      if (const std::string variable = "SLURM_ARRAY_TASK_" + name; value)
        ::setenv(variable.c_str(), value, 1);
      else
        ::unsetenv(variable.c_str());
  };
  set("0", "0", "7", "8");
  BOOST_TEST(parse_part("slurm").number == 1U);
  set("12", "5", "12", "8");
  BOOST_TEST(parse_part("slurm").number == 8U);
  BOOST_TEST(parse_part("slurm").of == 8U);
  BOOST_TEST(!parse("").options->part);  // never by itself
  set("9", "1", "9", "3");
  check_refusal([] { parse_part("slurm"); }, "job 9 of 3 between 1 and 9; expected an array without gaps");
  set("3", "1", "3", nullptr);
  check_refusal([] { parse_part("slurm"); }, "SLURM_ARRAY_TASK_COUNT is not set; expected a job of an array");
  set("x", "1", "3", "3");
  check_refusal([] { parse_part("slurm"); }, "SLURM_ARRAY_TASK_ID is 'x'");
  set(nullptr, nullptr, nullptr, nullptr);
  check_refusal([] { parse_part("slurm"); }, "SLURM_ARRAY_TASK_ID is not set");
}

BOOST_AUTO_TEST_CASE(unusable_options_exit_with_2) {
  for (const char* line :
       {"--preset tiny", "--threads 0", "--threads x", "--threads 0x10", "--threads +2", "--threads 1e1",
        "--threads 4097", "--seed 0x10", "--seed -1", "--seed +1", "--seed x", "--seed 1.5", "--seed ",
        "--seed 18446744073709551616", "--nothing", "stray"}) {
    BOOST_TEST(!parse(line).options.has_value(), "accepted: " << line);
    BOOST_TEST(parse(line).exit_code == 2);
  }
  check_refusal([] { parse("--only O9"); }, "--only O9: this study measures O1, O2");
  check_refusal([] { parse("--dim 2.5").options->sizes("dim", {}); }, "2.5 is not a whole number");
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
