#pragma once
// Which of a model's layers rotate, and as which kind.

#include <optional>
#include <string>
#include <vector>

#include "studies/distance/rope_keys.hpp"

namespace perp::distance {

/// Layers that treat positions alike.
struct LayerGroup {
  std::string kind;  ///< "full_attention", "sliding_attention" …; empty: of a model with one kind
  bool rotates = true;
  std::vector<std::size_t> which;  ///< their numbers from 0, rising; empty: the file does not say
};

/// In the order of their first layers. From layer_types; hybrid_layer_pattern, compress_ratios and other lists of
/// numbers; sliding_window_pattern and others that say every how many layers; no_rope_layers and no_rope_layer_interval;
/// lists with a base or share for each layer; objects of rope parameters by kind. Of a model without a number of layers,
/// one period.
std::vector<LayerGroup> layer_groups(const RopeKeys& config);

/// Whether layers of that name attend to a part of the sequence alone.
bool is_local(std::string_view kind);

}  // namespace perp::distance
