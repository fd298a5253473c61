#pragma once
// One study in both runs: what they have in common, then findings, verdicts, tables.

#include <filesystem>
#include <set>
#include <string>

#include "perp/study/results.hpp"
#include "reports/verify.hpp"

namespace perp::report {

/// One study of one run, as its folder holds it.
struct StudyRun {
  std::filesystem::path folder;
  Results results;
};
StudyRun read_study_run(const std::filesystem::path& folder);

/// Inputs (word texts, tables) that only one of the runs had, or had with other bytes.
struct InputsApart {
  std::set<std::string> absent;  ///< in one of the runs
  std::set<std::string> other;   ///< in both, with different bytes
  bool none() const { return absent.empty() && other.empty(); }
  std::string names() const;
};
InputsApart inputs_apart(const Results& published, const Results& fresh);

/// What the runs have in common, by seed and by what each run.json says of program, processor and BLAS; `why`
/// receives it in words.
Common common_of(const StudyRun& published, const StudyRun& fresh, std::string& why);

/// Everything that two runs of one study are compared by, and where the outcome goes.
struct StudyPair {
  const StudyRun &published, &fresh;
  Common common;
  InputsApart inputs;
  Verification& into;

  std::string name() const { return published.results.study; }
  /// A failure that an input explains is skipped: what is missing if one was absent, what was sampled if one
  /// has other bytes.
  Moved excused(Moved moved, bool missing, Kind kind) const;
};

/// All that follows.
void verify_results(const StudyPair& pair);
void verify_findings(const StudyPair& pair);
/// Verdicts, what they rest on and the sentences that say it.
void verify_claims(const StudyPair& pair);
void verify_tables(const StudyPair& pair);

/// Every file under both folders byte for byte, except what names the machine or holds seconds.
void verify_files(const std::filesystem::path& published, const std::filesystem::path& fresh,
                  const std::set<std::string>& skipped_folders, const std::string& prefix,
                  Verification& into);

}  // namespace perp::report
