// What a run may write over and remove in a folder that is somebody's.

#include "perp/io/written.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "perp/io/sha256.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

namespace fs = std::filesystem;

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

BOOST_AUTO_TEST_CASE(links_are_not_followed) {
  fs::create_directories(scratch / "else");
  fs::create_directories(out);
  fs::create_directory_symlink(scratch / "else", out / "sub");
  check_refusal([&] { write("1", {"sub/a"}); }, "out/sub' is a symbolic link, which is not followed");
  check_refusal([&] { own().expect({"sub/"}); }, "is a symbolic link");
  BOOST_TEST(fs::is_empty(scratch / "else"));
  write_whole(scratch / "target", "mine");
  fs::create_symlink(scratch / "target", out / "b");
  check_refusal([&] { write("1", {"b"}); }, "it is there, and not written");
  BOOST_TEST(read_file(scratch / "target") == "mine");
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

BOOST_AUTO_TEST_CASE(what_a_checkout_is_made_of_is_no_place_for_a_run) {
  const fs::path copy = scratch / "copy";
  for (const char* name : {"studies", "reports/pages", "docs"}) make_folders(copy / name);
  write_whole(copy / "studies/CMakeLists.txt", "");
  for (const fs::path& place :
       {copy, copy / "docs", copy / "docs/new", copy / "reports/", copy / "studies/a"}) {
    check_refusal([&] { expect_no_checkout(place); },
                  "is what reports are made of; expected a folder of its own");
    check_refusal([&] { expect_unpublished(place); }, "is what reports are made of");
  }
  for (const char* name : {"reports/published", "reports/out/order", "build/out", "documents"})
    expect_unpublished(copy / name);
}

BOOST_AUTO_TEST_CASE(a_published_report_is_no_place_for_a_run) {
  put("run.json.sha256", "");
  for (const fs::path& place :
       {out, out / "", out / "order", out / "long/order", scratch / "else/../out/order/"})
    check_refusal([&] { expect_unpublished(place); }, "out' is a published report; expected another folder");
  for (const fs::path& place : {scratch.path(), fs::path("out")}) expect_unpublished(place);
}

BOOST_AUTO_TEST_SUITE_END()
