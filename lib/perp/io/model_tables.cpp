#include "perp/io/model_tables.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"

namespace perp {
namespace {

/// A family's two tables, by what their names end with.
struct TableNames {
  std::string_view family, words, positions;
  std::string_view sign;          ///< what else the model has, for names that others have, too
  std::string_view no_positions;  ///< why there is no table of them
};
constexpr std::string_view relative =
    "T5 has no positions that are added: a learned bias for each distance is added to the scores";
constexpr std::string_view rotary =
    "it has no positions that are added: queries and keys are turned by their place (rotary)";
constexpr auto table_names = std::to_array<TableNames>({
    {"GPT-2", "wte.weight", "wpe.weight", "", ""},
    {"GPT-1", "tokens_embed.weight", "positions_embed.weight", "", ""},
    {"BERT", "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight", "", ""},
    {"OPT", "embed_tokens.weight", "embed_positions.weight", "", ""},
    {"Transformer", "tok_embedding.weight", "pos_embedding.weight", "", ""},
    {"CLIP's text", "embeddings.token_embedding.weight", "embeddings.position_embedding.weight", "", ""},
    {"CLIP's text", "token_embedding.weight", "positional_embedding", "", ""},
    {"GGUF", "token_embd.weight", "position_embd.weight", "", ""},
    {"ViT", "", "embeddings.position_embeddings", "patch_embeddings.projection.weight", ""},
    {"ViT", "", "pos_embed", "patch_embed.proj.weight", ""},
    {"CLIP's images", "", "embeddings.position_embedding.weight", "embeddings.patch_embedding.weight", ""},
    {"T5", "shared.weight", "", "relative_attention_bias.weight", relative},
    {"llama", "embed_tokens.weight", "", "self_attn.q_proj.weight", rotary},
    {"llama (GGUF)", "token_embd.weight", "", "attn_q.weight", rotary},
});

/// Rows of their own that stand for no word: tokens for the whole image, for what is hidden, registers.
constexpr std::string_view class_tokens[] = {"cls_token",  "class_token",     "class_embedding", "mask_token",
                                             "dist_token", "register_tokens", "reg_token"};

/// What numbers of 8 bits and fewer are multiplied by is no table.
bool is_scale(std::string_view name) {
  return name.ends_with("weight_scale") || name.ends_with("_scale_inv") || name == "scales" ||
         name.ends_with(".scales");
}
bool is_class_token(std::string_view name) {
  return std::ranges::any_of(class_tokens,
                             [&](std::string_view token) { return name.find(token) != name.npos; });
}

constexpr auto layer_names = std::to_array<LayerNames>({
    {"llama (GGUF)", "", "blk.", "attn_q", "attn_k", "", "", "attn_norm", false, true},
    {"GPT-1", "tokens_embed.weight", "h.", "attn.c_attn", "", "", "ln_2", "", true},
    {"GPT-2", "", "h.", "attn.c_attn", "", "", "", "ln_1", true},
    {"BERT", "", "encoder.layer.", "attention.self.query", "attention.self.key", "embeddings.LayerNorm",
     "output.LayerNorm", ""},
    {"DistilBERT", "", "transformer.layer.", "attention.q_lin", "attention.k_lin", "embeddings.LayerNorm",
     "output_layer_norm", ""},
    {"ALBERT", "", "encoder.albert_layer_groups.0.albert_layers.", "attention.query", "attention.key",
     "embeddings.LayerNorm", "full_layer_layer_norm", ""},
    {"OPT", "", "decoder.layers.", "self_attn.q_proj", "self_attn.k_proj", "", "", "self_attn_layer_norm"},
});

/// Whether `name` ends with `ending` at a word's beginning; what stands before it then.
std::optional<std::string> before(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  return name.empty() || name.back() == '.' ? std::optional<std::string>(name) : std::nullopt;
}

bool any_ends_with(const std::vector<std::string>& names, std::string_view ending) {
  return std::ranges::any_of(names,
                             [=](const std::string& name) { return before(name, ending).has_value(); });
}

/// A pair of tables that fits a family.
struct Fit {
  const TableNames* names;
  std::optional<std::size_t> words, positions;
};

class Finder {
 public:
  Finder(const std::vector<ModelTensor>& tensors, const ModelConfig& config)
      : tensors_(tensors), config_(config) {
    for (const ModelTensor& tensor : tensors) names_.push_back(tensor.name);
  }

