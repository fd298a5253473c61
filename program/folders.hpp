#pragma once
// What several words share: where the program finds what it comes with, and where it puts what it makes; the studies; the
// pages.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/study/options.hpp"
#include "reports/render/figure.hpp"
#include "reports/render/render.hpp"

namespace perp::program {

/// What a report is made with.
struct Sources {
  report::Sources texts;
  std::filesystem::path
      published;  ///< the report that verify compares with, and that says how long studies take
};

/// share/perpendicular beside the folder that the program lies in, as it is installed, or else the checkout that it was built
/// from.
Sources sources();

/// What --templates and --sections name, elsewhere the program's own.
report::Sources sources_of(const Options& options);

/// Says in one line whose templates and figures the pages are written with, where the current folder is another checkout
/// than the program's and has its own.
void say_other_templates(std::string_view program, const Options& options);

/// The report's folder: reports/out in a checkout, perp-report elsewhere.
std::filesystem::path default_out();

/// Where finished cells and learned words are kept: build in a checkout, elsewhere the user's cache (XDG_CACHE_HOME).
std::filesystem::path default_kept();

/// The folder given for the option of that name, or `otherwise`. Throws Error{Exit::unusable} for a folder without a name:
/// what lies "in" it would lie at the root of the disk.
std::filesystem::path given_folder(const Options& options, const std::string& name,
                                   const std::filesystem::path& otherwise);

/// A new folder with a name of its own, which goes in the end with all that it holds; links in it are removed, not followed.
class OwnFolder {
 public:
  /// Throws Error where none can be made in `inside`.
  explicit OwnFolder(const std::filesystem::path& inside);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// --kept, or default_kept().
std::filesystem::path kept_of(const Options& options);

/// All studies that a report has, in the order in which they are measured.
const std::vector<Study>& all_studies();

/// Renders, and says how many files that made and what the report says.
void render_and_say(std::string_view name, const report::RenderOptions& options);

}  // namespace perp::program
