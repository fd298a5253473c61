#include "perp/study/judge.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/found.hpp"
#include "tests/support/refusal.hpp"

namespace perp {

// For messages of failed checks.
static std::ostream& operator<<(std::ostream& out, Answer answer) { return out << to_text(answer); }
static std::ostream& operator<<(std::ostream& out, Verdict verdict) { return out << to_text(verdict); }

namespace {

using test::check_refusal;
using test::drawn;
using test::number;

const double nan = std::nan("");

// The number .5 with the interval [.4013, .5987] at 99.9 %.
const std::vector<Finding> findings{drawn("O1.a", 0.5, 0.03, 0.55), number("O1.bare", 0.5),
                                    drawn("O1.far", 0.9, 0.03), number("O1.lost", nan),
                                    number("O1.infinite", INFINITY)};

BOOST_AUTO_TEST_SUITE(judging)

BOOST_AUTO_TEST_CASE(the_whole_interval_decides) {
  using enum Answer;
  const Interval a = *interval_at(findings[0], judged_level);
  const double below_low = std::nextafter(a.low, 0), above_high = std::nextafter(a.high, 1);
  struct Asked {
    const char* id;
    Is is;
    Bound bound;
    double margin;
    Answer expected;
  };
  for (const Asked& asked :
       std::vector<Asked>{{"O1.a", Is::below, above_high, 0, holds},
                          {"O1.a", Is::below, a.high, 0, open},  // touching a bound
                          {"O1.a", Is::below, a.low, 0, open},
                          {"O1.a", Is::below, below_low, 0, fails},
                          {"O1.a", Is::above, below_low, 0, holds},
                          {"O1.a", Is::above, a.low, 0, open},
                          {"O1.a", Is::above, a.high, 0, open},
                          {"O1.a", Is::above, above_high, 0, fails},
                          {"O1.a", Is::equal, 0.5, 0.11, holds},
                          {"O1.a", Is::equal, 0.5, 0.05, open},  // a wide interval does not pass
                          {"O1.a", Is::equal, 0.7, 0.15, open},
                          {"O1.a", Is::equal, 0.7, 0.09, fails},
                          {"O1.a", Is::equal, 0.3, 0.09, fails},
                          {"O1.a", Is::equal, "theory", 0.16, holds},
                          {"O1.a", Is::below, "theory", 0, open},
                          {"O1.a", Is::below, "O1.far", 0, holds},  // below its value
                          {"O1.far", Is::above, "O1.far", 0, open},
                          {"O1.bare", Is::below, 0.51, 0, holds},  // exact: never open
                          {"O1.bare", Is::below, 0.5, 0, fails},
                          {"O1.bare", Is::above, 0.49, 0, holds},
                          {"O1.bare", Is::above, 0.5, 0, fails},
                          {"O1.bare", Is::equal, 0.5, 0, holds},
                          {"O1.bare", Is::equal, 0.75, 0.25, holds},
                          {"O1.bare", Is::equal, std::nextafter(0.75, 1), 0.25, fails},
                          {"O1.infinite", Is::above, std::numeric_limits<double>::max(), 0, holds},
                          {"O1.absent", Is::below, 0.7, 0, unmeasured},
                          {"", Is::below, 0.7, 0, unmeasured},
                          {"O1.lost", Is::below, 0.7, 0, unmeasured},
                          {"O1.a", Is::below, nan, 0, unmeasured},
                          {"O1.bare", Is::below, "theory", 0, unmeasured},
                          {"O1.a", Is::below, "O1.absent", 0, unmeasured},
                          {"O1.a", Is::below, "O1.lost", 0, unmeasured}})
    BOOST_TEST(answer(findings,
                      {.finding = asked.id, .is = asked.is, .bound = asked.bound, .margin = asked.margin}) ==
                   asked.expected,
               asked.id << " " << to_text(asked.is) << ", margin " << asked.margin << ", expected "
                        << asked.expected);
}

BOOST_AUTO_TEST_CASE(a_rule_that_asks_for_what_is_not_there_is_refused) {
  for (const Condition& condition : std::vector<Condition>{{.finding = "O1.absent", .bound = 0.7},
                                                           {.finding = "O1.a", .bound = "O1.absent"}})
    check_refusal([&] { judge(findings, {condition}); }, "'O1.absent', which is not there");
  BOOST_CHECK_THROW(judge(findings, {{.finding = "", .bound = 0.7}}), Error);
  const Rule needs{{.finding = "O1.absent", .bound = 0.7, .needs = "a model"},
                   {.finding = "", .needs = "words"}};
  BOOST_TEST(judge(findings, needs).verdict == Verdict::unmeasured);
  check_refusal([] { judge(findings, {}); }, "a claim needs at least one condition to be judged by");
}

BOOST_AUTO_TEST_CASE(fewer_than_eight_replicates_are_unmeasured) {
  for (const std::uint64_t seeds : {7, 8}) {
    Finding finding = number("A1.x", 1);
    finding.spread = Spread{MeanSpread{0.01, static_cast<double>(seeds - 1)}, {}, seeds};
    BOOST_TEST(answer({finding}, {.finding = "A1.x", .is = Is::above, .bound = 0.0}) ==
               (seeds == 7 ? Answer::unmeasured : Answer::holds));
  }
}

BOOST_AUTO_TEST_CASE(an_interval_that_does_not_say_how_it_spreads_is_refused) {
  Finding bare = number("O1.x", 1);
  bare.low = 0.5, bare.high = 1.5;
  check_refusal([&] { answer({bare}, {.finding = "O1.x", .bound = 0.0}); },
                "'O1.x' has an interval and does not say how it spreads");
  bare.low = bare.high = nan;  // as JSON brings back what is absent
  BOOST_TEST(answer({bare}, {.finding = "O1.x", .bound = 0.0}) == Answer::holds);
}

BOOST_AUTO_TEST_CASE(models_of_one_lineage_are_one_witness) {
  const auto of = [](const char* id, const Levels& levels) {
    Levels all{{"evidence", "released"}};
    all.insert(all.end(), levels.begin(), levels.end());
    return condition(Role::core, id, Is::above, 0.0, Evidence::released, all, "");
  };
  const auto ids = [](Rule rule) {
    keep_one_of_each_lineage(rule);
    std::string out;
    for (const Condition& condition : rule) out += condition.finding + ";";
    return out;
  };
  const Condition first = of("O1.x.a", {{"model", "a"}, {"lineage", "tree"}}),
                  other = of("O1.x.b", {{"model", "b"}, {"lineage", "tree"}}),
                  alone = of("O1.x.c", {{"model", "c"}}), named = of("O1.x.tree", {{"model", "tree"}});
  BOOST_TEST(ids({first, other, alone}) == "O1.x.a;O1.x.c;");
  BOOST_TEST(ids({other, alone, first}) == "O1.x.b;O1.x.c;");
  BOOST_TEST(ids({named, other}) == "O1.x.tree;");  // without a declaration the name is the lineage
  // One model may be asked twice, and another model for something else.
  Condition again = first, limit = other, centred = other, missing = other;
  again.finding = "O1.y.a";
  limit.role = Role::limit;
  centred.levels.emplace_back("overlap", "centred");
  missing.finding = "";
  BOOST_TEST(ids({first, again, limit, centred, missing}) == "O1.x.a;O1.y.a;O1.x.b;O1.x.b;;");
  // What says nothing of models is never one with another.
  BOOST_TEST(ids({of("O1.x", {}), of("O1.y", {})}) == "O1.x;O1.y;");
}

/// Of conditions that come out so, "above 0" for each.
Judgement judged(const std::vector<Answer>& core, const std::vector<Answer>& limits = {}) {
  std::vector<Finding> made;
  Rule rule;
  const auto add = [&](Answer wanted, Role role) {
    const std::string id = fmt::format("O1.x{}", made.size());
    made.push_back(wanted == Answer::open ? drawn(id, 0, 1)
                                          : number(id, wanted == Answer::holds   ? 1
                                                       : wanted == Answer::fails ? -1
                                                                                 : nan));
    rule.push_back({.finding = id, .is = Is::above, .bound = 0.0, .role = role});
  };
  for (const Answer wanted : core) add(wanted, Role::core);
  for (const Answer wanted : limits) add(wanted, Role::limit);
  return judge(made, rule);
}

BOOST_AUTO_TEST_CASE(every_pair_of_core_outcomes) {
  using enum Answer;
  const std::vector<Answer> all{holds, fails, open, unmeasured};
  const Verdict expected[4][4] = {{Verdict::is_true, Verdict::depends, Verdict::open, Verdict::is_true},
                                  {Verdict::depends, Verdict::is_false, Verdict::open, Verdict::is_false},
                                  {Verdict::open, Verdict::open, Verdict::open, Verdict::open},
                                  {Verdict::is_true, Verdict::is_false, Verdict::open, Verdict::unmeasured}};
  for (std::size_t a = 0; a < 4; ++a) {
    BOOST_TEST(judged({all[a]}).verdict == expected[a][a]);
    for (std::size_t b = 0; b < 4; ++b) {
      const Judgement judgement = judged({all[a], all[b]});
      BOOST_TEST(judgement.verdict == expected[a][b], to_text(all[a]) << " and " << to_text(all[b]));
      BOOST_TEST(judgement.core == 2u);
      BOOST_TEST(judgement.unmeasured ==
                 std::size_t{all[a] == unmeasured} + std::size_t{all[b] == unmeasured});
      BOOST_TEST(judgement.readings[0].answer == all[a]);
      BOOST_TEST(judgement.readings[1].answer == all[b]);
    }
  }
  BOOST_TEST(judged({holds, fails, open, unmeasured}).verdict == Verdict::depends);
}

BOOST_AUTO_TEST_CASE(limits_qualify_and_never_decide) {
  using enum Answer;
  struct Case {
    std::vector<Answer> core, limits;
    const char* says;
  };
  for (const Case& one : std::vector<Case>{{{holds}, {holds}, "true"},
                                           {{holds}, {open}, "true"},
                                           {{holds}, {unmeasured}, "true"},
                                           {{holds}, {fails}, "true, with limits"},
                                           {{holds}, {holds, fails}, "true, with limits"},
                                           {{holds, fails}, {fails}, "depends, with limits"},
                                           {{holds, fails}, {holds}, "depends"},
                                           {{fails}, {fails}, "false"},
                                           {{fails}, {holds}, "false, with limits"},
                                           {{fails}, {fails, holds}, "false, with limits"},
                                           {{open}, {fails}, "open"},
                                           {{unmeasured}, {holds}, "unmeasured"},
                                           {{unmeasured}, {fails, holds}, "unmeasured"}})
    BOOST_TEST(to_text(judged(one.core, one.limits)) == one.says);
}

BOOST_AUTO_TEST_CASE(depends_has_to_hold_at_the_stricter_level) {
  // Eight sampled core conditions: at 1 - .001/8 a normal interval is ± 3.8 sd, at .999 ± 3.3 sd.
  std::vector<Finding> made{drawn("A1.x0", 3.5, 1)};
  for (int i = 1; i < 8; ++i) made.push_back(drawn(fmt::format("A1.x{}", i), -9, 1));
  Rule rule;
  for (const Finding& finding : made)
    rule.push_back(
        {.finding = finding.id, .bound = 0.0, .evidence = Evidence::simulation, .needs = "preset full"});
  const Judgement close = judge(made, rule);
  BOOST_TEST(close.strict_level == 1 - 0.001 / 8);
  BOOST_TEST(close.readings[0].interval->level == judged_level);
  BOOST_TEST(close.readings[0].answer == Answer::holds);
  BOOST_TEST(close.readings[0].strict == Answer::open);
  BOOST_TEST(close.verdict == Verdict::open);
  made[0] = drawn("A1.x0", 4, 1);
  BOOST_TEST(judge(made, rule).verdict == Verdict::depends);
  // The level counts conditions that a preset leaves unmeasured, so that it is the same in all.
  made.pop_back();
  BOOST_TEST(judge(made, rule).strict_level == 1 - 0.001 / 8);
  // Not those that cannot vary.
  for (Condition& condition : rule) condition.evidence = Evidence::theorem;
  made = {number("A1.x0", 1), number("A1.x1", -1)};
  BOOST_TEST(judge(made, rule).strict_level == judged_level);
  BOOST_TEST(judge(made, rule).verdict == Verdict::depends);
}

BOOST_AUTO_TEST_CASE(the_first_factor_that_separates_is_named) {
  const std::vector<Finding> made{number("A1.a", 1), number("A1.b", 1), number("A1.c", -1),
                                  number("A1.d", -1)};
  // Of two that hold and two that fail: each one's noise, then each one's positions.
  const auto factor = [&](std::string_view noises, std::string_view positions, Role last = Role::core) {
    Rule rule;
    for (std::size_t i = 0; i < made.size(); ++i) {
      rule.push_back({.finding = made[i].id, .bound = 0.0});
      if (!noises.empty()) rule[i].levels.emplace_back("noise", noises.substr(i, 1));
      if (!positions.empty()) rule[i].levels.emplace_back("positions", positions.substr(i, 1));
    }
    rule.back().role = last;
    const Judgement judgement = judge(made, rule);
    BOOST_TEST(judgement.verdict == Verdict::depends);
    return judgement.factor;
  };
  BOOST_TEST(factor("1212", "llss") == "positions");
  BOOST_TEST(factor("1122", "llss") == "noise");
  BOOST_TEST(factor("1212", "") == "");
  BOOST_TEST(factor("", "") == "");
  BOOST_TEST(factor("1121", "", Role::limit) == "noise");  // a limit separates nothing
}

BOOST_AUTO_TEST_CASE(kinds_of_evidence_are_those_of_the_core) {
  const Rule rule{{.finding = "A1.a", .evidence = Evidence::released},
                  {.finding = "A1.b", .evidence = Evidence::theorem},
                  {.finding = "A1.c", .evidence = Evidence::released},
                  {.finding = "A1.d", .role = Role::limit, .evidence = Evidence::trained}};
  BOOST_TEST((evidence_of(rule) == std::vector{Evidence::theorem, Evidence::released}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
