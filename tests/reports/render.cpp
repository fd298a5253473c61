// The whole way, from a results folder to the report; and the commands that make one again: as they were given, safe to
// paste, folders left out.

#include "reports/render/render.hpp"

#include "perp/io/sha256.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/runs.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

const std::string results_file = "results/orthogonality/results.json";

BOOST_FIXTURE_TEST_SUITE(rendering, Workplace)

BOOST_AUTO_TEST_CASE(writes_the_report_and_the_same_bytes_again) {
  const auto written = render(options).files;
  // Text, findings, machine, claims, conditions, a figure; the site's three pages, its figure with table and
  // script, style and scripts.
  BOOST_TEST(written.size() == 17u);
  std::vector<std::string> first;
  for (const fs::path& path : written) first.push_back(read_file(path));
  options.out = root / "again";
  const auto again = render(options).files;
  for (std::size_t i = 0; i < again.size(); ++i) BOOST_TEST((read_file(again[i]) == first[i]));

  const std::string report = read("out/REPORT.md"), ledger = read("out/ledger.csv");
  BOOST_TEST(contains(report, "At 0.1 from a right angle lie 97.6%\n([97.4%, 97.9%])"));
  BOOST_TEST(contains(report, "<a id=\"o1\"></a>\n\n### O1 · random"));
  for (const char* never : {"Not so", "Never shown", "\n\n\n"}) BOOST_TEST(!contains(report, never));
  BOOST_TEST(contains(ledger,
                      "orthogonality,O5,true,\"they are, to "
                      "rounding\",1,1,O5.largest_cosine,3.1e-17,,,,below,1e-12,0,1000000,"));
}

BOOST_AUTO_TEST_CASE(a_passage_that_stands_twice_is_left_out_once) {
  write("pages/twice.md", "{{#when O1.share_near.d512 above 0.99}}x{{/when}}");
  append("pages/report.md", "\n{{include twice}}\n\n{{include twice}}\n");
  const std::vector<std::string> lines = render(options).left_out;
  BOOST_REQUIRE(lines.size() == 1U);
  BOOST_TEST(contains(lines.front(), "twice.md:1, since 'O1.share_near.d512 above 0.99'"));
}

BOOST_AUTO_TEST_CASE(what_a_longer_run_found_stands_beside_what_was_published) {
  append("pages/report.md", "\n{{#when measured O5.of_long}}<{{O5.of_long|.1e}}>{{/when}}\n");
  const Rendered without = render(options);
  BOOST_TEST(without.left_out.size() == 1u);
  BOOST_TEST(contains(without.left_out.at(0), "1 passages on what was not measured here, of O5"));
  fs::create_directories(root / "results/long");
  fs::copy(root / "results/orthogonality", root / "results/long/orthogonality");
  exchange("results/long/orthogonality/results.json", "\"value\": 3.1e-17", "\"value\": 4.1e-17");
  exchange("results/long/orthogonality/results.json", "O5.largest_cosine", "O5.of_long");
  BOOST_TEST(render(options).left_out.empty());
  BOOST_TEST(contains(read("out/REPORT.md"), "<4.1·10⁻¹⁷>"));
}

/// A line of a file exchanged, and what is said; nothing is written then.
struct Mistake {
  std::string file, from, to, message;
  Exit exit = Exit::unusable;
};

