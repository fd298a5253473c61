#include "perp/study/judge.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"

namespace perp {

// For messages of failed checks.
static std::ostream& operator<<(std::ostream& out, Answer answer) { return out << to_text(answer); }
static std::ostream& operator<<(std::ostream& out, Verdict verdict) { return out << to_text(verdict); }

namespace {

const double nan = std::nan("");

/// An exact number.
Finding number(std::string id, double value) {
  Finding finding;
  finding.id = std::move(id);
  finding.value = value;
  return finding;
}

/// A mean with a known standard deviation, so that its 99.9 % interval is value ± 3.2905 sd.
Finding drawn(std::string id, double value, double sd, double theory = nan) {
  Finding finding = number(std::move(id), value);
  finding.kind = Kind::sampled;
  finding.spread = known_spread(sd);
  if (!std::isnan(theory)) finding.theory = theory;
  return finding;
}

/// Of eight seeds or another number of them.
Finding of_seeds(std::string id, double value, double error, std::uint64_t seeds) {
  Finding finding = number(std::move(id), value);
  finding.spread = Spread{MeanSpread{error, static_cast<double>(seeds - 1)}, {}, seeds};
  return finding;
}

// The number .5 with the interval [.4013, .5987] at 99.9 %.
const std::vector<Finding> findings{drawn("O1.a", 0.5, 0.03, 0.55), number("O1.bare", 0.5),
                                    drawn("O1.far", 0.9, 0.03), number("O1.lost", nan),
                                    number("O1.infinite", INFINITY)};

Answer asked(const char* id, Is is, const Bound& bound, double margin = 0) {
  return answer(findings, {.finding = id, .is = is, .bound = bound, .margin = margin});
}

BOOST_AUTO_TEST_SUITE(judging)

BOOST_AUTO_TEST_CASE(the_whole_interval_decides) {
  BOOST_TEST(asked("O1.a", Is::below, 0.6) == Answer::holds);
  BOOST_TEST(asked("O1.a", Is::below, 0.59) == Answer::open);  // the value is below, its interval is not
  BOOST_TEST(asked("O1.a", Is::below, 0.41) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::below, 0.4) == Answer::fails);
  BOOST_TEST(asked("O1.a", Is::above, 0.4) == Answer::holds);
  BOOST_TEST(asked("O1.a", Is::above, 0.41) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::above, 0.59) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::above, 0.6) == Answer::fails);
}

BOOST_AUTO_TEST_CASE(touching_a_bound_is_open) {
  const Interval i = *interval_at(findings[0], judged_level);
  BOOST_TEST(asked("O1.a", Is::below, i.high) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::below, std::nextafter(i.high, 1)) == Answer::holds);
  BOOST_TEST(asked("O1.a", Is::below, i.low) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::below, std::nextafter(i.low, 0)) == Answer::fails);
  BOOST_TEST(asked("O1.a", Is::above, i.low) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::above, i.high) == Answer::open);
}

BOOST_AUTO_TEST_CASE(an_equivalence_needs_the_whole_interval_inside) {
  BOOST_TEST(asked("O1.a", Is::equal, 0.5, 0.11) == Answer::holds);
  BOOST_TEST(asked("O1.a", Is::equal, 0.5, 0.05) == Answer::open);  // a wide interval does not pass
  BOOST_TEST(asked("O1.a", Is::equal, 0.7, 0.15) == Answer::open);
  BOOST_TEST(asked("O1.a", Is::equal, 0.7, 0.09) == Answer::fails);
  BOOST_TEST(asked("O1.a", Is::equal, 0.3, 0.09) == Answer::fails);
  BOOST_TEST(asked("O1.a", Is::equal, "theory", 0.16) == Answer::holds);
}

