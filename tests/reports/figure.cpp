// Figures: their headers, what reaches gnuplot, and what gnuplot says.

#include "reports/render/figure.hpp"

#include "reports/render/expand.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

const std::string script = "studies/orthogonality/o1-spread.gp";

struct Drawing : Workplace {
  template <class Use>
  std::string with_figure(const Use& use) {
    const Facts facts(options.results);
    const std::vector<Figure> figures = read_figures(options.sources);
    Expander expander(facts, figures, options.sources);
    return use(figures.front(), facts, expander);
  }
  std::string drawn() {
    return with_figure([](const Figure& figure, const Facts& facts, Expander& expander) {
      return draw(figure, facts, expander);
    });
  }
  std::string program() {
    return with_figure([](const Figure& figure, const Facts& facts, Expander& expander) {
      return gnuplot_program(figure, facts, expander);
    });
  }
  /// The figure on a page.
  std::string page() {
    return with_figure([](const Figure&, const Facts&, Expander& expander) {
      return expander.text("{{figure orthogonality-o1-spread}}", "t.md", 1, Target::markdown);
    });
  }
};

BOOST_FIXTURE_TEST_SUITE(figures, Drawing)

BOOST_AUTO_TEST_CASE(the_program_that_gnuplot_reads) {
  const std::string text = program();
  BOOST_TEST(
      text.starts_with("set terminal svg dynamic enhanced size 760,430 font 'DejaVu Sans,13' name "
                       "'orthogonality_o1_spread' background '#ffffff'\nfigure_width = 760\n"));
  for (const char* part :
       {"figure_title = 'The spread is 1.009'\n", "share = 0.97641\nload '", "note = 'verdict: true'\n",
        "display_name(name) = name eq 'anarcii_1_decoder' ? ", "name eq 'tf32' ? 'TF32' : name\n"})
    BOOST_TEST(contains(text, part), part);
  BOOST_TEST(!contains(text, "\""));
}

BOOST_AUTO_TEST_CASE(on_a_phone_the_title_runs_over_lines) {
  exchange("studies/orthogonality/o1-spread.gp", "#: title: The",
           "#: phone: 300x420\n#: title: Für breite Köpfe it\'s the");
  const std::string text = with_figure([](const Figure& figure, const Facts& facts, Expander& expander) {
    BOOST_TEST(figure.has_phone());
    return gnuplot_program(on_phone(figure), facts, expander);
  });
  for (const char* part : {"size 300,420", "phone = 1\ntitle_lines = 2\n",
                           "figure_title = 'Für breite Köpfe it''s the spread' . \"\\n\" . 'is 1.009'\n"})
    BOOST_TEST(contains(text, part), part);
  BOOST_TEST(contains(program(), "phone = 0\ntitle_lines = 1\n"));
}

BOOST_AUTO_TEST_CASE(a_figure_of_a_finding_that_was_not_measured_is_left_out) {
  const Facts facts(options.results);
  Figure figure = read_figures(options.sources).front();
  BOOST_TEST(is_drawable(figure, facts));
  figure.finding = "O1.absent";
  figure.needs = {"orthogonality/absent.csv"};
  BOOST_TEST(!is_drawable(figure, facts));
  figure.finding.clear();
  BOOST_CHECK_EXCEPTION(is_drawable(figure, facts), Error, saying("absent.csv, which is not there"));
}

BOOST_AUTO_TEST_CASE(tables_that_may_be_there_are_drawn_and_named_where_they_are) {
  exchange(script, "#: needs:", "#: also: long/toy/a_b.csv toy/a_c.csv\n#: needs:");
  BOOST_TEST(contains(program(), "data_long_a_b = ''\ndata_a_c = ''\n"));
  BOOST_TEST(!contains(page(), "a_b.csv"));
  fs::create_directories(options.results / "long/toy");
  write(options.results / "long/toy/a_b.csv", "a\n1\n");
  BOOST_TEST(contains(program(), "results/long/toy/a_b.csv'\ndata_a_c = ''\n"));
  BOOST_TEST(contains(page(), "[a_b.csv (long)](long/toy/a_b.csv)"));
}

BOOST_AUTO_TEST_CASE(verdicts_are_drawn_where_a_claim_has_one) {
  const Figure verdicts = figure_from("#: needs: ledger.csv\n#: title: t\n#: caption: c\n#: alt: a\n",
                                      "report-verdicts", "report-verdicts.gp");
  BOOST_TEST(is_drawable(verdicts, Facts(options.results)));
  for (const char* claim : {"O1", "O5"})  // pictures from now on
    exchange("results/orthogonality/results.json", fmt::format("\"of\": \"{}\"", claim), "\"of\": \"\"");
  BOOST_TEST(!is_drawable(verdicts, Facts(options.results)));
}

