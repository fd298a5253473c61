// Claims side by side: the list of surprises, what would overturn each verdict, counts, commands, inputs.

#include "reports/claims.hpp"

#include "reports/data_table.hpp"
#include "reports/expand.hpp"
#include "reports/reproduce.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

Finding number(const std::string& id, double value) {
  Finding finding;
  finding.id = id;
  finding.value = value;
  return finding;
}

Finding between(const std::string& id, double value, double low, double high, double theory) {
  Finding finding = number(id, value);
  finding.low = low, finding.high = high, finding.theory = theory;
  return finding;
}

Claim claim(const std::string& id, Verdict verdict, const std::string& condition, Rule rule) {
  Claim made;
  made.id = id, made.statement = "Claim " + id + " holds.", made.verdict = verdict;
  made.condition = condition, made.rule = std::move(rule);
  if (verdict == Verdict::unmeasured) return made;
  for (const Condition& part : made.rule) made.findings.push_back(part.finding);
  return made;
}

/// Every verdict, every relation, every sort of bound.
Results study_of_all() {
  Results study;
  study.study = "all", study.preset = "quick", study.seed = 3;
  study.findings = {between("A1.share", 0.5, 0.4, 0.6, 0.5), number("A1.rank", 7), number("A2.gap", 0.25),
                    between("A10.ratio", 2, 1.5, 2.5, 1), number("A10.count", 0)};
  study.claims = {
      claim("A10", Verdict::conditional, "half of it",
            {{"A10.ratio", Is::within, "theory"}, {"A10.count", Is::within, 0.0}}),
      claim("A2", Verdict::refuted, "not at all",
            {{"A2.gap", Is::above, "A1.share"}, {"A2.gap", Is::above, 1.0}}),
      claim("A1", Verdict::supported, "without words",
            {{"A1.share", Is::below, 1.0}, {"A1.rank", Is::outside, 8.0}, {"A1.share", Is::outside, 2.0}}),
      claim("Q1", Verdict::unmeasured, "no table was given", {{"Q1.absent", Is::below, 1.0}}),
  };
  study.inputs = {{"words|1.txt", "ab12"}};
  return study;
}

struct Page : Workplace {
  Facts facts{root / "results", {study_of_all()}};
  std::vector<Figure> figures;
  Expander expander{facts, figures, options.templates};
  std::string filled(const std::string& text) { return expander.text(text, "t.md", 1, Target::markdown); }
  void refuses(const std::string& text, const std::string& message) {
    BOOST_CHECK_EXCEPTION(filled(text), Error, saying(message));
  }
};

BOOST_FIXTURE_TEST_SUITE(claims_side_by_side, Page)

BOOST_AUTO_TEST_CASE(surprises_state_condition_and_number) {
  BOOST_TEST(
      filled("{{claims refuted|conditional}}") ==
      "* **[A2](#a2) “Claim A2 holds.”** Refuted: not at all. Decided by `gap` = 0.25: the claim needs one "
      "that "
      "is above `A1.share` (0.5).\n"
      "* **[A10](#a10) “Claim A10 holds.”** Conditional: half of it. Decided by `ratio` = 2.00 [1.50, 2.50] "
      "(theory or chance 1): the claim needs one that has 1 (theory) inside its interval.\n");
  BOOST_TEST(filled("{{claims unmeasured}}") ==
             "* **[Q1](#q1) “Claim Q1 holds.”** Unmeasured: no table was given.\n");
  const Facts none(root / "results", {Results{"all", "quick", 1, {}, {}, {}, {}, {}}});
  BOOST_TEST(claims_list(none, {Verdict::refuted}) == "None.\n");
  refuses("{{claims wrong}}", "t.md:1: verdict 'wrong' is not known");
}

BOOST_AUTO_TEST_CASE(each_verdict_names_the_numbers_that_would_overturn_it) {
  BOOST_TEST(filled("{{falsify}}") ==
             "* **[A1](#a1)**, supported; no longer if `share` (0.50 [0.40, 0.60]) is not below 1, or `rank` "
             "(7) is 8, or "
             "`share` (0.50 [0.40, 0.60]) has 2 inside its interval.\n"
             "* **[A2](#a2)**, refuted; no longer if `gap` (0.25) is above `A1.share` (0.5), or `gap` (0.25) "
             "is above 1.\n"
             "* **[A10](#a10)**, conditional; supported if `ratio` (2.00 [1.50, 2.50]) has 1 (theory) inside "
             "its interval; "
             "refuted if `count` (0) is not 0.\n"
             "* **[Q1](#q1)**, unmeasured: no table was given.\n");
}

