#pragma once
// A model that is given as its files: what of it is looked at, as the options would name it.

#include <map>
#include <string>
#include <vector>

namespace perp::inspect {

struct FoundModel {
  std::map<std::string, std::string> tables;  ///< words, positions, rows
  std::map<std::string, std::string> layers;  ///< layers and heads; empty where they do not read the tables
  std::string says;                           ///< in one line: what was taken, and how to name others
};

/// Looks into the files of one model, or into its folder, and into a config.json beside them. Throws
/// Error{unusable} of one line for files that cannot be read, for a folder without any, and as find_tables.
FoundModel find_model(const std::vector<std::string>& files);

}  // namespace perp::inspect