  ModelTables find() const {
    const Fit fit = the_fit();
    ModelTables out;
    if (fit.names) out.family = family_of(fit), out.no_positions = fit.names->no_positions;
    out.words = fit.words, out.positions = fit.positions;
    if (fit.words && fit.positions)
      require(shape(*fit.words).cols == shape(*fit.positions).cols,
              "{} and {} differ in width: one of them goes through a projection; {}", text(*fit.words),
              text(*fit.positions), name_them);
    if (fit.positions && turns()) {
      // Hugging Face's code makes the table all the same.
      out.no_positions = fmt::format("its configuration says {}: the table {} is not used",
                                     on_one_line(config_.positions), text(*fit.positions));
      require(out.words.has_value(), "{}; expected words", out.no_positions);
      out.positions.reset();
    }
    if (out.positions) out.skipped = skipped(fit);
    add_layers(out);
    return out;
  }

 private:
  /// Whether the configuration says that positions are no table.
  bool turns() const {
    static constexpr auto said = std::to_array<std::string_view>({"rotary", "rope", "alibi", "nope"});
    return std::ranges::count(said, config_.positions) > 0;
  }

  static constexpr const char* name_them = "expected --words FILE:TENSOR or --positions FILE:TENSOR";

  TableShape shape(std::size_t i) const { return *table_shape(tensors_[i].shape); }
  std::string text(std::size_t i) const {
    return fmt::format("{} ({})", on_one_line(names_[i]), fmt::join(tensors_[i].shape, " x "));
  }
  bool has(std::string_view ending) const { return any_ends_with(names_, ending); }

  /// Tables whose names end so.
  std::vector<std::size_t> ending_with(std::string_view ending) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (before(names_[i], ending) && table_shape(tensors_[i].shape)) found.push_back(i);
    return found;
  }
  /// Positions with the same prefix as the words.
  std::vector<std::size_t> beside(std::size_t words, const TableNames& names) const {
    std::vector<std::size_t> found = ending_with(names.positions);
    std::erase_if(found, [&](std::size_t i) {
      return *before(names_[i], names.positions) != *before(names_[words], names.words);
    });
    return found;
  }

  /// Of families with both tables, or else of those that have one of them.
  std::vector<Fit> fits(bool of_both) const {
    std::vector<Fit> out;
    for (const TableNames& names : table_names) {
      if ((!names.words.empty() && !names.positions.empty()) != of_both) continue;
      if (!names.sign.empty() && !has(names.sign)) continue;
      if (names.words.empty())
        for (const std::size_t i : ending_with(names.positions)) out.push_back({&names, {}, i});
      else
        for (const std::size_t w : ending_with(names.words))
          if (of_both)
            for (const std::size_t p : beside(w, names)) out.push_back({&names, w, p});
          else
            out.push_back({&names, w, {}});
    }
    return out;
  }

  Fit the_fit() const {
    for (const bool of_both : {true, false}) {
      const std::vector<Fit> found = fits(of_both);
      if (found.size() == 1) return found.front();
      if (found.size() > 1) refuse_several(found);
    }
    return by_hints();
  }

  [[noreturn]] void refuse_several(const std::vector<Fit>& found) const {
    std::vector<std::string> listed;
    for (const Fit& fit : found)
      for (const auto& table : {fit.words, fit.positions})
        if (table && std::ranges::count(listed, text(*table)) == 0) listed.push_back(text(*table));
    refuse("several tables fit: {}; {}", some_of(listed), name_them);
  }

