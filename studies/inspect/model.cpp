#include "studies/inspect/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "perp/base/error.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "studies/inspect/encoder_file.hpp"

namespace perp::inspect {
namespace {

/// Whether a table is stored with rows and columns exchanged.
bool is_transposed(const Options& options, std::string_view table) {
  bool found = false;
  std::stringstream list(options.text("transpose").value_or(""));
  for (std::string name; std::getline(list, name, ',');) {
    require(name == "words" || name == "positions" || name == "weights",
            "--transpose {}: expected words, positions or weights, with commas between them",
            in_quotes(name));
    found = found || name == table;
  }
  return found;
}

/// A name becomes the last part of a finding's id, where the report's templates read some words as their own.
void check_name(const std::string& name, const std::string& where) {
  const bool plain = !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  require(plain, "{}: the name {}; expected a-z, 0-9 and _, at most 32 of them", where, in_quotes(name));
  constexpr std::array<std::string_view, 8> taken{"low",   "high", "interval", "theory",
                                                  "level", "n",    "unit",     "meaning"};
  require(std::ranges::find(taken, name) == taken.end(),
          "{}: the name '{}' means something to the report; expected another", where, name);
}

/// Every option beside a table says what it needs.
void check_company(const Options& options, const std::string& where) {
  const auto needs = [&](const char* option, const char* other) {
    require(!options.text(option) || options.text(other), "{}--{} without --{}: expected both", where, option,
            other);
  };
  for (const char* option : {"rows-words", "limit", "rank-words", "scale-words", "tokens", "counts"})
    needs(option, "words");
  for (const char* option : {"rows", "rows-positions", "rank-positions", "query", "key", "layernorm"})
    needs(option, "positions");
  needs("rank-words", "positions");
  needs("rank-positions", "words");
  for (const char* option : {"key", "query-bias", "key-bias"}) needs(option, "query");
  for (const char* option : {"key", "heads"}) needs("query", option);
  for (const char* option : {"encoder-heads", "token-ids"}) {
    needs(option, "encoder");
    needs("encoder", option);
  }
  if (!options.text("layers")) needs("heads", "query");
  require(!options.text("layers") || !options.text("query"), "{}--layers and --query: expected one of them",
          where);
  require(!options.text("layers") || !options.text("layernorm"),
          "{}--layers and --layernorm: it is read with the layers; expected one of them", where);
  require(!options.text("layers") || !is_transposed(options, "weights"),
          "{}--layers and --transpose weights: a known architecture says how they lie; expected one of them",
          where);
  for (const auto& [table, option] :
       {std::pair{"words", "words"}, {"positions", "positions"}, {"weights", "query"}})
    require(!is_transposed(options, table) || options.text(option),
            "{}--transpose {} without --{}: expected both", where, table, option);
  require(!options.text("rows") || !options.text("rows-positions"),
          "{}--rows and --rows-positions: expected one of them", where);
  require(!(is_transposed(options, "positions") && is_transposed(options, "weights")),
          "{}--transpose: positions together with weights; write one of them out as it is meant", where);
}

/// Options that belong to one model.
const std::vector<std::string>& own_options() {
  static const std::vector<std::string> own = [] {
    std::vector<std::string> names;
    for (const ExtraOption& option : model_options())
      if (option.name != "name" && option.name != "models" && option.name != "dim")
        names.push_back(option.name);
    return names;
  }();
  return own;
}
bool is_own(const std::string& option) { return std::ranges::count(own_options(), option) > 0; }

Options with_own(const Options& options, const std::map<std::string, std::string>& extra) {
  Options out = options;
  out.extra = extra;
  std::erase_if(out.extra, [](const auto& option) { return !is_own(option.first); });
  return out;
}

/// What is measured of a table has a number for each pair of its dimensions, some times over.
void check_width(const char* option, const std::string& text, std::size_t d) {
  const double bytes = 4.0 * d * d * sizeof(double);
  require(bytes <= memory_limit(), "--{} {}: {} dimensions, whose products take {}; {}", option,
          in_quotes(text), d, in_gib(bytes), memory_limit_text());
}

std::istringstream read_text(const std::filesystem::path& path, std::size_t max_bytes) {
  return std::istringstream(std::string(without_byte_order_mark(read_file(path, max_bytes))));
}

/// What can be read without a table is, so that a list's mistakes are said with their lines.
void check_number(const Options& options, const std::string& option) {
  if (option.starts_with("rows"))
    static_cast<void>(parse_rows(*options.text(option)));
  else if (option == "limit" || option == "rank-words" || option == "rank-positions" || option == "heads" ||
           option == "encoder-heads")
    static_cast<void>(options.count(option));
}

/// The models of a file, in its order.
std::vector<Model> models_in(const std::filesystem::path& path, const Options& options) {
  std::vector<Model> models;
  std::istringstream text = read_text(path, std::size_t{1} << 20);
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string where = fmt::format("{}:{}", path.string(), ++number), content(trim(line));
    if (content.empty() || content.front() == '#') continue;
    if (content.front() == '[') {
      require(content.back() == ']', "{}: {}; expected [name]", where, in_quotes(content));
      models.push_back({std::string(trim(content.substr(1, content.size() - 2))), with_own(options, {})});
      check_name(models.back().name, where);
      continue;
    }
    const std::size_t equals = content.find('=');
    require(equals != content.npos, "{}: {}; expected [name] or option = value", where, in_quotes(content));
    require(!models.empty(), "{}: an option before the first [name]", where);
    const std::string option(trim(content.substr(0, equals))), value(trim(content.substr(equals + 1)));
    require(is_own(option), "{}: no option {} of a model; there are {}", where, in_quotes(option),
            fmt::join(own_options(), ", "));
    require(!value.empty(), "{}: {} has no value", where, option);
    std::error_code error;
    require(!std::filesystem::equivalent(value, path, error) || error,
            "{}: {} is this list itself; expected a model's file", where, option);
    require(models.back().options.extra.emplace(option, value).second, "{}: {} comes twice", where, option);
    try {
      check_number(models.back().options, option);
    } catch (const Error& error) {
      refuse("{}: {}", where, error.what());
    }
  }
  require(!models.empty(), "{}: no model; expected [name] and lines option = value below it", path.string());
  return models;
}

std::optional<std::string> rows_of_positions(const Options& options) {
  const std::optional<std::string> rows = options.text("rows");
  return rows ? rows : options.text("rows-positions");
}

/// The lines of a file that says something of every row.
std::vector<std::string> lines_for_rows(std::string_view option, const std::filesystem::path& path,
                                        std::size_t rows) {
  std::vector<std::string> lines;
  std::istringstream text = read_text(path, std::size_t{1} << 28);
  for (std::string line; std::getline(text, line);) lines.emplace_back(trim(line));
  require(lines.size() == rows, "--{} {}: {} lines; expected {}, one for each row of --words", option,
          in_quotes(path), lines.size(), rows);
  return lines;
}

/// How often a text has each row of the words, a line each.
std::vector<double> counts_in(const std::filesystem::path& path, std::size_t rows) {
  std::vector<double> counts;
  for (const std::string& line : lines_for_rows("counts", path, rows)) {
    const std::optional<std::uint64_t> count = parse_whole(line);
    require(count.has_value(), "--counts {}:{}: {}; expected a whole number, how often a text has this word",
            path.string(), counts.size() + 1, in_quotes(line));
    counts.push_back(double(*count));
  }
  const auto met = std::ranges::count_if(counts, [](double count) { return count > 0; });
  require(met >= 2, "--counts {}: {} words that a text has; expected at least 2", in_quotes(path), met);
  return counts;
}

std::optional<RowRange> parsed(const std::optional<std::string>& rows) {
  return rows ? std::optional(parse_rows(*rows)) : std::nullopt;
}

}  // namespace

