#pragma once
// What is settled before a program works: which BLAS it runs with, and on what.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/process.hpp"

namespace perp {

// BLAS libraries by their folders, and whether a program runs with one: asked in a process of its own, for a library that is
// none, or another one than it seems, may end a process before main, or keep it for ever.

/// Where Debian keeps a folder for each BLAS: /usr/lib/<multiarch>, that which the program was built for.
std::filesystem::path blas_root();
/// The folders there that hold a libblas.so.3, sorted.
std::vector<std::filesystem::path> blas_folders();

/// What came of a trial.
struct BlasTrial {
  bool loads = false;  ///< the program came as far as its main with it
  std::string fault;   ///< why not to use it, on one line; empty where a few products and factors were right
};

/// Starts `program`, which calls answer_trial, with all names of its libraries looked up at once, and waits for at most 10 s, or PERP_TOOL_SECONDS.
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

// How every program starts, and how its command line is answered: the same for the studies, for `perp` and for each of its
// words.

namespace CLI {
class App;
}

namespace perp {

/// Runs the body as run_program does, in a process that is ready for work: one BLAS thread and the best kernels (for which
/// it may be replaced by itself, once: settle_blas), freed memory kept, and the programs that it starts in the locale C.
/// Call it first thing in main.
int start(std::string_view name, char** argv, const std::function<int()>& body);

/// For the start of what measures: a trial of the BLAS that the loader took, in a child (80 ms), and a line, if there is anything to
/// say, of the kernels that run. Throws Error{Exit::failed} where the trial fails.
void trust_blas(std::string_view name);

/// What a bug report needs: name, version and the BLAS that really answers.
std::string version_text(std::string_view name);

/// Reads the command line into what the options of `app` are bound to, with --version among them. Help, version and a
/// complaint of one line are said here; the exit code is then returned.
std::optional<int> answered(CLI::App& app, int argc, char** argv);

}  // namespace perp
