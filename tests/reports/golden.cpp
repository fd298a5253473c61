// The published report word by word: what templates, blocks and formats make of numbers that do not move.
// After a change that is meant, render it again: the failing test says how.

#include <algorithm>

#include "reports/render/claims.hpp"
#include "reports/render/pages.hpp"
#include "reports/render/render.hpp"
#include "reports/render/text.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

const fs::path source = PERP_SOURCE_DIR, published = source / "reports/published",
               page_sources = source / "reports/pages";

void check_text(const fs::path& file, const std::string& text) {
  const std::vector<std::string> before = split(read_file(file), '\n'), now = split(text, '\n');
  const auto [was, is] = std::ranges::mismatch(before, now);
  const bool same = was == before.end() && is == now.end();
  BOOST_TEST(same, file << " line " << was - before.begin() + 1 << ":\n  "
                        << (was == before.end() ? "" : *was) << "\nbecame\n  " << (is == now.end() ? "" : *is)
                        << "\nif that is meant: "
                        << "perp render --results FOLDER --out FOLDER, of "
                           "reports/published with --readme README.md");
}

BOOST_AUTO_TEST_SUITE(report_golden)

BOOST_AUTO_TEST_CASE(published_pages_are_what_the_templates_say) {
  const std::vector<Figure> figures = read_figures(own_sources());
  Facts facts(published);
  facts.arrange(studies_named(page_sources / "report.md"));
  const Pages pages = pages_of(facts, figures, own_sources(), {Form::github, {}, published});
  for (const Page& page : pages.list) check_text(published / page.file, page.text);
  for (const LeftOut& passage : pages.left_out)
    BOOST_ERROR(passage.place << ": left out of the published report: " << passage.guard);
  check_text(published / "conditions.csv", conditions_csv(facts));
  Expander plain(facts, figures, own_sources());
  for (const Figure& figure : figures)
    if (is_drawable(figure, facts))
      BOOST_TEST(!plain.text(figure.title.text, figure.name, 1, Target::plain).empty(),
                 figure.name << " has no title");
  check_text(published / "ledger.csv",
             ledger_csv(facts, [&](const Claim& claim) { return plain.said(claim, Target::plain); }));
  const Layout layout{Form::github, chapters_named(page_sources / "report.md"), ""};
  Expander block(facts, figures, own_sources(), Links(facts, layout, "", "reports/published/"));
  const std::string readme = read_file(source / "README.md");
  check_text(source / "README.md", with_block(readme, block.file(page_sources / "readme.md"), "README.md"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