BOOST_AUTO_TEST_CASE(a_picture_with_words_in_both_themes) {
  const std::string svg = drawn();
  for (const char* part : {"<title>The spread is 1.009</title>",
                           "<desc>At 512 dimensions the spread &quot;times √d&quot; is 1.009.</desc>",
                           "font-family=\"DejaVu Sans, Verdana, sans-serif\"",
                           "<style>@media(prefers-color-scheme:dark){[fill='#ffffff']{fill:#0d1117}",
                           "[color='#0072b2']{color:#56b4e9}", "color='#0072b2'"})
    BOOST_TEST(contains(svg, part), part);
  // Neither gnuplot's own words nor rules for what the picture lacks.
  for (const char* never : {"font-family=\"DejaVu Sans\"", "GNUPLOT", "rgb(", "'#cc79a7'", "'#FFFFFF'"})
    BOOST_TEST(!contains(svg, never), never);
  BOOST_TEST((svg == drawn()));
  exchange("pages/style.gp", "#: dark: #ffffff #0d1117", "#: dark: #ffffff");
  BOOST_CHECK_EXCEPTION(drawn(), Error, saying("style.gp: expected '#: dark: LIGHT DARK'"));
}

BOOST_AUTO_TEST_CASE(nothing_in_the_data_runs) {
  const fs::path trap = root / "trap";
  const std::string evil = "`touch " + trap.string() + "` \"`touch " + trap.string() +
                           "`\" '; system('touch " + trap.string() + "') # {/Bold b} @terminal $(touch x)";
  exchange("results/orthogonality/results.json", "\"8..1024*2\"", "\"" + replaced(evil, "\"", "\\\"") + "\"");
  exchange(script, "verdict: {{O1.verdict}}", "{{parameter.orthogonality.dim}}");
  exchange(script, "#: title: The spread is", "#: title: {{parameter.orthogonality.dim}}");
  append("results/orthogonality/o1_spread.csv", "\"" + replaced(evil, "\"", "\"\"") + "\",2048,1,1,1,1,1\n");
  append(script,
         "plot data_o1_spread using (column('d')):(column('spread_sqrt_d')):(strcol('family')) with labels "
         "noenhanced\n");
  const std::string svg = drawn();
  BOOST_TEST(!fs::exists(trap));
  BOOST_TEST(contains(svg, "touch " + trap.string()));  // it is shown as the text it is
}

BOOST_AUTO_TEST_CASE(a_folder_with_a_quote_in_its_name) {
  fs::rename(options.results, root / "it's `here`");
  options.results = root / "it's `here`";
  BOOST_TEST(contains(program(), "it''s `here`/orthogonality/o1_spread.csv'"));
  BOOST_TEST(drawn().ends_with("</svg>\n\n"));
}

BOOST_AUTO_TEST_CASE(what_gnuplot_complains_of_is_an_error) {
  const std::string original = read(script);
  for (const auto& [line, message] :
       {std::pair{"plot nonsense(\n", "o1-spread.gp: gnuplot says: "},
        {"print 'careful'\n", "gnuplot says: careful"},  // which gnuplot survives
        {"print 'warning: Skipping data file with no valid points, and more'\n", "points, and more"}}) {
    append(script, line);
    BOOST_CHECK_EXCEPTION(drawn(), Error, saying(message, Exit::failed));
    write(script, original);
  }
  append(script, "print 'it.gp\" line 3: warning: Skipping data file with no valid points'\n");
  append(script, "print 'Fontconfig warning: no cache'\n");
  BOOST_TEST(drawn().ends_with("</svg>\n\n"));
  exchange(script, "'gaussian'", "'nobody'");  // a family that the table does not have
  BOOST_CHECK_EXCEPTION(drawn(), Error, saying("gnuplot says: ", Exit::failed));
}

BOOST_AUTO_TEST_CASE(headers_that_are_incomplete_or_wrong) {
  const std::string good = "#: claim: O1\n#: title: t\n#: caption: c\n#: alt: a\n";
  BOOST_TEST(figure_from(good + "#: size: 760x520\n", "a-b", "a-b.gp").height == 520);
  BOOST_TEST(figure_from(good + "#: needs: s/a.csv s/b.csv\n", "a-b", "a-b.gp").needs.size() == 2u);
  for (const auto& [header, message] : std::initializer_list<std::pair<std::string, const char*>>{
           {"plot x\n", " its header has no claim"},
           {"#: claim: O1\n#: title: t\n#: caption: c\n", " its header has no alt"},
           {"\n#: titel: t\n", "2: 'titel' is none of claim, finding, needs, also, title"},
           {"#: title\n", "1: expected '#: key: text'"},
           {"#:   more\n", "1: continues a header line that is not there"},
           {"#: title: a\n#: title: b\n", "2: 'title' is given twice"},
           {"#: title:\n", "1: 'title' is empty"},
           {"#: size: big\n", "1: size 'big' is not written 760x430"},
           {"#: number: x\n", "1: expected 'name = …'"},
           {good + "#: needs: a/x.csv b/x.csv\n", " two tables would be called data_x"},
           {good + "#: needs: a/x.csv\n#: also: b/x.csv\n", " two tables would be called data_x"}})
    BOOST_CHECK_EXCEPTION(figure_from(header, "orthogonality-x", "orthogonality-x.gp"), Error,
                          saying(std::string("orthogonality-x.gp:") + message));
  BOOST_CHECK_EXCEPTION(figure_from(good, "figure", "figure.gp"), Error,
                        saying("a figure is called <study>-<name>.gp"));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_header_names_the_script_and_line) {
  exchange(script, "{{O1.spread.gaussian.d512.n}}", "{{O1.spread.nobody}}");
  BOOST_CHECK_EXCEPTION(page(), Error, saying("o1-spread.gp:4: unknown 'O1.spread.nobody'"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
