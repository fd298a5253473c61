// A claim as a program and its file: frames, tables, findings and rule, and what is said of each mistake.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::string toml = R"(statement = "Wide draws are near 1."
source = ["t", "d"]

[table]
draws = "family d value"
mean  = "family d draws mean law"

[column]
family = { kind = "text", is = "law of the draws" }
d      = "dimension"
value  = { kind = "sampled", is = "a draw" }
draws  = "draws"
mean   = { kind = "sampled", unit = "share", is = "mean of the draws", interval = "low high" }
"mean.law" = "its expectation"

[findings]
mean = [
  { cell = "mean.mean", by = "family d", where = { family = "near", d = [8, 16] }, theory = "law", n = "draws" },
  { cell = "mean.mean", by = "d", where = { family = "far" }, n = 3, is = "Mean of the far.", needs = "preset full" },
]
most = { cell = "overall.most", kind = "count", unit = "draws", theory = 9, is = "most draws at once" }

[rule]
core  = [
  { of = ["mean.near.d8", "mean.near.d16"], above = 0.5, evidence = "simulation", level = { what = "mean" }, by = "d" },
  { of = "elsewhere", above = 0, evidence = "released model", says = "theirs", needs = "a model" },
]
limit = [{ of = "most", equal = "theory", margin = 1, evidence = "theorem" },
         { of = "mean.near.*", below = "most", evidence = "simulation" }]
)";

void measure(const Streams& streams, Out& out) {
  const Matrix<double> drawn = normal_matrix<double>(9, 1, streams("draws"));
  for (const double value : drawn) out("draws", {{"value", 1 + value / 100}});
}

void fold(const Frames& measured, Out& out) {
  const auto groups = measured["draws"].by("family d");
  for (const Frame& draws : groups)
    out("mean", draws, {{"draws", draws.size()}, {"mean", draws.mean("value")}, {"law", 1.0}});
  out("overall", {{"most", groups.front().size()}});
}

struct Made {
  Experiment claim;
  std::vector<CellRecords> cells;
};

using Measure = std::function<void(const Streams&, Out&)>;
using Fold = std::function<void(const Frames&, Out&)>;
Made made(const std::string& file = toml, const Fold& follows = fold, const Measure& measures = measure) {
  Made made{Experiment("O9", file), {}};
  for (const int d : {8, 16}) made.claim.cell({{"family", "near"}, {"d", d}}, 1, measures);
  made.claim.fold(follows);
  for (const Cell& cell : made.claim.cells) made.cells.push_back({cell, made.claim.measure(cell, 1)});
  return made;
}
Outcome outcome(const std::string& file = toml, const Fold& follows = fold) {
  const Made all = made(file, follows);
  return all.claim.summarise(all.cells);
}

/// The file with one place changed.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = toml;
  BOOST_REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string csv(const Outcome& outcome) {
  std::string text;
  for (const Table& table : outcome.tables) text += table.file + "\n" + to_csv(table);
  for (const Finding& f : outcome.findings)
    text += fmt::format("{} {} {} {} {} {}\n", f.id, f.value, f.low.value_or(NAN), f.high.value_or(NAN),
                        f.theory.value_or(NAN), f.n);
  return text;
}

