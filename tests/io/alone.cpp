// One run at a time in a folder: that it keeps nothing out that it starts. Who waits for whom: cli/render.sh.

#include "perp/io/alone.hpp"


#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>

#include "perp/io/file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;
namespace fs = std::filesystem;

namespace {

void note(const fs::path& file) { write_whole(file, "x"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(io_alone)

BOOST_AUTO_TEST_CASE(what_a_run_starts_is_not_kept_out) {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out";
  const Alone alone("test", folder);
  BOOST_TEST(std::getenv("PERP_ALONE") == fs::canonical(folder).string());
  const Alone inside("test", folder);  // would wait for ever
  write_together({{folder / "a", "1"}});
  BOOST_TEST(read_file(folder / "a") == "1");
}

BOOST_AUTO_TEST_CASE(a_file_is_no_folder) {
  const Scratch scratch;
  note(scratch.path() / "file");
  check_refusal([&] { const Alone alone("test", scratch.path() / "file"); }, "expected the name of a folder");
  check_refusal([&] { const Alone alone("test", scratch.path() / "file/below"); },
                "expected the name of a folder");
  BOOST_TEST((std::getenv("PERP_ALONE") == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
