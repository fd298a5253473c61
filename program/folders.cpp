#include "program/folders.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Whether the current folder is that of a checkout.
bool in_checkout() {
  std::error_code none;
  return fs::exists("reports/pages", none);
}

}  // namespace

Sources sources() {
  std::error_code none;
  const fs::path share =
      fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() / "share/perpendicular";
  if (fs::exists(share, none))
    return {{share / "pages", share / "studies", share / "pages"}, share / "published"};
  // As people see it from where they are.
  const fs::path checkout = fs::equivalent(PERP_SOURCE_DIR, ".", none) ? "" : PERP_SOURCE_DIR,
                 pages = checkout / "reports/pages";
  return {{pages, checkout / "studies", pages}, checkout / "reports/published"};
}

void say_other_templates(std::string_view program, const Options& options) {
  const bool both_given = options.text("templates") && options.text("sections");
  if (both_given || !in_checkout()) return;
  std::error_code none;
  const Sources from = sources();
  if (fs::equivalent(from.texts.pages, "reports/pages", none)) return;
  print_message(
      "{}: with the program's own pages and sections, of {}; for those of this folder: "
      "--templates reports/pages --sections studies\n",
      program, on_one_line(from.texts.sections.parent_path().string()));
}

fs::path default_out() { return in_checkout() ? "reports/out" : "perp-report"; }

fs::path default_kept() {
  if (in_checkout()) return "build";
  const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
  // A path that is not absolute is to be ignored (XDG Base Directory Specification 0.8).
  if (cache.starts_with('/')) return fs::path(cache) / "perpendicular";
  require(!home.empty(),
          "no folder for what is kept between runs: neither HOME nor XDG_CACHE_HOME is set; "
          "expected --kept FOLDER");
  return fs::path(home) / ".cache/perpendicular";
}

report::Sources sources_of(const Options& options) {
  report::Sources from = sources().texts;
  from.pages = from.style = given_folder(options, "templates", from.pages);
  from.sections = given_folder(options, "sections", from.sections);
  return from;
}

fs::path given_folder(const Options& options, const std::string& name, const fs::path& otherwise) {
  const std::optional<std::string> given = options.text(name);
  if (!given) return otherwise;
  const std::string wrong = wrong_folder(*given);
  require(wrong.empty(), "--{}: {}", name, wrong);
  return *given;
}

fs::path kept_of(const Options& options) {
  return options.text("kept") ? given_folder(options, "kept", "") : default_kept();
}

OwnFolder::OwnFolder(const fs::path& inside) {
  std::string name = (inside / "perp-XXXXXX").string();
  const bool is_made = ::mkdtemp(name.data()) != nullptr;
  const int error_number = errno;
  require(is_made, "{}: cannot be created: {}", in_quotes(name), reason(error_number));
  path_ = name;
}

OwnFolder::~OwnFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace perp::program
