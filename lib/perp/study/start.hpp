#pragma once
// How every program starts, and how its command line is answered: the same for the studies, for `perp` and for each of its
// words.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

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
/// That line alone, for programs that are not begun by `start`.
void warn_of_kernels(std::string_view name);

/// What a bug report needs: name, version and the BLAS that really answers.
std::string version_text(std::string_view name);

/// Reads the command line into what the options of `app` are bound to, with --version among them. Help, version and a
/// complaint of one line are said here; the exit code is then returned.
std::optional<int> answered(CLI::App& app, int argc, char** argv);

}  // namespace perp
