#include "perp/io/file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <thread>
#include <vector>

#include "perp/io/message.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_file)

BOOST_AUTO_TEST_CASE(written_bytes_come_back_whatever_their_pieces) {
  const Scratch scratch;
  std::string bytes("\0\r\n\xff", 4);
  for (const std::size_t size : {0, 4, 65'536, 3'000'001}) {
    bytes.resize(size, 'x');
    write_whole(scratch / "f", bytes);
    BOOST_TEST((read_file(scratch / "f") == bytes));
  }
  BOOST_TEST(scratch.entries() == 1);
}

BOOST_AUTO_TEST_CASE(files_that_belong_together_are_all_written_or_none) {
  const Scratch scratch;
  const auto first = scratch.file("first", "old"), second = scratch.file("second", "old");
  write_together({{first, "new"}, {second, "new"}});
  BOOST_TEST(read_file(first) == "new");
  BOOST_TEST(read_file(second) == "new");
  // A folder where the third should be: found out before the first is touched.
  std::filesystem::create_directory(scratch / "third");
  BOOST_CHECK_THROW(write_together({{first, "newer"}, {second, "newer"}, {scratch / "third", "newer"}}),
                    Error);
  BOOST_TEST(read_file(first) == "new");
  BOOST_TEST(read_file(second) == "new");
  BOOST_TEST(scratch.entries() == 3);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_replaced_keeps_its_access_control_list) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "f";
  write_whole(path, "before");
  // As acl(5) has it in xattr(7): rw- for the owner and for user 1234, r-- for the group, mask rw-, r-- for others.
  constexpr unsigned none = 0xFFFFFFFF;
  const std::vector<std::array<unsigned, 3>> entries{
      {1, 6, none}, {2, 6, 1234}, {4, 4, none}, {16, 6, none}, {32, 4, none}};
  std::string list("\2\0\0\0", 4);
  for (const auto& [tag, rights, whose] : entries)
    for (const auto& [value, bytes] : {std::pair{tag, 2U}, {rights, 2U}, {whose, 4U}})
      for (unsigned k = 0; k < bytes; ++k) list += static_cast<char>(value >> 8 * k & 0xFFU);
  constexpr const char* name = "system.posix_acl_access";
  if (::setxattr(path.c_str(), name, list.data(), list.size(), 0) != 0) {
    BOOST_TEST_MESSAGE("skipped: a file system without access control lists");
    return;
  }
  write_whole(path, "after");
  std::string found(list.size() + 1, '\0');
  const ssize_t size = ::getxattr(path.c_str(), name, found.data(), found.size());
  BOOST_TEST(found.substr(0, size < 0 ? 0 : static_cast<std::size_t>(size)) == list);
}

BOOST_AUTO_TEST_CASE(the_mode_follows_the_umask_and_then_the_file) {
  const Scratch scratch;
  const mode_t before = ::umask(0027);
  const auto path = scratch / "f";
  write_whole(path, "x");
  ::umask(before);
  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0640);
  ::chmod(path.c_str(), 0604);  // somebody's wish for the file that is there
  write_whole(path, "y");
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0604);
}

