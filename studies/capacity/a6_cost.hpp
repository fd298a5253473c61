#pragma once
// Shared by the files of claim A6: what the counts are about.

#include <cstdint>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/theory/cost.hpp"

namespace perp::capacity {

/// Words, tokens and blocks of the models compared: GPT-2 small's, at every width.
inline constexpr std::uint64_t cost_words = 50257, cost_tokens = 1024, cost_blocks = 12;
/// The place at which the claim is judged: GPT-2 small's width, an eighth of it for positions.
inline constexpr double judged_width = 768, judged_positions = 96;
/// Bytes of a parameter in float32.
inline constexpr std::uint64_t parameter_bytes = 4;

/// A published model with its published counts.
struct PublishedModel {
  const char* name;
  theory::ModelShape shape;
  std::uint64_t besides;       ///< parameters outside blocks and tables: norms, token types, pooler
  std::uint64_t block, model;  ///< as published
};
/// GPT-2 small (Radford et al. 2019, the released checkpoint) and BERT-base, uncased (Devlin et al. 2019, the
/// released checkpoint, with its pooler).
std::vector<PublishedModel> published_models();

/// Tables, findings and rule of A6 from its cells' records.
Outcome summarise_cost(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
