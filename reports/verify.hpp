#pragma once
// Compares a fresh run with the published one, number by number, by what the two have in common, and the
// published pages with what the published numbers give today. Files are read and nothing is measured.

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/verify_rule.hpp"

namespace perp::report {

struct VerifyOptions {
  std::filesystem::path published = "reports/published", fresh = "build/verify/out";
  std::filesystem::path pages;       ///< the published results rendered again; empty: pages are not compared
  std::vector<std::string> studies;  ///< those to compare; empty: every one that either folder holds
  std::string preset;                ///< refuse another one; empty: take what is published
};

/// A number that is not the same in both runs, or a file or finding that only one of them has.
struct Moved {
  Outcome outcome;
  std::string where, published, fresh, why;
};

/// How many comparisons of one sort came out how.
using Tally = std::array<std::size_t, outcomes>;

struct Verification {
  std::vector<std::string> headings;     ///< a line per study: how it is compared, and why so
  std::vector<Moved> moved;              ///< what failed, was skipped or is only listed
  std::map<std::string, Tally> tallies;  ///< by sort: claims, files, findings, pages, table values

  void count(const std::string& sort, Outcome outcome, std::size_t times = 1);
  void note(const std::string& sort, Moved moved);  ///< counts it too
  std::size_t counted(Outcome outcome) const;
  bool passed() const { return counted(Outcome::failed) == 0; }
};

/// Throws Error{Exit::unusable} when a folder holds no results, cannot be read, or is of another preset.
Verification verify(const VerifyOptions& options);

/// What people read: the table of what moved too far, what was skipped and listed, then the counts.
std::string verification_text(const Verification& verification);

}  // namespace perp::report
