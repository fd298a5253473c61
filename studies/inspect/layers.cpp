#include "studies/inspect/layers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors_index.hpp"

namespace perp::inspect {
namespace {

Matrix<double> with_gain(const Matrix<double>& weights, const std::vector<double>& gain) {
  Matrix<double> out = weights;
  for (std::size_t i = 0; i < gain.size(); ++i)
    for (double& w : row(out, i)) w *= gain[i];
  return out;
}

Matrix<double> columns_of(const Matrix<double>& weights, std::size_t first, std::size_t count) {
  return converted<double>(View(weights.data() + first, rows(weights), count, cols(weights)));
}

/// Σ a_ij b_ij.
double inner(const Matrix<double>& a, const Matrix<double>& b) {
  return dot(std::span(a.data(), a.size()), std::span(b.data(), b.size()));
}

}  // namespace

std::optional<Layers> Layers::of(const Model& model, const std::optional<GivenPositions>& weights) {
  Layers layers;
  if (model.options.text("layers")) {
    layers.find(model.options);
    require(!layers.rotary() || !model.options.text("positions"),
            "--layers {}: its positions are rotary, no table that is added; expected it without --positions",
            in_quotes(layers.path_));
    return layers;
  }
  if (!weights || !weights->weights) return std::nullopt;
  const AttentionWeights& given = *weights->weights;
  Layer layer{given.query, given.key, std::nullopt, given.query_bias, given.key_bias, {}, {}};
  if (weights->layer_norm) {
    layer.gain = weights->layer_norm->gain;
    layer.norm_bias = weights->layer_norm->bias;
  }
  layers.heads_ = layers.key_heads_ = given.heads;
  layers.width_ = given.width();
  layers.dim_ = rows(given.query);
  layers.given_ = std::make_shared<const Layer>(std::move(layer));
  return layers;
}

void Layers::find(const Options& options) {
  path_ = *options.text("layers");
  for (const ListedTable& listed : list_tables(path_)) tensors_.push_back(listed.tensor);
  std::ranges::sort(tensors_);
  const std::optional<ModelLayers> found = find_layers(tensors_);
  require(found.has_value(), "--layers {}: no query weights under a known name; expected {}",
          in_quotes(path_), known_layers());
  found_ = *found;
  note_files();
  read_heads(options);
  const TableRows query = open_table({path_, found_.query()});
  // Joined weights have a row per input and three outputs in one; the others a row per output.
  const bool joined = found_.names->joined;
  dim_ = joined ? query.rows() : query.cols();
  const std::size_t outputs = joined ? query.cols() / 3 : query.rows();
  require(outputs % heads_ == 0 && outputs >= heads_,
          "--layers {}: {} heads do not divide {} columns of queries", in_quotes(path_), heads_, outputs);
  width_ = outputs / heads_;
  require(width_ <= dim_, "--layers {}: heads of {} columns out of {} dimensions; expected as many at most",
          in_quotes(path_), width_, dim_);
}

void Layers::read_heads(const Options& options) {
  const std::optional<std::size_t> heads = count_option(options, "heads");
  if (found_.names->rotary) {
    require(!heads, "--layers {}: its heads stand in its metadata; expected it without --heads",
            in_quotes(path_));
    return read_metadata();
  }
  require(heads.has_value(), "--layers {}: expected --heads H, their number in a layer", in_quotes(path_));
  key_heads_ = heads_ = *heads;
}

void Layers::note_files() {
  files_ = {path_};
  const ByteSource source(path_);
  if (table_format(source) != TableFormat::safetensors_index) return;
  std::set<std::string> shards;
  for (const IndexEntry& entry : read_safetensors_index(source))
    if (entry.tensor.starts_with(stem()) || entry.tensor.starts_with(found_.prefix + "embeddings.LayerNorm"))
      shards.insert(entry.file);
  for (const std::string& shard : shards) files_.push_back(source.path().parent_path() / shard);
}

void Layers::read_metadata() {
  const GgufHeader header = read_gguf_header(ByteSource(path_));
  const std::string architecture = header.text("general.architecture").value_or("");
  require(architecture == "llama", "--layers {}: architecture {}; llama was expected", in_quotes(path_),
          in_quotes(architecture));
  const auto heads = header.count("llama.attention.head_count"), blocks = header.count("llama.block_count");
  require(heads && *heads > 0, "--layers {}: no whole number llama.attention.head_count; expected one from 1",
          in_quotes(path_));
  require(!blocks || *blocks == count(),
          "--layers {}: llama.block_count is {}, but there are query weights of {}", in_quotes(path_),
          blocks.value_or(0), count());
  heads_ = static_cast<std::size_t>(*heads);
  key_heads_ = static_cast<std::size_t>(header.count("llama.attention.head_count_kv").value_or(*heads));
  require(key_heads_ > 0 && heads_ % key_heads_ == 0,
          "--layers {}: {} heads share {} of keys; expected a number that divides them", in_quotes(path_),
          heads_, key_heads_);
}

std::string Layers::stem() const { return found_.prefix + std::string(found_.names->stem); }

std::string Layers::layer_name(std::size_t n, std::string_view rest) const {
  return fmt::format("{}{}.{}", stem(), n, rest);
}

Matrix<double> Layers::read_all(const TableRows& open) const {
  Matrix<double> read = open.all<double>();
  for (std::size_t i = 0; i < rows(read); ++i)
    for (const double x : row(read, i))
      require(std::isfinite(x), "--layers {}: tensor {}: row {} holds {}; expected finite numbers",
              in_quotes(path_), in_quotes(open.tensor()), i, x);
  return read;
}

Matrix<double> Layers::weights(const std::string& name, std::size_t columns, bool is_transposed) const {
  const TableRows stored = open_table({path_, name});
  const std::size_t inputs = is_transposed ? stored.cols() : stored.rows(),
                    outputs = is_transposed ? stored.rows() : stored.cols();
  require(inputs == dim_ && outputs == columns,
          "--layers {}: tensor {} takes {} numbers to {}; expected {} to {}", in_quotes(path_),
          in_quotes(name), inputs, outputs, dim_, columns);
  return is_transposed ? transposed(read_all(stored)) : read_all(stored);
}

std::vector<double> Layers::numbers(const std::vector<std::string>& names, std::size_t size) const {
  for (const std::string& name : names) {
    if (!std::ranges::binary_search(tensors_, name)) continue;
    const TableRows stored = open_table({path_, name});
    require(std::min(stored.rows(), stored.cols()) == 1 && std::max(stored.rows(), stored.cols()) == size,
            "--layers {}: tensor {} is {} x {}; expected {} numbers", in_quotes(path_), in_quotes(name),
            stored.rows(), stored.cols(), size);
    const Matrix<double> read = read_all(stored);
    return {read.data(), read.data() + read.size()};
  }
  return {};
}

std::string Layers::norm_of(std::size_t n) const {
  const LayerNames& names = *found_.names;
  if (!names.own_norm.empty()) return layer_name(n, names.own_norm);
  if (n > 0) return layer_name(n - 1, names.previous_norm);
  return names.first_norm.empty() ? "" : found_.prefix + std::string(names.first_norm);
}

Layer Layers::read_apart(std::size_t n) const {
  const LayerNames& names = *found_.names;
  const auto name = [&](std::string_view table, const char* what) {
    return layer_name(n, fmt::format("{}.{}", table, what));
  };
  const std::size_t queries = heads_ * width_, keys = key_heads_ * width_;
  Layer layer;
  layer.query = weights(name(names.query, "weight"), queries, true);
  layer.key = weights(name(names.key, "weight"), keys, true);
  if (const std::string value = name(names.value, "weight"); std::ranges::binary_search(tensors_, value))
    layer.value = weights(value, keys, true);
  layer.query_bias = numbers({name(names.query, "bias")}, queries);
  layer.key_bias = numbers({name(names.key, "bias")}, keys);
  return layer;
}

Layer Layers::read_joined(std::size_t n) const {
  const std::string name = layer_name(n, found_.names->query);
  const std::size_t columns = heads_ * width_;
  const Matrix<double> all = weights(name + ".weight", 3 * columns, false);
  const std::vector<double> bias = numbers({name + ".bias"}, 3 * columns);
  Layer layer;
  layer.query = columns_of(all, 0, columns);
  layer.key = columns_of(all, columns, columns);
  layer.value = columns_of(all, 2 * columns, columns);
  if (!bias.empty()) {
    const auto part = bias.begin() + static_cast<std::ptrdiff_t>(columns);
    layer.query_bias.assign(bias.begin(), part);
    layer.key_bias.assign(part, part + static_cast<std::ptrdiff_t>(columns));
  }
  return layer;
}

Layer Layers::read(std::size_t n) const {
  require(n < count(), "layer {} of {}", n, count());
  if (given_) return *given_;
  Layer layer = found_.names->joined ? read_joined(n) : read_apart(n);
  // Older files say gamma and beta.
  const std::string norm = norm_of(n);
  layer.gain = numbers({norm + ".weight", norm + ".gamma"}, dim_);
  layer.norm_bias = numbers({norm + ".bias", norm + ".beta"}, dim_);
  return layer;
}

GivenPositions as_given(const Layer& layer, const Layers& of, const Matrix<double>& positions) {
  GivenPositions given;
  given.positions = positions;
  require(cols(positions) == rows(layer.query), "--positions: {} dimensions, --layers: {}; expected as many",
          cols(positions), rows(layer.query));
  const std::size_t shared = of.heads() / of.key_heads(), width = of.width();
  AttentionWeights& weights = given.weights.emplace();
  weights.heads = of.heads();
  weights.query = layer.query;
  weights.query_bias = layer.query_bias;
  weights.key = matrix<double>(rows(layer.query), cols(layer.query));
  for (std::size_t i = 0; i < rows(layer.key); ++i)
    for (std::size_t j = 0; j < cols(layer.query); ++j)
      weights.key(i, j) = layer.key(i, j / (shared * width) * width + j % width);
  if (!layer.key_bias.empty())
    for (std::size_t j = 0; j < cols(layer.query); ++j)
      weights.key_bias.push_back(layer.key_bias[j / (shared * width) * width + j % width]);
  if (!layer.gain.empty()) {
    given.layer_norm = {layer.gain, layer.norm_bias};
    given.layer_norm->bias.resize(layer.gain.size());
  }
  return given;
}

std::vector<double> pair_squares(const Matrix<double>& weights, const std::vector<double>& gain,
                                 std::size_t heads, std::size_t width) {
  require(width % 2 == 0 && cols(weights) == heads * width,
          "pairs of columns: {} heads of {} columns, {} in all", heads, width, cols(weights));
  std::vector<double> squares(width / 2);
  for (std::size_t i = 0; i < rows(weights); ++i) {
    const double g = gain.empty() ? 1.0 : gain[i] * gain[i];
    const auto from = row(weights, i);
    for (std::size_t j = 0; j < cols(weights); ++j) squares[j % width / 2] += g * from[j] * from[j];
  }
  return squares;
}

std::vector<double> antisymmetric_shares(const Layer& layer, const Layers& of) {
  const Matrix<double> query = with_gain(layer.query, layer.gain), key = with_gain(layer.key, layer.gain);
  const std::size_t width = of.width(), shared = of.heads() / of.key_heads();
  std::vector<double> shares;
  for (std::size_t h = 0; h < of.heads(); ++h) {
    const Matrix<double> q = columns_of(query, h * width, width),
                         k = columns_of(key, h / shared * width, width);
    // ‖M‖² = tr QᵀQ KᵀK and tr M² = tr (KᵀQ)², no d x d matrix formed.
    const Matrix<double> met = product_tn(k, q);
    const double all = inner(gram_columns(q), gram_columns(k));
    shares.push_back(all > 0 ? 0.5 * (1 - inner(met, transposed(met)) / all) : NAN);
  }
  return shares;
}

}  // namespace perp::inspect
