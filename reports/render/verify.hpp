#pragma once
// Does a fresh run say what the published one says? Where program, processor, BLAS, seed and inputs are the same, to the byte;
// otherwise each number by its kind:
//
//   kind      same seed                                       another seed
//   exact     whole numbers equal, others to 1e-12             the same
//   count     by 1, or a thousandth                            the same
//   rounded   to 1e-5 and 1e-8; what is rounding itself         the same
//             stays below 1; where an extreme lies is listed
//   sampled   by two thousandths, a fiftieth of the interval,   six standard errors; listed without an interval
//             or one decision of a share
//
// Shares of what moves: of the number, of the largest in its column, of 1 where a unit has a natural size (share, cosine, standard
// deviations). A float32 product of 4,096 terms of random signs rounds by 2^-24·√4096 = 4e-6, the square of a sum by twice that;
// numbers near 0 that are rounding have no digit in common on two machines (1e-8). Rounding turns a decision near an edge now and
// then: 1/n of a share of n, two in a thousand of the rest. Six standard errors: a false alarm in 5e8.

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perp::report {

struct VerifyOptions {
  std::filesystem::path published, fresh;
  std::filesystem::path pages;       ///< the published results rendered again; empty: pages are not compared
  std::vector<std::string> studies;  ///< those to compare; empty: every one that either folder holds
  std::string preset;                ///< refuse another one; empty: take what is published
};

enum class Outcome { equal, within, listed, skipped, failed };
inline constexpr std::array<const char*, 5> outcome_names = {"equal", "within", "listed", "skipped",
                                                             "failed"};

/// What two runs of one study have in common, from most to least.
enum class Common {
  bytes,       ///< program, processor, BLAS, seed and inputs: every byte must agree
  draws,       ///< the seed: the same random numbers, rounded differently
  definitions  ///< neither, or where rounding grows: what was drawn may differ as far as chance goes
};

/// Why a text that differs is only listed.
inline constexpr const char* chosen_text = "a text that numbers chose";

/// A number that is not the same in both runs, or a file, finding or table that only one of them has.
struct Moved {
  Outcome outcome;
  std::string where, published, fresh, why;
};

struct Verification {
  std::vector<std::string> headings;  ///< a line per study: how it is compared, and why so
  std::vector<Moved> moved;           ///< what failed, was skipped or is only listed
  std::map<std::string, std::array<std::size_t, outcome_names.size()>>
      tallies;  ///< by sort: claims, files, …

  void note(const std::string& sort, Moved one, std::size_t times = 1);
  std::size_t counted(Outcome outcome) const;
  bool passed() const { return counted(Outcome::failed) == 0; }
};

/// Findings, claims and tables of one study in two folders.
void verify_study(const std::filesystem::path& published, const std::filesystem::path& fresh, Common common,
                  Verification& into);

/// Files are read and nothing is measured. Throws Error{Exit::unusable} when a folder holds no results, cannot be read, or is of
/// another preset.
Verification verify(const VerifyOptions& options);

/// What people read: what was listed, skipped, moved too far, then the counts.
std::string verification_text(const Verification& verification);

}  // namespace perp::report
