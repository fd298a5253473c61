// packages.txt against what uses a package: each line stands under the verb that needs it, and under no wider
// one.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path root = PERP_SOURCE_DIR;

/// What a source says that needs the package.
const std::map<std::string, std::string> signs{
    {"g++", "LANGUAGES CXX"},
    {"cmake", "cmake_minimum_required"},
    {"ninja-build", "-G Ninja"},
    {"libxtensor-dev", "<xtensor/"},
    {"libxtensor-blas-dev", "<xtensor-blas/"},
    {"libopenblas-dev", "PRIVATE blas lapack"},
    {"libboost-dev", "<boost/math/"},
    {"libboost-test-dev", "unit_test_framework"},  // looked for whenever CMake runs
    {"librandom123-dev", "<Random123/"},
    {"libfmt-dev", "<fmt/"},
    {"libcli11-dev", "<CLI/"},
    {"nlohmann-json3-dev", "<nlohmann/"},
    {"libtomlplusplus-dev", "<toml++/"},
    {"zlib1g-dev", "<zlib.h>"},
    {"gnuplot-nox", "{\"gnuplot\", "},
    {"fonts-dejavu-core", "DejaVu Sans"},
    {"pandoc", "{\"pandoc\", "},
    {"dict-gcide", "dictd/gcide"},
    {"python3-jsonschema", "import jsonschema"},
    {"libbenchmark-dev", "<benchmark/"},
    {"libopenblas0-pthread", "\"libopenblas0-pthread\""},
    {"libopenblas0-openmp", "\"libopenblas0-openmp\""},
    {"libopenblas0-serial", "\"libopenblas0-serial\""},
    {"libblis4-pthread", "\"libblis4-pthread\""},
    {"libblis4-openmp", "\"libblis4-openmp\""},
    {"libatlas3-base", "\"libatlas3-base\""},
    {"libblas3", "\"libblas3\""},
    {"liblapack3", "blas_root() / \"lapack\""},
    {"python3-numpy", "import numpy"},
    {"python3-pytest", "import pytest"},
    {"python3-matplotlib", "import matplotlib"},
    {"python3-scipy", "import scipy"},
    {"python3-venv", "python3 -m venv"},
    {"libeigen3-dev", "<Eigen/"},
    {"texlive-latex-recommended", "--pdf-engine=pdflatex"},
    {"lmodern", "fontfamily=lmodern"},
    {"librsvg2-bin", "rsvg-convert"},
    {"dpkg-dev", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS"},
    {"slurm-wlm", "slurmctld"},
    {"munge", "munged"},
    {"clang", "clang++"},
    {"libclang-rt-dev", "-fsanitize=fuzzer"},
    {"clang-format", "@clang-format "},
    {"clang-tidy", "run-clang-tidy -"},
    {"chromium", "\"chromium\""},
    {"chromium-driver", "chromedriver"},
    {"python3-selenium", "import webdriver"},
    {"locales", "localedef -"},
    {"shellcheck", "shellcheck -x"},
    {"gcovr", "gcovr --"}};

struct Area {
  std::vector<std::string> files, without{};  ///< folders count whole
};

/// Where each verb's packages are used. CMake runs for all of them and reads every CMakeLists.txt.
const std::map<std::string, Area> areas{
    {"deps",
     {{"CMakeLists.txt", "lib", "studies", "reports", "scripts/compile", "tests/CMakeLists.txt"},
      {"reports/out", "reports/published"}}},
    {"deps-test",
     {{"tests", "docs/notebook"},
      {"tests/CMakeLists.txt", "tests/fuzz", "tests/cli/browser.py", "tests/cli/slurm.sh", "tests/axe",
       "tests/long.sh"}}},
    {"deps-bench", {{"bench"}, {"bench/peers"}}},
    {"deps-peers", {{"bench/peers", "scripts/bench-peers"}}},
    {"deps-backends", {{"scripts/backends"}}},
    {"deps-paper", {{"scripts/paper"}}},
    {"deps-deb", {{"packaging/CMakeLists.txt"}}},
    {"deps-wheel", {{"packaging/wheel"}}},
    {"deps-slurm", {{"tests/cli/slurm.sh"}}},
    {"deps-ci",
     {{"Makefile", ".ci", "tests/fuzz", "tests/cli/browser.py", "tests/axe", "tests/long.sh",
       "scripts/deps"}}}};

bool lies_in(const fs::path& file, const std::vector<std::string>& folders) {
  const std::string name = fs::relative(file, root).generic_string();
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return name == folder || name.rfind(folder + "/", 0) == 0;
  });
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All that an area's files say; this file, which has every sign, is nowhere.
std::string text_of(const Area& area) {
  std::string all;
  const auto add = [&](const fs::path& file) {
    if (!lies_in(file, area.without) && !lies_in(file, {"tests/project"})) all += text_of(file) + "\n";
  };
  for (const std::string& name : area.files) {
    BOOST_REQUIRE_MESSAGE(fs::exists(root / name), "no " << name);
    if (!fs::is_directory(root / name)) add(root / name);
    if (fs::is_directory(root / name))
      for (const auto& entry : fs::recursive_directory_iterator(root / name))
        if (entry.is_regular_file()) add(entry.path());
  }
  return all;
}

std::map<std::string, std::string> texts() {
  std::map<std::string, std::string> all;
  for (const auto& [verb, area] : areas) all[verb] = text_of(area);
  return all;
}

using Line = std::pair<std::string, std::string>;  ///< verb and package

std::vector<Line> listed() {
  std::vector<Line> lines;
  std::ifstream in(root / "packages.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string verb, package, more;
    words >> verb >> package;
    BOOST_TEST(!(words >> more), line);
    lines.emplace_back(verb, package);
  }
  return lines;
}

bool has(const std::string& text, const std::string& sign) { return text.find(sign) != text.npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(project_packages)

BOOST_AUTO_TEST_CASE(a_package_stands_under_the_verb_that_uses_it) {
  const std::map<std::string, std::string> all = texts();
  std::set<std::string> seen;
  std::set<Line> lines;
  for (const auto& [verb, package] : listed()) {
    BOOST_TEST_CONTEXT(verb << " " << package) {
      BOOST_REQUIRE_MESSAGE(areas.count(verb), "no such verb");
      BOOST_REQUIRE_MESSAGE(signs.count(package), "nothing says what uses it");
      const std::string& sign = signs.at(package);
      BOOST_TEST(has(all.at(verb), sign), "nothing of " << verb << " has '" << sign << "'");
      BOOST_TEST((verb == "deps" || !has(all.at("deps"), sign)), "a report needs it, too: '" << sign << "'");
      BOOST_TEST(lines.emplace(verb, package).second, "listed twice");
      seen.insert(package);
    }
  }
  for (const auto& [package, sign] : signs) BOOST_TEST(seen.count(package), package << " is not listed");
}

BOOST_AUTO_TEST_SUITE_END()