BOOST_AUTO_TEST_CASE(conditions_that_ask_the_same_are_said_together) {
  Results study = study_of_all();
  study.claims = {
      claim("A1", Verdict::supported, "", {{"A1.rank", Is::above, 0.0}, {"A2.gap", Is::above, 0.0}})};
  const Facts same(root / "results", {study});
  BOOST_TEST(falsify_list(same) ==
             "* **[A1](#a1)**, supported; no longer if one of `rank` (7), `A2.gap` (0.25) is not above 0.\n");
}

BOOST_AUTO_TEST_CASE(the_ledger_is_short_and_in_order) {
  const std::string ledger = filled("{{ledger}}");
  BOOST_TEST(
      ledger.find("| [A1](#a1) | Claim A1 holds. | **supported**: without words | 0.50 [0.40, 0.60] | "
                  "`share` < 1: holds | 0.5 |\n"
                  "| [A2](#a2) | Claim A2 holds. | **refuted** | 0.25 | `gap` > 0.5: fails | – |\n"
                  "| [A10](#a10) | Claim A10 holds. | **conditional**, 1 of 2 | 2.00 [1.50, 2.50] | `ratio` "
                  "contains 1: fails | 1 |\n"
                  "| [Q1](#q1) | Claim Q1 holds. | **unmeasured** | – | – | – |\n") != ledger.npos);
}

BOOST_AUTO_TEST_CASE(counts) {
  BOOST_TEST(
      filled("{{count.studies}} {{count.claims}} {{count.findings}} {{count.supported}} {{count.refuted}}") ==
      "1 4 7 1 1");
  BOOST_TEST(filled("{{#any refuted}}r{{/any}}{{#any unmeasured}}u{{/any}}") == "ru");
  const Facts none(root / "results", {Results{"all", "quick", 1, {}, {}, {}, {}, {}}});
  Expander other(none, figures, options.templates);
  BOOST_TEST(other.text("{{#any refuted}}r{{/any}}{{count.claims}}", "t.md", 1, Target::markdown) == "0");
  refuses("{{count.things}}", "verdict 'things' is not known");
  refuses("{{#any thing}}{{/any}}", "verdict 'thing' is not known");
}

BOOST_AUTO_TEST_CASE(commands_and_inputs) {
  BOOST_TEST(filled("{{commands}}") == "```sh\nmake reports STUDIES=\"all\" PRESET=quick SEED=3\n```\n");
  BOOST_TEST(filled("{{inputs}}").ends_with("| words\\|1.txt | `ab12` | all |\n"));
  Results second{"second", "quick", 3, {}, {}, {}, {}, {}}, third{"third", "full", 3, {}, {}, {}, {}, {}};
  const Facts mixed(root / "results", {second, study_of_all(), third});
  Expander other(mixed, figures, options.templates);
  BOOST_TEST(other.text("{{commands}}", "t.md", 1, Target::markdown) ==
             "```sh\nmake reports STUDIES=\"second all\" PRESET=quick SEED=3\n"
             "make reports STUDIES=\"third\" PRESET=full SEED=3\n```\n");
  const Facts none(root / "results", {second});
  Expander without(none, figures, options.templates);
  BOOST_TEST(without.text("{{inputs}}", "t.md", 1, Target::markdown) ==
             "No file: everything was generated.\n");
}

Results study_with(const std::string& name, Coordinates parameters, std::vector<Input> inputs) {
  return {name, "quick", 3, std::move(parameters), std::move(inputs), {}, {}, {}};
}