BOOST_AUTO_TEST_CASE(an_exact_number_is_never_open) {
  BOOST_TEST(asked("O1.bare", Is::below, 0.51) == Answer::holds);
  BOOST_TEST(asked("O1.bare", Is::below, 0.5) == Answer::fails);  // equal is not below
  BOOST_TEST(asked("O1.bare", Is::above, 0.49) == Answer::holds);
  BOOST_TEST(asked("O1.bare", Is::above, 0.5) == Answer::fails);  // nor above
  BOOST_TEST(asked("O1.bare", Is::equal, 0.5) == Answer::holds);
  BOOST_TEST(asked("O1.bare", Is::equal, 0.75, 0.25) == Answer::holds);
  BOOST_TEST(asked("O1.bare", Is::equal, std::nextafter(0.75, 1), 0.25) == Answer::fails);
  BOOST_TEST(asked("O1.infinite", Is::above, std::numeric_limits<double>::max()) == Answer::holds);
}

BOOST_AUTO_TEST_CASE(a_bound_may_be_the_theory_or_another_finding) {
  BOOST_TEST(asked("O1.a", Is::below, "theory") == Answer::open);
  BOOST_TEST(asked("O1.a", Is::below, "O1.far") == Answer::holds);  // below its value
  BOOST_TEST(asked("O1.far", Is::above, "O1.far") == Answer::open);
  BOOST_TEST(*bound_of(findings, {.finding = "O1.a", .bound = "theory"}) == 0.55);
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_unmeasured) {
  for (const Condition& condition : std::vector<Condition>{{.finding = "O1.absent", .bound = 0.7},
                                                           {.finding = "", .bound = 0.7},
                                                           {.finding = "O1.lost", .bound = 0.7},
                                                           {.finding = "O1.a", .bound = nan},
                                                           {.finding = "O1.bare", .bound = "theory"},
                                                           {.finding = "O1.a", .bound = "O1.absent"},
                                                           {.finding = "O1.a", .bound = "O1.lost"}})
    BOOST_TEST(answer(findings, condition) == Answer::unmeasured);
}

BOOST_AUTO_TEST_CASE(a_rule_that_asks_for_what_is_not_there_is_refused) {
  const auto refused = [](const Condition& condition) {
    BOOST_CHECK_EXCEPTION(judge(findings, {condition}), Error, [](const Error& error) {
      return std::string(error.what()).find("'O1.absent', which is not there") != std::string::npos;
    });
  };
  refused({.finding = "O1.absent", .bound = 0.7});
  refused({.finding = "O1.a", .bound = "O1.absent"});
  BOOST_CHECK_THROW(judge(findings, {{.finding = "", .bound = 0.7}}), Error);
  const Rule needs{{.finding = "O1.absent", .bound = 0.7, .needs = "a model"},
                   {.finding = "", .needs = "words"}};
  BOOST_TEST(judge(findings, needs).verdict == Verdict::unmeasured);
}

BOOST_AUTO_TEST_CASE(fewer_than_eight_replicates_are_unmeasured) {
  const std::vector<Finding> few{of_seeds("A1.seven", 1, 0.01, 7), of_seeds("A1.eight", 1, 0.01, 8)};
  BOOST_TEST(answer(few, {.finding = "A1.seven", .is = Is::above, .bound = 0.0}) == Answer::unmeasured);
  BOOST_TEST(answer(few, {.finding = "A1.eight", .is = Is::above, .bound = 0.0}) == Answer::holds);
}

BOOST_AUTO_TEST_CASE(an_interval_that_does_not_say_how_it_spreads_is_refused) {
  Finding bare = number("O1.x", 1);
  bare.low = 0.5, bare.high = 1.5;
  BOOST_CHECK_EXCEPTION(answer({bare}, {.finding = "O1.x", .bound = 0.0}), Error, [](const Error& error) {
    return std::string(error.what()).find("'O1.x' has an interval and does not say how it spreads") !=
           std::string::npos;
  });
  bare.low = bare.high = nan;  // as JSON brings back what is absent
  BOOST_TEST(answer({bare}, {.finding = "O1.x", .bound = 0.0}) == Answer::holds);
}