BOOST_AUTO_TEST_CASE(what_cannot_be_believed_or_shown_is_refused) {
  const std::string report = "pages/report.md";
  for (const Mistake& mistake : std::initializer_list<Mistake>{
           // Verdicts, outcomes and intervals that do not follow.
           {results_file, "\"value\": 3.1e-17", "\"value\": 0.2",
            "results.json: claim O5: the file says true, its rule and findings say false"},
           {results_file, "\"bound\": 0.95", "\"bound\": 0.99",
            "claim O1: the file says true, its rule and findings say depends"},
           {results_file, "\"outcome\": \"holds\", \"says\": \"share",
            "\"outcome\": \"open\", \"says\": \"share",
            "claim O1: the file says that the condition on 'O1.share_near.d512' open, its finding says "
            "holds"},
           {results_file, "\"level\": 0.9995", "\"level\": 0.999",
            "claim O1: the file judges at the level 0.999, its rule says"},
           {results_file, "\"factor\": {}, \"level\": 0.999, \"low\": 0.9",
            "\"factor\": {}, \"level\": 0.999, \"low\": 0.8",
            "the interval of the condition on 'O1.spread.gaussian.d512' does not follow from its finding"},
           {results_file, "\"with_limits\": false", "\"with_limits\": true",
            "the file says true, with limits, its rule and findings say true"},
           {results_file, "\"factor\": null", "\"factor\": \"d\"",
            "claim O1: the file says that it depends on 'd'"},
           // Findings and their names.
           {results_file, "O5.largest_cosine", "O5.largest_cosine.theory",
            "finding 'O5.largest_cosine.theory' ends in 'theory'"},
           {results_file, "\"findings\": [\"O5.largest_cosine\"]", "\"findings\": [\"O5.other\"]",
            "claim O5 names the finding 'O5.other', which is not there"},
           {results_file, "O1.spread.sphere.d512", "O1.spread.gaussian.d512",
            "'O1.spread.gaussian.d512' is defined twice"},
           // What is not there, and what pandoc cannot show.
           {"results/orthogonality/o1_spread.csv", "", "", "o1-spread.gp: needs "},
           {"pages/html/page.css", "", "", "no page.css in "},
           {results_file, "", "", "holds no <study>/results.json; run the studies first"},
           {report, "{{study orthogonality}}", "{{study orthogonality}}\n\n$`\\frac{a}`$\n",
            "site/index.html: pandoc says: [WARNING] Could not convert TeX math", Exit::failed},
           {report, "{{study orthogonality}}", "{{study orthogonality}}\n\n<img src=\"figures/other.svg\">\n",
            "site/index.html shows 'figures/other.svg', which was not drawn", Exit::failed}}) {
    const std::string original = read(mistake.file);
    if (mistake.from.empty())
      fs::remove(root / mistake.file);
    else
      exchange(mistake.file, mistake.from, mistake.to);
    BOOST_CHECK_EXCEPTION(render(options), Error, saying(mistake.message, mistake.exit));
    BOOST_TEST(!fs::exists(root / "out"), mistake.message);
    write(mistake.file, original);
  }
  options.results = root / "nowhere";
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("run the studies first"));
}

BOOST_AUTO_TEST_CASE(scripts_are_linked_where_the_report_lies_beside_them) {
  render(options);
  const std::string beside = read("out/REPORT.md");
  BOOST_TEST(contains(beside, "[script](../studies/orthogonality/o1-spread.gp)"));
  options.out = root / "elsewhere/out";
  render(options);
  BOOST_TEST(!contains(read("elsewhere/out/REPORT.md"), ".gp"));
  options.at = root / "out";
  render(options);
  BOOST_TEST((read("elsewhere/out/REPORT.md") == beside));
}

BOOST_AUTO_TEST_CASE(what_an_earlier_run_wrote_goes_and_all_else_stays) {
  write("pages/rules.md", "# Rules\n\n{{rules}}\n");
  options.single = true;
  render(options);
  fs::remove(root / "pages/rules.md");
  options.single = false;
  const std::vector<std::string> older{"chapters/rules.md", "site/rules.html", "report.html"},
      somebodys{"chapters/notes.md",       "site/blog.html",
                "site/scripts/mine.gp",    "site/tables/mine.csv",
                "site/figures/mine.svg",   "figures/x.gp",
                "figures/bench-curve.svg", "figures/orthogonality-o9-mine.svg"};
  for (const std::string& file : somebodys) write("out/" + file, "precious");
  options.only_figures = true;
  render(options);
  for (const std::string& file : older) BOOST_TEST(fs::exists(options.out / file), file);
  options.only_figures = false;
  render(options);
  for (const std::string& file : older) BOOST_TEST(!fs::exists(options.out / file), file);
  for (const std::string& file : somebodys) BOOST_TEST(read("out/" + file) == "precious", file);
  for (const char* now : {"REPORT.md", "figures/orthogonality-o1-spread.svg", "site/index.html"})
    BOOST_TEST(fs::exists(options.out / now), now);
  const std::string list = read("out/REPORT.md.sha256");
  render(options);
  BOOST_TEST((read("out/REPORT.md.sha256") == list));
}

