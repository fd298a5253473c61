// The whole way, from a results folder to the report.

#include "reports/render.hpp"

#include <algorithm>

#include "reports/facts.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

const std::string results_file = "results/orthogonality/results.json";

struct Rendering : Workplace {
  void refuses(const std::string& message, Exit exit = Exit::unusable) {
    BOOST_CHECK_EXCEPTION(render(options), Error, saying(message, exit));
    BOOST_TEST(!fs::exists(root / "out"));  // nothing is written when something is wrong
  }
};

/// Sets a variable for the length of a scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name), before_(std::getenv(name)) {
    setenv(name, value, 1);
  }
  ~Environment() { setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

BOOST_FIXTURE_TEST_SUITE(rendering, Rendering)

BOOST_AUTO_TEST_CASE(writes_the_report_and_the_same_bytes_again) {
  const auto written = render(options).files;
  // Text, findings, machine, claims, conditions, a figure; the site's two pages, its figure, style and
  // scripts.
  BOOST_TEST(written.size() == 13u);
  std::vector<std::string> first;
  for (const fs::path& path : written) first.push_back(read_file(path));
  options.out = root / "again";
  const auto again = render(options).files;
  for (std::size_t i = 0; i < again.size(); ++i) BOOST_TEST((read_file(again[i]) == first[i]));

  const std::string report = read("out/REPORT.md");
  BOOST_TEST(report.find("At 0.1 from a right angle lie 97.6%\n([97.4%, 97.9%])") != report.npos);
  BOOST_TEST(report.find("Not so") == report.npos);
  BOOST_TEST(report.find("Never shown") == report.npos);
  BOOST_TEST(report.find("\n\n\n") == report.npos);
  BOOST_TEST(report.find("<a id=\"o1\"></a>\n\n### O1 · random") != report.npos);
  const std::string ledger = read("out/ledger.csv");
  BOOST_TEST(ledger.find("orthogonality,O5,true,\"they are, to "
                         "rounding\",1,1,O5.largest_cosine,3.1e-17,,,,below,1e-12,0,1000000,") !=
             ledger.npos);
}

BOOST_AUTO_TEST_CASE(what_the_preset_long_found_stands_beside_where_it_was_published) {
  append("templates/report.md",
         "\n<{{#long O5}}{{O5.verdict}}, {{O5.largest_cosine|.1e}} ([its "
         "own](long/chapters/orthogonality.md#o5))"
         "{{/long}}>\n");
  render(options);
  BOOST_TEST(read("out/REPORT.md").find("<>") != std::string::npos);
  fs::create_directories(root / "results/long");
  fs::copy(root / "results/orthogonality", root / "results/long/orthogonality");
  exchange("results/long/orthogonality/results.json", "\"value\": 3.1e-17", "\"value\": 4.1e-17");
  render(options);
  const std::string report = read("out/REPORT.md");
  BOOST_TEST(report.find("<true, 4.1·10⁻¹⁷ ([its own](long/chapters/orthogonality.md#o5))>") != report.npos);
  BOOST_TEST(report.find("they are, to rounding") != report.npos);
  append("templates/report.md", "\n{{#long O99}}{{/long}}\n");
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("no results and no section have a claim 'O99'"));
}

BOOST_AUTO_TEST_CASE(a_finding_moved_to_the_wrong_side_is_noticed) {
  exchange(results_file, "\"value\": 3.1e-17", "\"value\": 0.2");
  refuses("results.json: claim O5: the file says true, its rule and findings say false");
}

BOOST_AUTO_TEST_CASE(an_edited_verdict_is_noticed) {
  exchange(results_file, "\"bound\": 0.95", "\"bound\": 0.99");
  refuses("claim O1: the file says true, its rule and findings say depends");
}

BOOST_AUTO_TEST_CASE(an_edited_outcome_level_or_interval_is_noticed) {
  const std::string original = read(results_file);
  const auto noticed = [&](const std::string& from, const std::string& to, const std::string& message) {
    exchange(results_file, from, to);
    refuses(message);
    write(results_file, original);
  };
  noticed("\"outcome\": \"holds\", \"says\": \"share", "\"outcome\": \"open\", \"says\": \"share",
          "claim O1: the file says that the condition on 'O1.share_near.d512' open, its finding says holds");
  noticed("\"level\": 0.9995", "\"level\": 0.999",
          "claim O1: the file judges at the level 0.999, its rule says");
  noticed("\"factor\": {}, \"level\": 0.999, \"low\": 0.9", "\"factor\": {}, \"level\": 0.999, \"low\": 0.8",
          "the interval of the condition on 'O1.spread.gaussian.d512' does not follow from its finding");
  noticed("\"with_limits\": false", "\"with_limits\": true",
          "the file says true, with limits, its rule and findings say true");
  noticed("\"factor\": null", "\"factor\": \"d\"", "claim O1: the file says that it depends on 'd'");
}

BOOST_AUTO_TEST_CASE(ids_that_templates_could_not_name) {
  exchange(results_file, "O5.largest_cosine", "O5.largest_cosine.low");
  refuses("finding 'O5.largest_cosine.low' ends in 'low'");
}

BOOST_AUTO_TEST_CASE(a_claims_findings_are_there) {
  exchange(results_file, "\"findings\": [\"O5.largest_cosine\"]", "\"findings\": [\"O5.other\"]");
  refuses("claim O5 names the finding 'O5.other', which is not there");
}

