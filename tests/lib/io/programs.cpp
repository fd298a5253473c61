// Programs that are run, the two ends of our own, one run at a time in a folder, and what a run may write over and
// remove in one that is somebody's.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/process.hpp"
#include "perp/io/program.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/written.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(io_process)

namespace {

Ended run(const std::vector<std::string>& command, std::string_view input = {}) {
  return run_process(command, plain_environment(), input);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_program_writes_and_how_it_ends) {
  const Ended ended = run({"sh", "-c", "echo out; echo a >&2; echo ' b ' >&2; exit 3"});
  BOOST_TEST(ended.found);
  BOOST_TEST(!ended.succeeded());
  BOOST_TEST(ended.code == 3);
  BOOST_TEST(ended.signal == 0);
  BOOST_TEST(ended.stdout_text == "out\n");
  BOOST_TEST(ended.stderr_text == "a\n b \n");
  BOOST_TEST(ended.stderr_line() == "a / b");
  BOOST_TEST(run({"true"}).succeeded());
  const Ended killed = run({"sh", "-c", "kill -9 $$"});
  BOOST_TEST(!killed.succeeded());
  BOOST_TEST(killed.signal == SIGKILL);
  BOOST_TEST(killed.stderr_line() == "Killed (signal 9)");
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_run) {
  const Ended none = run({"no-such-program-here"});
  BOOST_TEST(!none.found);
  BOOST_TEST(!none.succeeded());
  const Scratch scratch;
  const std::string file = scratch.file("no-program", "words").string();
  BOOST_TEST(contains(message_of([&] { run({file}); }), file + " does not start: Permission denied"));
}

BOOST_AUTO_TEST_CASE(of_a_long_complaint_the_end_stays) {
  Ended ended;
  ended.stderr_text = std::string(1000, 'x') + "\n    ^\nthe end\n\n";
  const std::string line = ended.stderr_line();
  BOOST_TEST(line.size() == 400U);
  BOOST_TEST(line.ends_with("xx / the end"));
}

BOOST_AUTO_TEST_CASE(what_a_program_reads) {
  const std::string text(200'000, 'x');
  BOOST_TEST((run({"cat"}, text).stdout_text == text));
  BOOST_TEST((run({"cat", "/dev/stdin"}, text).stdout_text == text));
  BOOST_TEST(run({"cat"}).stdout_text == "");
  BOOST_TEST(times(run({"ls", "-l", "/proc/self/fd"}).stdout_text, "memfd:perpendicular") == 3U);
}

BOOST_AUTO_TEST_CASE(the_environment_is_what_is_given_and_no_more) {
  setenv("PERP_TEST_KEPT", "kept", 1);
  setenv("PERP_TEST_SET", "before", 1);
  setenv("PERP_TEST_UNSET", "gone", 1);
  const std::string all =
      run_process({"env"}, environment_with({{"PERP_TEST_SET", "a b=c"}}, {"PERP_TEST_UNSET"})).stdout_text;
  BOOST_TEST(contains(all, "PERP_TEST_KEPT=kept\n"));
  BOOST_TEST(times(all, "PERP_TEST_SET=") == 1U);
  BOOST_TEST(contains(all, "PERP_TEST_SET=a b=c\n"));
  BOOST_TEST(!contains(all, "PERP_TEST_UNSET"));
  BOOST_TEST(run({"env"}).stdout_text == std::string("PATH=") + getenv("PATH") + "\nLC_ALL=C.UTF-8\n");
  for (const char* name : {"PERP_TEST_KEPT", "PERP_TEST_SET", "PERP_TEST_UNSET"}) unsetenv(name);
}

BOOST_AUTO_TEST_CASE(a_child_that_lives_on_keeps_nobody_waiting) {
  // It would hold a pipe open; here it still runs when its parent has ended.
  const Ended ended = run({"sh", "-c", "sleep 5 & echo pid $!"});
  BOOST_TEST(ended.succeeded());
  BOOST_REQUIRE(ended.stdout_text.starts_with("pid "));
  BOOST_TEST(::kill(static_cast<pid_t>(std::stoi(ended.stdout_text.substr(4))), SIGKILL) == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_end_is_ended) {
  const auto within = [](const std::string& program, Limits limits) {
    return run_process({"sh", "-c", "exec " + program}, plain_environment(), {}, limits);
  };
  const Ended slow = within("sleep 600", {.seconds = 0.2});
  BOOST_TEST(slow.limit == "0.2 s");
  BOOST_TEST(slow.signal == SIGKILL);
  BOOST_TEST(within("yes", {.bytes = 2U << 20U}).limit == "2 MB of output");
  BOOST_TEST(within("yes >&2", {.bytes = 2U << 20U}).limit == "2 MB of output");
  BOOST_TEST(within("true", {600, 1U << 20U}).succeeded());
  BOOST_TEST(in_child([&] {
               const struct rlimit small { 5000, 5000 };
               ::setrlimit(RLIMIT_FSIZE, &small);
               return within("yes", {}).limit;
             }) == "5000 bytes of output, the limit on file sizes (ulimit -f)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_program)

namespace {

/// Standard stream `descriptor` becomes that file, in a child process.
void redirect(int descriptor, const char* path, int flags) {
  const int file = ::open(path, flags, 0666);
  ::dup2(file, descriptor);
  ::close(file);
}

/// What the program says on standard error, and its exit code.
std::string said_by(const std::function<int()>& body) {
  const Scratch scratch;
  const std::string file = (scratch / "err").string();
  const std::string code = in_child([&] {
    redirect(STDERR_FILENO, file.c_str(), O_WRONLY | O_CREAT);
    return std::to_string(run_program("name", body));
  });
  return code + " " + read_file(file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(text_in_json_comes_back) {
  BOOST_TEST(in_json("a\"b\\c") == R"("a\"b\\c")");
  BOOST_TEST(in_json("\n\x7f\u202e\U000e0041") == R"("\u000a\u007f\u202e\udb40\udc41")");
  BOOST_TEST(in_json("\xc3\xa9 \xf0\x9f\x98\x80") == "\"\xc3\xa9 \xf0\x9f\x98\x80\"");
  BOOST_TEST(in_json("a\xff") == R"("a\\xff")");
}

BOOST_AUTO_TEST_CASE(what_is_thrown_becomes_one_line_and_a_code) {
  BOOST_TEST(said_by([] { return 3; }) == "3 ");
  BOOST_TEST(said_by([]() -> int { refuse("a {}", "b"); }) == "2 name: a b\n");
  BOOST_TEST(said_by([]() -> int { fail("a"); }) == "1 name: a\n");
  BOOST_TEST(said_by([]() -> int { throw std::runtime_error("a"); }) == "1 name: a\n");
  const std::string none = said_by([]() -> int { throw std::bad_alloc(); });
  BOOST_TEST(contains(none, "1 name: out of memory: this process may have "));
  BOOST_TEST(contains(none, " GiB\n"));
  // Escape sequences, line ends and bytes that are no UTF-8 do not reach a terminal.
  BOOST_TEST(said_by([]() -> int { refuse("a\x1b[31m\nb\xff"); }) == "2 name: a\\x1b[31m\\x0ab\\xff\n");
}

BOOST_AUTO_TEST_CASE(a_line_is_as_wide_as_its_characters) {
  BOOST_TEST(columns("") == 0U);
  BOOST_TEST(columns("caf\xc3\xa9 \xe2\x80\xa6") == 6U);
  BOOST_TEST(columns("caf\xe9") == 4U);
  BOOST_TEST(is_utf8("caf\xc3\xa9"));
  BOOST_TEST(!is_utf8("caf\xe9"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_alone)

namespace {

void note(const fs::path& file) { write_whole(file, "x"); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_has_taken_the_place_of_a_new_folder_stays) {
  const Scratch scratch;
  const fs::path folder = scratch.path() / "out", other = scratch.path() / "link";
  {
    const Alone alone("test", folder);
    fs::remove(folder);
    note(folder);
  }
  BOOST_TEST(read_file(folder) == "x");
  {
    const Alone alone("test", other);
    fs::remove(other);
    fs::create_directory_symlink(scratch.path(), other);
  }
  BOOST_TEST(fs::is_symlink(other));
  { const Alone alone("test", scratch.path() / "empty/below"); }
  BOOST_TEST(!fs::exists(scratch.path() / "empty"));
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

namespace {

struct Folder {
  Scratch scratch;
  fs::path out = scratch / "out";

  Written own() const { return {out, "a"}; }
  void put(const std::string& name, const std::string& bytes) const {
    make_folders((out / name).parent_path());
    write_whole(out / name, bytes);
  }
  std::string get(const std::string& name) const {
    return fs::exists(out / name) ? read_file(out / name) : "-";
  }
  void write(const std::string& bytes, std::initializer_list<const char*> names, bool replace = true) const {
    NamedBytes files;
    for (const char* name : names) files.emplace_back(out / name, bytes);
    own().write(files, replace);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(io_written, Folder)

BOOST_AUTO_TEST_CASE(a_later_run_replaces_what_an_earlier_one_wrote_and_nothing_else) {
  write("1", {"b", "sub/c", "a"});
  put("sub/mine", "mine");
  write("2", {"a", "d"});
  BOOST_TEST((get("a") + get("b") + get("sub/c") + get("d") + get("sub/mine") == "2--2mine"));
  write("3", {"e"}, false);
  BOOST_TEST((get("a") + get("d") + get("e") == "223"));
  const std::string list = get("a.sha256");
  BOOST_TEST(list.starts_with("# "));
  BOOST_TEST(list.substr(list.find('\n') + 1) ==
             sha256_hex("2") + "  a\n" + sha256_hex("2") + "  d\n" + sha256_hex("3") + "  e\n");
}

BOOST_AUTO_TEST_CASE(what_somebody_wrote_or_changed_is_left_and_named) {
  put("a", "mine");
  check_refusal([&] { write("1", {"b", "a"}); }, "out/a': it is there, and not written by an earlier run");
  BOOST_TEST((get("a") + get("b") + get("a.sha256") == "mine--"));
  check_refusal([&] { own().expect({"a"}); }, "it is there, and not written");
  write("mine", {"a"});  // which changes nothing
  put("a", "changed");
  for (const char* next : {"a", "b"})
    check_refusal([&] { write("2", {next}); }, "out/a' was changed after perp wrote it");
  check_refusal([&] { own().expect({}); }, "was changed");
  BOOST_TEST(get("a") == "changed");
  fs::remove(out / "a");
  fs::create_directory(out / "a");
  check_refusal([&] { write("2", {"a"}); }, "was changed");
  fs::remove(out / "a");
  write("2", {"a"});
  BOOST_TEST(get("a") == "2");
}

BOOST_AUTO_TEST_CASE(a_folder_that_may_not_be_written_is_named_at_the_start) {
  fs::create_directories(out / "figures");
  own().expect({"a", "figures/", "later/"});
  ::chmod(scratch.path().c_str(), 0755);
  const bool is_root = ::geteuid() == 0;  // who may write everywhere
  if (is_root && (::seteuid(65534) != 0 || ::seteuid(0) != 0)) {
    BOOST_TEST_MESSAGE("skipped: root is the only user here");
    return;
  }
  for (const fs::path& closed : {out, out / "figures"}) {
    ::chmod(closed.c_str(), 0555);
    if (is_root) BOOST_REQUIRE(::seteuid(65534) == 0);
    check_refusal(
        [&] {
          own().expect({"a", "figures/"});
        },
        "cannot write into '" + closed.string() + "': Permission denied");
    if (is_root) BOOST_REQUIRE(::seteuid(0) == 0);
    ::chmod(closed.c_str(), 0777);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_was_killed_hinders_no_later_one) {
  write("1", {"a", "b", "c"});
  const std::string before = get("a.sha256");
  write("2", {"a", "b"});
  const std::string after = get("a.sha256");
  // Between two names: the list has both, some files are of before and some of now.
  for (const char* b : {"1", "2"}) {
    put("a.sha256", before + after.substr(after.find('\n') + 1));
    put("a", "2"), put("b", b), put("c", "1");
    write("3", {"a", "b"});
    BOOST_TEST((get("a") + get("b") + get("c") == "33-"));
  }
}

BOOST_AUTO_TEST_CASE(a_list_that_is_none_or_leads_elsewhere_is_refused) {
  write("1", {"a"});
  const std::string list = get("a.sha256"), hash = sha256_hex("1");
  for (const char* name : {"../a", "/etc/a", "sub/../../a", "", "./b", "sub/", "sub//b", "b\x01", "\xFF"}) {
    put("a.sha256", list + hash + "  " + name + "\n");
    check_refusal([&] { own(); }, "a.sha256', line 3: expected a line of sha256sum");
  }
  put("a.sha256", list + hash + "  a.sha256\n");
  check_refusal([&] { own(); }, "a.sha256', line 3: names the list itself");
  put("a.sha256", list + hash + "  b" + std::string(1, '\0') + "\n");
  check_refusal([&] { own(); }, "a.sha256', line 3: expected a line of sha256sum");
  put("a.sha256", hash + "  a\n");
  check_refusal([&] { own(); }, "a.sha256': not a list of what perp wrote");
  fs::remove(out / "a.sha256");
  fs::create_symlink("list", out / "a.sha256");
  put("list", list);
  check_refusal([&] { own(); }, "a.sha256' is a symbolic link");
  fs::remove(out / "a.sha256");
  for (const char* name : {"../x", "a\nb"})
    check_refusal([&] { write("1", {name}); }, "expected a plain name below");
  BOOST_TEST(!fs::exists(scratch / "x"));
}

BOOST_AUTO_TEST_CASE(what_is_changed_while_the_new_bytes_are_written_stays) {
  write("1", {"a", "b"});
  const auto last = [&](const char* name) {
    own().write({{out / "a", "2"}}, true, {}, [&] { put(name, "mine"); });
  };
  check_refusal([&] { last("a"); }, "out/a' was changed after perp wrote it");
  BOOST_TEST((get("a") + get("b") == "mine1"));
  put("a", "1");
  check_refusal([&] { last("b"); }, "out/b' was changed after perp wrote it");
  BOOST_TEST((get("a") + get("b") == "1mine"));
  const auto files = std::distance(fs::directory_iterator(out), fs::directory_iterator());
  BOOST_TEST(files == 3);  // and no temporary one
}

BOOST_AUTO_TEST_SUITE_END()
