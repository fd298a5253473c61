// The arrows between floors and the one door to xtensor, BLAS and LAPACK, read off the #include lines.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace {

namespace fs = std::filesystem;
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

BOOST_AUTO_TEST_SUITE(project_arrows)

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
