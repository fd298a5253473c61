// Pages for a browser: one file with everything inside, pages beside their pictures, and what happens without
// pandoc or gnuplot.

#include <algorithm>

#include "perp/io/process.hpp"
#include "reports/render/pages.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

/// A variable of the environment for the length of a scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::string on_one_line(const std::string& text) { return replaced(text, "\n", " "); }

struct Site : Workplace {
  std::string html() {
    options.single = true;
    render(options);
    return read("out/report.html");
  }
  /// A PATH with one program in it, or none.
  std::string path_with(const std::string& program) const {
    fs::create_directory(root / "bin");
    std::string found = run_process({"which", program}, plain_environment()).stdout_text;
    found.pop_back();
    fs::create_symlink(found, root / "bin" / program);
    return (root / "bin").string();
  }
};

BOOST_FIXTURE_TEST_SUITE(pages, Site)

BOOST_AUTO_TEST_CASE(maths_is_rewritten_and_code_and_money_are_not) {
  BOOST_TEST(maths_for_pandoc("a $`\\sqrt{x}`$, $`y`$.") == "a $\\sqrt{x}$, $y$.");
  BOOST_TEST(maths_for_pandoc("`$x` \\$`a`$ $5") == "`$x` \\$`a`$ $5");
  BOOST_TEST(maths_for_pandoc("$`open") == "$`open");
  BOOST_TEST(data_address("<a b=\"#1\">\n50% & 'x'") ==
             "data:image/svg+xml,%3Ca b=%22%231%22%3E 50%25 %26 'x'");
}

BOOST_AUTO_TEST_CASE(everything_is_inside_and_in_its_place) {
  append("pages/report.md", "\nThe law is $`\\sqrt{\\frac{a}{b}}`$.\n");
  const std::string page = html(), line = on_one_line(page);
  BOOST_TEST(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  // Contents: pandoc 3 gives the link a name of its own, and breaks the line before it.
  const std::size_t entry = line.find("<li><a href=\"#o1\"");
  BOOST_TEST_REQUIRE(entry != line.npos);
  BOOST_TEST(line.substr(entry, line.find("</li>", entry) - entry).find(">O1 · random") != line.npos);
  for (const char* part :
       {"<title>A small report</title>", "<h3 id=\"o1\">O1 · random",
        "<a href=\"#o1\">random vectors",  // table of claims
        "<meta name=\"description\" content=\"", "globalThis.perpendicular = {",
        "alt=\"At 512 dimensions the spread &quot;times √d&quot; is 1.009.\"", "<td data-label=\"verdict\">",
        "<msqrt><mfrac><mi>a</mi><mi>b</mi></mfrac></msqrt>", "prefers-color-scheme: dark"})
    BOOST_TEST(contains(line, part), part);
  BOOST_TEST(times(page, "<h1>") == 1u);
  BOOST_TEST(times(page, "src=\"data:image/svg+xml,") == 1u);
  BOOST_TEST(times(page, "src=\"") == 1u);
  BOOST_TEST(times(page, "<div class=\"frame\">\n<table") == times(page, "<caption><strong>Table "));
  BOOST_TEST(times(page, "<div class=\"frame\">\n<table") > 1u);
  // What does not travel with the file is not linked.
  for (const char* never : {".csv\"", "MACHINE.md\""}) BOOST_TEST(!contains(page, never));
  BOOST_TEST(contains(read("out/REPORT.md"), "The law is $`\\sqrt{\\frac{a}{b}}`$."));
}

// That every link leads somewhere, tests/project/links.py asks of the published report and of a fresh one.
BOOST_AUTO_TEST_CASE(chapters_rules_and_the_artifact_have_pages_of_their_own) {
  exchange("pages/report.md", "{{study orthogonality}}", "{{chapter orthogonality}}\n\n[O5](#o5)");
  exchange("studies/orthogonality/chapter.md", "## Ortho", "# Ortho");
  write("pages/rules.md", "# Rules: all\n\n[Data](conditions.csv), [report](REPORT.md)\n\n{{rules}}\n");
  write("pages/artifact.md", "# Artifact\n\n{{artifact}}\n");
  render(options);
  BOOST_TEST(read("out/chapters/orthogonality.md")
                 .starts_with("[Report](../REPORT.md) · Orthogonality · [Rules](rules.md) · "
                              "[All findings](../FINDINGS.md)\n\n# "));
  BOOST_TEST(contains(read("out/chapters/rules.md"), "[Data](../conditions.csv), [report](../REPORT.md)"));
  BOOST_TEST(contains(read("out/REPORT.md"), "[O5](chapters/orthogonality.md#o5)"));
  BOOST_TEST(contains(read("out/site/index.html"), "href=\"orthogonality.html#o5\""));
  BOOST_TEST(contains(read("out/ARTIFACT.md"),
                      "| [O1](chapters/orthogonality.md#o1) | `perp report --studies orthogonality --only "
                      "O1 --preset quick --seed 1` | 0.0 | "));
  const std::string chapter = read("out/site/orthogonality.html");
  BOOST_TEST(contains(chapter, "loading=\"lazy\""));
  BOOST_TEST(times(chapter, "data:image/svg") == 0u);
}

BOOST_AUTO_TEST_CASE(a_result_has_a_page_of_its_own_in_a_site) {
  fs::create_directories(root / "pages/results");
  write("pages/results/near.md",
        "# Near: how near?\n\n{{#measured O1}}[O1](#o1), {{O1.spread.gaussian.d512|.3f}}{{/measured}}\n\n"
        "{{instrument subspaces}}\n");
  append("pages/report.md",
         "\n{{#measured O1}}{{result near}}{{/measured}}{{#unmeasured O1}}{{result near}}{{/unmeasured}}\n");
  options.single = true;
  render(options);
  const std::string page = read("out/site/near.html"), home = read("out/site/index.html");
  BOOST_TEST(contains(on_one_line(home), "<li><a href=\"near.html\">Near: how near?</a></li>"));
  BOOST_TEST(contains(home, "<li class=\"result\"><a href=\"near.html\">Near</a></li>"));
  BOOST_TEST(times(home, "class=\"result\"") == 1u);
  BOOST_TEST(contains(page, "<title>Near: how near?</title>"));
  BOOST_TEST(contains(page, "<a href=\"index.html#o1\">O1</a>"));
  BOOST_TEST(times(page, "<form class=\"instrument\"") == 1u);
  BOOST_TEST(contains(page, "id=\"try-subspaces\""));
  // All that have no place of their own come last on the first page.
  BOOST_TEST(times(home, "<form class=\"instrument\"") == 5u);
  for (const char* other : {"out/REPORT.md", "out/report.html"})
    BOOST_TEST(!contains(read(other), "how near?"), other);
  append("pages/report.md", "\n{{result far}}\n");
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("no result page "));
}