BOOST_AUTO_TEST_CASE(a_write_that_fails_half_way_leaves_the_old_file) {
  const Scratch scratch;
  const auto path = scratch.file("f", "old");
  const std::string said = in_child([&]() -> std::string {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto error = error_of([&] { write_whole(path, std::string(200'000, 'n')); });
    return error ? std::to_string(static_cast<int>(error->exit())) + " " + error->what() : "no error";
  });
  BOOST_TEST(
      said ==
      "1 cannot write '" + path.string() +
          "': File too large; raise the limit on file sizes (ulimit -f), then run the same command again");
  BOOST_TEST(read_file(path) == "old");
  BOOST_TEST(scratch.entries() == 1);
}

BOOST_AUTO_TEST_CASE(places_that_cannot_be_written_are_named_with_a_remedy) {
  const Scratch scratch;
  const auto file = scratch.file("plain", "x");
  // A pipe stands for a device, which a broken check would replace for the whole machine.
  BOOST_REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  for (const auto& [path, remedy] : std::vector<std::pair<std::filesystem::path, const char*>>{
           {scratch / "missing/f", "No such file or directory; check the spelling, or create"},
           {file / "f", "Not a directory; a part of this path is a file"},
           {scratch.path(), "Is a directory; this is a folder; name a file"},
           {scratch / "pipe", "it is a device or a pipe; name a plain file"},
           {scratch / "", "it names no file"},
           {"", "it names no file"},
           {scratch / std::string(300, 'n'), "File name too long; choose a shorter name"}}) {
    const auto error = error_of([&, to = path] { write_whole(to, "x"); });
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST(static_cast<int>(error->exit()) == 1);
    BOOST_TEST(
        std::string(error->what()).starts_with(fmt::format("cannot write {}: {}", in_quotes(path), remedy)),
        error->what());
    BOOST_TEST(!contains(error->what(), "\n"));
  }
  write_whole(scratch / std::string(255, 'n'), "x");
  BOOST_TEST(scratch.entries() == 3);
}

BOOST_AUTO_TEST_CASE(left_over_temporary_files_are_not_touched) {
  const Scratch scratch;
  const std::string left_over = fmt::format(".perp-{}-0.tmp", ::getpid());
  scratch.file("aside", "someone else's");
  std::filesystem::rename(scratch / "aside", scratch / left_over);
  write_whole(scratch / "f", "mine");
  BOOST_TEST(read_file(scratch / left_over) == "someone else's");
  BOOST_TEST(read_file(scratch / "f") == "mine");
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_are_refused) {
  const Scratch scratch;
  const auto path = scratch.file("f", "12345");
  check_refusal(
      [&] { read_file(scratch / "missing"); },
      "cannot read '" + (scratch / "missing").string() + "': No such file or directory; check the spelling");
  check_refusal([&] { read_file(scratch.path()); }, "this is a folder");
  BOOST_TEST(read_file(path, 5) == "12345");
  check_refusal([&] { read_file(path, 4); }, "5 bytes long, at most 4 were expected");
  // Nobody writes to the pipe: opening it as a file is opened would never return.
  BOOST_REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  for (const std::filesystem::path& endless : {std::filesystem::path("/dev/zero"), scratch / "pipe"})
    check_refusal([&] { read_file(endless); }, "is a device or a pipe; expected a plain file");
}

BOOST_AUTO_TEST_CASE(folders_are_made_with_those_above) {
  const Scratch scratch;
  for (int twice = 0; twice < 2; ++twice) make_folders(scratch / "a/b/c/");
  BOOST_TEST(std::filesystem::is_directory(scratch / "a/b/c"));
  const auto file = scratch.file("plain", "x");
  check_refusal([&] { make_folders(file / "a/b"); },
                "cannot create the folder '" + file.string() +
                    "': Not a directory; a part of this path is a file, not a folder; choose another path");
  check_refusal([&] { make_folders("/dev/null"); }, "cannot create the folder '/dev/null': Not a directory");
  std::filesystem::create_symlink("nowhere", scratch / "link");
  check_refusal([&] { make_folders(scratch / "link/a"); }, "it is a symbolic link that leads to nothing",
                Exit::failed);
}

BOOST_AUTO_TEST_CASE(found_texts_are_shown_on_one_line_and_short) {
  BOOST_TEST(in_quotes("a\nb\x1b[31m") == "'a\\x0ab\\x1b[31m'");
  BOOST_TEST(in_quotes(std::string(60, 'x')) == fmt::format("'{}'", std::string(60, 'x')));
  BOOST_TEST(in_quotes(std::string(61, 'x')) == fmt::format("'{}'... (61 bytes)", std::string(60, 'x')));
  std::string umlauts = "x";
  for (int i = 0; i < 40; ++i) umlauts += "\xc3\xa4";
  BOOST_TEST(in_quotes(umlauts) == fmt::format("'{}'... (81 bytes)", umlauts.substr(0, 59)));
}

BOOST_AUTO_TEST_CASE(leftovers_of_dead_processes_go_and_those_of_living_ones_stay) {
  const Scratch scratch;
  const pid_t child = ::fork();
  if (child == 0) write_together({{scratch / "cell", "half"}}, [] { ::_exit(0); });
  siginfo_t ended;
  // Dead, but nobody has asked for its exit code: it still has its number.
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  const std::filesystem::path dead = scratch / fmt::format(".perp-{}-0.tmp", child);
  const std::filesystem::path reused = scratch.file(fmt::format(".perp-{}-7.tmp", ::getpid()), "half");
  const std::vector<std::string> others{"notes.tmp", ".perp-notes.tmp", ".perp-1-x.tmp", ".perp--1.tmp",
                                        ".perp-1-2-3.tmp"};
  for (const std::string& name : others) scratch.file(name, "somebody's");
  BOOST_TEST_REQUIRE(std::filesystem::exists(dead));
  write_together({{scratch / "alive", "x"}, {scratch / "ready", "whole"}},
                 [&] { remove_leftovers(scratch.path()); });
  ::waitpid(child, nullptr, 0);
  BOOST_TEST(!std::filesystem::exists(dead));
  BOOST_TEST(!std::filesystem::exists(reused));
  for (const std::string& name : others) BOOST_TEST(std::filesystem::exists(scratch / name), name);
  BOOST_TEST(read_file(scratch / "alive") == "x");
  BOOST_TEST(read_file(scratch / "ready") == "whole");
  remove_leftovers(scratch / "absent");
}

BOOST_AUTO_TEST_CASE(who_removes_leftovers_does_not_harm_who_writes) {
  const Scratch scratch;
  std::atomic<bool> done = false;
  std::thread remover([&] {
    while (!done) remove_leftovers(scratch.path());
  });
  std::optional<std::string> failed;
  for (int i = 0; i < 1'000 && !failed; ++i)
    if (const auto error = error_of([&] { write_whole(scratch / "f", "x"); })) failed = error->what();
  done = true;
  remover.join();
  BOOST_TEST(!failed.has_value(), failed.value_or(""));
  BOOST_TEST(scratch.entries() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