std::vector<ExtraOption> model_options() {
  std::vector<ExtraOption> options = {
      {"words", "FILE[:TENSOR]",
       "Word vectors, one per row: .npy, .safetensors, its index.json, .gguf, word2vec, GloVe and "
       "fastText as text, numbers alone (np.savetxt)"},
      {"positions", "FILE[:TENSOR]", "Positions, one per row, of the same dimension"},
      {"layers", "FILE",
       "All layers' query and key weights, by the names that their family has for them (safetensors, with "
       "--heads: BERT, GPT-2 …); with --positions what each head keeps of the lag; rotary ones are not read"},
      {"rows-words", "A:B", "Only these rows of --words, half-open and from 0; with --dim their number"},
      {"rows", "A:B", "Only these rows of --positions: 1:513 are positions 1 to 512"},
      {"rows-positions", "A:B", "The same as --rows; with --dim their number"},
      {"limit", "N", "At most so many rows of --words"},
      {"tokens", "FILE",
       "What the rows of --words stand for, a line each: for a sentence in the report (A1)"},
      {"counts", "FILE",
       "How often a text has each row of --words, a whole number a line (M3, by frequency)"},
      {"scale-words", "sqrt", "The model multiplies words by √d before it adds positions"},
      {"transpose", "LIST",
       "Tables stored with a column per row: words, positions, weights (PyTorch's Linear)"},
      {"rank-words", "K", "Dimensions of the words' subspace (default: those that hold 99%)"},
      {"rank-positions", "R", "Dimensions of the positions' subspace"},
      {"lineage", "NAME",
       "Training run that several models come from: they count once in verdicts (default: its own name)"},
      {"kind", "NAME", "What the model reads, for tables: language, reactions, antibodies …"},
      {"part", "NAME", "encoder or decoder, for tables"},
      {"head", "NAME", "Its output table: tied to the words, own, none; for tables"},
      {"norm", "NAME", "Where its first LayerNorm stands: sum, block (first block's), later; for tables"},
      {"name", "NAME", "What the report calls this model: a-z, 0-9 and _ (default: model)"},
      {"models", "FILE", "Several models side by side: lines [name] and below each option = value"},
      {"dim", "D", "What to expect by theory alone of D dimensions, --rows-words V and --rows-positions L"}};
  for (ExtraOption& option : position_options())
    if (option.name != "positions" && option.name != "rows") options.push_back(std::move(option));
  for (ExtraOption& option : encoder_options()) options.push_back(std::move(option));
  return options;
}

