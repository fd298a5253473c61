#include "perp/io/written.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/sha256.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view heading =
    "# Files that perp wrote here: a later run replaces these alone, unless somebody changed them.\n";

constexpr std::size_t most_bytes = std::size_t{1} << 20;  // some 9,000 lines; a report has 400

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

/// "" for what is no plain file.
std::string hash_of(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path, error)) ? sha256_file(path) : "";
}

/// Whether the name leads to a place below the folder and can stand in a line.
bool is_below(const fs::path& name) {
  return name.has_filename() && !name.has_root_path() && name.string() == name.lexically_normal().string() &&
         std::ranges::none_of(name, [](const fs::path& part) { return part == "." || part == ".."; }) &&
         name.string().find('\\') == std::string::npos && on_one_line(name.string()) == name.string();
}

}  // namespace

Written::Written(fs::path folder, std::string_view name)
    : folder_(std::move(folder)), list_(folder_ / fmt::format("{}.sha256", name)) {
  if (is_there(list_)) read();
}

void Written::read() {
  require(!is_link(list_),
          "{} is a symbolic link, which is not followed; expected that file to be moved away",
          in_quotes(list_));
  const std::string text = read_file(list_, most_bytes);
  require(text.starts_with(heading),
          "{}: not a list of what perp wrote; expected another folder, or that file to be moved away",
          in_quotes(list_));
  for (std::size_t at = heading.size(), number = 2; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    constexpr std::size_t digits = 64;
    require(line.size() > digits + 2 && line.substr(digits, 2) == "  " && is_below(line.substr(digits + 2)) &&
                line.find_first_not_of("0123456789abcdef") == digits,
            "{}, line {}: expected a line of sha256sum; without the list the folder is taken as it stands",
            in_quotes(list_), number);
    require(line.substr(digits + 2) != list_.filename(),
            "{}, line {}: names the list itself; expected a file beside it", in_quotes(list_), number);
    lines_.emplace(line.substr(digits + 2), line.substr(0, digits));
    at = end + 1;
  }
}

void Written::expect_no_link(const fs::path& name) const {
  fs::path part = folder_;
  for (const fs::path& step : name.parent_path()) {
    part /= step;
    require(!is_link(part),
            "cannot write {}: {} is a symbolic link, which is not followed; expected a folder",
            in_quotes(folder_ / name), in_quotes(part));
  }
}

void Written::expect_ours(const std::string& name, const std::string& wanted) const {
  expect_no_link(name);
  const fs::path path = folder_ / name;
  if (!is_there(path.has_filename() ? path : path.parent_path())) return;
  if (!path.has_filename()) {
    require(fs::is_directory(path), "cannot write into {}: it is there and no folder",
            in_quotes(path.parent_path()));
    return;
  }
  const std::string hash = hash_of(path);
  if (lines_.contains({name, hash})) return;
  if (hash == wanted && !hash.empty()) return;
  const auto listed = lines_.lower_bound({name, ""});
  require(listed == lines_.end() || listed->first != name,
          "{} was changed after perp wrote it ({}); move it away, and it is written again", in_quotes(path),
          in_quotes(list_));
  refuse(
      "cannot write {}: it is there, and not written by an earlier run ({} does not list it); expected "
      "another "
      "folder, or that file to be moved away",
      in_quotes(path), in_quotes(list_));
}

void Written::expect(const std::vector<std::string>& names) const {
  for (const auto& [name, hash] : lines_) expect_ours(name, "");
  for (const std::string& name : names) {
    expect_ours(name, "");
    const fs::path place = (folder_ / name).parent_path();
    std::error_code none;
    // What is not there yet is made, and complained of, before anything is measured.
    if (!fs::is_directory(place, none)) continue;
    const int status = ::faccessat(AT_FDCWD, place.c_str(), W_OK | X_OK, AT_EACCESS), error_number = errno;
    require(status == 0, "cannot write into {}: {}", in_quotes(place), reason(error_number));
  }
}

