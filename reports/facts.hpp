#pragma once
// What the studies wrote, read back and checked: the only source of numbers for the report.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/csv.hpp"
#include "perp/study/results.hpp"

namespace perp::report {

class Facts {
 public:
  /// Reads <folder>/<study>/results.json of every study there is. Throws Error{Exit::unusable} when there is
  /// none, or when one cannot be believed: a verdict that judge() does not confirm, a claim naming a finding
  /// that is not there, a conditional or unmeasured claim without its condition, an id that is used twice.
  explicit Facts(std::filesystem::path folder);

  /// Of results that are already in memory; their tables are sought in <folder>/<study>.
  Facts(std::filesystem::path folder, std::vector<Results> studies);

  /// Puts the studies into this order; those it does not name come last, as they were.
  void arrange(const std::vector<std::string>& order);

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Results>& studies() const { return studies_; }

  /// nullptr where it is not there.
  const Results* study(std::string_view name) const;
  const Claim* claim(std::string_view id) const;
  const Finding* finding(std::string_view id) const;
  const Results* study_of_claim(std::string_view id) const;

  /// Where "study/table.csv" lies, whether or not it is there. Throws Error for another form of name.
  std::filesystem::path table_path(std::string_view name) const;

  /// The table "study/table.csv". Throws Error when the study did not write it or its columns are not those
  /// that results.json defines.
  Csv table(std::string_view name) const;
  /// Its definition in results.json.
  const Table& table_definition(std::string_view name) const;

 private:
  void check() const;

  std::filesystem::path folder_;
  std::vector<Results> studies_;
};

/// The condition that decided the claim: the first that does not hold, else the first; nullptr if unmeasured.
const Condition* deciding_condition(const Results& study, const Claim& claim);

}  // namespace perp::report
