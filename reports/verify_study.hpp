#pragma once
// One study in both runs: what they have in common, then findings, verdicts, tables.

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

/// What a number is about, in the words of both runs.
struct Part {
  const char* name;
  std::string published, fresh;
};
/// The first part that is another one: then the number would be another one, too, which no run may change.
std::optional<Moved> apart(const std::string& where, const std::vector<Part>& parts);

/// Calls `both` with findings, claims or tables of one name; what only one of the runs has is noted.
template <class Item, class Both>
void side_by_side(const StudyPair& pair, const std::string& sort, const std::vector<Item>& published,
                  const std::vector<Item>& fresh, std::string Item::*name, const Both& both) {
  const auto in = [&](const std::vector<Item>& items, const Item& like) {
    return std::ranges::find(items, like.*name, name);
  };
  const auto missing = [&](const Item& item, const char* before, const char* now, const char* why) {
    pair.into.note(sort, pair.excused({Outcome::failed, pair.name() + "/" + item.*name, before, now, why},
                                      true, Kind::exact));
  };
  for (const Item& item : published)
    if (const auto other = in(fresh, item); other != fresh.end())
      both(item, *other);
    else
      missing(item, "there", "–", "not found again");
  for (const Item& item : fresh)
    if (in(published, item) == published.end()) missing(item, "–", "there", "not published");
}

/// All that follows.
void verify_results(const StudyPair& pair);
void verify_findings(const StudyPair& pair);
/// Statements, rules, and what their conditions came to.
void verify_claims(const StudyPair& pair);
void verify_tables(const StudyPair& pair);

}  // namespace perp::report