BOOST_FIXTURE_TEST_CASE(commands_name_what_was_given, Workplace) {
  const std::string start = "make reports STUDIES=s ONLY=A1 PRESET=quick SEED=3";
  const auto given = [&](Coordinates parameters, std::vector<Input> inputs) {
    const std::string command = command_for(study_with("s", std::move(parameters), std::move(inputs)), "A1");
    BOOST_REQUIRE(command.starts_with(start));
    return command.substr(start.size());
  };
  // Words, learned from the usual text or another, or given.
  BOOST_TEST(given({}, {}) == "");
  BOOST_TEST(given({{"words", "learned"}}, {{"gcide.dict.dz", "1"}}) == "");
  BOOST_TEST(given({{"words", "learned"}}, {{"my text.gz", "1"}}) == " CORPUS='my text.gz'");
  BOOST_TEST(given({{"vocabulary", 4000}}, {{"gcide.dict.dz", "1"}}) == "");
  BOOST_TEST(given({{"vocabulary", 4000}}, {{"text", "1"}}) == " CORPUS=text");
  BOOST_TEST(given({{"words", "given"}}, {{"w.npy", "1"}}) == " WORDS=w.npy");
  BOOST_TEST(given({{"words", "given"}, {"tensor", "wte/kernel"}}, {{"m.safetensors", "1"}}) ==
             " WORDS=m.safetensors:wte/kernel");
  BOOST_TEST(given({{"words", "given"}}, {{"it's\n`$(x)`", "1"}}) == " WORDS='it'\\''s\\x0a`$(x)`'");
  // Positions, and the weights that read them: of one file, and of several, where the file is not known.
  const Coordinates positions{{"positions", "wpe"}, {"rows", "1:513"}, {"query", "q"},
                              {"key", "k"},         {"heads", "12"},   {"query-bias", "b"},
                              {"layernorm", "g"},   {"layernorm", "c"}};
  BOOST_TEST(given(positions, {{"m.st", "1"}}) ==
             " POSITIONS=m.st:wpe ROWS=1:513 QUERY=m.st:q KEY=m.st:k HEADS=12 QUERY_BIAS=m.st:b "
             "LAYERNORM=m.st:g,m.st:c");
  BOOST_TEST(given({{"positions", "p.npy"}, {"query", "q"}, {"key", "k.npy"}},
                   {{"p.npy", "1"}, {"q.st", "2"}, {"k.npy", "3"}}) ==
             " POSITIONS=p.npy QUERY=q.st:q KEY=k.npy");
  BOOST_TEST(given({{"positions", "p"}, {"query", "q"}, {"key", "k"}}, {{"a.st", "1"}, {"b.st", "2"}}) ==
             " POSITIONS=a.st:p QUERY=FILE:q KEY=FILE:k");
  // One model, and several.
  BOOST_TEST(given({{"mine_words", "w.npy"}, {"mine_rows-words", "0:9"}, {"models", "mine"}},
                   {{"w.npy", "1"}}) == " WORDS=w.npy ROWS_WORDS=0:9 NAME=mine");
  const Coordinates two{{"a_words", "w.npy"}, {"a_b_positions", "p.npy"}, {"models", "a a_b"}};
  BOOST_TEST(given(two, {{"w.npy", "1"}, {"p.npy", "2"}}) == " MODELS=models.txt");

  const Facts mixed(
      root / "results",
      {study_with("plain", {}, {}), study_with("words", {{"words", "given"}}, {{"w.npy", "1"}}),
       study_with("models", two, {{"w.npy", "1"}}), study_with("other", {}, {}),
       study_with("places", {{"positions", "p"}, {"query", "q"}}, {{"a.st", "1"}, {"b.st", "2"}})});
  BOOST_TEST(commands(mixed) ==
             "```sh\ncat >models.txt <<'END'\n[a]\nwords = w.npy\n[a_b]\npositions = p.npy\nEND\n"
             "make reports STUDIES=\"plain other\" PRESET=quick SEED=3\n"
             "make reports STUDIES=\"words\" PRESET=quick SEED=3 WORDS=w.npy\n"
             "make reports STUDIES=\"models\" PRESET=quick SEED=3 MODELS=models.txt\n"
             "make reports STUDIES=\"places\" PRESET=quick SEED=3 POSITIONS=a.st:p QUERY=FILE:q\n"
             "```\n\nFiles are named without their folders.\n"
             "`FILE` is one of those below: the results name its tensor only.\n");
}

BOOST_FIXTURE_TEST_CASE(a_head_says_one_level_where_there_is_one, Workplace) {
  Results study = study_with("s", {}, {});
  study.findings = {between("A1.a", 2, 1, 3, 0), between("A1.b", 2, 1, 3, 0), number("A1.c", 1)};
  study.claims = {claim("A1", Verdict::supported, "",
                        {{"A1.a", Is::above, 0.5}, {"A1.b", Is::above, 0.5}, {"A1.c", Is::below, 2.0}})};
  const auto head = [&](std::optional<double> a, std::optional<double> b) {
    study.findings[0].level = a, study.findings[1].level = b;
    const std::string text = findings_table(Facts(root / "results", {study}), "A1");
    return text.substr(0, text.find(" | theory"));
  };
  BOOST_TEST(head(0.99, 0.99) == "| finding | value [99% interval]");
  BOOST_TEST(head(0.99, {}) == "| finding | value [99% interval]");
  BOOST_TEST(head(0.99, 0.95) == "| finding | value [interval]");
  BOOST_TEST(head({}, {}) == "| finding | value [interval]");
}

BOOST_AUTO_TEST_CASE(a_file_of_each_study_that_has_one) {
  fs::create_directory(root / "templates/second");
  fs::create_directory(root / "templates/all");
  write("templates/second/practitioner.md", "never: no results\n");
  refuses("{{each practitioner}}{{each nothing}}", "t.md:1: no study has a template nothing.md");
  BOOST_TEST(filled("{{each practitioner}}") == "");
  write("templates/all/practitioner.md", "\nseed {{seed}}\n\n");
  BOOST_TEST(filled("{{each practitioner}}") == "seed 3\n\n");
  refuses("{{each ../x}}", "is not the name of a file that studies have");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
