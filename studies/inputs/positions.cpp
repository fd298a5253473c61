#include "studies/inputs/positions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/message.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/io/text.hpp"
#include "perp/statistics/spread.hpp"

namespace perp {

namespace {

using GivenRows = std::optional<RowRange>;

/// Reads tables named on the command line and notes what was read: each file once, however many tensors it
/// gave.
class Reader {
 public:
  explicit Reader(GivenPositions& given) : given_(&given) {}

  Matrix<double> table(const std::string& option, const std::string& text, const GivenRows& rows = {}) {
    const TableReference reference = parse_table_reference(text);
    const TableRows table = open_table(reference, {.rows = rows});
    std::string hash;  // of the file, and of the one that it names if it is an index
    for (const std::filesystem::path& file : table.files())
      hash = fmt::format("{}{}{}", hash, hash.empty() ? "" : " ", note_file(file));
    Matrix<double> read = table.all_finite<double>(fmt::format("--{} {}", option, text));
    note(option, reference.tensor.value_or(reference.path.filename().string()));
    given_->hashes.push_back(
        fmt::format("{} {} {} {}", option, hash, reference.tensor.value_or(""), rows ? rows->text() : ""));
    return read;
  }

  /// A table of one row or one column.
  std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t expected) {
    const Matrix<double> read = table(option, text);
    require(std::min(rows(read), cols(read)) == 1 && read.size() == expected,
            "--{} {}: a table of {} x {}; expected {} numbers in a row", option, text, rows(read), cols(read),
            expected);
    return {read.data(), read.data() + read.size()};
  }

  void note(const std::string& name, const std::string& value) {
    given_->parameters.emplace_back(name, value);
  }

 private:
  std::string note_file(const std::filesystem::path& path) {
    const auto [entry, fresh] = hashes_.try_emplace(path);
    if (fresh) {
      entry->second = input_sha256(path);
      given_->files.push_back({path.filename().string(), entry->second});
    }
    return entry->second;
  }

  GivenPositions* given_;
  std::map<std::filesystem::path, std::string> hashes_;
};

std::size_t heads_of(const Options& options, std::size_t columns, std::size_t d) {
  const std::size_t heads = *options.count("heads");
  require(columns % heads == 0, "--heads {}: does not divide the {} columns of --query", heads, columns);
  require(columns / heads <= d,
          "--heads {}: heads of {} columns out of positions of {} dimensions; expected a rank of {} at most",
          heads, columns / heads, d, d);
  return heads;
}

AttentionWeights read_weights(const Options& options, std::size_t d, Reader& reader) {
  AttentionWeights weights;
  const std::string query = *options.text("query"), key = *options.text("key");
  weights.query = reader.table("query", query);
  weights.key = reader.table("key", key);
  for (const auto& [option, text, table] :
       {std::tuple{"query", &query, &weights.query}, {"key", &key, &weights.key}})
    require(rows(*table) == d, "--{} {}: {} x {} weights for positions of {} dimensions; expected {} rows",
            option, *text, rows(*table), cols(*table), d, d);
  const std::size_t columns = cols(weights.query);
  require(cols(weights.key) == columns, "--key {}: {} columns, --query has {}; expected as many", key,
          cols(weights.key), columns);
  weights.heads = heads_of(options, columns, d);
  reader.note("heads", std::to_string(weights.heads));
  if (const auto bias = options.text("query-bias"))
    weights.query_bias = reader.numbers("query-bias", *bias, columns);
  if (const auto bias = options.text("key-bias"))
    weights.key_bias = reader.numbers("key-bias", *bias, columns);
  return weights;
}

LayerNormWeights read_layer_norm(const std::string& text, std::size_t d, Reader& reader) {
  const std::size_t comma = text.find(',');
  require(
      comma != text.npos && comma > 0 && comma + 1 < text.size() && text.find(',', comma + 1) == text.npos,
      "--layernorm {}: expected GAIN,BIAS, two tables with one comma between them", text);
  LayerNormWeights weights;
  weights.gain = reader.numbers("layernorm", text.substr(0, comma), d);
  weights.bias = reader.numbers("layernorm", text.substr(comma + 1), d);
  return weights;
}

/// Every option beside --positions says what it needs.
void check_company(const Options& options) {
  const auto needs = [&](const char* option, const char* other) {
    require(!options.text(option) || options.text(other), "--{} without --{}: expected both", option, other);
  };
  for (const char* option : {"rows", "query", "key", "layernorm"}) needs(option, "positions");
  needs("query", "key");
  needs("key", "query");
  for (const char* option : {"heads", "query-bias", "key-bias"}) needs(option, "query");
  needs("query", "heads");
}

}  // namespace

std::string GivenPositions::key() const {
  return sha256_hex(fmt::format("{}", fmt::join(hashes, "\n"))).substr(0, 16);
}

std::string known_file(const Input& file) {
  return fmt::format("{} {}", file.name, std::string_view(file.sha256).substr(0, 8));
}

std::vector<ExtraOption> position_options() {
  return {
      {"positions", "FILE[:TENSOR]",
       "A table of positions, one per row, measured beside the sinusoid of its shape: .npy, safetensors, "
       "GGUF, text"},
      {"rows", "A:B", "Only these rows of --positions, half-open and from 0: 1:513 are positions 1 to 512"},
      {"query", "FILE[:TENSOR]",
       "Query weights, one row per dimension of --positions (y = x W + b): what do its heads keep of the "
       "lag?"},
      {"key", "FILE[:TENSOR]", "Key weights, of the shape of --query"},
      {"heads", "H", "Heads that share the columns of --query and --key evenly, in order"},
      {"query-bias", "FILE[:TENSOR]", "One number per column of --query (default: none)"},
      {"key-bias", "FILE[:TENSOR]", "One number per column of --key (default: none)"},
      {"layernorm", "GAIN,BIAS",
       "LayerNorm in front of the weights: two tables, each FILE[:TENSOR], a number per dimension"}};
}

GivenPositions load_positions(const Options& options) {
  check_company(options);
  GivenPositions given;
  const std::optional<std::string> table = options.text("positions"), rows = options.text("rows");
  if (!table) return given;
  Reader reader(given);
  const GivenRows range = rows ? std::optional(parse_rows(*rows)) : std::nullopt;
  const Matrix<double>& positions = given.positions.emplace(reader.table("positions", *table, range));
  given.first = range ? range->first : 0;
  if (range) reader.note("rows", range->text());
  require(perp::rows(positions) >= 2, "--positions {}: {} row{}; expected at least 2", *table,
          perp::rows(positions), rows ? " of --rows " + *rows : "");
  if (options.text("query")) given.weights = read_weights(options, cols(positions), reader);
  if (const auto text = options.text("layernorm"))
    given.layer_norm = read_layer_norm(*text, cols(positions), reader);
  return given;
}

std::vector<bool> trained_rows(const std::vector<double>& lengths) {
  std::vector<bool> trained;
  if (lengths.empty()) return trained;
  const double least = trained_length * median(lengths);
  for (const double length : lengths) trained.push_back(length >= least && length > 0);
  return trained;
}

RowRange trained_run(const std::vector<bool>& trained) {
  RowRange longest, run;
  for (std::size_t t = 0; t < trained.size(); ++t) {
    run = trained[t] ? RowRange{run.first, t + 1} : RowRange{t + 1, t + 1};
    if (run.count() > longest.count()) longest = run;
  }
  return longest;
}

}  // namespace perp
