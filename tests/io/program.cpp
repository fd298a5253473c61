// The two ends of a program: data arrives or is missed, a message may be lost, an error is one line.

#include "perp/io/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

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

BOOST_AUTO_TEST_SUITE(io_program)

BOOST_AUTO_TEST_CASE(data_that_does_not_arrive_is_an_error) {
  const auto printed = [](const std::function<void()>& before) {
    return in_child([&] {
      before();
      return message_of([] { print_data("data"); });
    });
  };
  BOOST_TEST(contains(printed([] { redirect(STDOUT_FILENO, "/dev/full", O_WRONLY); }),
                      "cannot write to standard output: No space left on device"));
  BOOST_TEST(contains(printed([] { ::close(STDOUT_FILENO); }), "Bad file descriptor"));
  const Scratch scratch;
  const std::string file = (scratch / "out").string();
  BOOST_TEST(printed([&] { redirect(STDOUT_FILENO, file.c_str(), O_WRONLY | O_CREAT); }) == "");
  BOOST_TEST(read_file(file) == "data");
}

BOOST_AUTO_TEST_CASE(what_the_standard_library_says_of_a_path_is_one_line_with_a_remedy) {
  namespace fs = std::filesystem;
  const auto said = [](std::errc code, const fs::path& other = {}) {
    return said_by([&]() -> int {
      throw fs::filesystem_error("internal", "a\nfolder", other, std::make_error_code(code));
    });
  };
  BOOST_TEST(
      said(std::errc::too_many_symbolic_link_levels) ==
      "2 name: cannot use 'a\\x0afolder': Too many levels of symbolic links; its symbolic links lead in a "
      "circle; choose another path\n");
  BOOST_TEST(said(std::errc::no_space_on_device, "b")
                 .starts_with("1 name: cannot use 'a\\x0afolder' with 'b': No space"));
  BOOST_TEST(contains(said_by([]() -> int { return fs::is_directory(std::string(5000, 'x')); }),
                      "(5000 bytes): File name too long"));
}

BOOST_AUTO_TEST_CASE(text_in_json_comes_back) {
  BOOST_TEST(in_json("a\"b\\c") == R"("a\"b\\c")");
  BOOST_TEST(in_json("\n\x7f\u202e\U000e0041") == R"("\u000a\u007f\u202e\udb40\udc41")");
  BOOST_TEST(in_json("\xc3\xa9 \xf0\x9f\x98\x80") == "\"\xc3\xa9 \xf0\x9f\x98\x80\"");
  BOOST_TEST(in_json("a\xff") == R"("a\\xff")");
}

BOOST_AUTO_TEST_CASE(a_message_that_nobody_hears_ends_nothing) {
  BOOST_TEST(in_child([] {
               redirect(STDERR_FILENO, "/dev/full", O_WRONLY);
               print_message("{}\n", 1);
               ::close(STDERR_FILENO);
               print_message("{}\n", 2);
               return std::string("alive");
             }) == "alive");
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
  BOOST_TEST(!is_utf8("\xc0\x80"));          // a zero in two bytes
  BOOST_TEST(!is_utf8("\xed\xa0\x80"));      // half of a pair
  BOOST_TEST(!is_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
}

BOOST_AUTO_TEST_SUITE_END()
