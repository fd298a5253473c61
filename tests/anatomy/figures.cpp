// Every figure and every section, from what the quick and the full preset write, in both themes.

#include <algorithm>

#include "perp/io/file.hpp"
#include "reports/expand.hpp"
#include "reports/figure.hpp"
#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

namespace fs = std::filesystem;
const fs::path reports = fs::path(PERP_SOURCE_DIR) / "reports";

/// Results of a run in memory, its tables where figures look for them.
struct Written {
  Scratch folder;
  report::Facts facts;
  std::vector<report::Figure> figures;

  explicit Written(const Results& results) : facts(write(folder.path(), results), {results}) {
    for (report::Figure& figure : report::read_figures(reports / "figures"))
      if (figure.name.starts_with("anatomy-")) figures.push_back(std::move(figure));
  }
  static fs::path write(const fs::path& folder, const Results& results) {
    make_folders(folder / "anatomy");
    for (const Table& table : results.tables) write_whole(folder / "anatomy" / table.file, to_csv(table));
    return folder;
  }
};

void draws_all(Preset preset) {
  const Written run(results_of("", preset));
  BOOST_TEST_REQUIRE(run.figures.size() == 8U);
  report::Expander expander(run.facts, run.figures, reports / "templates");
  for (const report::Figure& figure : run.figures) {
    BOOST_TEST(report::is_drawable(figure, run.facts), figure.name);
    const std::string light = report::draw(figure, report::Theme::light, run.facts, expander),
                      dark = report::draw(figure, report::Theme::dark, run.facts, expander);
    BOOST_TEST((light != dark), figure.name);
    const std::string alt =
        expander.text(figure.alt.text, figure.script.string(), figure.alt.line, report::Target::plain);
    BOOST_TEST(std::ranges::any_of(alt, [](char c) { return c >= '0' && c <= '9'; }), figure.name);
    // The matrices travel as pixels, the rest as lines; nothing is empty.
    BOOST_TEST(light.size() > 20'000, figure.name);
    BOOST_TEST(light.size() < 400'000, figure.name);
  }
}

std::string chapter(const Results& results) {
  const Written run(results);
  report::Expander expander(run.facts, run.figures, reports / "templates");
  return expander.text("{{study anatomy}}", "t.md", 1, report::Target::markdown);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(anatomy_figures)

BOOST_AUTO_TEST_CASE(quick) { draws_all(Preset::quick); }
BOOST_AUTO_TEST_CASE(full) { draws_all(Preset::full); }

BOOST_AUTO_TEST_CASE(sections) {
  for (const Preset preset : {Preset::quick, Preset::full}) {
    const std::string text = chapter(results_of("", preset));
    for (const char* heading : {"## V1", "## V2", "## V3", "## V4", "## V5", "## V6"})
      BOOST_TEST(contains(text, heading), heading);
    for (const char* figure : {"heatmap.svg", "heatmap16.svg", "clock.svg", "circle.svg", "wavelengths.svg",
                               "similarity.svg", "distortion.svg"})
      BOOST_TEST(contains(text, figure), figure);
  }
}

BOOST_AUTO_TEST_CASE(each_section_alone) {
  for (const std::string claim : {"V1", "V2", "V3", "V4", "V5", "V6"}) {
    const std::string text = chapter(results_of(claim));
    BOOST_TEST(contains(text, "## " + claim), claim);
    BOOST_TEST(!contains(text, claim == "V1" ? "## V2" : "## V1"), claim);
  }
}

BOOST_AUTO_TEST_SUITE_END()
