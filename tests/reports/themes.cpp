// One SVG from two themes: what a reader of either sees, and that nothing but colours may differ.

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "reports/figure.hpp"
#include "reports/svg.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

std::string drawing(const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 9 9\"\n>\n<defs>\n\t<circle id='gpPt5' r='1'/>\n"
         "\t<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor'/>\n\t<path id='gpPt7' d='M0,0'/>\n"
         "\t<filter id='textbox'>\n\t<feFlood flood-color='#FFFFFF'/>\n\t</filter>\n</defs>\n" +
         body + "\n</svg>\n\n";
}

BOOST_AUTO_TEST_SUITE(themes)

BOOST_AUTO_TEST_CASE(what_differs_becomes_a_class) {
  const auto body = [](const char* colour, const char* opacity) {
    return drawing(
        fmt::format("<path stroke='rgb( 89,  99, 110)'  d='M309.61,359.80 L309.06,4 '/>"
                    "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" "
                    "stroke-width=\"1.00\">\n</g><use xlink:href='#gpPt6' transform='translate(1.26,-2.04) "
                    "scale(3.17)' color='{}'/><path fill='{}' fill-opacity='{}'/><text> a &lt; b</text>",
                    colour, colour, opacity));
  };
  const std::string svg =
      both_themes(body("rgb(  0, 158, 115)", "0.22"), body("rgb( 47, 199, 154)", "0.32"), "x");
  BOOST_TEST(
      svg ==
      "<svg viewBox='0 0 9 9' font-family='DejaVu Sans, Verdana, sans-serif' "
      "font-size='13'><style>text{stroke:none}.g{fill:none;color:black;stroke:currentColor}"
      ".t0{color:#009e73}.t1{fill:#009e73}.t2{fill-opacity:0.22}"
      "@media(prefers-color-scheme:dark){.t0{color:#2fc79a}"
      ".t1{fill:#2fc79a}.t2{fill-opacity:0.32}}</style><defs><circle id='gpPt5' r='1'/>"
      "<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor'/>"
      "<use id='m1' xlink:href='#gpPt6' transform='scale(3.17)'/></defs>"
      "<path stroke='#59636e' d='M309.6 359.8l-.5-355.8'/><use xlink:href='#m1' x='1.3' y='-2' class='t0'/>"
      "<path class='t1 t2'/><text> a &lt; b</text></svg>\n");
}

BOOST_AUTO_TEST_CASE(a_class_of_gnuplots_goes_and_its_usual_group_is_one) {
  const auto body = [](const char* colour) {
    return drawing(
        fmt::format("<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\">"
                    "<path stroke='{}' d='M1,1' class=\"gridline\"/></g>",
                    colour));
  };
  const std::string svg = both_themes(body("black"), body("white"), "x");
  BOOST_TEST(contains(svg, "<g stroke-width='1' class='g'><path d='M1 1' class='t0'/></g>"), svg);
  const std::string bare = "<svg viewBox='0 0 9 9'>\n<defs>\n</defs></svg>";
  BOOST_TEST(!contains(both_themes(bare, bare, "x"), "defs"));
}

BOOST_AUTO_TEST_CASE(paths_go_from_point_to_point) {
  BOOST_TEST(short_path("M10.04,2 L12,2.01\n\tL12,0.5 L11.5,0.5 M3,3 L3,3 L2.5,4 Z") ==
             "M10 2h2v-1.5h-.5M3 3l0 0-.5 1z");
  // Steps between points that were rounded first do not add up to an error.
  std::string path = "M0,0";
  for (int i = 1; i <= 1000; ++i) path += fmt::format(" L{:.2f},{:.2f}", 0.25 * i, 0.13 * i);
  double x = 0, y = 0;
  const std::string steps = short_path(path);
  for (const char* at = steps.c_str() + steps.find('l') + 1; *at;) {
    char* end = nullptr;
    x += std::strtod(at, &end), at = end;
    y += std::strtod(at, &end), at = end;
  }
  BOOST_TEST(std::abs(x - 250) < 1e-6);
  BOOST_TEST(std::abs(y - 130) < 1e-6);
  for (const char* other : {"M1,2 C1,2 3,4 5,6", "M1 2", "1,2"}) BOOST_TEST(short_path(other) == other);
}

