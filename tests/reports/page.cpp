// report.html: one file with everything inside, and what happens without pandoc.

#include "reports/page.hpp"

#include <algorithm>

#include "perp/io/process.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t number = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++number;
  return number;
}

BOOST_AUTO_TEST_SUITE(page_texts)

BOOST_AUTO_TEST_CASE(maths_is_rewritten_and_code_and_money_are_not) {
  BOOST_TEST(maths_for_pandoc("a $`\\sqrt{x}`$, $`y`$.") == "a $\\sqrt{x}$, $y$.");
  BOOST_TEST(maths_for_pandoc("`$x` \\$`a`$ $5") == "`$x` \\$`a`$ $5");
  BOOST_TEST(maths_for_pandoc("$`open") == "$`open");
}

BOOST_AUTO_TEST_CASE(addresses_hold_any_picture) {
  BOOST_TEST(data_address("<a b=\"#1\">\n50% & 'x'") ==
             "data:image/svg+xml,%3Ca b=%22%231%22%3E 50%25 %26 'x'");
}

BOOST_AUTO_TEST_SUITE_END()

/// PATH for the length of a scope.
struct Path {
  std::string before = std::getenv("PATH");
  explicit Path(const std::string& path) { setenv("PATH", path.c_str(), 1); }
  ~Path() { setenv("PATH", before.c_str(), 1); }
};

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

struct Site : Workplace {
  std::string html() {
    render(options);
    return read("out/report.html");
  }
  void refuses(const std::string& message, Exit exit) {
    BOOST_CHECK_EXCEPTION(render(options), Error, saying(message, exit));
    BOOST_TEST(!fs::exists(root / "out"));
  }
};

BOOST_FIXTURE_TEST_SUITE(pages, Site)

