// Pages for a browser: one file with everything inside, pages beside their pictures, and what happens without
// pandoc.

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
    options.single = true;
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
  BOOST_TEST(page.find("<h3 id=\"o1\">O1 · random") != page.npos);
  // Contents: pandoc 3 gives the link a name of its own, and breaks the line before it.
  const std::size_t entry = page.find("<li><a href=\"#o1\"");
  BOOST_TEST_REQUIRE(entry != page.npos);
  BOOST_TEST(on_one_line(page.substr(entry, page.find("</li>", entry) - entry)).find(">O1 · random") !=
             page.npos);
  BOOST_TEST(on_one_line(page).find("<a href=\"#o1\">random vectors") != page.npos);  // table of claims
  BOOST_TEST(times(page, "src=\"data:image/svg+xml,") == 1u);
  BOOST_TEST(times(page, "src=\"") == 1u);
  BOOST_TEST(page.find("<meta name=\"description\" content=\"") != page.npos);
  BOOST_TEST(page.find("globalThis.perpendicular = {") != page.npos);
  BOOST_TEST(page.find("alt=\"At 512 dimensions the spread &quot;times √d&quot; is 1.009.\"") != page.npos);
  BOOST_TEST(times(page, "<div class=\"frame\">\n<table") == times(page, "<caption><strong>Table "));
  BOOST_TEST(times(page, "<div class=\"frame\">\n<table") > 2u);
  BOOST_TEST(on_one_line(page).find("<td data-label=\"verdict\">") != page.npos);
  BOOST_TEST(page.find("<msqrt><mfrac><mi>a</mi><mi>b</mi></mfrac></msqrt>") != page.npos);
  BOOST_TEST(page.find("prefers-color-scheme: dark") != page.npos);
  // What does not travel with the file is not linked.
  BOOST_TEST(page.find(".csv\"") == page.npos);
  BOOST_TEST(page.find("MACHINE.md\"") == page.npos);
  BOOST_TEST(read("out/REPORT.md").find("The law is $`\\sqrt{\\frac{a}{b}}`$.") != std::string::npos);
}

/// The addresses in a page that are neither places on it nor on the web.
std::vector<std::string> addresses(const std::string& page) {
  std::vector<std::string> found;
  for (const std::string from : {"href=\"", "src=\"", "](", "srcset=\""})
    for (std::size_t at = page.find(from); at != page.npos; at = page.find(from, at + 1)) {
      const std::string address =
          page.substr(at + from.size(), page.find_first_of("\")", at + from.size()) - at - from.size());
      if (address.find(':') == address.npos && !address.starts_with("#"))
        found.push_back(address.substr(0, address.find('#')));
    }
  return found;
}

BOOST_AUTO_TEST_CASE(what_pages_link_is_there) {
  exchange("templates/report.md", "{{study orthogonality}}", "{{chapter orthogonality}}\n\n[O5](#o5)");
  exchange("templates/orthogonality.md", "## Ortho", "# Ortho");
  write("templates/rules.md", "# Rules: all\n\n[Data](conditions.csv), [report](REPORT.md)\n\n{{rules}}\n");
  write("templates/artifact.md", "# Artifact\n\n{{artifact}}\n");
  options.out = options.results;
  render(options);
  std::size_t links = 0;
  for (const char* file :
       {"REPORT.md", "chapters/orthogonality.md", "chapters/rules.md", "FINDINGS.md", "ARTIFACT.md",
        "site/index.html", "site/orthogonality.html", "site/rules.html", "site/findings.html"}) {
    const fs::path page = options.out / file;
    for (const std::string& address : addresses(read_file(page))) {
      BOOST_TEST(fs::exists(page.parent_path() / address), file << " links " << address);
      ++links;
    }
  }
  BOOST_TEST(links > 40U);
  const std::string chapter = read("results/chapters/orthogonality.md"),
                    index = read("results/site/index.html");
  BOOST_TEST(chapter.starts_with(
      "[Report](../REPORT.md) · Orthogonality · [Rules](rules.md) · [All findings](../FINDINGS.md)\n\n# "));
  BOOST_TEST(read("results/REPORT.md").find("[O5](chapters/orthogonality.md#o5)") != std::string::npos);
  BOOST_TEST(index.find("href=\"orthogonality.html#o5\"") != std::string::npos);
  BOOST_TEST(
      read("results/ARTIFACT.md")
              .find("| [O1](chapters/orthogonality.md#o1) | `make reports STUDIES=orthogonality ONLY=O1 "
                    "PRESET=quick SEED=1` | 0.0 | ") != std::string::npos,
      read("results/ARTIFACT.md"));
  BOOST_TEST(read("results/site/orthogonality.html").find("loading=\"lazy\"") != std::string::npos);
  BOOST_TEST(times(read("results/site/orthogonality.html"), "data:image/svg") == 0u);
}

