#pragma once
// The whole rendering, from folders to files.
//
//   facts             reads results, judges every claim again, refuses what disagrees
//   text, expand      fill the templates in; an unknown or unused number is an error with file and line
//   data_table, claims, runs   what directives print
//   links, bibliography        how pages link to one another, and what they cite
//   figure, draw      gnuplot, light and dark in one SVG
//   pages             the report's pages, in each form; for a browser by pandoc

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/render/figure.hpp"

namespace perp::report {

struct RenderOptions {
  std::filesystem::path results = "reports/out", out = "reports/out", readme;
  Sources sources;
  std::filesystem::path at;  ///< where the report will lie, for its links; empty: `out`
  std::string address;       ///< of the site on the web, ending in '/'; empty: its pages name none
  bool check_readme = false, only_figures = false, single = false;
};

struct Rendered {
  std::vector<std::filesystem::path> files;  ///< what was written
  std::string note;                          ///< what was left out for want of a program, in one line
  std::vector<std::string> left_out;         ///< passages that these numbers do not bear out, a line each
};

/// Throws Error{Exit::unusable}, one line, for a folder that holds or is what reports are made of.
void expect_no_source(const RenderOptions& options);

/// For the start of a run that will render. Throws Error{Exit::unusable}, one line, for a folder that holds what reports are
/// made of, or, under the names that these studies' report needs, what no report wrote (lib/perp/io/written.hpp).
void expect_place(const RenderOptions& options, const std::vector<std::string>& studies);

/// For the start of a run that will render, too. Throws Error{Exit::unusable}, one line, where templates or gnuplot are missing.
void expect_means(const RenderOptions& options);

/// The pages for GitHub and their figures by the paths that `render` gives them; nothing is written.
std::map<std::filesystem::path, std::string> render_in_memory(const RenderOptions& options);

/// Renders. Everything is computed before the first file is written: an error leaves the folder as it was. Pages that
/// earlier runs wrote and this one does not are removed, and nothing else is. Throws Error as `expect_place` does, and {Exit::failed} when `check_readme` finds the README not current. The pages for a browser
/// (site/, and with `single` report.html) need pandoc; without it everything else is written and `note` says
/// so.
Rendered render(const RenderOptions& options);

inline constexpr std::string_view readme_begin = "<!-- perpendicular:begin -->";
inline constexpr std::string_view readme_end = "<!-- perpendicular:end -->";

/// `readme` with what stands between the two markers replaced by `block`. Throws Error{Exit::unusable} with
/// `name` unless each marker stands there once, the beginning first.
std::string with_block(std::string_view readme, std::string_view block, std::string_view name);

}  // namespace perp::report
