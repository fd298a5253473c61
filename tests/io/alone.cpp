// One run at a time in a folder; who waits says for whom.

#include "perp/io/alone.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "perp/io/file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;
namespace fs = std::filesystem;

namespace {

/// A process that runs `body`, its standard error in a file, and is killed at the end unless it has ended.
class Process {
 public:
  Process(const fs::path& err, const std::function<void()>& body) : id_(::fork()) {
    if (id_ != 0) return;
    if (std::freopen(err.c_str(), "w", stderr) != nullptr) body();
    ::_exit(0);
  }
  ~Process() { kill(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = 0;
  }
  pid_t id() const { return id_; }

 private:
  pid_t id_;
};

bool comes(const std::function<bool()>& what) {
  for (int tries = 0; tries < 500; ++tries) {
    if (what()) return true;
    ::usleep(10'000);
  }
  return false;
}

void note(const fs::path& file) { write_whole(file, "x"); }

/// Holds the folder until it is killed.
std::function<void()> holds(const std::string& name, const fs::path& folder, const fs::path& says) {
  return [=] {
    const Alone alone(name, folder);
    note(says);
    ::pause();
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_alone)

BOOST_AUTO_TEST_CASE(the_second_waits_for_the_first_and_says_so) {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out", one = scratch.path() / "one", two = scratch.path() / "two";
  Process first(scratch.path() / "err1", holds("first", folder, one));
  BOOST_REQUIRE(comes([&] { return fs::exists(one); }));
  Process second(scratch.path() / "err2", holds("second", folder, two));
  const auto says = [&] { return read_file(scratch.path() / "err2"); };
  BOOST_TEST(comes([&] { return fs::exists(scratch.path() / "err2") && contains(says(), "\n"); }));
  BOOST_TEST(
      contains(says(), fmt::format("second: {} is in use by process {} (", folder.string(), first.id())),
      says());
  BOOST_TEST(contains(says(), "; waiting until it has ended\n"));
  BOOST_TEST(!fs::exists(two));
  first.kill();  // a run that was killed keeps nobody out
  BOOST_TEST(comes([&] { return fs::exists(two); }));
  BOOST_TEST(fs::is_empty(folder));
}

BOOST_AUTO_TEST_CASE(a_folder_that_was_made_anew_is_another_one) {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out", one = scratch.path() / "one", two = scratch.path() / "two",
                 three = scratch.path() / "three";
  Process first(scratch.path() / "err1", holds("first", folder, one));
  BOOST_REQUIRE(comes([&] { return fs::exists(one); }));
  Process second(scratch.path() / "err2", holds("second", folder, two));
  BOOST_REQUIRE(comes(
      [&] { return fs::exists(scratch.path() / "err2") && fs::file_size(scratch.path() / "err2") > 0; }));
  fs::remove(folder);
  Process third(scratch.path() / "err3", holds("third", folder, three));
  BOOST_REQUIRE(comes([&] { return fs::exists(three); }));
  first.kill();
  ::usleep(300'000);
  BOOST_TEST(!fs::exists(two));  // it waited for the folder that is gone, and waits for the new one now
  third.kill();
  BOOST_TEST(comes([&] { return fs::exists(two); }));
}

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
