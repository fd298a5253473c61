#pragma once
// Where the program finds what it comes with, where it puts what it makes, and how two runs keep out of each other's way.

#include <filesystem>
#include <string>
#include <string_view>

#include "perp/study/options.hpp"

namespace perp::program {

/// What a report is made with.
struct Sources {
  std::filesystem::path templates, figures;
  std::filesystem::path
      published;  ///< the report that verify compares with, and that says how long studies take
};

/// reports/ of the checkout that the program was built from, if that is there, or else share/perpendicular beside the folder
/// that the program lies in, where an installed one finds it.
Sources sources();

/// Whether the current folder is that of a checkout.
bool in_checkout();

/// The report's folder: reports/out in a checkout, perp-report elsewhere.
std::filesystem::path default_out();

/// Where finished cells and learned words are kept: build in a checkout, elsewhere the user's cache (XDG_CACHE_HOME).
std::filesystem::path default_kept();

/// The folder given for the option of that name, or `otherwise`. Throws Error{Exit::unusable} for a folder without a name:
/// what lies "in" it would lie at the root of the disk.
std::filesystem::path given_folder(const Options& options, const std::string& name,
                                   const std::filesystem::path& otherwise);

/// As long as it lives, no other run writes into the folder, which is made if it is not there; who has to wait for that says
/// for whom. The lock lies on the folder itself, and goes with the process. Throws Error{Exit::unusable} for a folder that
/// cannot be made.
class Alone {
 public:
  Alone(std::string_view name, const std::filesystem::path& folder);
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace perp::program