BOOST_AUTO_TEST_CASE(the_readmes_block) {
  write("README.md", "# A\n<!-- perpendicular:begin -->\n<!-- perpendicular:end -->\nend\n");
  options.readme = root / "README.md";
  options.check_readme = true;
  BOOST_CHECK_EXCEPTION(render(options), Error,
                        saying("README.md': its generated block is not current", Exit::failed));
  options.check_readme = false;
  fs::permissions(options.readme, fs::perms(0444));
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("README.md' may only be read"));
  fs::permissions(options.readme, fs::perms(0644));
  BOOST_TEST(render(options).files.size() == 18u);
  const std::string readme = read("README.md");
  BOOST_TEST(contains(readme, "](out/REPORT.md#o1)"));
  BOOST_TEST(contains(readme, "src=\"out/figures/orthogonality-o1-spread.svg\""));
  BOOST_TEST(readme.ends_with("<!-- perpendicular:end -->\nend\n"));
  options.check_readme = true;
  BOOST_TEST(render(options).files.empty());
  options.readme.clear();
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("--check-readme needs --readme FILE"));
}

BOOST_AUTO_TEST_CASE(the_machine_page_bears_absent_files_and_fields) {
  const auto machine_says = [&](const std::string& text) {
    render(options);
    return contains(read("out/MACHINE.md"), text);
  };
  const std::string record = "results/orthogonality/run.json";
  BOOST_TEST(machine_says("| memory | 7.8 GiB |"));
  BOOST_TEST(machine_says("| O1 | 32 | 1.10 | 2.10 |"));
  BOOST_TEST(contains(read("out/FINDINGS.md"), "\n## O5\n\n"));
  BOOST_TEST(contains(read("out/FINDINGS.md"), "`O1.spread.sphere.d512`"));
  BOOST_TEST(!contains(read("out/REPORT.md"), "A processor"));
  write(record, "{\"cores\": 4, \"host_cpu\": \"a|b\", \"cells\": 3}");
  fs::remove(root / "results/orthogonality/timings.json");
  BOOST_TEST(machine_says("| processor | a\\|b |\n| cores | 4 |\n"));
  for (const auto& [text, message] :
       {std::pair<std::string, const char*>{"{", "run.json: not JSON: parse error at line 1"},
        {fmt::format("{{\"x\": {}{}}}", std::string(100'000, '['), std::string(100'000, ']')),
         "run.json: nested deeper than 32 levels"},
        {"[]", "run.json: expected an object"}}) {
    write(record, text);
    BOOST_CHECK_EXCEPTION(render(options), Error, saying(message));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report

namespace perp::report {
namespace {

/// Studies with the command lines that their run.json keeps.
struct Commands : Workplace {
  std::vector<Results> studies;

  void add(const std::string& name, const std::string& words, Coordinates parameters = {},
           std::vector<Input> inputs = {}) {
    Claim claim;
    claim.id = fmt::format("A{}", studies.size() + 1);
    studies.push_back({name, "quick", 3, std::move(parameters), std::move(inputs), {}, {claim}, {}});
    make_folders(options.results / name);
    write(fmt::format("results/{}/run.json", name),
          fmt::format(R"({{"command": ["build/studies/x"{}]}})", words));
  }
  Facts facts() const { return Facts(options.results, studies); }
  /// What the command says behind preset and seed.
  std::string given(const std::string& words) {
    studies.clear();
    add("inspect", words);
    const std::string start = "perp report --studies inspect --only A1 --preset quick --seed 3",
                      command = command_for(facts(), "A1");
    BOOST_TEST_REQUIRE(command.starts_with(start));
    return command.substr(start.size());
  }
};

BOOST_FIXTURE_TEST_SUITE(artifact, Commands)

BOOST_AUTO_TEST_CASE(a_command_says_what_was_given) {
  for (
      const auto& [words, expected] : std::initializer_list<std::pair<const char*, const char*>>{
          {"", ""},
          {R"(, "--preset", "quick", "--threads", "2", "--fresh", "--build", "b", "--out", "o", "--only", "A1")",
           ""},
          {R"(, "--corpus", "none", "--dim", "64")", " --corpus none"},
          {R"(, "--words=/of/mine/w.npy", "--rows-words", "0:9")", " --words w.npy --rows-words 0:9"},
          {R"(, "--layernorm", "a/m.st:ln/gain,b/m.st:ln/bias")", " --layernorm m.st:ln/gain,m.st:ln/bias"},
          {R"(, "--words", "w.npy", "--counts", "/my/c", "--norm", "sum")",
           " --words w.npy --counts c --norm sum"},
          {R"(, "--models", "/my/list", "--heads", "12")", " --models models.txt --heads 12"},
          {R"(, "--words", "it's\n`$(x)`; rm *")", R"( --words 'it'\''s\x0a`$(x)`; rm *')"},
          {R"(, "--words", "--help")", " --words=--help"},
          {R"(, "--arms", "sum.a none")", " --arms 'sum.a none'"},
          // What make would run, and what is no command line.
          {R"_(, "--shell", "sh", "--eval=$(shell x)", "--makeflags", "-n", "--$(shell x)", "y", "SHELL=sh")_",
           ""},
          {R"(, "--words")", ""},
          {R"(, "--words", 3, {}, "--heads", "1")", " --words '' --heads 1"}})
    BOOST_TEST(given(words) == expected, words);
  write("results/inspect/run.json", R"({"command": "make"})");
  BOOST_TEST(command_for(facts(), "A1").ends_with(" --seed 3"));
  fs::remove(options.results / "inspect/run.json");
  BOOST_TEST(command_for(facts(), "A1").ends_with(" --seed 3"));
  BOOST_CHECK_EXCEPTION(command_for(facts(), "A9"), Error, saying("no results for a claim 'A9'"));
}

BOOST_AUTO_TEST_CASE(studies_that_ran_alike_have_one_command) {
  add("plain", "");
  add("words", R"(, "--words", "a/w.npy")");
  add("other", "");
  BOOST_TEST(commands(facts()) ==
             "```sh\nperp report --studies \"plain other\" --preset quick --seed 3\n"
             "perp report --studies \"words\" --preset quick --seed 3 --words w.npy\n"
             "```\n\nFiles are named without their folders.\n");
  studies.pop_back(), studies.erase(studies.begin() + 1);
  add("learning", R"(, "--arms", "none")");  // names no file
  BOOST_TEST(commands(facts()).ends_with("--seed 3 --arms none\n```\n"));
  studies.pop_back();
  BOOST_TEST(commands(facts()) == "```sh\nperp report --studies \"plain\" --preset quick --seed 3\n```\n");
}

// One study notes the models that have words; the other was given one more by its own options.
BOOST_AUTO_TEST_CASE(a_file_of_models_is_written_first) {
  add("capacity", R"(, "--models", "list")", {{"a_words", "w.npy"}, {"models", "a"}});
  add("inspect", R"(, "--positions", "p.npy", "--name", "mine", "--models", "list")",
      {{"mine_positions", "p.npy"},
       {"a_words", "w.npy"},
       {"a_b_positions", "p\n.npy"},
       {"a_b_scale-words", "sqrt"},
       {"a_b_kind", "text"},
       {"a_b_counts", "n.txt"},
       {"a_b_part", "decoder"},
       {"c_layers", "c.gguf"},
       {"models", "mine a a_b c"}});
  add("order", "", {{"models", "no"}, {"no_words", "w.npy"}});
  BOOST_TEST(commands(facts()) ==
             "```sh\ncat >models.txt <<'END'\n[a]\nwords = w.npy\n[a_b]\npositions = p\\x0a.npy\n"
             "scale-words = sqrt\nkind = text\ncounts = n.txt\npart = decoder\n"
             "[c]\nlayers = c.gguf\nEND\n"
             "perp report --studies \"capacity\" --preset quick --seed 3 --models models.txt\n"
             "perp report --studies \"inspect\" --preset quick --seed 3 --positions p.npy --name mine "
             "--models models.txt\n"
             "perp report --studies \"order\" --preset quick --seed 3\n"
             "```\n\nFiles are named without their folders.\n");
}

BOOST_AUTO_TEST_CASE(minutes_are_those_of_cells_that_were_measured) {
  const auto minutes = [&](const char* cells) {
    studies.clear();
    add("order", "");
    write("results/order/timings.json",
          fmt::format(R"({{"experiments": [{{"claim": "A1", "cells": {}, "cpu_s": 90}}]}})", cells));
    const std::string table = artifact_table(facts(), Links(facts()));
    return contains(table, "| 1.5 |") ? "1.5" : contains(table, "| – |") ? "–" : table;
  };
  BOOST_TEST(minutes("7") == "1.5");
  BOOST_TEST(minutes("0") == "–");  // all kept from before
}

BOOST_AUTO_TEST_CASE(what_was_read) {
  add("plain", "");
  BOOST_TEST(inputs_table(facts()) == "No file: everything was generated.\n");
  add("words", "", {}, {{"words|1.txt", "ab12"}});
  add("more", "", {}, {{"words|1.txt", "ab12"}});
  BOOST_TEST(inputs_table(facts()).ends_with("| words\\|1.txt | `ab12` | words, more |\n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
