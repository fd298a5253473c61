#pragma once
// What the studies wrote, read back and checked: the only source of numbers for the report.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/csv.hpp"
#include "perp/study/results.hpp"

namespace perp::report {

/// The studies of which the folder has a results.json.
std::set<std::string> studies_in(const std::filesystem::path& folder);
/// What <study>/results.json says.
Results read_results(const std::filesystem::path& study);

class Facts {
 public:
  /// Reads <folder>/<study>/results.json of every study there is. Throws Error{Exit::unusable} when there is
  /// none, or when one cannot be believed: a verdict or outcome that judge() does not confirm, a claim naming
  /// a finding that is not there or saying nothing of what was found, an id that is used twice.
  explicit Facts(std::filesystem::path folder);

  /// Of results that are already in memory; their tables are sought in <folder>/<study>.
  Facts(std::filesystem::path folder, std::vector<Results> studies);

  /// Puts the studies into this order; those it does not name come last, as they were.
  void arrange(const std::vector<std::string>& order);

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Results>& studies() const { return studies_; }
  /// Of all studies, one behind the other; what a rule here asks for and a longer run alone could judge is of that
  /// run, where its results lie in `long` or `long-…` beside the studies.
  const std::vector<Finding>& findings() const { return findings_; }
  /// The claims, each with the rules of all that is evidence for it, judged by the findings of all studies;
  /// in the order of the studies and then as people count. Evidence whose claim is not there stands for
  /// itself.
  const std::vector<Claim>& claims() const { return claims_; }

  /// nullptr where it is not there.
  const Results* study(std::string_view name) const;
  /// A claim as above.
  const Claim* claim(std::string_view id) const;
  /// What one study says under that name by its own findings: a claim, evidence for one, or a picture.
  const Claim* entry(std::string_view id) const;
  /// What these studies measured; what a longer run beside them did, where they did not or drew too few to judge.
  const Finding* finding(std::string_view id) const;
  /// Is the rules' finding of that name a longer run's?
  bool is_of_long(const std::string& id) const { return of_long_.contains(id); }
  const Results* study_of_claim(std::string_view id) const;

  /// Where "study/table.csv" lies, whether or not it is there, or "long/study/table.csv" of a longer run. Throws
  /// Error for another form of name.
  std::filesystem::path table_path(std::string_view name) const;

  /// The table "study/table.csv". Throws Error when the study did not write it or its columns are not those
  /// that results.json defines.
  Csv table(std::string_view name) const;
  /// Its definition in results.json.
  const Table& table_definition(std::string_view name) const;

 private:
  void check() const;
  void add_what_longer_runs_measured();
  void join();

  std::filesystem::path folder_;
  std::vector<Results> studies_;
  std::vector<Finding> findings_;
  std::map<std::string, std::vector<Results>> runs_;  ///< the longer runs, by their folder
  std::vector<Finding> longer_;                       ///< theirs, each id once
  std::set<std::string> of_long_;
  std::vector<Claim> claims_;
};

/// A study's claims as people count: O2 before O10, D9 before Q1.
std::vector<const Claim*> in_order(const Results& study);

}  // namespace perp::report
