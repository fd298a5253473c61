#pragma once
// Which positions a model's configuration asks for: RoPE by kind of layer, ALiBi's slopes, or none that are rotated.

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/model_config.hpp"
#include "perp/vectors/rope_scaling.hpp"

namespace perp::distance {

/// How a model tells one place from another.
enum class Positions { rotary, alibi, learned, sinusoidal, relative, none };
inline constexpr std::array all_positions{Positions::rotary,     Positions::alibi,    Positions::learned,
                                          Positions::sinusoidal, Positions::relative, Positions::none};
std::string_view name_of(Positions positions);  ///< "rope", "alibi", "learned" …

/// Layers with the same positions.
struct LayerKind {
  std::string kind;                       ///< "full_attention" …; empty: of a model with one kind
  std::vector<std::size_t> which;         ///< numbers from 0; empty: the file does not say
  double window = 0;                      ///< positions that a query sees; 0: all before it
  std::optional<RopeSettings> rope = {};  ///< nothing: these layers do not rotate
};

/// What queries at position p are multiplied by: 1 + slope ln(1 + ⌊(p + first)/every⌋).
struct QueryTemperature {
  double slope, every, first;
  bool unrotated_only;  ///< in layers without positions alone (Llama 4)
};

struct RopeConfig {
  std::string model;  ///< model_type; may be empty
  Positions positions = Positions::rotary;
  RopeSettings settings;  ///< of the layers that attend to everything, or else of the first that rotate
  std::vector<LayerKind> layers;  ///< at least one for RoPE
  double claimed = 0;             ///< positions that the configuration promises; 0: it says nothing
  std::size_t alibi_heads = 0;    ///< above 0: ALiBi with so many heads, and no RoPE
  double alibi_maximum = 8;       ///< the last slope is 2 to minus this
  double alibi_scale = 1;         ///< what a logit has of the bias: Falcon divides both by √d
  double logits = 1;              ///< what every logit is multiplied by beside cosines and sines
  std::optional<QueryTemperature> temperature = {};
  std::string layout, source;      ///< "half_split" or "interleaved", and who says so; empty: not known
  std::string axes;                ///< of each pair (rope_axes); empty: there is one axis
  std::vector<std::string> notes;  ///< what had to be assumed, in sentences, and what was not read
};

/// By the names of Hugging Face's configurations. A model of several parts: its text. What it leaves out is its family's
/// (rope_architectures.js), with a note. Throws Error{unusable}, naming the file, for a scaling that is not known, values of
/// another kind or out of range, and for a configuration with RoPE or ALiBi without a head's size or number.
RopeConfig rope_config_of(const ConfigValues& values);

/// Configurations of public models by value: rope_configs.json beside this file; each has a "name". Claim D12 asks them.
const std::map<std::string, ConfigValues>& public_configs();
/// These and those of rope_layer_configs.json, most of whose layers differ: of all there are reference vectors.
std::map<std::string, ConfigValues> reference_configs();

class RopeKeys;

/// Kinds of layer in the order of their first ones, each with settings (not read yet) if it rotates: from what
/// rope_architectures.js calls "layers", lists and intervals of layers without rotation, lists with a base or share for each
/// layer, and objects of rope parameters by kind. At least one.
std::vector<LayerKind> layer_kinds(const RopeKeys& config);

/// Whether layers of that name attend to a part of the sequence alone.
bool is_local(std::string_view kind);

/// From config.json, the folder that it lies in, or a GGUF file's metadata.
RopeConfig read_rope_config(const std::filesystem::path& path);

/// The same names out of a GGUF file (llama.cpp's metadata); `file` is quoted, for messages.
ConfigValues read_gguf_values(const std::filesystem::path& path, const ByteSource& source);

/// Divisors of frequencies, as Llama 3.1's files hold their scaling.
inline constexpr auto gguf_divisors = "rope_freqs.weight";

}  // namespace perp::distance
