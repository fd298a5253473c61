// What must hold of every figure script before gnuplot reads it.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

/// Gnuplot's own functions as of 6.0 (its `help expressions functions`). A script that defines one of them
/// stops there, and what only 6.0 has (split, join, index, round, cbrt, …) goes unnoticed under 5.4.
std::set<std::string> built_in() {
  std::istringstream names(
      "abs acos acosh airy arg asin asinh atan atan2 atanh besj0 besj1 besjn besy0 besy1 besyn besi0 besi1 "
      "besin cbrt ceil cdawson cerf column columnhead columnheader conj conjg cos cosh defined EllipticE "
      "EllipticK EllipticPi erf erfc erfi exist exists exp expint faddeeva floor FresnelC FresnelS gamma "
      "gprintf hsv2rgb ibeta igamma imag index int inverf invibeta invigamma invnorm join lambertw LambertW "
      "lgamma lnGamma log log10 norm palette rand real rgbcolor round sgn Sign sin sinh split sprintf sqrt "
      "strcol strftime stringcolumn strlen strptime strstrt substr SynchrotronF system tan tanh time "
      "timecolumn tm_hour tm_mday tm_min tm_mon tm_sec tm_wday tm_week tm_yday tm_year trim uigamma valid "
      "value voigt voxel VP VP_fwhm weekdate_cdc weekdate_iso word words zeta Ai Bi BesselH1 BesselH2 "
      "BesselI BesselJ BesselK BesselY Hankel I NaN pi");
  return std::set<std::string>(std::istream_iterator<std::string>(names),
                               std::istream_iterator<std::string>());
}

/// The functions, variables and arrays that a script's text defines, those of its header included.
std::set<std::string> defined_in(const std::string& script) {
  static const std::regex definition(
      R"((?:^|[{;]|\barray\s|^#:\s*(?:number|text):)\s*([A-Za-z_]\w*)\s*(?:\([A-Za-z_][\w\s,]*\)\s*|\[[^\]]*\]\s*)?=(?!=))"),
      sized(R"((?:^|[{;])\s*array\s+([A-Za-z_]\w*))");
  std::set<std::string> names;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") && !line.starts_with("#:")) continue;
    for (const std::regex* form : {&definition, &sized})
      for (std::sregex_iterator at(line.begin(), line.end(), *form), end; at != end; ++at)
        names.insert((*at)[1]);
  }
  return names;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(project_figures)

BOOST_AUTO_TEST_CASE(definitions_are_found_wherever_gnuplot_takes_them) {
  const std::set<std::string> found = defined_in(
      "#: number: best = A10.best\n#: text: split = words\n# join(x) = x\nindex(x) = x > 0 ? x : NaN\n"
      "  trim = 2\ndo for [i = 1:2] { round(a, b) = a; word = b }\narray zeta[2]\nif (a == 1) { b[2] = 1 }\n"
      "set xrange [x = 1:2]\nplot x with lines title = 3\n");
  const std::set<std::string> expected{"best", "split", "index", "trim", "round", "word", "zeta", "b"};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_script_defines_a_name_of_gnuplots_own) {
  const std::set<std::string> taken = built_in();
  std::size_t scripts = 0, names = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(PERP_SOURCE_DIR) / "reports/figures")) {
    if (entry.path().extension() != ".gp") continue;
    ++scripts;
    for (const std::string& name : defined_in(text_of(entry.path()))) {
      BOOST_TEST(!taken.contains(name), entry.path().filename().string()
                                            << " defines gnuplot's own " << name);
      ++names;
    }
  }
  BOOST_TEST(scripts > 40U);
  BOOST_TEST(names > 200U);
}

BOOST_AUTO_TEST_SUITE_END()