BOOST_AUTO_TEST_CASE(scripts_are_linked_where_the_report_lies_beside_them) {
  append("templates/report.md", "\n{{#beside scripts}}[here](../published/X.gp){{/beside}}\n");
  render(options);
  BOOST_TEST(read("out/REPORT.md").find("[here](../published/X.gp)") != std::string::npos);
  BOOST_TEST(read("out/REPORT.md").find("[script](../figures/orthogonality-o1-spread.gp)") !=
             std::string::npos);
  options.out = root / "elsewhere/out";
  render(options);
  BOOST_TEST(read("elsewhere/out/REPORT.md").find(".gp") == std::string::npos);
  options.at = root / "out";
  render(options);
  BOOST_TEST((read("elsewhere/out/REPORT.md") == read("out/REPORT.md")));
}

BOOST_AUTO_TEST_CASE(broken_maths_is_an_error) {
  append("templates/report.md", "\n$`\\frac{a}`$\n");
  refuses("site/index.html: pandoc says: [WARNING] Could not convert TeX math", Exit::failed);
}

BOOST_AUTO_TEST_CASE(a_picture_that_was_not_drawn_is_an_error) {
  append("templates/report.md", "\n<img src=\"figures/other.svg\">\n");
  refuses("site/index.html shows 'figures/other.svg', which was not drawn", Exit::failed);
}

BOOST_AUTO_TEST_CASE(pages_and_figures_of_an_earlier_run_do_not_stay) {
  write("templates/rules.md", "# Rules\n\n{{rules}}\n");
  html();
  fs::remove(root / "templates/rules.md");
  write("out/figures/x.gp", "");  // as older versions left
  options.single = false;
  render(options);
  for (const char* file :
       {"out/chapters/rules.md", "out/site/rules.html", "out/report.html", "out/figures/x.gp"})
    BOOST_TEST(!fs::exists(root / file), file);
  BOOST_TEST(fs::exists(root / "out/site/index.html"));
}

BOOST_AUTO_TEST_CASE(a_lost_frame_is_an_error) {
  fs::remove(root / "templates/html/page.css");
  refuses("no page.css in ", Exit::unusable);
}

BOOST_AUTO_TEST_CASE(without_pandoc_all_else_is_written_and_no_older_page_stays) {
  html();
  BOOST_TEST(fs::exists(root / "out/report.html"));
  fs::create_directory(root / "bin");
  std::string gnuplot = run_process({"which", "gnuplot"}, plain_environment()).stdout_text;
  gnuplot.pop_back();
  fs::create_symlink(gnuplot, root / "bin/gnuplot");
  const Path only_gnuplot((root / "bin").string());
  const Rendered rendered = render(options);
  BOOST_TEST(rendered.note ==
             "site/ left out, the older one removed: pandoc is not installed (sudo apt-get install pandoc)");
  BOOST_TEST(rendered.files.size() == 6u);
  BOOST_TEST(!fs::exists(root / "out/report.html"));
  BOOST_TEST(!fs::exists(root / "out/site/index.html"));
  BOOST_TEST(render(options).note == "site/ left out: pandoc is not installed (sudo apt-get install pandoc)");
}

BOOST_AUTO_TEST_CASE(an_older_page_goes_only_when_the_new_report_is_written) {
  const std::string older = html();
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
    refuses("site/index.html: pandoc wrote no complete page", Exit::failed);
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
