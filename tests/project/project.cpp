// What holds of the sources: arrows between floors, the one door to xtensor, BLAS and LAPACK; names that no
// figure script may define.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(project_arrows)

namespace {

const fs::path root = PERP_SOURCE_DIR;

using Floors = std::set<std::string>;
const Floors roots{"base", "random", "io", "statistics", "theory"};

Floors with(Floors floors, const Floors& more) {
  floors.insert(more.begin(), more.end());
  return floors;
}

/// Which floors each floor may include, itself among them.
const std::map<std::string, Floors> allowed{{"base", {"base"}},
                                            {"random", {"base", "random"}},
                                            {"io", {"base", "io"}},
                                            {"statistics", {"base", "statistics"}},
                                            {"theory", {"base", "theory"}},
                                            {"vectors", with(roots, {"vectors"})},
                                            {"measures", with(roots, {"measures"})},
                                            {"model", with(roots, {"vectors", "measures", "model"})},
                                            {"study", {"base", "random", "io", "statistics", "study"}}};

struct Include {
  fs::path file;
  std::string what;
};

std::vector<Include> includes_below(const fs::path& folder) {
  static const std::regex line_of(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);)
      if (std::regex_search(line, match, line_of))
        found.push_back({fs::relative(entry.path(), root), match[1]});
  }
  return found;
}

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(floors_include_only_what_lies_below) {
  std::size_t seen = 0;
  for (const Include& include : includes_below(root / "lib/perp")) {
    const std::string floor = *std::next(include.file.begin(), 2);
    BOOST_REQUIRE_MESSAGE(allowed.count(floor), "floor " << floor << " has no rule");
    if (!starts_with(include.what, "perp/")) continue;
    const std::string used = *std::next(fs::path(include.what).begin(), 1);
    BOOST_TEST(allowed.at(floor).count(used), include.file.string() << " includes " << include.what);
    ++seen;
  }
  BOOST_TEST(seen > 50U);
}

BOOST_AUTO_TEST_CASE(one_door_to_xtensor_blas_and_lapack) {
  // What the bench calls bare is its yardstick for that door.
  const std::set<std::string> xtensor_blas{"lib/perp/base/linalg.cpp", "lib/perp/base/linalg_lapack.cpp",
                                           "bench/bare_lapack.cpp"};
  const std::set<std::string> cblas{"bench/bare_blas.cpp", "bench/workloads.cpp"};
  std::set<std::string> seen;
  for (const char* folder : {"lib", "studies", "reports", "bench", "tests"})
    for (const Include& include : includes_below(root / folder)) {
      const std::string file = include.file.string();
      if (starts_with(include.what, "xtensor/"))
        BOOST_TEST((file == "lib/perp/base/array.hpp" || file == "lib/perp/base/matrix_algebra.cpp"),
                   file << " includes xtensor");
      if (starts_with(include.what, "xtensor-blas/")) {
        BOOST_TEST(xtensor_blas.count(file), file << " includes " << include.what);
        seen.insert(file);
      }
      if (include.what == "cblas.h") BOOST_TEST(cblas.count(file), file << " includes " << include.what);
      // Below xtensor-blas its own switches are missing, and products become plain loops.
      BOOST_TEST(!(starts_with(include.what, "xflens/") || starts_with(include.what, "lapack")),
                 file << " includes " << include.what);
    }
  BOOST_TEST(seen == xtensor_blas, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(heavy_headers_stay_in_sources) {
  for (const char* folder : {"lib", "studies", "reports"})
    for (const Include& include : includes_below(root / folder))
      if (include.file.extension() == ".hpp")
        for (const char* heavy :
             {"nlohmann/json.hpp", "toml++/", "CLI/", "boost/", "xtensor-blas/", "Random123/"})
          // Boost's preprocessor is macros alone: nothing to parse.
          BOOST_TEST((!starts_with(include.what, heavy) || starts_with(include.what, "boost/preprocessor/")),
                     include.file.string() << " includes " << include.what);
}

BOOST_AUTO_TEST_CASE(nobody_draws_from_an_ambient_generator) {
  for (const char* folder : {"lib", "studies", "reports"})
    for (const Include& include : includes_below(root / folder))
      BOOST_TEST(include.what != "random", include.file.string() << " includes <random>");
}

BOOST_AUTO_TEST_CASE(reports_and_studies_stay_apart) {
  for (const Include& include : includes_below(root / "reports"))
    BOOST_TEST(!starts_with(include.what, "studies/"), include.file.string() << " includes " << include.what);
  for (const Include& include : includes_below(root / "lib"))
    BOOST_TEST((!starts_with(include.what, "studies/") && !starts_with(include.what, "reports/")),
               include.file.string() << " includes " << include.what);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(project_figures)

namespace {

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

BOOST_AUTO_TEST_CASE(no_script_defines_a_name_of_gnuplots_own) {
  const std::set<std::string> taken = built_in();
  std::size_t scripts = 0, names = 0;
  for (const char* folder : {"reports/pages", "studies"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(PERP_SOURCE_DIR) / folder)) {
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
