#pragma once
// The command line every study shares. One-line errors, exit code 2, `--help` that teaches.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

enum class Preset { quick, full, long_ };
std::string_view to_text(Preset preset);

/// The value that belongs to a preset: pick(options.preset, 100, 10'000, 1'000'000).
template <class T>
T pick(Preset preset, T quick, T full, T long_) {
  return preset == Preset::quick ? quick : preset == Preset::full ? full : long_;
}

/// Where a study stands among those that run one after the other: for progress alone.
struct Turn {
  std::string step;    ///< "3 of 6"; empty where there is no other
  double after_s = 0;  ///< seconds that those behind it are expected to take
};

/// One part of the cells, of `of` that cost about alike: the first is number 1.
struct Part {
  std::size_t number = 1, of = 1;
};

/// "3/16"; or "slurm": that of an array of jobs, by SLURM_ARRAY_TASK_ID, MIN, MAX and COUNT. Throws
/// Error{Exit::unusable} for anything else, outside an array, and for one with gaps.
Part parse_part(std::string_view text);
struct Options {
  Preset preset = Preset::full;
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::filesystem::path out;    ///< the folder that itself receives the study's files
  std::filesystem::path build;  ///< where cells and learned words are kept between runs
  std::vector<std::string> only;
  bool json = false, list = false, fresh = false;
  std::set<std::string> typed;     ///< names of the options that were given, the study's own among them
  std::vector<std::string> files;  ///< of a word that takes them: what stands there without an option's name
  Turn turn;
  std::optional<Part> part;                  ///< to measure alone, without results
  std::map<std::string, std::string> extra;  ///< the study's own options, as typed; absent if not given

  bool wants(std::string_view claim) const;
  /// For an answer that --`asked` alone asks for. Throws Error{Exit::unusable} for another option than `read`
  /// that was given: it would change nothing.
  void expect_alone(std::string_view asked, std::initializer_list<std::string_view> read) const;
  /// The same for these options of any kind beside --`asked`.
  void expect_none_of(std::initializer_list<std::string_view> idle, std::string_view asked) const;
  std::optional<std::string> text(const std::string& name) const;
  /// The one number given for an option, finite; or the whole one, from 1. Nothing without it; throw
  /// Error{Exit::unusable} for anything else.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::size_t> count(const std::string& name) const;
  /// The list or range given for an extra option, or `otherwise`.
  std::vector<std::size_t> sizes(const std::string& name, std::vector<std::size_t> otherwise) const;
};

struct ExtraOption {
  std::string name, placeholder, help;
};

/// --part, as studies and a report have it; and what was typed for it, taken from `extra` to `part`. Throws
/// Error{Exit::unusable} as parse_part does, and for a part with --fresh or --json, which concern whole runs.
ExtraOption part_option();
void read_part(Options& options);

/// "64,128,512", "64..4096*2", "0..1+0.1" or a mixture: the numbers in the order given. A range includes its
/// end if a step lands on it (to 1e-9 of the step). Throws Error saying which part cannot be read; at most
/// 100,000 numbers.
std::vector<double> parse_list(std::string_view text);

/// Reads the command line. Prints help, version or a one-line complaint itself and then returns the exit code
/// instead.
struct Parsed {
  std::optional<Options> options;
  int exit_code = 0;
};
Parsed parse_options(const std::string& study, const std::string& about,
                     const std::vector<std::string>& claims, const std::vector<ExtraOption>& extra, int argc,
                     char** argv);

/// A word of `perp` that is no study, as its --help says it.
struct WordUsage {
  std::string name;      ///< "perp list"
  std::string about;     ///< what it does, in sentences
  std::string examples;  ///< lines of whole commands, each with what it is for
  std::string files;     ///< "FILE" if it takes files without an option's name; empty if it takes none
  std::string files_help;
};
/// Reads the command line of a word: these options and no others of a study's. --json, --threads, --seed,
/// --preset, --out and --build are there if an option of that name is among them, and then fill the fields of
/// Options; all others go to `extra`, one without a placeholder as "yes".
Parsed parse_word(const WordUsage& usage, const std::vector<ExtraOption>& options, int argc, char** argv);

}  // namespace perp