BOOST_AUTO_TEST_CASE(an_id_is_used_once) {
  exchange(results_file, "O1.spread.sphere.d512", "O1.spread.gaussian.d512");
  refuses("'O1.spread.gaussian.d512' is defined twice");
}

BOOST_AUTO_TEST_CASE(a_finding_that_nothing_prints_is_an_error) {
  exchange("templates/orthogonality/O1.md", "{{findings O1}}", "");
  refuses(
      "claim O1 has the finding 'O1.spread.sphere.d512', which no template prints; {{findings O1}} in "
      "orthogonality/O1.md");
}

BOOST_AUTO_TEST_CASE(a_study_without_its_line_in_the_report_is_an_error) {
  exchange("templates/report.md", "{{study orthogonality}}", "");
  refuses("which no template prints");
}

BOOST_AUTO_TEST_CASE(one_claim_alone_still_renders) {
  std::string text = read(results_file);
  const std::size_t from = text.find("    {\"id\": \"O1\""), to = text.find("    {\"id\": \"O5\"");
  write(results_file, text.erase(from, to - from));
  BOOST_TEST(render(options).files.size() == 11u);  // and its figure is left out
  const std::string report = read("out/REPORT.md");
  BOOST_TEST(report.find("### O5") != report.npos);
  BOOST_TEST(report.find("O1") == report.npos);
}

BOOST_AUTO_TEST_CASE(a_lost_table_of_a_measured_claim_is_an_error) {
  fs::remove(root / "results/orthogonality/o1_spread.csv");
  refuses("o1-spread.gp: needs ");
}

BOOST_AUTO_TEST_CASE(no_results_no_report) {
  fs::remove_all(root / "results/orthogonality");
  refuses("holds no <study>/results.json; run the studies first");
  options.results = root / "nowhere";
  refuses("run the studies first");
}

BOOST_AUTO_TEST_CASE(a_figure_that_is_no_longer_drawn_goes_and_those_of_other_pages_stay) {
  fs::create_directories(root / "out/figures");
  write("out/figures/orthogonality-o9-older.svg", "<svg/>");
  write("out/figures/bench-curve.svg", "<svg/>");
  render(options);
  BOOST_TEST(!fs::exists(root / "out/figures/orthogonality-o9-older.svg"));
  BOOST_TEST(fs::exists(root / "out/figures/orthogonality-o1-spread.svg"));
  BOOST_TEST(fs::exists(root / "out/figures/bench-curve.svg"));
}

BOOST_AUTO_TEST_CASE(only_the_figures) {
  options.only_figures = true;
  fs::remove_all(options.templates);
  BOOST_TEST(render(options).files.size() == 1u);
  BOOST_TEST(fs::exists(root / "out/figures/orthogonality-o1-spread.svg"));
  BOOST_TEST(!fs::exists(root / "out/REPORT.md"));
}

BOOST_AUTO_TEST_CASE(without_gnuplot_nothing_is_written) {
  const Environment nothing("PATH", "/nonexistent");
  refuses("gnuplot is not installed, and the figures need it: sudo apt-get install gnuplot-nox");
}

BOOST_AUTO_TEST_CASE(the_readmes_block) {
  write("README.md", "# A\n<!-- perpendicular:begin -->\n<!-- perpendicular:end -->\nend\n");
  options.readme = root / "README.md";
  options.check_readme = true;
  refuses("README.md': its generated block is not current", Exit::failed);
  options.check_readme = false;
  BOOST_TEST(render(options).files.size() == 14u);
  const std::string readme = read("README.md");
  BOOST_TEST(readme.find("](out/REPORT.md#o1)") != readme.npos);
  BOOST_TEST(readme.find("src=\"out/figures/orthogonality-o1-spread.svg\"") != readme.npos);
  BOOST_TEST(readme.ends_with("<!-- perpendicular:end -->\nend\n"));
  options.check_readme = true;
  BOOST_TEST(render(options).files.empty());
  options.readme.clear();
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("--check-readme needs --readme FILE"));
}

BOOST_AUTO_TEST_CASE(the_machine_page_bears_absent_files_and_fields) {
  render(options);
  BOOST_TEST(read("out/FINDINGS.md").find("\n## O5\n\n") != std::string::npos);
  BOOST_TEST(read("out/FINDINGS.md").find("`O1.spread.sphere.d512`") != std::string::npos);
  BOOST_TEST(read("out/MACHINE.md").find("| memory | 7.8 GiB |") != std::string::npos);
  BOOST_TEST(read("out/MACHINE.md").find("| O1 | 32 | 1.10 | 2.10 |") != std::string::npos);
  BOOST_TEST(
      read("out/MACHINE.md").find("| a block of width 576 | 12.34 |\n| one that did not end | – |\n") !=
      std::string::npos);
  BOOST_TEST(read("out/MACHINE.md").find("no record") == std::string::npos);
  BOOST_TEST(read("out/REPORT.md").find("A processor") == std::string::npos);
  write("results/orthogonality/run.json", "{\"cores\": 4, \"host_cpu\": \"a|b\", \"cells\": 3}");
  fs::remove(root / "results/orthogonality/timings.json");
  render(options);
  BOOST_TEST(read("out/MACHINE.md").find("| processor | a\\|b |\n| cores | 4 |\n") != std::string::npos);
  write("results/orthogonality/run.json", "{");
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("run.json: not JSON"));
  write("results/orthogonality/run.json",
        fmt::format("{{\"x\": {}{}}}", std::string(100'000, '['), std::string(100'000, ']')));
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("run.json: nested deeper than 32 levels"));
  write("results/orthogonality/run.json", "[]");
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("run.json: expected an object"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