/// Four rows under two keys.
Frame four() { return frame_from_csv("four", "name,d,x\nb,8,0.5\na,8,\nb,8,1.5\nb,16,-0\n"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(study_claim_file)

BOOST_AUTO_TEST_CASE(groups_and_means_of_a_frame) {
  const auto groups = four().by("name, d");
  BOOST_REQUIRE(groups.size() == 3);  // in the order of their first rows
  BOOST_TEST(groups[0].size() == 2);
  BOOST_TEST(groups[0].key.front().name == "name");
  BOOST_TEST((to_text(groups[1].key[0].value) == "a" && groups[2].front().whole("d") == 16));
  const Estimate mean = groups[0].mean("x");
  BOOST_TEST((mean.value == 1 && mean.low.value() < -30 && mean.spread.has_value()));
  BOOST_TEST(groups[0].moments("x").variance == 0.5);
  BOOST_TEST(!groups[2].mean("x").low.has_value());  // one row spreads over nothing
  const Frame wide = four().where("d", std::int64_t{8});
  BOOST_TEST((wide.size() == 3 && wide.most("x") == 1.5 && wide.least("x") == 0.5));  // NaN is passed over
  BOOST_TEST(wide.where([](const Row& row) { return row.text("name") == "b"; }).sum("x") == 2);
  BOOST_TEST(std::isinf(wide.where("name", "c").most("x")));
  BOOST_TEST(groups[0].numbers([](const Row& row) { return 2 * row.number("x"); }) == std::vector({1., 3.}));
  Out out;
  out("t", groups[0], {{"d", 9}});
  const Row row = out.take().front();
  BOOST_TEST((row.text("name") == "b" && row.whole("d") == 9));  // its own before its place's
}

BOOST_AUTO_TEST_CASE(fields_that_are_not_there_or_of_another_type) {
  const Frame frame = four();
  check_refusals({{"table 'four' has no field 'nmae'; did you mean 'name'?", [&] { frame.by("nmae"); }},
                  {"table 'four' has no field 'cosine'; there is name, d, x", [&] { frame.mean("cosine"); }},
                  {"field 'name' is the text 'b', expected a number", [&] { frame.sum("name"); }},
                  {"field 'x' is 0.5, expected a whole number", [&] { frame.front().whole("x"); }},
                  {"no table 'darws'; did you mean 'draws'?",
                   [] { outcome(toml, [](const Frames& measured, Out&) { measured["darws"]; }); }}});
}

BOOST_AUTO_TEST_CASE(words_of_the_file_and_numbers_of_the_program) {
  const Outcome all = outcome();
  BOOST_REQUIRE(all.tables.size() == 2);
  const Table& means = all.tables[1];
  BOOST_TEST(means.file == "o9_mean.csv");
  BOOST_TEST(to_csv(means).starts_with("family,d,draws,mean,low,high,law\nnear,8,9,"));
  BOOST_TEST((means.columns[3].low == "low" && means.columns[4].kind == Kind::sampled));
  BOOST_TEST(
      (means.columns[0].unit.empty() && means.columns[1].unit == "1" && means.columns[3].unit == "share"));
  const Finding* mean = find(all.findings, "O9.mean.near.d16");
  BOOST_REQUIRE(mean);
  BOOST_TEST((mean->theory == 1 && mean->n == 9 && mean->unit == "share" && mean->spread.has_value()));
  BOOST_TEST(mean->meaning == "Mean of the draws.");
  const Finding* most = find(all.findings, "O9.most");
  BOOST_REQUIRE(most);
  BOOST_TEST((most->value == 9 && most->kind == Kind::count && most->unit == "draws" && most->at.empty()));
  BOOST_TEST(all.findings.size() == 3);  // "far" is not there, and says what it needs
  const std::string empty = changed("mean  = \"family", "none  = \"d draws\"\nmean  = \"family");
  BOOST_TEST(to_csv(outcome(empty).tables[1]) == "d,draws\n");

  std::string one = changed("d = [8, 16]", "d = 8");
  one.erase(one.find(", \"mean.near.d16\""), 17);
  BOOST_TEST(
      (find(outcome(one).findings, "O9.mean.near.d8") && !find(outcome(one).findings, "O9.mean.near.d16")));

  const Made claim = made();
  BOOST_TEST(claim.claim.statement == "Wide draws are near 1.");
  BOOST_TEST(claim.claim.source == "[t, d]");
  BOOST_TEST(made(changed("[\"t\", \"d\"]", "\"(asked)\"")).claim.source == "(asked)");
}

BOOST_AUTO_TEST_CASE(a_rule_names_findings_and_takes_their_words) {
  const Outcome all = outcome();
  const Rule& rule = all.rule;
  BOOST_REQUIRE(rule.size() == 6);
  BOOST_TEST(
      (rule[1].finding == "O9.mean.near.d16" && rule[1].role == Role::core && rule[1].is == Is::above));
  const Levels levels{{"what", "mean"}, {"d", "16"}};
  BOOST_TEST((rule[1].levels == levels));
  BOOST_TEST(rule[1].says == "mean of the draws, near, d = 16");
  BOOST_TEST((rule[2].finding.empty() && rule[2].says == "theirs" && rule[2].needs == "a model"));
  BOOST_TEST((rule[3].role == Role::limit && rule[3].margin == 1 &&
              std::get<std::string>(rule[3].bound) == "theory"));
  BOOST_TEST((rule[5].finding == "O9.mean.near.d16" && std::get<std::string>(rule[5].bound) == "O9.most"));
  BOOST_TEST((judge(all.findings, rule).verdict == Verdict::is_true));
  // The same rule where its findings are not measured: levels and words from the id.
  const Outcome less = outcome(changed("{ of = [\"mean.near.d8\", \"mean.near.d16\"]",
                                       "{ needs = \"more\", of = [\"mean.far.dm1p5\", \"mean.d64\"]"));
  const Levels from_id{{"what", "mean"}, {"d", "-1.5"}};
  BOOST_TEST((less.rule[0].levels == from_id));
  BOOST_TEST(less.rule[0].says == "mean of the draws, far, d = -1.5");
  BOOST_TEST(less.rule[1].says == "mean of the far, d = 64");
}

BOOST_AUTO_TEST_CASE(rows_read_back_from_csv_give_the_same_bytes) {
  const Made all = made();
  const Outcome first = all.claim.summarise(all.cells);
  const Frame read = frame_from_csv("draws", to_csv(first.tables[0]));
  Frames frames;
  for (const Row& row : read) frames.add(row);
  BOOST_TEST(csv(all.claim.conclude(frames)) == csv(first));
  // Numbers in every form come back as they were; a text stays one unless it is written as a number is.
  const char* table = "a,b,c\n1,0.1,x\n-0,1e+22,007\n9007199254740993,,1e3\n";
  const Frame odd = frame_from_csv("odd", table);
  BOOST_TEST(odd[2].whole("a") == 9007199254740993U);
  BOOST_TEST((odd[1].text("c") == "007" && odd[2].text("c") == "1e3" && std::isnan(odd[2].number("b"))));
  BOOST_TEST((odd[1].number("a") == 0 && std::signbit(odd[1].number("a"))));
}

BOOST_AUTO_TEST_CASE(an_estimate_of_a_cell_is_kept_with_its_ends) {
  const auto estimates = [](const Streams&, Out& out) {
    out("mean", {{"draws", 3}, {"mean", estimated(std::vector{0.25, 0.5, 0.75})}, {"law", 1}});
    out("draws", {{"value", 1.0}});
    out("overall", {{"most", 9}});
  };
  const Made all = made(toml, {}, estimates);
  const Outcome from_cells = all.claim.summarise(all.cells);
  const Estimate mean = estimated(std::vector{0.25, 0.5, 0.75});
  BOOST_TEST(from_cells.tables[1].number(0, "low") == *mean.low);
  BOOST_TEST(from_cells.tables[1].number(0, "high") == *mean.high);
  const Finding* found = find(from_cells.findings, "O9.mean.near.d8");
  BOOST_TEST((found->high == mean.high && found->level == shown_level));
}

// Each mistake in one line: file, line, key, what was expected.
BOOST_AUTO_TEST_CASE(mistakes_of_the_file) {
  struct Mistake {
    const char *from, *to, *says;
  };
  const Mistake mistakes[] = {
      // a column of a finding, a field of the rows, a finding of the rule
      {"\"mean.mean\"", "\"mean.maen\"",
       "o9.toml:18: findings.mean.cell: no column 'maen'; did you mean 'mean'?"},
      {"\"mean.law\" =", "\"mean.lwa\" =",
       "o9.toml:6: table.mean: [column] does not describe 'law'; there is family, d, value, draws, mean, "
       "mean.lwa"},
      {"draws mean law", "draws mean", "o9.toml:14: column.mean.law: expected a table that lists it"},
      {"\"mean.near.d16\"]", "\"maen.near.d16\"]",
       "o9.toml:25: rule.core.of: no finding 'maen'; did you mean 'mean'?"},
      {"\"mean.near.d16\"]", "\"mean.near.d61\"]",
       "o9.toml:25: rule.core: expected a finding that is there (needs = … where a run may have none), and "
       "not 'O9.mean.near.d61'"},
      // kind and unit
      {"\"sampled\", unit", "\"smapled\", unit",
       "o9.toml:13: column.mean: kind 'smapled' is none of exact, count, rounded, sampled"},
      {"n = \"draws\" }", "n = \"draws\", unit = \"share\" }",
       "o9.toml:18: findings.mean.unit: expected nothing: the column says it"},
      {"unit = \"share\"", "unti = \"share\"",
       "o9.toml:13: column.mean.unti: no such key; did you mean 'unit'?"},
      // where, by, theory and n
      {"family = \"near\"", "famly = \"near\"",
       "o9.toml:18: findings.mean.where.famly: table 'mean' has no field 'famly'; did you mean 'family'?"},
      {"d = [8, 16]", "d = [\"8\"]", "o9.toml:18: findings.mean.where: expected a row of 'mean'"},
      {"by = \"family d\"", "by = \"family k\"",
       "o9.toml:18: findings.mean.by: table 'mean' has no field 'k'; there is family, d, draws, mean, law"},
      {", n = \"draws\" }", " }",
       "o9.toml:18: findings.mean: expected n = the draws behind it: a number or a field"},
      {"\"overall.most\"", "\"overlal.most\"",
       "o9.toml:21: findings.most: no table 'overlal'; did you mean 'overall'?"},
      {"\"overall.most\"", "\"most\"", "o9.toml:21: findings.most.cell: expected \"table.column\""},
      // texts and numbers
      {"above = 0.5", "above = \"0.5\"", "o9.toml:25: rule.core.above: expected a number, without quotes"},
      {"is = \"mean of the draws\"", "is = 1", "o9.toml:13: column.mean.is: expected a text in quotes"},
      {"d      = \"dimension\"", "d      = 512", "o9.toml:10: column.d: expected { key = …, … }"},
      {"d      = \"dimension\"", "d = { kind = \"text\", is = \"it\" }",
       "o9.toml:10: column.d: expected texts, and a row has '8'"},
      {"{ kind = \"text\", is = \"law of the draws\" }", "\"law\"",
       "o9.toml:9: column.family: expected numbers (of texts: kind = \"text\"), and a row has 'near'"},
      // intervals
      {"interval = \"low high\"", "interval = \"low\"",
       "o9.toml:13: column.mean.interval: expected the names of its ends: \"low high\""},
      {"is = \"a draw\" }", "is = \"a draw\", interval = \"low high\" }",
       "o9.toml:11: column.value: expected estimates, for it has an interval, and a row has a number "
       "alone"},
      // conditions
      {"above = 0.5, ", "above = 0.5, below = 1, ",
       "o9.toml:25: rule.core: expected one of below, above and equal"},
      {"evidence = \"theorem\"", "evidence = \"theory\"",
       "o9.toml:28: rule.limit.evidence: evidence 'theory' is not known"},
      {", by = \"d\" },\n  { of", ", by = \"k\" },\n  { of",
       "o9.toml:25: rule.core: no coordinate 'k' among family=near d=8"},
      // the file
      {"source = [\"t\", \"d\"]\n", "", "o9.toml: expected source = [\"d\"]"},
      {"[findings]", "[findings", "o9.toml:16: "}};
  for (const auto& [from, to, says] : mistakes)
    check_refusal([&, &from = from, &to = to] { outcome(changed(from, to)); }, says);
}

BOOST_AUTO_TEST_CASE(mistakes_of_the_program) {
  const auto folding = [](const char* table, const Field& field) {
    return [=] {
      outcome(toml, [=](const Frames& measured, Out& out) {
        fold(measured, out);
        out(table, {field});
      });
    };
  };
  check_refusals({
      // a cell's own rows, as soon as it is measured
      {"o9.toml:5: table.draws: no column 'vlaue'; did you mean 'value'?",
       [] { made(toml, fold, [](const Streams&, Out& out) {
              out("draws", {{"vlaue", 1.0}});
            }); }},
      {"o9.toml:6: table.mean: no column 'sd'; there is family, d, draws, mean, law",
       folding("mean", {"sd", 1.0})},
      {"o9.toml:9: column.family: table 'mean' has no field 'family'; there is mean",
       folding("mean", {"mean", 1.0})},
      {"nobody reads the table 'maen' that was written; did you mean 'mean'?",
       folding("maen", {"mean", 1.0})},
  });
}

BOOST_AUTO_TEST_SUITE_END()
