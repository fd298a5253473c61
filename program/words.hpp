#pragma once
// The words of `perp`, each a job of its own as git's are: `perp report`, `perp inspect FILE`.

#include <span>
#include <string>
#include <string_view>

namespace perp::program {

/// What stands behind a word. It is called with "perp <word>" in argv[0] and the word's own arguments behind it, after the
/// start that every word shares (kernels, threads, streams; main.cpp), and returns the exit code; what it throws becomes
/// one line.
using Run = int (*)(int argc, char** argv);

struct Word {
  std::string_view name;
  std::string_view about;  ///< one line of `perp --help`
  Run run;
};

int report(int argc, char** argv);
int inspect(int argc, char** argv);
int list(int argc, char** argv);
int dot(int argc, char** argv);
int heads(int argc, char** argv);
int base(int argc, char** argv);
int rope(int argc, char** argv);
int reader(int argc, char** argv);
int bench(int argc, char** argv);
int blas_check(int argc, char** argv);
int render(int argc, char** argv);
int verify(int argc, char** argv);
int doctor(int argc, char** argv);

/// Every word, in the order of `perp --help`.
std::span<const Word> words();

/// What errors of this command line begin with: "perp inspect", or "perp" where there is no word.
std::string name_of(int argc, char** argv);

/// The whole program after its start: calls the word, or answers --help, help WORD and --version. Throws
/// Error{Exit::unusable} for a word that is none, naming the nearest.
int run(int argc, char** argv);

}  // namespace perp::program
