#pragma once
// Whole files: read in one piece, and written whole or not at all. Whoever opens a file of ours, at any
// moment and after any crash, sees either all of the old bytes or all of the new ones.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perp {

/// The file's bytes. Throws Error{Exit::unusable} when it cannot be opened or holds more than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes = std::size_t{1} << 30);

/// Makes `path` hold exactly `bytes`: writes a temporary file in the same folder (".perp-<process>-<n>.tmp"), flushes it to
/// the disk and renames it. Any failure removes the temporary file, leaves the previous file as it was and throws
/// Error{Exit::failed} with one line: the path, the reason, what to do. A symbolic link at `path` is replaced, not followed; a
/// file keeps its mode.
void write_whole(const std::filesystem::path& path, std::string_view bytes);

/// Files that belong together, in this order: all are written beside their places and flushed before the
/// first is renamed, so that a full disk leaves every one of them as it was. Two that write the same ones
/// take turns by Alone (io/program.hpp). Removes leftovers in their folders. Just before the first is renamed
/// `last_look` is called; what it throws leaves every one of them as it was, too.
using NamedBytes = std::vector<std::pair<std::filesystem::path, std::string>>;
void write_together(const NamedBytes& files, const std::function<void()>& last_look = {});

/// Whether it is the name of one of these temporary files.
bool is_temporary_name(std::string_view name);

/// Removes the temporary files that killed processes left in the folder; those that somebody writes stay,
/// also those of other machines where the file system shares its locks. What cannot be removed is left alone:
/// it does no harm.
void remove_leftovers(const std::filesystem::path& folder) noexcept;

/// Moves what stands in a file's place and is no file, such as a folder, to a name with ".aside" behind it.
void set_aside(const std::filesystem::path& path) noexcept;

/// Creates the folder and those above it; fine if it is there already. Throws Error{Exit::failed}, and
/// {Exit::unusable} for a file in a folder's place, that names the part of the path that could not be created.
void make_folders(const std::filesystem::path& path);

}  // namespace perp
