#pragma once
// The whole rendering, from folders to files.

#include <filesystem>
#include <string>
#include <vector>

namespace perp::report {

struct RenderOptions {
  std::filesystem::path results = "reports/out", templates = "reports/templates", figures = "reports/figures",
                        out = "reports/out", readme;
  bool check_readme = false, only_figures = false;
};

struct Rendered {
  std::vector<std::filesystem::path> files;  ///< what was written
  std::string note;                          ///< what was left out for want of a program, in one line
};

/// Renders. Everything is computed before the first file is written: an error leaves the folder as it was.
/// Throws Error; {Exit::failed} when `check_readme` finds the README not current. report.html needs pandoc;
/// without it everything else is written and `note` says so.
Rendered render(const RenderOptions& options);

}  // namespace perp::report