  /// Tables of no known family: a single one, or one whose name says words and one whose name says positions.
  Fit by_hints() const {
    const auto hinted = [this](std::initializer_list<std::string_view> hints) {
      std::vector<std::size_t> found;
      for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto is_in = [&](std::string_view hint) { return names_[i].find(hint) != std::string::npos; };
        if (table_shape(tensors_[i].shape) && std::ranges::any_of(hints, is_in) &&
            !is_class_token(names_[i]) && !is_scale(names_[i]))
          found.push_back(i);
      }
      return found;
    };
    const std::vector<std::size_t> positions = hinted({"pos", "wpe", "Pos"});
    std::vector<std::size_t> words = hinted({"word", "wte", "tok", "embed", "vec", "glove"});
    std::erase_if(words, [&](std::size_t i) { return std::ranges::count(positions, i) > 0; });
    const bool one_each = words.size() <= 1 && positions.size() <= 1 && words.size() + positions.size() > 0;
    const auto apart = std::ranges::count_if(
        names_, [](const std::string& name) { return is_class_token(name) || is_scale(name); });
    if (one_each && tensors_.size() == words.size() + positions.size() + std::size_t(apart))
      return {nullptr, words.empty() ? std::nullopt : std::optional(words.front()),
              positions.empty() ? std::nullopt : std::optional(positions.front())};
    // What may be meant stands in front, then the tallest: words mostly have more rows than any layer.
    std::vector<std::size_t> others = hinted({""});
    std::erase_if(others, [&](std::size_t i) {
      return std::ranges::count(words, i) + std::ranges::count(positions, i) > 0;
    });
    std::ranges::stable_sort(others, std::ranges::greater{}, [this](std::size_t i) { return shape(i).rows; });
    std::vector<std::string> listed;
    for (const std::vector<std::size_t>* tables : {&std::as_const(words), &positions, &std::as_const(others)})
      for (const std::size_t i : *tables) listed.push_back(text(i));
    require(!listed.empty(), "no table of words or positions in it; {}", name_them);
    const auto one_of = [this](const std::vector<std::size_t>& tables) {
      return tables.size() == 1 ? on_one_line(names_[tables.front()]) : "TENSOR";
    };
    refuse("no table under a name that is known; it has {}; expected --words FILE:{} or --positions FILE:{}",
           some_of(listed), one_of(words), one_of(positions));
  }

  static std::string some_of(const std::vector<std::string>& listed) {
    constexpr std::size_t most = 6;
    const std::vector<std::string> first(
        listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(std::min(most, listed.size())));
    return fmt::format("{}{}", fmt::join(first, ", "),
                       listed.size() > most
                           ? fmt::format(" and {} more tables (perp list FILE)", listed.size() - most)
                           : "");
  }

  /// By the configuration, or by the prefix.
  std::string family_of(const Fit& fit) const {
    static constexpr auto families =
        std::to_array<std::pair<std::string_view, std::string_view>>({{"bert", "BERT"},
                                                                      {"roberta", "RoBERTa"},
                                                                      {"albert", "ALBERT"},
                                                                      {"distilbert", "DistilBERT"},
                                                                      {"electra", "ELECTRA"},
                                                                      {"openai-gpt", "GPT-1"},
                                                                      {"gpt2", "GPT-2"},
                                                                      {"opt", "OPT"},
                                                                      {"vit", "ViT"},
                                                                      {"t5", "T5"}});
    const std::string& table = names_[fit.words.value_or(*fit.positions)];
    if (is_fairseq(table)) return "fairseq";
    const std::string type = config_.type.empty() ? table.substr(0, table.find('.')) : config_.type;
    const auto known = std::ranges::find(families, type, &decltype(families)::value_type::first);
    if (known != families.end()) return std::string(known->second);
    return config_.type.empty() ? std::string(fit.names->family) : on_one_line(type);
  }

  static bool is_fairseq(std::string_view table) { return table.find("sentence_encoder.") != table.npos; }