std::vector<Model> models_of(const Options& options) {
  std::vector<Model> models;
  // What belongs to one model asks for one, so that nothing is ignored for want of its table.
  if (options.text("name") ||
      std::ranges::any_of(options.extra, [](const auto& option) { return is_own(option.first); })) {
    const std::string name = options.text("name").value_or("model");
    check_name(name, "--name");
    models.push_back({name, with_own(options, options.extra)});
  }
  if (const auto file = options.text("models"))
    for (Model& model : models_in(*file, options)) models.push_back(std::move(model));
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Model& model = models[i];
    const std::string where = models.size() > 1 || options.text("models") ? model.name + ": " : "";
    require(model.options.text("words") || model.options.text("positions") || model.options.text("layers"),
            "{}neither words nor positions nor layers; expected at least one table", where);
    check_company(model.options, where);
    const std::string scale = model.options.text("scale-words").value_or("sqrt");
    require(scale == "sqrt", "{}--scale-words {}: expected sqrt", where, in_quotes(scale));
    for (const std::string option : said_only)
      if (const auto name = model.options.text(option))
        check_name(*name, fmt::format("{}--{}", where, option));
    for (std::size_t j = 0; j < i; ++j)
      require(models[j].name != model.name, "two models are called '{}'; expected names of their own",
              model.name);
  }
  return models;
}

