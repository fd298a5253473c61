// The program's complaints: one line and exit code 2.

#include "perp/study/options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "perp/io/file.hpp"
#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// The program's options read with these arguments, in a child process: exit code (none when they are
/// accepted) and what was said on standard error.
std::string read_with(std::vector<std::string> arguments) {
  const Scratch scratch;
  const std::string said = scratch / "said";
  const std::string code = in_child([&] {
    const int file = ::open(said.c_str(), O_CREAT | O_WRONLY, 0600);
    ::dup2(file, 2);
    arguments.insert(arguments.begin(), "anatomy");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const Study study = anatomy::study();
    try {
      const Parsed parsed = parse_options(study.name, study.about, study.claims, study.extra,
                                          static_cast<int>(arguments.size()), argv.data());
      return parsed.options ? std::string("accepted") : std::to_string(parsed.exit_code);
    } catch (const Error& error) {  // which run_study prints
      ::dprintf(2, "%s\n", error.what());
      return std::to_string(static_cast<int>(error.exit()));
    }
  });
  const std::string text = read_file(said);
  return code + (std::ranges::count(text, '\n') == 1 ? " one line: " : " other: ") + text;
}

void complains(const std::vector<std::string>& arguments, const std::string& part) {
  const std::string got = read_with(arguments);
  BOOST_TEST(got.starts_with("2 one line: "), got);
  BOOST_TEST(contains(got, part), got);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(anatomy_options)

BOOST_AUTO_TEST_CASE(bad_options) {
  complains({"--only", "V7"}, "V7");
  complains({"--only", "D1"}, "D1");
  complains({"--preset", "huge"}, "huge");
  complains({"--seed", "one"}, "one");
  complains({"--threads", "0"}, "threads");
  complains({"--words", "words.npy"}, "--words");
  BOOST_TEST(read_with({"--preset", "quick", "--only", "V4,V2"}).starts_with("accepted"));
}

BOOST_AUTO_TEST_SUITE_END()