  /// RoBERTa's kin count positions from behind the padding's number, OPT from 2; a class token of an image
  /// has no place.
  std::size_t skipped(const Fit& fit) const {
    const std::uint64_t height = shape(*fit.positions).rows;
    const std::string_view family = fit.names ? fit.names->family : "";
    std::uint64_t skip = 0;
    // By the configuration's own number of positions: OPT's kin have two rows in front of them.
    static constexpr auto two_in_front = std::to_array<std::string_view>({"opt", "bart", "mbart", "biogpt"});
    if (std::ranges::count(two_in_front, config_.type) > 0 ||
        (family == "OPT" && config_.most == height - 2)) {
      skip = config_.most.value_or(height - 2) < height ? 2 : 0;
    } else if (family == "BERT" || family == "OPT") {
      static constexpr auto behind_padding = std::to_array<std::string_view>(
          {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "esm"});
      if (std::ranges::count(behind_padding, config_.type) > 0)
        skip = config_.padding.value_or(1) + 1;
      else if ((config_.type.empty() || family == "OPT") && height > 34 &&
               (std::has_single_bit(height - 2) || is_fairseq(names_[*fit.positions])))
        skip = 2;
    } else if (!fit.words) {
      for (const char* token : {"cls_token", "class_embedding", "class_token"})
        skip = std::max<std::uint64_t>(skip, has(token));
      skip += has("dist_token");
    }
    require(skip < height, "{}: {} of its rows are said to be padding", text(*fit.positions), skip);
    return static_cast<std::size_t>(skip);
  }

  void add_layers(ModelTables& out) const {
    out.layers = find_layers(names_);
    const std::uint64_t width = shape(out.words.value_or(out.positions.value_or(0))).cols;
    if (out.layers) {
      const auto query = std::ranges::find(tensors_, out.layers->query(), &ModelTensor::name);
      const auto read = query == tensors_.end() ? std::nullopt : table_shape(query->shape);
      const bool is_read = read && (out.layers->names->joined ? read->rows : read->cols) == width;
      if (!is_read || (out.layers->names->rotary && out.positions)) {
        out.layers.reset();  // a map stands between the tables and the layers, or they are of another family
      } else if (config_.heads) {
        const std::uint64_t columns = out.layers->names->joined ? read->cols / 3 : read->rows;
        require(columns % *config_.heads == 0, "config.json: {} heads do not divide the {} columns of {}",
                *config_.heads, columns, on_one_line(query->name));
        out.heads = static_cast<std::size_t>(*config_.heads);
      }
    }
  }

  const std::vector<ModelTensor>& tensors_;
  const ModelConfig& config_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<TableShape> table_shape(const std::vector<std::uint64_t>& shape) {
  const std::size_t leading = leading_ones(shape);
  if (shape.size() != leading + 2 || shape[leading] == 0 || shape[leading + 1] == 0) return std::nullopt;
  return TableShape{shape[leading], shape[leading + 1]};
}

std::string ModelLayers::query() const {
  return fmt::format("{}{}0.{}.weight", prefix, names->stem, names->query);
}

std::optional<ModelLayers> find_layers(const std::vector<std::string>& tensors) {
  std::vector<std::string> sorted = tensors;
  std::ranges::sort(sorted);
  for (const LayerNames& names : layer_names) {
    if (!names.sign.empty() && !any_ends_with(sorted, names.sign)) continue;
    const auto ending = [&](std::size_t n) {
      return fmt::format("{}{}.{}.weight", names.stem, n, names.query);
    };
    for (const std::string& name : sorted)
      if (const auto prefix = before(name, ending(0))) {
        ModelLayers found{&names, *prefix, 1};
        while (std::ranges::binary_search(sorted, *prefix + ending(found.count))) ++found.count;
        return found;
      }
  }
  return std::nullopt;
}

std::string known_layers() {
  std::vector<std::string> known;
  for (const LayerNames& names : layer_names)
    known.push_back(fmt::format("{}N.{}.weight ({})", names.stem, names.query, names.family));
  return fmt::format("{}", fmt::join(known, ", "));
}

ModelTables find_tables(const std::vector<ModelTensor>& tensors, const ModelConfig& config) {
  return Finder(tensors, config).find();
}

}  // namespace perp