/// Exact findings whose condition "above 0" holds (1), fails (-1), is open or unmeasured.
Finding coming_out(const std::string& id, Answer wanted) {
  if (wanted == Answer::open) return drawn(id, 0, 1);
  return number(id, wanted == Answer::holds ? 1 : wanted == Answer::fails ? -1 : nan);
}

Judgement judged(const std::vector<Answer>& core, const std::vector<Answer>& limits = {}) {
  std::vector<Finding> made;
  Rule rule;
  const auto add = [&](Answer wanted, Role role) {
    const std::string id = fmt::format("O1.x{}", made.size());
    made.push_back(coming_out(id, wanted));
    rule.push_back({.finding = id, .is = Is::above, .bound = 0.0, .role = role});
  };
  for (const Answer wanted : core) add(wanted, Role::core);
  for (const Answer wanted : limits) add(wanted, Role::limit);
  return judge(made, rule);
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

BOOST_AUTO_TEST_CASE(every_pair_of_core_outcomes) {
  using enum Answer;
  const std::vector<Answer> all{holds, fails, open, unmeasured};
  const Verdict expected[4][4] = {{Verdict::is_true, Verdict::depends, Verdict::open, Verdict::is_true},
                                  {Verdict::depends, Verdict::is_false, Verdict::open, Verdict::is_false},
                                  {Verdict::open, Verdict::open, Verdict::open, Verdict::open},
                                  {Verdict::is_true, Verdict::is_false, Verdict::open, Verdict::unmeasured}};
  for (std::size_t a = 0; a < 4; ++a)
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

BOOST_AUTO_TEST_CASE(one_of_each_depends_whatever_else_is_open) {
  using enum Answer;
  BOOST_TEST(judged({holds, fails, open, unmeasured}).verdict == Verdict::depends);
  BOOST_TEST(judged({holds}).verdict == Verdict::is_true);
  BOOST_TEST(judged({fails}).verdict == Verdict::is_false);
  BOOST_TEST(judged({unmeasured}).verdict == Verdict::unmeasured);
}

BOOST_AUTO_TEST_CASE(limits_qualify_and_never_decide) {
  using enum Answer;
  BOOST_TEST(!judged({holds}, {holds}).limited);
  BOOST_TEST(!judged({holds}, {open}).limited);
  BOOST_TEST(!judged({holds}, {unmeasured}).limited);
  BOOST_TEST(judged({holds}, {holds, fails}).limited);
  BOOST_TEST(judged({holds, fails}, {fails}).limited);
  BOOST_TEST(!judged({holds, fails}, {holds}).limited);
  BOOST_TEST(!judged({fails}, {fails}).limited);
  BOOST_TEST(judged({fails}, {fails, holds}).limited);
  BOOST_TEST(!judged({open}, {fails}).limited);
  BOOST_TEST(!judged({unmeasured}, {fails, holds}).limited);
  BOOST_TEST(judged({holds}, {fails}).verdict == Verdict::is_true);
  BOOST_TEST(judged({fails}, {holds}).verdict == Verdict::is_false);
  BOOST_TEST(judged({unmeasured}, {holds}).verdict == Verdict::unmeasured);
  BOOST_TEST(to_text(judged({holds}, {fails})) == "true, with limits");
  BOOST_TEST(to_text(judged({fails}, {fails})) == "false");
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

BOOST_AUTO_TEST_CASE(moving_one_number_across_its_bound_moves_condition_and_verdict) {
  const Rule rule{{.finding = "A1.x", .is = Is::above, .bound = 0.5, .evidence = Evidence::simulation}};
  const std::vector<std::pair<double, Verdict>> expected{
      {0.3, Verdict::is_false}, {0.45, Verdict::open}, {0.55, Verdict::open}, {0.7, Verdict::is_true}};
  for (const auto& [value, verdict] : expected) {
    const Judgement judgement = judge({drawn("A1.x", value, 0.03)}, rule);
    BOOST_TEST(judgement.verdict == verdict, value);
    BOOST_TEST(judgement.readings[0].interval->low < value);
    BOOST_TEST(judgement.readings[0].interval->level == judged_level);
  }
}

BOOST_AUTO_TEST_CASE(the_first_factor_that_separates_is_named) {
  std::vector<Finding> made{number("A1.a", 1), number("A1.b", 1), number("A1.c", -1), number("A1.d", -1)};
  const auto rule_of = [&](const std::vector<Levels>& levels) {
    Rule rule;
    for (std::size_t i = 0; i < levels.size(); ++i)
      rule.push_back({.finding = made[i].id, .bound = 0.0, .levels = levels[i]});
    return rule;
  };
  const auto factor = [&](const std::vector<Levels>& levels) {
    const Judgement judgement = judge(made, rule_of(levels));
    BOOST_TEST(judgement.verdict == Verdict::depends);
    return judgement.factor;
  };
  BOOST_TEST(factor({{{"noise", "1"}, {"positions", "learned"}},
                     {{"noise", "2"}, {"positions", "learned"}},
                     {{"noise", "1"}, {"positions", "sinusoidal"}},
                     {{"noise", "2"}, {"positions", "sinusoidal"}}}) == "positions");
  BOOST_TEST(factor({{{"noise", "1"}, {"positions", "learned"}},
                     {{"noise", "1"}, {"positions", "learned"}},
                     {{"noise", "2"}, {"positions", "sinusoidal"}},
                     {{"noise", "2"}, {"positions", "sinusoidal"}}}) == "noise");
  BOOST_TEST(factor({{{"noise", "1"}}, {{"noise", "2"}}, {{"noise", "1"}}, {{"noise", "2"}}}) == "");
  BOOST_TEST(factor({{}, {}, {}, {}}) == "");
  // A limit separates nothing.
  Rule with_limit = rule_of({{{"noise", "1"}}, {{"noise", "1"}}, {{"noise", "2"}}, {{"noise", "1"}}});
  with_limit[3].role = Role::limit;
  BOOST_TEST(judge(made, with_limit).factor == "noise");
}

BOOST_AUTO_TEST_CASE(kinds_of_evidence_are_those_of_the_core) {
  const Rule rule{{.finding = "A1.a", .evidence = Evidence::released},
                  {.finding = "A1.b", .evidence = Evidence::theorem},
                  {.finding = "A1.c", .evidence = Evidence::released},
                  {.finding = "A1.d", .role = Role::limit, .evidence = Evidence::trained}};
  BOOST_TEST((evidence_of(rule) == std::vector{Evidence::theorem, Evidence::released}));
}

BOOST_AUTO_TEST_CASE(an_empty_rule_is_refused) {
  BOOST_CHECK_EXCEPTION(judge(findings, {}), Error, [](const Error& error) {
    return std::string(error.what()) == "a claim needs at least one condition to be judged by" &&
           error.exit() == Exit::unusable;
  });
}

BOOST_AUTO_TEST_CASE(names_there_and_back) {
  using enum Verdict;
  for (const Verdict v : {is_true, is_false, depends, Verdict::open, Verdict::unmeasured})
    BOOST_TEST((verdict_from(to_text(v)) == v));
  for (const Answer a : {Answer::holds, Answer::fails, Answer::open, Answer::unmeasured})
    BOOST_TEST((answer_from(to_text(a)) == a));
  for (const Is is : {Is::below, Is::above, Is::equal}) BOOST_TEST((is_from(to_text(is)) == is));
  for (const Role role : {Role::core, Role::limit}) BOOST_TEST((role_from(to_text(role)) == role));
  for (const Evidence e : {Evidence::theorem, Evidence::closed_form, Evidence::simulation, Evidence::trained,
                           Evidence::released})
    BOOST_TEST((evidence_from(to_text(e)) == e));
  BOOST_CHECK_EXCEPTION(verdict_from("supported"), Error, [](const Error& e) {
    return std::string(e.what()) == "verdict 'supported' is not known";
  });
  BOOST_CHECK_EXCEPTION(is_from("near"), Error, [](const Error& e) {
    return std::string(e.what()) == "relation 'near' is not known";
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
