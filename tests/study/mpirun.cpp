// What mpirun says, apart from what the program says, and the one line that is made of it. With ranks that really die:
// tests/cli/ranks.sh.

#include "perp/study/mpirun.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;

namespace {

const std::string rule(74, '-');
constexpr const char* here = "ranks: all are here";

Sifted sifted(const std::vector<std::string>& lines, std::vector<std::string>* passed = nullptr) {
  Sifted sifted;
  for (const std::string& line : lines)
    sifted.line(line, [&](const std::string& text) {
      if (passed) passed->push_back(text);
    });
  return sifted;
}

std::pair<int, std::string> ended(const std::vector<std::string>& lines, int code, bool asked = false) {
  RanksEnded how;
  how.code = code;
  how.asked = asked;
  return conclusion(sifted(lines), how);
}

void check(const std::pair<int, std::string>& got, int code, std::string_view line) {
  BOOST_TEST(got.first == code);
  BOOST_TEST(got.second == line);
}

constexpr std::string_view goes_on = "; finished cells are kept; the same command continues";

}  // namespace

BOOST_AUTO_TEST_SUITE(study_mpirun)

BOOST_AUTO_TEST_CASE(the_programs_lines_pass) {
  std::vector<std::string> passed;
  const Sifted apart =
      sifted({"Warning: Permanently added 'b' to the list of known hosts.", here, "order: 10%, 0:01 left",
              rule, "mpirun noticed that …", "", rule, std::string(60, '-'), "A process or daemon …",
              std::string(60, '-'), "[b:4711] 2 more processes", "3 total processes killed", "order: 20%"},
             &passed);
  BOOST_TEST(passed == (std::vector<std::string>{"order: 10%, 0:01 left", "order: 20%"}),
             boost::test_tools::per_element());
  BOOST_TEST(apart.before.size() == 1U);
  BOOST_TEST(apart.said.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_rank_that_went_is_named) {
  check(ended({here, rule,
               "mpirun noticed that process rank 1 with PID 12 on node b exited on signal 9 (Killed).", rule},
              137),
        1, "rank 1 on b was killed (signal 9)" + std::string(goes_on));
  RanksEnded here_on_b;
  here_on_b.code = 137, here_on_b.host = "b";
  check(conclusion(
            sifted({here, rule, "process rank 1 with PID 12 on node b exited on signal 9 (Killed).", rule}),
            here_on_b),
        1, "rank 1 was killed (signal 9)" + std::string(goes_on));
  check(ended({here, rule, "mpirun detected that one or more processes exited with non-zero status:", "",
               "  Process name: [[30241,1],2]", "  Exit code:    1", rule},
              1),
        1, "rank 2 ended early (exit 1)" + std::string(goes_on));
  check(ended({here, rule, "  Remote daemon: [[1,0],1] on node far", rule}, 1), 1,
        "host far does not answer any more" + std::string(goes_on));
}

BOOST_AUTO_TEST_CASE(what_rank_0_has_said_is_not_said_again) {
  const std::vector<std::string> said = {rule, "  Process name: [[30241,1],0]", "  Exit code:    2", rule};
  std::vector<std::string> lines = {here, "order: --seed x"};
  lines.insert(lines.end(), said.begin(), said.end());
  check(ended(lines, 2), 2, "");
  lines.erase(lines.begin());  // before all were here it was kept
  check(ended(lines, 2), 2, "order: --seed x");
}

BOOST_AUTO_TEST_CASE(the_other_ends) {
  check(ended({here}, 0), 0, "");
  check(ended({"a warning of ssh"}, 0), 0, "a warning of ssh");
  check(ended({here}, 1, true), 1, "interrupted" + std::string(goes_on));
  check(ended({here}, 1), 1, "interrupted" + std::string(goes_on));
  check(ended({here}, 137), 1, "mpirun was killed (signal 9)" + std::string(goes_on));
  check(ended({"no such", rule, "There are not   enough slots", rule}, 1), 1,
        "mpirun failed: no such There are not enough slots");
  check(ended({rule, "ORTE was unable to reliably start one or more daemons.",
               "This usually is caused by:", rule},
              1),
        1, "mpirun failed: ORTE was unable to reliably start one or more daemons.");
  RanksEnded late;
  late.code = 143;
  late.late = true;
  late.seconds = 8;
  check(conclusion(sifted({}), late), 1,
        "no answer from one of the hosts within 8 s (PERP_RANK_SECONDS); nothing was started");
  late.called_hosts = {"far"};
  check(conclusion(sifted({}), late), 1,
        "no answer from far within 8 s (PERP_RANK_SECONDS); nothing was started");
  late.called_hosts = {"far", "near"};
  check(conclusion(sifted({}), late), 1,
        "no answer from one of the hosts far near within 8 s (PERP_RANK_SECONDS); nothing was started");
}

BOOST_AUTO_TEST_SUITE_END()
