// The report of the golden results (tests/golden, tests/support/golden.hpp) word by word: what templates,
// blocks and formats make of numbers that do not move. After a change that is meant, once the studies' own are
// written: PERP_WRITE_GOLDEN=1 build/test_reports --run_test=report_golden

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "perp/io/file.hpp"
#include "reports/pages.hpp"
#include "reports/unread.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

const fs::path source = PERP_SOURCE_DIR, golden = source / "tests/golden",
               templates = source / "reports/templates";
const std::vector<std::string> in_order{"orthogonality", "distance", "capacity", "order",
                                        "learning",      "anatomy",  "inspect"};

Facts golden_facts() {
  std::vector<Results> studies;
  for (const std::string& study : in_order) {
    const fs::path file = golden / study / "results.json";
    studies.push_back(results_from_json(read_file(file), file.string()));
  }
  return Facts(golden, std::move(studies));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void check_page(const std::string& page, const std::string& text) {
  if (std::getenv("PERP_WRITE_GOLDEN")) {
    fs::create_directories((golden / page).parent_path());
    write_whole(golden / page, text);
  }
  const std::vector<std::string> before = lines_of(read_file(golden / page)), now = lines_of(text);
  const auto [was, is] = std::ranges::mismatch(before, now);
  const bool same = was == before.end() && is == now.end();
  BOOST_TEST(same, page << " line " << was - before.begin() + 1 << ":\n  "
                        << (was == before.end() ? "" : *was) << "\nbecame\n  "
                        << (is == now.end() ? "" : *is));
}

BOOST_AUTO_TEST_SUITE(report_golden)

BOOST_AUTO_TEST_CASE(report_and_readme_say_what_they_said) {
  const Facts facts = golden_facts();
  const std::vector<Figure> figures = read_figures(source / "reports/figures");
  for (const Page& page : pages_of(facts, figures, templates, {}).list)
    if (page.file != "FINDINGS.md" && page.file != "ARTIFACT.md") check_page(page.file, page.text);
  const Layout layout{Form::github, chapters_named(templates / "report.md"), ""};
  Expander expander(facts, figures, templates, Links(facts, layout, "", "reports/published/"));
  check_page("readme.md", expander.file(templates / "readme.md"));
}

/// What the studies write is named by a template, a figure, a rule or a sentence; of the sentences some put
/// their ids together (the first list), and some columns wait for what will read them: bits by reader, text.
BOOST_AUTO_TEST_CASE(nothing_is_unread) {
  const std::vector<std::string> said{"V6.share.",    "A3.model_measured.", "D1.defect.",
                                      "A8.excess.",   "A9.mixed.",          "A9.position_position.",
                                      "A9.r2",        "A10.learned_",       "A2.first_quarter.",
                                      "O3.r99_share."};
  const std::vector<std::string> waiting{"capacity/a7_", "learning/a10_",
                                         "capacity/a2_dimensions.csv: centred_line",
                                         "inspect/m5_kernel.csv: gaussian"};
  for (const std::string& name : unread(golden_facts(), read_figures(source / "reports/figures"), templates))
    BOOST_TEST((std::ranges::any_of(said, [&](const auto& begin) { return name.starts_with(begin); }) ||
                std::ranges::any_of(waiting, [&](const auto& begin) { return name.starts_with(begin); })),
               name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
