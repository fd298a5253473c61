#pragma once
// What a program may write over and remove in a folder that is somebody's: what an earlier run wrote there and nobody has
// changed since.

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perp/io/file.hpp"

namespace perp {

/// Files of a folder that one run writes and a later one replaces, with a list beside the first of them, <name>.sha256: after a line
/// that says what it is, sha256sum's lines, in the order of names. Files that are there and not in the list are somebody
/// else's, and so is one that has other bytes by now, or is a symbolic link, or is reached through one below the folder.
class Written {
 public:
  /// Throws Error{Exit::unusable} for a list that is none, or names a place outside of the folder.
  Written(std::filesystem::path folder, std::string_view name);

  /// For the start of a run. Throws Error{Exit::unusable}, one line, if a listed file is somebody else's by now, or one of
  /// `names` (in the folder; with a slash at its end the name of a folder) is, or lies where nothing can be written.
  void expect(const std::vector<std::string>& names) const;

  /// Writes `files`, which lie in the folder, and `elsewhere` (not listed) as write_together does; with `replace` removes
  /// what is listed and no longer written. Both are asked about again just before anything changes, and so is `last_look`,
  /// which throws if something has happened to what the bytes were made of. A file with the bytes that it is to have is never in the way. The list covers
  /// what is there at every moment, so that a run that is killed hinders no later one. Returns what it removed. Throws
  /// Error as `expect` and write_together do, before anything has changed.
  std::vector<std::filesystem::path> write(const NamedBytes& files, bool replace,
                                           const NamedBytes& elsewhere = {},
                                           const std::function<void()>& last_look = {}) const;

 private:
  using Lines = std::set<std::pair<std::string, std::string>>;  // name and hash
  void read();
  void expect_no_link(const std::filesystem::path& name) const;
  void expect_ours(const std::string& name, const std::string& wanted) const;

  std::filesystem::path folder_, list_;
  Lines lines_;
};

/// Throws Error{Exit::unusable} for a folder that is, holds or lies in what a checkout, this one or a copy, is made of
/// (scripts/written asks the same).
void expect_no_checkout(const std::filesystem::path& folder);

/// As expect_no_checkout, and for a folder that make publish wrote, or one anywhere in it (scripts/publish leaves
/// run.json.sha256 there): what others compare with is replaced as a whole.
void expect_unpublished(const std::filesystem::path& folder);

}  // namespace perp
