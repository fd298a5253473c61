#include "studies/inspect/encoder_file.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/table_rows.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::inspect {
namespace {

using model::LayerNorm;
using model::Linear;

constexpr const char* words_end = "embeddings.word_embeddings.weight";

/// The tensors of one file, each with the shape that it must have.
class Weights {
 public:
  explicit Weights(const std::string& file) : file_(file), tensors_(list_tensors(file)) {
    const auto words = std::ranges::find_if(
        tensors_, [](const TensorInfo& tensor) { return tensor.name.ends_with(words_end); });
    require(words != tensors_.end(), "--encoder {}: no tensor that ends in {}; it has {}", in_quotes(file),
            words_end, names_text(tensors_));
    prefix_ = words->name.substr(0, words->name.size() - std::string_view(words_end).size());
  }

  bool has(const std::string& name) const {
    return std::ranges::find(tensors_, prefix_ + name, &TensorInfo::name) != tensors_.end();
  }
  /// 0: any number of rows or columns.
  Matrix<float> table(const std::string& name, std::size_t height, std::size_t width) const {
    const std::string what =
        fmt::format("--encoder {}: tensor {}", in_quotes(file_), in_quotes(prefix_ + name));
    Matrix<float> read = open_table({file_, prefix_ + name}).all_finite<float>(what);
    const auto fits = [](std::size_t found, std::size_t wanted) { return wanted == 0 || found == wanted; };
    const auto text = [](std::size_t wanted) { return wanted == 0 ? "any" : fmt::format("{}", wanted); };
    require(fits(rows(read), height) && fits(cols(read), width), "{} is {} x {}; expected {} x {}", what,
            rows(read), cols(read), text(height), text(width));
    return read;
  }
  std::vector<float> numbers(const std::string& name, std::size_t count) const {
    const Matrix<float> read = table(name, 1, count);
    return {read.data(), read.data() + read.size()};
  }
  Linear<float> linear(const std::string& name, std::size_t out, std::size_t in) const {
    return {table(name + ".weight", out, in), numbers(name + ".bias", out)};
  }
  LayerNorm<float> norm(const std::string& name, std::size_t d) const {
    const bool old = has(name + ".gamma");
    return {numbers(name + (old ? ".gamma" : ".weight"), d), numbers(name + (old ? ".beta" : ".bias"), d),
            float(model::bert_epsilon)};
  }

 private:
  std::string file_;
  std::vector<TensorInfo> tensors_;
  std::string prefix_;
};

model::Block<float> block_of(const Weights& weights, const std::string& layer, std::size_t heads,
                             std::size_t d) {
  model::Block<float> block;
  const std::string self = layer + "attention.self.";
  block.attention = {weights.linear(self + "query", d, d),
                     weights.linear(self + "key", d, d),
                     weights.linear(self + "value", d, d),
                     weights.linear(layer + "attention.output.dense", d, d),
                     heads,
                     false};
  block.first = weights.norm(layer + "attention.output.LayerNorm", d);
  const std::string inner = layer + "intermediate.dense";
  const std::size_t wide = rows(weights.table(inner + ".weight", 0, d));
  block.feed_forward = {weights.linear(inner, wide, d), weights.linear(layer + "output.dense", d, wide),
                        model::Activation::gelu};
  block.second = weights.norm(layer + "output.LayerNorm", d);
  return block;
}

RowRange measured_positions(const std::vector<std::int32_t>& tokens, std::size_t length) {
  const auto all_same = [&](std::size_t t) {
    for (std::size_t r = t; r < tokens.size(); r += length)
      if (tokens[r] != tokens[t]) return false;
    return true;
  };
  RowRange range{1, length};
  while (range.count() > 1 && all_same(range.first)) ++range.first;
  while (range.count() > 1 && all_same(range.last - 1)) --range.last;
  return range;
}

void read_tokens(const std::string& file, EncodedTexts& to) {
  const TableRows table = open_table({file, std::nullopt});
  const std::string name = fmt::format("--token-ids {}", in_quotes(file)), item = table.item();
  require(item.front() == 'i' || item.front() == 'u',
          "{}: items of type {}; expected whole numbers, a text per row", name, item);
  const std::size_t places = rows(to.encoder.positions), words = rows(to.encoder.words);
  require(table.rows() >= fewest_texts && table.cols() >= fewest_tokens,
          "{}: {} texts of {} tokens; expected at least {} of at least {}", name, table.rows(), table.cols(),
          fewest_texts, fewest_tokens);
  require(table.cols() <= places, "{}: texts of {} tokens for an encoder of {} positions", name, table.cols(),
          places);
  const Matrix<double> ids = table.all<double>();
  to.length = cols(ids);
  to.tokens.reserve(ids.size());
  for (std::size_t r = 0; r < rows(ids); ++r)
    for (const double id : row(ids, r)) {
      require(0 <= id && id < double(words), "{}: text {} has the token {:.0f}; expected 0 to {}", name, r,
              id, words - 1);
      to.tokens.push_back(std::int32_t(id));
    }
  to.measured = measured_positions(to.tokens, to.length);
  require(to.measured.count() > 1, "{}: texts that differ at fewer than two positions behind the first",
          name);
}

}  // namespace

std::vector<ExtraOption> encoder_options() {
  return {{"encoder", "FILE",
           "An encoder's weights, BERT's form (.safetensors): what do its layers keep of word and position?"},
          {"encoder-heads", "H", "Its heads, num_attention_heads of config.json"},
          {"token-ids", "FILE", "Texts for it, a row each (.npy of whole numbers): docs/token_ids.py"}};
}

model::Encoder<float> read_encoder(const std::string& file, std::size_t heads) {
  const Weights weights(file);
  Matrix<float> words = weights.table(words_end, 0, 0);
  const std::size_t d = cols(words);
  require(d % heads == 0, "--encoder-heads {}: does not divide the {} dimensions of {}", heads, d,
          in_quotes(file));
  model::Encoder<float> encoder{std::move(words),
                                weights.table("embeddings.position_embeddings.weight", 0, d),
                                weights.table("embeddings.token_type_embeddings.weight", 0, d),
                                weights.norm("embeddings.LayerNorm", d),
                                {}};
  const auto layer = [](std::size_t k) { return fmt::format("encoder.layer.{}.", k); };
  std::vector<model::Block<float>>& blocks = encoder.body.blocks;
  // The first must be there; after it they end where the numbers do.
  do blocks.push_back(block_of(weights, layer(blocks.size()), heads, d));
  while (weights.has(layer(blocks.size()) + "attention.self.query.weight"));
  encoder.body.shape = {.width = d,
                        .heads = heads,
                        .inner = rows(blocks.front().feed_forward.inner.weight),
                        .depth = blocks.size(),
                        .norm = model::Norm::after};
  return encoder;
}

std::optional<EncodedTexts> load_encoder(const Options& options) {
  const auto file = options.text("encoder");
  if (!file) return std::nullopt;
  EncodedTexts texts;
  texts.encoder = read_encoder(*file, *options.count("encoder-heads"));
  const std::string ids = *options.text("token-ids");
  read_tokens(ids, texts);
  for (const std::string& path : {*file, ids}) {
    texts.files.push_back({std::filesystem::path(path).filename().string(), input_sha256(path)});
    texts.hashes.push_back(texts.files.back().sha256);
  }
  texts.hashes.push_back(fmt::format("heads {}", texts.encoder.body.shape.heads));
  return texts;
}

}  // namespace perp::inspect
