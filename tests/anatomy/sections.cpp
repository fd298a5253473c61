// Every section as it stands where its claim alone was measured.

#include "perp/io/file.hpp"
#include "reports/expand.hpp"
#include "reports/figure.hpp"
#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_sections)

BOOST_AUTO_TEST_CASE(each_section_alone) {
  const std::filesystem::path reports = std::filesystem::path(PERP_SOURCE_DIR) / "reports";
  for (const std::string claim : {"V1", "V2", "V3", "V4", "V5", "V6"}) {
    const Results& results = results_of(claim);
    const Scratch folder;
    make_folders(folder.path() / "anatomy");
    for (const Table& table : results.tables)
      write_whole(folder.path() / "anatomy" / table.file, to_csv(table));
    const report::Facts facts(folder.path(), {results});
    const std::vector<report::Figure> figures = report::read_figures(reports / "figures");
    report::Expander expander(facts, figures, reports / "templates");
    const std::string text = expander.text("{{study anatomy}}", "t.md", 1, report::Target::markdown);
    BOOST_TEST(contains(text, "## " + claim), claim);
    BOOST_TEST(!contains(text, claim == "V1" ? "## V2" : "## V1"), claim);
  }
}

BOOST_AUTO_TEST_SUITE_END()
