#pragma once
// BLAS libraries by their folders, and whether a program runs with one: asked in a process of its own, for a library that is
// none, or another one than it seems, may end a process before main, or keep it for ever.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perp/io/process.hpp"

namespace perp {

/// Where Debian keeps a folder for each BLAS: /usr/lib/<multiarch>, that which the program was built for.
std::filesystem::path blas_root();
/// The folders there that hold a libblas.so.3, sorted.
std::vector<std::filesystem::path> blas_folders();

/// What came of a trial.
struct BlasTrial {
  bool loads = false;  ///< the program came as far as its main with it
  std::string fault;   ///< why not to use it, on one line; empty where a few products and factors were right
};

/// Starts `program`, which calls answer_trial, with all names of its libraries looked up at once, and waits for at most 10 s.
///   set, unset  what its environment is to have otherwise than this process's
///   library     the file that the loader is to take; empty: whichever it takes
/// Throws Error{Exit::failed} where the program cannot be started.
BlasTrial try_program(const std::filesystem::path& program, const Variables& set,
                      const std::vector<std::string>& unset, const std::filesystem::path& library);
/// This program, with the library in `folder` looked for before any other; with an empty one as it was started.
BlasTrial try_folder(const std::filesystem::path& folder);

/// If this process is such a trial, makes it and returns the exit code; otherwise nothing.
std::optional<int> answer_trial();

}  // namespace perp
