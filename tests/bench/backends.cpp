// Backends as they are named; folders made here, no library loaded.

#include "bench/backends.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "perp/base/error.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
namespace fs = std::filesystem;

namespace {

std::string folder_with(const fs::path& folder, std::initializer_list<const char*> libraries) {
  fs::create_directories(folder);
  for (const char* library : libraries) std::ofstream(folder / library) << "a library";
  return folder.string();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_backends)

BOOST_AUTO_TEST_CASE(a_folder_that_ships_its_lapack_comes_first_as_shipped) {
  const perp::test::Scratch scratch;
  const std::string folder = folder_with(scratch.path() / "own", {"libblas.so.3", "liblapack.so.3"});
  const std::vector<Backend> list = given_backends(fmt::format("mine={}", folder));
  BOOST_REQUIRE(!list.empty());
  BOOST_TEST(list[0].name == "mine");
  BOOST_TEST(list[0].lapack() == "as_shipped");
  BOOST_TEST(list[0].loader_path() == folder);
  BOOST_TEST(!list[0].repeats);
  if (list.size() > 1) {  // where the reference LAPACK is installed
    BOOST_TEST(list[1].shown() == "mine alone");
    BOOST_TEST(list[1].repeats);
    // Its folder comes first, or the shipped LAPACK would answer.
    BOOST_TEST(list[1].loader_path() == list[1].lapack_folder + ":" + folder);
  }
}

BOOST_AUTO_TEST_CASE(one_library_for_both_runs_as_shipped_alone) {
  const perp::test::Scratch scratch;
  const std::string folder = folder_with(scratch.path() / "one", {"libblas.so.3"});
  std::filesystem::create_symlink("libblas.so.3", std::filesystem::path(folder) / "liblapack.so.3");
  const std::vector<Backend> list = given_backends(fmt::format("one={}", folder));
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST(list[0].lapack() == "as_shipped");
}

BOOST_AUTO_TEST_CASE(a_blas_without_lapack_runs_all_rows_on_the_reference) {
  const perp::test::Scratch scratch;
  const std::string folder = folder_with(scratch.path() / "bare", {"libblas.so.3"});
  const std::vector<Backend> list = given_backends(fmt::format("bare={}", folder));
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST(!list[0].repeats);
  BOOST_TEST(list[0].shown() == "bare");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_backend_is_refused) {
  const perp::test::Scratch scratch;
  const std::string good = folder_with(scratch.path() / "good", {"libblas.so.3"}),
                    empty = folder_with(scratch.path() / "empty", {});
  for (const std::string& text :
       {std::string("nothing"), fmt::format("={}", good), std::string("name="), fmt::format("name={}", empty),
        fmt::format("atlas={}", good), fmt::format("a={} a={}", good, good), fmt::format("a`b={}", good),
        fmt::format("a={}:{}", good, good)})
    BOOST_CHECK_EXCEPTION(given_backends(text), perp::Error,
                          [](const perp::Error& e) { return e.exit() == perp::Exit::unusable; });
}

BOOST_AUTO_TEST_CASE(only_those_named_and_a_name_that_is_not_there_is_refused) {
  const std::vector<Backend> all{{"a", "/a", "/a"}, {"a", "/a", "/l", true, true}, {"b", "/b", "/b"}};
  BOOST_TEST(only(all, "").size() == 3u);
  BOOST_TEST(only(all, "a").size() == 2u);
  BOOST_CHECK_EXCEPTION(only(all, "a c"), perp::Error, [](const perp::Error& e) {
    return e.exit() == perp::Exit::unusable &&
           std::string(e.what()).find("there are: a b") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
