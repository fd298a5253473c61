// Figures: their headers, what reaches gnuplot, and what gnuplot says.

#include "reports/render/figure.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <set>

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

/// Relative luminance of an sRGB colour (WCAG 2.2).
double luminance(const std::array<int, 3>& rgb) {
  const auto linear = [](int value) {
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}
double contrast(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

std::array<int, 3> rgb_of(const std::string& colour) {
  std::array<int, 3> rgb{};
  BOOST_REQUIRE(colour.size() == 7 && colour.front() == '#');
  for (std::size_t i = 0; i < 3; ++i) rgb[i] = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16);
  return rgb;
}

/// The colours of an SVG's texts: the fill of the group that each stands in.
std::set<std::string> text_colours(const std::string& svg) {
  std::set<std::string> found;
  for (std::size_t at = 0; (at = svg.find("<text", at)) != svg.npos; ++at)
    found.insert(svg.substr(svg.rfind("fill=\"#", at) + 6, 7));
  return found;
}

BOOST_AUTO_TEST_CASE(text_of_every_colour_stands_out_from_the_ground) {
  BOOST_TEST(contrast({0, 0, 0}, {255, 255, 255}) == 21, boost::test_tools::tolerance(1e-9));
  append(script,
         "do for [i = 1:8] { set label 40 + i 'name' at graph 0.5, graph 0.1 * i tc lt i }\n"
         "set label 60 'name' at graph 0.2, graph 0.2 tc rgb quiet\nreplot\n");
  const std::string svg = drawn();
  const auto colours = text_colours(svg);
  BOOST_TEST(colours.size() >= 9U);
  for (const std::string& colour : colours) {
    BOOST_TEST(contrast(rgb_of(colour), {255, 255, 255}) >= 4.5, colour);
    const std::string begin = fmt::format("[fill='{}']{{fill:", colour);
    BOOST_REQUIRE(contains(svg, begin.c_str()));
    const std::string dark = svg.substr(svg.find(begin) + begin.size(), 7);
    BOOST_TEST(contrast(rgb_of(dark), {13, 17, 23}) >= 4.5, dark);
  }
}

/// The columns of what stands behind "using", apart at the colons that no bracket holds.
std::vector<std::string> columns_of(std::string_view text) {
  std::vector<std::string> columns{""};
  int depth = 0;
  for (const char c : text) {
    if (depth == 0 && std::isspace(static_cast<unsigned char>(c))) break;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && c == ':')
      columns.emplace_back();
    else
      columns.back() += c;
  }
  return columns;
}

/// Whether a bar ends where its value's interval does: the value's column, the same with _low, with _high. A
/// low end may be lifted onto a logarithmic axis.
bool ends_match(const std::string& value, std::string low, const std::string& high) {
  if (low.starts_with("(floor_of(")) low = low.substr(9, low.size() - 10);
  std::string mirrored = high;
  for (const auto& [from, to] : {std::pair{"high", "low"}, {"largest_draw", "smallest_draw"}, {"q95", "q05"}})
    mirrored = replaced(mirrored, from, to);
  if (mirrored != low || low == high || value == low || value == high) return false;
  if (!contains(low, "_low")) return true;
  std::string stem = replaced(replaced(low, " . '_low'", ""), "_low", "");
  if (stem.starts_with("(") && stem.ends_with(")")) stem = stem.substr(1, stem.size() - 2);
  return value.empty() || contains(value, stem);
}

BOOST_AUTO_TEST_CASE(bars_and_bands_end_where_intervals_do) {
  std::size_t bars = 0, bands = 0;
  for (const Figure& figure : read_figures(own_sources())) {
    const std::string text = replaced(read_file(figure.script), "\\\n", " ");
    for (std::size_t at = text.find(" using "); at != text.npos; at = text.find(" using ", at + 1)) {
      const std::string element =
          text.substr(at + 7, std::min(text.find(" using ", at + 1), text.find('\n', at)) - at - 7);
      const std::vector<std::string> c = columns_of(element);
      const auto check = [&](const std::string& value, std::size_t low) {
        BOOST_TEST(ends_match(value, c.at(low), c.at(low + 1)),
                   figure.name << ": " << value << " from " << c[low] << " to " << c[low + 1]);
      };
      const auto is_drawn = [&](const char* style) { return contains(element, style); };
      if (is_drawn(" with filledcurves") && c.size() == 3 && (c[1] + c[2]).find("low") != std::string::npos)
        check("", 1), ++bands;
      else if (is_drawn(" with xyerrorbars"))
        check(c[0], 2), check(c[1], 4), ++bars;
      else if ((is_drawn(" with xerrorbars") || is_drawn(" with yerrorbars")) && c.size() > 3)
        check(c[is_drawn(" with xerrorbars") ? 0 : 1], 2), ++bars;
    }
  }
  BOOST_TEST(bars >= 20U);
  BOOST_TEST(bands >= 8U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
