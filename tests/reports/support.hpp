#pragma once
// A small results folder, pages and sections (tests/reports/fixture) copied to where a test may spoil
// them.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "reports/render/render.hpp"
#include "reports/render/text.hpp"
#include "tests/support/scratch.hpp"

namespace perp::report {

namespace fs = std::filesystem;

/// As fs::copy does, but ours to change where the sources may only be read.
inline void copy_to_write(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    const fs::path copy = to / entry.path().lexically_relative(from);
    if (entry.is_directory())
      fs::create_directories(copy);
    else
      write_whole(copy, read_file(entry.path()));
  }
}

/// What the report of this checkout is made of.
inline Sources own_sources() {
  const fs::path source = PERP_SOURCE_DIR;
  return {source / "reports/pages", source / "studies", source / "reports/pages"};
}

struct Workplace {
  test::Scratch scratch;
  const fs::path& root = scratch.path();
  RenderOptions options;

  Workplace() {
    const fs::path source = PERP_SOURCE_DIR;
    copy_to_write(source / "tests/reports/fixture", root);
    write_whole(root / "pages/style.gp", read_file(source / "reports/pages/style.gp"));
    options.results = root / "results";
    options.sources = {root / "pages", root / "studies", root / "pages"};
  }

  std::string read(const std::string& file) const { return read_file(root / file); }
  void write(const std::string& file, const std::string& text) const { write_whole(root / file, text); }
  void append(const std::string& file, const std::string& text) const { write(file, read(file) + text); }

  /// Exchanges every `from` in the file; it must be there.
  void exchange(const std::string& file, const std::string& from, const std::string& to) const {
    const std::string text = read(file);
    BOOST_REQUIRE(text.find(from) != std::string::npos);
    write(file, replaced(text, from, to));
  }
};

using test::contains;

/// For BOOST_CHECK_EXCEPTION: one line that holds `text`, and the exit code.
inline auto saying(std::string text, Exit exit = Exit::unusable) {
  return [text = std::move(text), exit](const Error& error) {
    const std::string message = error.what();
    BOOST_TEST_MESSAGE(message);
    return message.find(text) != std::string::npos && message.find('\n') == std::string::npos &&
           error.exit() == exit;
  };
}

}  // namespace perp::report
