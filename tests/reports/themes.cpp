// One SVG from two themes: what a reader of either sees, and that nothing but colours may differ.

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "reports/figure.hpp"
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
  BOOST_TEST(svg ==
             "<?xml version=\"1.0\"?><svg viewBox='0 0 9 9' font-family='DejaVu Sans, Verdana, sans-serif'>"
             "<style>.g{fill:none;color:black;stroke:currentColor}.dark{display:none}.t0{color:#009e73}.t1{"
             "fill:#009e73}.t2{fill-opacity:0.22}"
             "@media(prefers-color-scheme:dark){.dark{display:inline}.light{display:none}.t0{color:#2fc79a}"
             ".t1{fill:#2fc79a}.t2{fill-opacity:0.32}}</style><defs><circle id='gpPt5' r='1'/>"
             "<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor'/></defs>"
             "<path stroke='#59636e' d='M309.6,359.8 L309.1,4'/>"
             "<use xlink:href='#gpPt6' transform='translate(1.3,-2) scale(3.17)' class='t0'/>"
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
  BOOST_TEST(svg.find("<g stroke-width='1' class='g'><path d='M1,1' class='t0'/></g>") != svg.npos, svg);
}

BOOST_AUTO_TEST_CASE(pictures_of_pixels_are_there_twice) {
  const std::string svg =
      both_themes(drawing("<image xlink:href='data:,a'/>"), drawing("<image xlink:href='data:,b'/>"), "x");
  BOOST_TEST(
      svg.find("<image xlink:href='data:,b' class='dark'/><image xlink:href='data:,a' class='light'/>") !=
      svg.npos);
}

BOOST_AUTO_TEST_CASE(other_differences_are_errors) {
  const std::string path = drawing("<path d='M1,1'/>");
  for (const char* other : {"<path d='M1,2'/>", "<text>a</text>", "<path/>", "<path d='M1,1'/><g/>"})
    BOOST_CHECK_EXCEPTION(both_themes(path, drawing(other), "figures/x"), Error,
                          saying("figures/x: its two themes differ in more than colours", Exit::failed));
}

BOOST_AUTO_TEST_CASE(a_drawing_that_was_cut_is_an_error) {
  for (const char* cut : {"<path d='M1", "<path d='M1>", "<path d='M1,1'"})
    BOOST_CHECK_EXCEPTION(both_themes(cut, cut, "figures/x"), Error,
                          saying("figures/x: a drawing without the", Exit::failed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