BOOST_AUTO_TEST_CASE(texts_stand_alone_and_groups_alike_are_one) {
  const auto group = [](const char* inside) {
    return fmt::format(
        "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\">{}</g>", inside);
  };
  const std::string text =
      "<g transform=\"translate(1.26,2)\" stroke=\"none\" font-size=\"13.00\" text-anchor=\"start\">"
      "<text><tspan>a</tspan></text></g>";
  const std::string both = drawing(group("<path d='M1,1'/>") + group("") + group(text.c_str()) +
                                   "<g transform='scale(2)'><text>b<tspan>c</tspan></text></g>");
  const std::string svg = both_themes(both, both, "x");
  BOOST_TEST(
      contains(svg,
               "<g stroke-width='1' class='g'><path d='M1 1'/><text transform='translate(1.3,2)'>a</text></g>"
               "<text transform='scale(2)'>b<tspan>c</tspan></text></svg>"),
      svg);
}

BOOST_AUTO_TEST_CASE(pictures_of_pixels_are_there_twice) {
  const std::string svg =
      both_themes(drawing("<image xlink:href='data:,a'/>"), drawing("<image xlink:href='data:,b'/>"), "x");
  BOOST_TEST(
      contains(svg, "<image xlink:href='data:,b' class='dark'/><image xlink:href='data:,a' class='light'/>"));
  BOOST_TEST(contains(svg, ".dark{display:none}"), svg);
  BOOST_TEST(contains(svg, ".dark{display:inline}.light{display:none}"), svg);
}

BOOST_AUTO_TEST_CASE(other_differences_are_errors) {
  const std::string path = drawing("<path d='M1,1'/>");
  const auto differ = [](const std::string& light, const std::string& dark, const char* at) {
    const std::string says =
        fmt::format("figures/x: its two themes differ in more than colours, first at {}", at);
    for (const auto& [one, other] : {std::pair{light, dark}, {dark, light}})
      BOOST_CHECK_EXCEPTION(both_themes(one, other, "figures/x"), Error, saying(says, Exit::failed));
  };
  for (const char* other : {"<path d='M1,2'/>", "<text>a</text>", "<path/>", "<path d='M1,1'/><g/>"})
    differ(path, drawing(other), "");
  // One that ends before the other, and one of nothing.
  const std::string whole = "<svg><path d='M1,1'/></svg>";
  differ(whole, "<svg><path d='M1,1'/>", "'</svg>'");
  differ(whole, "<svg>", "'<path d='M1 1'/>'");
  differ(whole, "", "'<svg>'");
}

BOOST_AUTO_TEST_CASE(a_polygon_is_a_path_whose_other_attributes_stay) {
  const std::string svg = drawing("<polygon points='1,1 2,1 2,2' fill='red' stroke='blue'/>");
  BOOST_TEST(contains(both_themes(svg, svg, "x"), "<path d='M1 1h1v1z' fill='red' stroke='blue'/>"));
  // What differs becomes a class wherever it stands.
  const std::string other = drawing("<polygon points='1,1 2,1 2,2' fill='red' stroke='green'/>");
  BOOST_TEST(contains(both_themes(svg, other, "x"), "<path d='M1 1h1v1z' fill='red' class='t0'/>"));
}

BOOST_AUTO_TEST_CASE(a_drawing_that_was_cut_is_an_error) {
  for (const char* cut : {"<path d='M1", "<path d='M1>", "<path d='M1,1'"})
    BOOST_CHECK_EXCEPTION(both_themes(cut, cut, "figures/x"), Error,
                          saying("figures/x: a drawing without the", Exit::failed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
