#pragma once
// Which RoPE a model's configuration asks for.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "perp/io/config_values.hpp"
#include "perp/vectors/rope_scaling.hpp"

namespace perp::distance {

struct RopeConfig {
  std::string model;  ///< model_type; may be empty
  RopeSettings settings;
  double claimed = 0;              ///< positions that the configuration promises; 0: it says nothing
  std::size_t alibi_heads = 0;     ///< above 0: ALiBi with so many heads, and no RoPE
  std::vector<std::string> notes;  ///< what had to be assumed, in sentences
};

/// By the names of Hugging Face's configurations; of several kinds of layer the full attention's. A model of several
/// parts: its text_config. What it leaves out is its family's default, with a note. Throws Error{unusable}, naming the file, for a scaling that is not known, values of
/// another kind or out of range, and for a configuration without a head's size.
RopeConfig rope_config_of(const ConfigValues& values);

/// Configurations of public models by value: rope_configs.json beside this file; each has a "name".
const std::map<std::string, ConfigValues>& public_configs();

/// From config.json, the folder that it lies in, or a GGUF file's metadata.
RopeConfig read_rope_config(const std::filesystem::path& path);

}  // namespace perp::distance
