// Backends as they are named; folders made here, no library loaded.

#include "bench/backends.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::check_refusal;

namespace {

struct Folders {
  perp::test::Scratch scratch;
  std::string with(const std::string& name, std::initializer_list<std::string> libraries) const {
    std::filesystem::create_directories(scratch / name);
    for (const std::string& library : libraries) scratch.file(name + "/" + library, "a library");
    return (scratch / name).string();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bench_backends, Folders)

// A folder's own LAPACK answers, or else the reference LAPACK, where that is installed.
BOOST_AUTO_TEST_CASE(a_folder_runs_once_on_the_lapack_that_it_ships) {
  const std::string own = with("own", {"libblas.so.3", "liblapack.so.3"}),
                    bare = with("bare", {"libblas.so.3"});
  const std::vector<Backend> list = given_backends(fmt::format("mine={} other={}", own, bare));
  BOOST_REQUIRE(list.size() == 2u);
  BOOST_TEST(list[0].shown() == "mine");
  BOOST_TEST(list[0].lapack() == "as_shipped");
  BOOST_TEST(list[0].loader_path() == own);
  BOOST_TEST((list[1].lapack() == "alone" || list[1].lapack() == "none"));
  // The folder of the other LAPACK comes first.
  if (list[1].lapack() == "alone") BOOST_TEST(list[1].loader_path() == list[1].lapack_folder + ":" + bare);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_backend_is_refused) {
  const std::string good = with("good", {"libblas.so.3"}), empty = with("empty", {});
  for (const auto& [text, part] : std::vector<std::pair<std::string, const char*>>{
           {"nothing", "'nothing' is not name=folder"},
           {"=" + good, "is not name=folder"},
           {"name=", "is not name=folder"},
           {"name=" + empty, "holds no libblas.so.3"},
           {"name=" + with("wide", {"libblas64.so.3"}), "has 64-bit integers (libblas64.so.3)"},
           {"atlas=" + good, "there is a 'atlas' already"},
           {fmt::format("a={0} a={0}", good), "there is a 'a' already"},
           {"a`b=" + good, "'a`b' holds more than "},
           {fmt::format("a={0}:{0}", good), "holds a colon"}})
    check_refusal([&, list = text] { given_backends(list); }, part);
  const std::vector<Backend> all{{"a", "/a", "/a"}, {"b", "/b", "/b"}};
  BOOST_TEST(named(all, "").size() == 2u);
  BOOST_TEST(named(all, "a").size() == 1u);
  check_refusal([&] { named(all, "a c"); }, "there are: a b");
}

BOOST_AUTO_TEST_SUITE_END()