void check_models(const Options& options) {
  for (const Model& model : models_of(options))
    for (const ExtraOption& option : model_options())
      if (const auto file = model.options.text(option.name); file && option.placeholder.starts_with("FILE"))
        InputFile(parse_table_reference(*file).path);
}

std::optional<RowStream> Tables::word_stream() const {
  if (!words) return std::nullopt;
  auto next = [table = *words, at = std::size_t{0}](std::size_t most, float* out) mutable {
    const std::size_t count = std::min(most, table.rows() - at);
    if (count > 0) table.read(at, count, std::span(out, count * table.cols()));
    at += count;
    return count;
  };
  std::string name = fmt::format("--words {}", words->files().front().string());
  if (words->first_row() > 0) name += fmt::format(" (rows counted from row {})", words->first_row());
  return RowStream{std::move(name), words->cols(), std::move(next)};
}

Tables open_tables(const Model& model) {
  const Options& options = model.options;
  Tables tables;
  if (const auto words = options.text("words"))
    tables.words = open_table(parse_table_reference(*words),
                              {.rows = parsed(options.text("rows-words")),
                               .limit = options.count("limit"),
                               .transpose = is_transposed(options, "words"),
                               .times_root_width = options.text("scale-words").has_value()});
  if (const auto tokens = options.text("tokens"))
    tables.tokens = lines_for_rows("tokens", *tokens, tables.words->rows());
  if (const auto counts = options.text("counts")) tables.counts = counts_in(*counts, tables.words->rows());
  if (tables.words) check_width("words", *options.text("words"), tables.words->cols());
  if (const auto positions = options.text("positions")) {
    const TableRows table = open_table(
        parse_table_reference(*positions),
        {.rows = parsed(rows_of_positions(options)), .transpose = is_transposed(options, "positions")});
    check_width("positions", *positions, table.cols());
    tables.positions = table.all_finite<double>(fmt::format("--positions {}", *positions));
    tables.first_position = table.first_row();
    tables.position_files = table.files();
    double largest = 0;
    for (const double x : std::span(tables.positions->data(), tables.positions->size()))
      largest = std::max(largest, std::abs(x));
    // Some of what is measured of them is in float32, which loses products of smaller numbers.
    require(largest == 0 || largest >= 1e-12,
            "--positions {}: no number is larger than {:.3g}; expected 1e-12, or zeros alone", *positions,
            largest);
    require(largest * std::sqrt(double(table.cols())) < 1e18,
            "--positions {}: a number of {:.3g}; expected rows shorter than 1e18", *positions, largest);
  }
  if (tables.words && tables.positions)
    require(tables.words->cols() == cols(*tables.positions),
            "--words {}: {} dimensions, --positions {}: {}; expected as many (--transpose turns a table)",
            *options.text("words"), tables.words->cols(), *options.text("positions"),
            cols(*tables.positions));
  tables.ranks = {options.count("rank-words"), options.count("rank-positions")};
  return tables;
}

std::optional<GivenPositions> load_weights(const Model& model) {
  const Options& options = model.options;
  if (!options.text("query") && !options.text("layernorm")) return std::nullopt;
  require(!is_transposed(options, "positions"),
          "--transpose positions together with weights; write the positions out as they are meant");
  Options plain = options;
  plain.extra.clear();
  for (const char* option : {"positions", "query", "key", "heads", "query-bias", "key-bias", "layernorm"})
    if (const auto text = options.text(option)) plain.extra[option] = *text;
  if (const auto rows = rows_of_positions(options)) plain.extra["rows"] = *rows;
  GivenPositions given = load_positions(plain);
  if (given.weights && is_transposed(options, "weights")) {
    given.weights->query = transposed(given.weights->query);
    given.weights->key = transposed(given.weights->key);
  }
  return given;
}

}  // namespace perp::inspect