void expect_no_checkout(const fs::path& folder) {
  const auto lies_in = [](const fs::path& inner, const fs::path& outer) {
    return std::ranges::mismatch(outer, inner).in1 == outer.end();
  };
  const fs::path place = fs::weakly_canonical(fs::absolute(folder));
  std::error_code none;
  // A folder around a checkout is known by where this runs and lies: nobody can look everywhere below.
  std::vector<fs::path> parts;
  for (fs::path part : {place, fs::current_path(none), fs::read_symlink("/proc/self/exe", none)})
    for (; part.has_relative_path(); part = part.parent_path()) parts.push_back(part);
  for (const fs::path& part : parts) {
    if (!fs::exists(part / "studies/CMakeLists.txt", none) || !fs::exists(part / "reports/pages", none))
      continue;
    for (const char* name : {".ci", ".git", ".github", "bench", "docs", "lib", "packaging", "program",
                             "scripts", "studies", "tests", "reports/render", "reports/pages"}) {
      const fs::path source = part / name;
      require(!fs::exists(source, none) || (!lies_in(source, place) && !lies_in(place, source)),
              "cannot write into {}: {} is what reports are made of; expected a folder of its own",
              in_quotes(folder), in_quotes(source));
    }
  }
}

void expect_unpublished(const fs::path& folder) {
  expect_no_checkout(folder);
  for (fs::path place = fs::weakly_canonical(fs::absolute(folder)); place.has_relative_path();
       place = place.parent_path()) {
    std::error_code unknown;  // what cannot be looked at is refused, with its cause, where it is written to
    require(!fs::exists(fs::symlink_status(place / "run.json.sha256", unknown)) || unknown,
            "cannot write into {}: {} is a published report; expected another folder (make publish "
            "brings it there)",
            in_quotes(folder), in_quotes(place));
  }
}

std::vector<fs::path> Written::write(const NamedBytes& files, bool replace, const NamedBytes& elsewhere,
                                     const std::function<void()>& last_look) const {
  Lines now;
  std::set<std::string> names;
  for (const auto& [path, bytes] : files) {
    const fs::path name = path.lexically_relative(folder_);
    require(is_below(name), "cannot write {}: expected a plain name below {}", in_quotes(path),
            in_quotes(folder_));
    now.emplace(name.generic_string(), sha256_hex(bytes));
    names.insert(name.generic_string());
  }
  const auto expect_all = [&] {
    expect({});
    for (const auto& [name, hash] : now) expect_ours(name, hash);
  };
  expect_all();

  for (const auto& [path, bytes] : files) make_folders(path.parent_path());
  NamedBytes all = files;
  all.insert(all.end(), elsewhere.begin(), elsewhere.end());

  const auto text_of = [](const Lines& lines) {
    std::string text(heading);
    for (const auto& [name, hash] : lines) text += fmt::format("{}  {}\n", hash, name);
    return text;
  };
  Lines any = lines_;  // of before and of now: whichever bytes a killed run leaves under a name
  any.insert(now.begin(), now.end());
  Lines after = now;
  for (const auto& line : lines_)
    if (!replace && !names.contains(line.first)) after.insert(line);

  all.emplace(all.begin(), list_, text_of(any));
  write_together(all, [&] {
    if (last_look) last_look();
    expect_all();
  });
  std::vector<fs::path> removed;
  for (const auto& [name, hash] : lines_) {
    const fs::path path = folder_ / name;
    if (!replace || names.contains(name) || !lines_.contains({name, hash_of(path)})) continue;
    std::error_code error;
    fs::remove(path, error);
    if (error) fail("cannot remove the older {}: {}", in_quotes(path), error.message());
    removed.push_back(path);
  }
  if (after != any) write_whole(list_, text_of(after));
  return removed;
}

}  // namespace perp