BOOST_AUTO_TEST_CASE(everything_is_inside_and_in_its_place) {
  append("templates/report.md", "\nThe law is $`\\sqrt{\\frac{a}{b}}`$.\n");
  const std::string page = html();
  BOOST_TEST(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  BOOST_TEST(page.find("<title>A small report</title>") != page.npos);
  BOOST_TEST(times(page, "<h1>") == 1u);
  BOOST_TEST(page.find("<h3 id=\"o1\">O1 · “random") != page.npos);
  // Contents: pandoc 3 gives the link a name of its own, and breaks the line before it.
  const std::size_t entry = page.find("<li><a href=\"#o1\"");
  BOOST_TEST_REQUIRE(entry != page.npos);
  BOOST_TEST(on_one_line(page.substr(entry, page.find("</li>", entry) - entry)).find(">O1 · “random") !=
             page.npos);
  BOOST_TEST(page.find("<a href=\"#o1\">O1</a>") != page.npos);  // ledger
  BOOST_TEST(times(page, "src=\"data:image/svg+xml,") == 2u);
  BOOST_TEST(times(page, "src=\"") == 2u);
  BOOST_TEST(times(page, "<img class=\"dark\"") == 1u);
  BOOST_TEST(page.find("alt=\"At 512 dimensions the spread &quot;times √d&quot; is 1.009.\"") != page.npos);
  BOOST_TEST(times(page, "<table>") ==
             times(page, "<div class=\"frame\" role=\"region\" tabindex=\"0\" aria-label=\"Table\""));
  BOOST_TEST(page.find("<msqrt><mfrac><mi>a</mi><mi>b</mi></mfrac></msqrt>") != page.npos);
  BOOST_TEST(page.find("prefers-color-scheme: dark") != page.npos);
  BOOST_TEST(page.find("href=\"orthogonality/o1_spread.csv\"") != page.npos);
  BOOST_TEST(page.find("href=\"figures/orthogonality-o1-spread.gp\"") != page.npos);
  BOOST_TEST(read("out/REPORT.md").find("The law is $`\\sqrt{\\frac{a}{b}}`$.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_it_links_is_there) {
  options.out = options.results;
  render(options);
  for (const char* file : {"orthogonality/o1_spread.csv", "figures/orthogonality-o1-spread.gp", "MACHINE.md"})
    BOOST_TEST(fs::exists(options.out / file));
}

BOOST_AUTO_TEST_CASE(broken_maths_is_an_error) {
  append("templates/report.md", "\n$`\\frac{a}`$\n");
  refuses("report.html: pandoc says: [WARNING] Could not convert TeX math", Exit::failed);
}

BOOST_AUTO_TEST_CASE(a_picture_that_was_not_drawn_is_an_error) {
  append("templates/report.md", "\n<img src=\"figures/other.svg\">\n");
  refuses("report.html shows 'figures/other.svg', which was not drawn", Exit::failed);
}

BOOST_AUTO_TEST_CASE(a_lost_frame_is_an_error) {
  fs::remove(root / "templates/html/page.css");
  refuses("no page.css in ", Exit::unusable);
}

BOOST_AUTO_TEST_CASE(without_pandoc_all_else_is_written_and_no_older_page_stays) {
  render(options);
  BOOST_TEST(fs::exists(root / "out/report.html"));
  fs::create_directory(root / "bin");
  std::string gnuplot = run_process({"which", "gnuplot"}, plain_environment()).stdout_text;
  gnuplot.pop_back();
  fs::create_symlink(gnuplot, root / "bin/gnuplot");
  const Path only_gnuplot((root / "bin").string());
  const Rendered rendered = render(options);
  BOOST_TEST(
      rendered.note ==
      "report.html left out, the older one removed: pandoc is not installed (sudo apt-get install pandoc)");
  BOOST_TEST(rendered.files.size() == 8u);
  BOOST_TEST(!fs::exists(root / "out/report.html"));
  BOOST_TEST(render(options).note ==
             "report.html left out: pandoc is not installed (sudo apt-get install pandoc)");
}

BOOST_AUTO_TEST_CASE(an_older_page_goes_only_when_the_new_report_is_written) {
  render(options);
  const std::string older = read("out/report.html");
  fs::create_directory(root / "bin");
  std::string gnuplot = run_process({"which", "gnuplot"}, plain_environment()).stdout_text;
  gnuplot.pop_back();
  fs::create_symlink(gnuplot, root / "bin/gnuplot");
  const Path only_gnuplot((root / "bin").string());
  fs::remove(root / "out/REPORT.md");
  fs::create_directory(root / "out/REPORT.md");  // in the way
  BOOST_CHECK_EXCEPTION(render(options), Error, saying("REPORT.md", Exit::failed));
  BOOST_TEST((read("out/report.html") == older));
}

BOOST_AUTO_TEST_CASE(a_page_that_is_none_is_an_error) {
  fs::create_directory(root / "bin");
  const Path first((root / "bin").string() + ":" + std::getenv("PATH"));
  for (const char* said : {"", "<!DOCTYPE html>\n<html>\n<body>", "words"}) {
    write("bin/pandoc", fmt::format("#!/bin/sh\nprintf '{}'\n", said));
    fs::permissions(root / "bin/pandoc", fs::perms::owner_all);
    refuses("report.html: pandoc wrote no complete page", Exit::failed);
  }
}

BOOST_AUTO_TEST_CASE(no_folder_for_temporary_files_is_needed) {
  const std::string plain = html();
  setenv("TMPDIR", "/nonexistent", 1);
  BOOST_TEST((html() == plain));
  unsetenv("TMPDIR");
}

BOOST_AUTO_TEST_CASE(the_users_own_pandoc_settings_change_nothing) {
  const std::string plain = html();
  fs::create_directories(root / "home/pandoc/templates");
  write("home/pandoc/templates/default.html5", "other");
  setenv("XDG_DATA_HOME", (root / "home").c_str(), 1);
  BOOST_TEST((html() == plain));
  unsetenv("XDG_DATA_HOME");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
