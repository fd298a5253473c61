// Claims side by side, where the golden pages do not show it: rare answers, evidence that joins, refusals.

#include "reports/render/claims.hpp"

#include "perp/io/file.hpp"
#include "perp/study/results.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/runs.hpp"
#include "tests/reports/support.hpp"
#include "tests/support/found.hpp"

namespace perp::report {
namespace {

using test::drawn;
using test::number;

Claim claim(const std::string& id, Rule rule) {
  Claim made;
  made.id = made.of = id, made.statement = "Claim " + id + " holds.";
  made.rule = std::move(rule);
  for (const Condition& part : made.rule)
    if (!part.finding.empty()) made.findings.push_back(part.finding);
  return made;
}

void judge_all(Results& study) {
  for (Claim& claim : study.claims) {
    std::erase_if(claim.findings, [&](const auto& id) { return find(study.findings, id) == nullptr; });
    claim.judgement = judge(study.findings, claim.rule);
  }
}

/// Every verdict, role, relation and sort of bound.
Results study_of_all() {
  Results study;
  study.study = "all", study.preset = "quick", study.seed = 3;
  study.findings = {drawn("A1.share", 0.5, 0.01), number("A1.rank", 7),        number("A2.gap", 0.25),
                    drawn("A10.ratio", 2, 0.1),   drawn("A10.other", -2, 0.1), drawn("A3.x", 0, 1)};
  study.findings[3].theory = 2;
  using enum Evidence;
  study.claims = {
      claim("A10", {condition(Role::core, "A10.ratio", Is::above, 0.0, simulation, {{"noise", "1"}}),
                    condition(Role::core, "A10.other", Is::above, 0.0, trained, {{"noise", "2"}}),
                    condition(Role::limit, "A10.ratio", Is::equal, "theory", trained, {}),
                    condition(Role::core, "A10.absent", Is::above, 0.0, trained, {}, "", "eight seeds")}),
      claim("A2", {condition(Role::core, "A2.gap", Is::above, "A1.share", closed_form, {})}),
      claim("A1", {condition(Role::core, "A1.share", Is::below, 1.0, simulation, {}, "share of | words"),
                   condition(Role::limit, "A1.rank", Is::below, 7.0, simulation, {}, "rank")}),
      claim("A3", {condition(Role::core, "A3.x", Is::above, 0.0, simulation, {})}),
      claim("Q1", {condition(Role::core, "Q1.absent", Is::below, 1.0, simulation, {}, "", "a table")}),
  };
  study.claims[0].rule[2].margin = 0.5;
  study.inputs = {{"words|1.txt", "ab12"}};
  judge_all(study);
  return study;
}

struct Claims : Workplace {
  Claims() { fs::create_directories(root / "studies/all"); }
  Facts facts{root / "results", {study_of_all()}};
  std::vector<Figure> figures;
  Expander expander{facts, figures, options.sources};
  std::string filled(const std::string& text) { return expander.text(text, "t.md", 1, Target::markdown); }
};

BOOST_FIXTURE_TEST_SUITE(claims_side_by_side, Claims)

BOOST_AUTO_TEST_CASE(an_answer_says_verdict_what_was_found_and_what_it_means) {
  BOOST_TEST(filled("{{#answer A1}}less than\nall |\n at d = {{A1.rank}}, too{{/answer}}") ==
             "**Answer.** **True**, with limits. Less than all. At d = 7, too.");
  BOOST_TEST(filled("{{#answer A2}}not \\| at all{{/answer}}") == "**Answer.** **False**. Not \\| at all.");
  // Where nothing is said, the number to quote or what is missing; an unmeasured claim has nothing to say.
  BOOST_TEST(filled("{{#answer A3}}{{#when measured A3.y}}?{{/when}}{{/answer}}") ==
             "**Answer.** **Open**. `A3.x` (0.0 [−3.3, 3.3]).");
  BOOST_TEST(filled("{{#answer Q1}}{{Q1.absent}}{{/answer}}") ==
             "**Answer.** **Unmeasured**. It needs a table.");
  write("studies/all/a1.md", "## A1\n\n{{#answer A1}}\n{{A1.none}}{{/answer}}\n");
  for (const auto& [text, message] :
       {std::pair{"{{#answer A1}}a | b | c{{/answer}}",
                  "t.md:1: expected: what was found | what it means in practice; found 3 parts"},
        {"{{#answer}}a{{/answer}}", "t.md:1: expected: #answer and a claim"},
        {"{{#answer A9}}a{{/answer}}", "t.md:1: no results for a claim 'A9'"},
        {"{{ledger}}", "a1.md:4: unknown 'A1.none'"},
        {"{{count.things}}", "verdict 'things' is not known"}})
    BOOST_CHECK_EXCEPTION(filled(text), Error, saying(message));
}

BOOST_AUTO_TEST_CASE(a_rule_has_a_row_for_each_quantity_and_the_places_by_outcome) {
  Results study = study_of_all();
  for (const auto& [place, value] : {std::pair{"one", 3.0}, {"two", 1.0}, {"three", 4.0}})
    study.findings.push_back(number(fmt::format("A4.size.{}", place), value));
  const auto sized = [](const char* place, Bound bound, const char* says, Levels levels = {}) {
    return Condition{.finding = fmt::format("A4.size.{}", place),
                     .bound = std::move(bound),
                     .evidence = Evidence::simulation,
                     .levels = std::move(levels),
                     .says = says};
  };
  Condition limit{.finding = "A1.rank", .bound = 0.0, .role = Role::limit, .says = "rank"},
      another = sized("one", 0.0, "size of | it, mean, gap");
  another.finding = "A2.gap", another.bound = 2.0, another.needs = "nothing";
  study.claims = {claim("A4", {limit, sized("one", 2.0, "size of | it, mean, d = 1"),
                               sized("two", 2.0, "size of | it, mean, d = 2"),
                               sized("three", 2.0, "size of | it, mean, d = 1, L = 4"),
                               sized("three", 5.0, "size of | it, mean, d = 3"),
                               sized("three", 2.0, "number of them, d = 3"), another}),
                  claim("A1", {sized("one", "A4.size.two", "Mine, own: size, L", {{"model", "mine"}}),
                               sized("two", "A4.size.one", "Yours: size, L", {{"model", "yours"}}),
                               sized("one", 2.0, "kept", {{"model", "minilm"}}),
                               sized("two", 2.0, "kept", {{"model", "e5"}, {"d", "64"}}),
                               {.finding = "A4.gone", .bound = 0.0, .needs = "a file"}})};
  judge_all(study);
  const Facts other(root / "results", {study});
  const std::string rules = all_rules(other, Links(other));
  for (const char* row :
       {"## A4\n\n**[Claim A4 holds.](#a4)** \n\nVerdict: **Depends**, also at the stricter 99.98",
        "| claim | size of \\| it, mean | above 2 | **holds** d = 1: 3; d = 1, L = 4: 4; "
        "**fails** d = 2: 1 | simulation |\n",
        "| claim | size of \\| it, mean, d = 3 | above 5 | **fails** 4 | simulation |\n",
        "| claim | size of \\| it, mean, gap | above 2 | **fails** 0.25 | simulation |\n",
        "| simulation |\n| limit | rank | above 0 | **holds** 7 | theorem |\n\n",
        "| claim | number of them, d = 3 | above 2 | **holds** 4 | simulation |\n",
        "| claim | size, L | above what stands beside | **holds** Mine, own: 3 beside 1; "
        "**fails** Yours: 1 beside 3 | "
        "simulation |\n",
        "| claim | kept | above 2 | **holds** MiniLM: 3; **fails** E5 small, d = 64: 1 | simulation |\n",
        "| claim | `A4.gone` | above 0 | **unmeasured** (it needs a file) | theorem |\n"})
    BOOST_TEST(contains(rules, row), row << "\n" << rules);
}

BOOST_AUTO_TEST_CASE(only_a_share_of_all_or_none_says_how_many_were_alike) {
  Finding found;
  found.n = 12, found.level = 0.99;
  for (const double value : {-1.0, 0.0, 1.0}) BOOST_TEST(draws_of((found.value = value, found)).n == 12U);
  for (const double value : {-0.25, 91.0}) BOOST_TEST(draws_of((found.value = value, found)).n == 0U);
}

BOOST_AUTO_TEST_CASE(a_figure_whose_table_is_lost_is_left_out_where_nothing_was_measured_alone) {
  const auto drawable = [&](const char* of) {
    Figure figure;
    figure.claim = of;
    figure.needs = {"toy/lost.csv"};
    return is_drawable(figure, facts);
  };
  BOOST_TEST(!drawable("Q1"));
  for (const char* measured : {"A1", "A2", "A3", "A10"})
    BOOST_CHECK_EXCEPTION(drawable(measured), Error, saying("which is not there though claim "));
}

/// A claim with a placeholder for a released model, and a study of such models.
std::vector<Results> claim_and_evidence() {
  Results owner, models;
  owner.study = "all", models.study = "models";
  owner.preset = models.preset = "quick", owner.seed = models.seed = 3;
  owner.findings = {number("O2.x", 1)};
  const Levels released{{"evidence", "released"}};
  owner.claims = {claim("O2", {{.finding = "O2.x", .bound = 0.0, .levels = {{"evidence", "random"}}},
                               {.finding = "", .levels = released, .needs = "a released model"}})};
  models.findings = {number("M1.x.mine", -1), number("M9.x", 1)};
  models.claims = {claim("M1", {{.finding = "M1.x.mine",
                                 .bound = 0.0,
                                 .evidence = Evidence::released,
                                 .levels = {{"evidence", "released"}, {"model", "mine"}}}}),
                   claim("M9", {{.finding = "M9.x", .bound = 0.0}})};
  models.claims[0].of = "O2", models.claims[1].of = "";
  judge_all(owner), judge_all(models);
  return {owner, models};
}

BOOST_AUTO_TEST_CASE(evidence_of_another_study_joins_the_claim_and_is_judged_with_it) {
  const std::vector<Results> studies = claim_and_evidence();
  const Facts alone(root / "results", {studies[0]}), both(root / "results", studies);
  const Claim &before = *alone.claim("O2"), &after = *both.claim("O2");
  BOOST_TEST((before.verdict() == Verdict::is_true));
  BOOST_TEST(before.judgement.unmeasured == 1u);
  BOOST_TEST(verdict_text(before, true) == "**True** (1 of 2 measured)");
  BOOST_TEST(before.rule.size() == 2u);
  BOOST_TEST((after.verdict() == Verdict::depends));
  BOOST_TEST(after.judgement.factor == "evidence");
  BOOST_TEST(after.judgement.unmeasured == 0u);  // the placeholder gave way
  BOOST_TEST(after.rule.size() == 2u);
  BOOST_TEST(both.claims().size() == 1u);  // evidence and tables are no claims of their own
  BOOST_TEST((both.entry("O2")->verdict() == Verdict::is_true));
  BOOST_TEST((both.entry("M1")->verdict() == Verdict::is_false));
  BOOST_TEST(both.claim("M1") == nullptr);
  BOOST_TEST((evidence_of(after.rule) == std::vector{Evidence::theorem, Evidence::released}));
  // What a run says at its end is what the report says.
  BOOST_TEST(contains(summary(both), "  all                 –  1 claim: 1 depends\n"), summary(both));
  BOOST_TEST(contains(summary(both), "  models              –  2 of evidence or pictures\n"));
  // Without its claim the evidence stands for itself.
  const Facts models(root / "results", {studies[1]});
  BOOST_TEST(models.claims().size() == 1u);
  BOOST_TEST(models.claims().front().id == "M1");
}

/// The first study's condition, and the second's two, each of which would join it.
BOOST_AUTO_TEST_CASE(a_file_or_a_lineage_that_two_studies_were_given_counts_once) {
  const auto model = [](const char* name, const char* lineage) {
    return Levels{{"evidence", "released"}, {"model", name}, {"lineage", lineage}};
  };
  const auto file = [](const char* evidence, const char* hash) {
    return Levels{{"evidence", evidence}, {"file", fmt::format("wpe.npy {}", hash)}};
  };
  // Another file of the same name; another tree.
  for (const auto& [first, same, other] :
       {std::tuple{file("random", "1a2b3c4d"), file("released", "1a2b3c4d"), file("released", "99999999")},
        {model("seed", "tree"), model("fruit", "tree"), model("other", "shrub")}}) {
    std::vector<Results> studies = claim_and_evidence();
    studies[0].claims[0].rule[0].levels = first;
    Rule& rule = studies[1].claims[0].rule;
    rule.push_back(rule[0]);
    rule[0].levels = same, rule[1].levels = other;
    judge_all(studies[0]), judge_all(studies[1]);
    const Facts both(root / "results", studies);
    const Rule& joined = both.claim("O2")->rule;
    BOOST_TEST(joined.size() == 2u);
    BOOST_TEST((joined.back().levels == other));
  }
}

BOOST_AUTO_TEST_CASE(what_a_longer_run_alone_measured_is_quoted_and_judged_here_too) {
  Results longer;
  longer.study = "all", longer.preset = "long", longer.seed = 3;
  longer.findings = {number("Q1.absent", 0.5), number("A1.share", 9), number("A9.asked_by_nobody", 1)};
  fs::create_directories(root / "results/long/all");
  write_whole(root / "results/long/all/results.json", to_json(longer));
  fs::create_directories(root / "results/long-empty");
  longer.findings = {number("Q1.absent", 2), number("Q1.of_the_second", 3)};
  fs::create_directories(root / "results/long-second/all");
  write_whole(root / "results/long-second/all/results.json", to_json(longer));
  BOOST_TEST((facts.claim("Q1")->verdict() == Verdict::unmeasured));
  const Facts both(root / "results", {study_of_all()});
  BOOST_TEST((both.claim("Q1")->verdict() == Verdict::is_true));
  BOOST_TEST((both.entry("Q1")->verdict() == Verdict::is_true));
  BOOST_TEST(find(both.findings(), "A1.share")->value == 0.5);
  BOOST_TEST(!find(both.findings(), "A9.asked_by_nobody"));
  BOOST_TEST(both.finding("Q1.absent")->value == 0.5);
  BOOST_TEST(both.finding("Q1.of_the_second")->value == 3);
  BOOST_TEST(both.finding("A1.share")->value == 0.5);  // its own number comes first
  const std::string rules = all_rules(both, Links(both));
  BOOST_TEST(contains(rules, "| below 1 | **holds** 0.5 (preset long) |"));
  // A number of too few draws is shown, and judges nothing.
  Results study = study_of_all();
  study.findings.push_back(drawn("Q1.absent", 0.9, 0.01));
  study.findings.back().kind = Kind::sampled;
  for (const std::uint64_t draws : {2, 8}) {
    study.findings.back().spread->replicates = draws;
    judge_all(study);
    const Facts few(root / "results", {study});
    BOOST_TEST(few.finding("Q1.absent")->value == (draws < 8 ? 0.5 : 0.9));
    BOOST_TEST(find(few.findings(), "Q1.absent")->value == (draws < 8 ? 0.5 : 0.9));
    BOOST_TEST((few.claim("Q1")->verdict() == Verdict::is_true));
    BOOST_TEST(few.is_of_long("Q1.absent") == (draws < 8));
  }
  study.findings.back().kind = Kind::exact;  // of no draws at all
  study.findings.back().spread = std::nullopt;
  judge_all(study);
  BOOST_TEST(Facts(root / "results", {study}).finding("Q1.absent")->value == 0.9);
  BOOST_TEST(all_rules(facts, Links(facts)).find("(preset long)") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(limits_alone_are_evidence_too) {
  std::vector<Results> studies = claim_and_evidence();
  studies[1].claims[0].rule[0].role = Role::limit;
  judge_all(studies[1]);
  BOOST_TEST((studies[1].claims[0].verdict() == Verdict::unmeasured));
  const Facts both(root / "results", studies);
  BOOST_TEST(both.claim("O2")->judgement.limited);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
