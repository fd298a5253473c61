#pragma once
// A model that is given as its files: which tables of theirs are its words and positions, as FILE:TENSOR.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perp {

struct FoundModel {
  /// By the names that options have: "words" and "positions", and "rows" A:B of these where some are none.
  std::map<std::string, std::string> tables;
  /// "layers" (the file) and "heads"; empty where they are not known, or do not read the tables as they are.
  std::map<std::string, std::string> layers;
  std::string says;  ///< in one line: what was taken, and how to name others
};

/// The files of a folder that hold a model: its index, or else all of the first kind that there is of .safetensors, .gguf,
/// .npy, .txt and .vec. Throws Error{unusable} for a folder without any.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder);

/// Looks into the files of one model, or into its folder, and into a config.json beside them. Throws
/// Error{unusable} of one line for files that cannot be read, for a folder without any, and as find_tables.
FoundModel find_model(const std::vector<std::string>& files);

}  // namespace perp
