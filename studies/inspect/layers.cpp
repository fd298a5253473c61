#include "studies/inspect/layers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"

namespace perp::inspect {
namespace {

Matrix<double> columns_of(const Matrix<double>& weights, std::size_t first, std::size_t count) {
  return converted<double>(View(weights.data() + first, rows(weights), count, cols(weights)));
}

}  // namespace

std::optional<Layers> Layers::of(const Model& model, const std::optional<GivenPositions>& weights) {
  Layers layers;
  if (model.options.text("layers")) {
    layers.find(model.options);
    if (!layers.found_.names->rotary) return layers;
    require(!model.options.text("positions"),
            "--layers {}: its positions are rotary, no table that is added; expected it without --positions",
            in_quotes(layers.path_));
    return std::nullopt;
  }
  if (!weights || !weights->weights) return std::nullopt;
  layers.given_ = std::make_shared<const GivenPositions>(*weights);
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
  if (found_.names->rotary) return;
  const std::optional<std::size_t> heads = options.count("heads");
  require(heads.has_value(), "--layers {}: expected --heads H, their number in a layer", in_quotes(path_));
  heads_ = *heads;
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

std::string Layers::stem() const { return found_.prefix + std::string(found_.names->stem); }

std::string Layers::layer_name(std::size_t n, std::string_view rest) const {
  return fmt::format("{}{}.{}", stem(), n, rest);
}

Matrix<double> Layers::read_all(const TableRows& open) const {
  return open.all_finite<double>(
      fmt::format("--layers {}: tensor {}", in_quotes(path_), in_quotes(open.tensor())));
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

AttentionWeights Layers::read_apart(std::size_t n) const {
  const LayerNames& names = *found_.names;
  const auto name = [&](std::string_view table, const char* what) {
    return layer_name(n, fmt::format("{}.{}", table, what));
  };
  const std::size_t columns = heads_ * width_;
  return {weights(name(names.query, "weight"), columns, true),
          weights(name(names.key, "weight"), columns, true), numbers({name(names.query, "bias")}, columns),
          numbers({name(names.key, "bias")}, columns), heads_};
}

AttentionWeights Layers::read_joined(std::size_t n) const {
  const std::string name = layer_name(n, found_.names->query);
  const std::size_t columns = heads_ * width_;
  const Matrix<double> all = weights(name + ".weight", 3 * columns, false);
  const std::vector<double> bias = numbers({name + ".bias"}, 3 * columns);
  AttentionWeights layer{columns_of(all, 0, columns), columns_of(all, columns, columns), {}, {}, heads_};
  if (!bias.empty()) {
    const auto part = bias.begin() + static_cast<std::ptrdiff_t>(columns);
    layer.query_bias.assign(bias.begin(), part);
    layer.key_bias.assign(part, part + static_cast<std::ptrdiff_t>(columns));
  }
  return layer;
}

GivenPositions Layers::read(std::size_t n, const Matrix<double>& positions) const {
  GivenPositions read;
  if (given_) {
    read.weights = given_->weights;
    read.layer_norm = given_->layer_norm;
  } else {
    read.weights = found_.names->joined ? read_joined(n) : read_apart(n);
    // Older files say gamma and beta.
    const std::string norm = norm_of(n);
    if (auto gain = numbers({norm + ".weight", norm + ".gamma"}, dim_); !gain.empty()) {
      read.layer_norm = {std::move(gain), numbers({norm + ".bias", norm + ".beta"}, dim_)};
      read.layer_norm->bias.resize(dim_);
    }
  }
  require(cols(positions) == rows(read.weights->query),
          "--positions: {} dimensions, --layers: {}; expected as many", cols(positions),
          rows(read.weights->query));
  read.positions = positions;
  return read;
}

}  // namespace perp::inspect
