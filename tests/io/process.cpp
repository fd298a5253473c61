// Programs that are run: what they get, what they write, how they end.

#include "perp/io/process.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

Ended run(const std::vector<std::string>& command, std::string_view input = {}) {
  return run_process(command, plain_environment(), input);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_process)

BOOST_AUTO_TEST_CASE(what_a_program_writes_and_how_it_ends) {
  const Ended ended = run({"sh", "-c", "echo out; echo a >&2; echo ' b ' >&2; exit 3"});
  BOOST_TEST(ended.found);
  BOOST_TEST(!ended.succeeded());
  BOOST_TEST(ended.code == 3);
  BOOST_TEST(ended.signal == 0);
  BOOST_TEST(ended.stdout_text == "out\n");
  BOOST_TEST(ended.stderr_text == "a\n b \n");
  BOOST_TEST(ended.stderr_line() == "a / b");
  BOOST_TEST(run({"true"}).succeeded());
  const Ended killed = run({"sh", "-c", "kill -9 $$"});
  BOOST_TEST(!killed.succeeded());
  BOOST_TEST(killed.signal == SIGKILL);
  BOOST_TEST(killed.stderr_line() == "Killed (signal 9)");
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_run) {
  const Ended none = run({"no-such-program-here"});
  BOOST_TEST(!none.found);
  BOOST_TEST(!none.succeeded());
  const Scratch scratch;
  const std::string file = scratch.file("no-program", "words").string();
  BOOST_TEST(contains(message_of([&] { run({file}); }), file + " does not start: Permission denied"));
}

BOOST_AUTO_TEST_CASE(of_a_long_complaint_the_end_stays) {
  Ended ended;
  ended.stderr_text = std::string(1000, 'x') + "\n    ^\nthe end\n\n";
  const std::string line = ended.stderr_line();
  BOOST_TEST(line.size() == 400U);
  BOOST_TEST(line.ends_with("xx / the end"));
}

BOOST_AUTO_TEST_CASE(what_a_program_reads) {
  const std::string text(200'000, 'x');
  BOOST_TEST((run({"cat"}, text).stdout_text == text));
  BOOST_TEST((run({"cat", "/dev/stdin"}, text).stdout_text == text));
  BOOST_TEST(run({"cat"}).stdout_text == "");
  BOOST_TEST(times(run({"ls", "-l", "/proc/self/fd"}).stdout_text, "memfd:perpendicular") == 3U);
}

BOOST_AUTO_TEST_CASE(the_environment_is_what_is_given_and_no_more) {
  setenv("PERP_TEST_KEPT", "kept", 1);
  setenv("PERP_TEST_SET", "before", 1);
  setenv("PERP_TEST_UNSET", "gone", 1);
  const std::string all =
      run_process({"env"}, environment_with({{"PERP_TEST_SET", "a b=c"}}, {"PERP_TEST_UNSET"})).stdout_text;
  BOOST_TEST(contains(all, "PERP_TEST_KEPT=kept\n"));
  BOOST_TEST(times(all, "PERP_TEST_SET=") == 1U);
  BOOST_TEST(contains(all, "PERP_TEST_SET=a b=c\n"));
  BOOST_TEST(!contains(all, "PERP_TEST_UNSET"));
  BOOST_TEST(run({"env"}).stdout_text == std::string("PATH=") + getenv("PATH") + "\nLC_ALL=C.UTF-8\n");
  for (const char* name : {"PERP_TEST_KEPT", "PERP_TEST_SET", "PERP_TEST_UNSET"}) unsetenv(name);
}

BOOST_AUTO_TEST_CASE(a_child_that_lives_on_keeps_nobody_waiting) {
  // It would hold a pipe open; here it still runs when its parent has ended.
  const Ended ended = run({"sh", "-c", "sleep 5 & echo pid $!"});
  BOOST_TEST(ended.succeeded());
  BOOST_REQUIRE(ended.stdout_text.starts_with("pid "));
  BOOST_TEST(::kill(static_cast<pid_t>(std::stoi(ended.stdout_text.substr(4))), SIGKILL) == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_end_is_ended) {
  const auto within = [](const std::string& program, Limits limits) {
    return run_process({"sh", "-c", "exec " + program}, plain_environment(), {}, limits);
  };
  const Ended slow = within("sleep 600", {.seconds = 0.2});
  BOOST_TEST(slow.limit == "0.2 s");
  BOOST_TEST(slow.signal == SIGKILL);
  BOOST_TEST(within("yes", {.bytes = 2U << 20U}).limit == "2 MB of output");
  BOOST_TEST(within("yes >&2", {.bytes = 2U << 20U}).limit == "2 MB of output");
  BOOST_TEST(within("true", {600, 1U << 20U}).succeeded());
}

BOOST_AUTO_TEST_SUITE_END()