BOOST_AUTO_TEST_CASE(a_site_holds_what_its_pages_link_to) {
  render(options);
  const std::string home = read("out/site/index.html");
  for (const char* file :
       {"tables/orthogonality/o1_spread.csv", "scripts/orthogonality-o1-spread.gp", "machine.html"}) {
    BOOST_TEST(contains(home, fmt::format("href=\"{}\"", file)), file);
    BOOST_TEST(fs::exists(options.out / "site" / file), file);
  }
  BOOST_TEST(!contains(home, "href=\"../"));
  // A table that is too long is named and not there.
  const std::string table = read("results/orthogonality/o1_spread.csv"),
                    row = table.substr(table.rfind('\n', table.size() - 2) + 1);
  for (std::size_t length = 0; length < 8'000; length += row.size())
    append("results/orthogonality/o1_spread.csv", row);
  fs::remove(root / "studies/orthogonality/o1-spread.gp");
  exchange("studies/orthogonality/o1.md", "{{figure orthogonality-o1-spread}}",
           "[data](orthogonality/o1_spread.csv)");
  render(options);
  BOOST_TEST(!contains(read("out/site/index.html"), ".csv"));
  BOOST_TEST(!fs::exists(options.out / "site/tables/orthogonality/o1_spread.csv"));
  BOOST_TEST(contains(read("out/REPORT.md"), "[data](orthogonality/o1_spread.csv)"));
}

BOOST_AUTO_TEST_CASE(a_phone_gets_a_drawing_of_its_own) {
  exchange("studies/orthogonality/o1-spread.gp", "#: alt:", "#: phone: 340x420\n#: alt:");
  options.single = true;
  render(options);
  const std::string name = "site/figures/orthogonality-o1-spread", home = read("out/site/index.html");
  BOOST_TEST(contains(on_one_line(home),
                      "<div class=\"frame\"><picture><source media=\"(max-width: 640px)\" "
                      "srcset=\"figures/orthogonality-o1-spread-phone.svg\" width=\"340\" height=\"420\">"
                      "<img src=\"figures/orthogonality-o1-spread.svg\""));
  BOOST_TEST(contains(read("out/" + name + "-phone.svg"), "viewBox=\"0 0 340 420\""));
  BOOST_TEST(contains(read("out/" + name + ".svg"), "viewBox=\"0 0 760 430\""));
  BOOST_TEST(!fs::exists(options.out / "figures/orthogonality-o1-spread-phone.svg"));
  BOOST_TEST(!contains(read("out/report.html"), "-phone.svg"));
}

BOOST_AUTO_TEST_CASE(without_pandoc_all_else_is_written_and_no_older_page_stays) {
  const std::string older = html();
  const Environment only_gnuplot("PATH", path_with("gnuplot"));
  fs::remove(root / "out/REPORT.md");
  fs::create_directory(root / "out/REPORT.md");  // in the way: the older page goes only with the new report
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("REPORT.md"));
  BOOST_TEST((read("out/report.html") == older));
  fs::remove(root / "out/REPORT.md");
  const std::string note = "pandoc is not installed (sudo apt-get install pandoc)";
  const Rendered rendered = render(options);
  BOOST_TEST(rendered.note == "site/ left out, the older one removed: " + note);
  BOOST_TEST(rendered.files.size() == 6u);
  for (const char* page : {"report.html", "site/index.html"}) BOOST_TEST(!fs::exists(options.out / page));
  BOOST_TEST(render(options).note == "site/ left out: " + note);
}

BOOST_AUTO_TEST_CASE(a_page_that_is_none_is_an_error_and_so_is_no_gnuplot) {
  fs::create_directory(root / "bin");
  {
    const Environment first("PATH", (root / "bin").string() + ":" + std::getenv("PATH"));
    for (const char* said : {"", "<!DOCTYPE html>\n<html>\n<body>", "words"}) {
      write("bin/pandoc", fmt::format("#!/bin/sh\nprintf '{}'\n", said));
      fs::permissions(root / "bin/pandoc", fs::perms::owner_all);
      BOOST_CHECK_EXCEPTION(render(options), Error,
                            saying("site/index.html: pandoc wrote no complete page", Exit::failed));
    }
  }
  const Environment nothing("PATH", "/nonexistent");
  BOOST_CHECK_EXCEPTION(render(options), Error,
                        saying("gnuplot is not installed, and the figures need it: sudo apt-get install "
                               "gnuplot-nox"));
  BOOST_TEST(!fs::exists(root / "out"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
