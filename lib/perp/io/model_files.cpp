#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/model_tables.hpp"
#include "perp/io/table_rows.hpp"

namespace perp {
namespace {

using std::filesystem::path;

/// The tables of a file. Of word vectors as text, which would have to be read to their end, the first row.
void add_tensors(const path& file, std::size_t number, std::vector<ModelTensor>& out) {
  const TableFormat format = table_format(ByteSource(file));
  const std::string stem = file.stem().string();
  if (format == TableFormat::text)
    out.push_back({"words " + stem, {1, open_table({file, {}}, {.limit = 1}).cols()}, number});
  else
    for (const ListedTable& table : list_tables(file))
      out.push_back({table.tensor.empty() ? stem : table.tensor, table.shape, number});
}

class Search {
 public:
  explicit Search(const std::vector<std::string>& given) {
    for (const std::string& name : given)
      if (std::filesystem::is_directory(name))
        for (path& file : model_files(name)) files_.push_back(std::move(file));
      else
        files_.emplace_back(name);
    for (std::size_t i = 0; i < files_.size(); ++i) add_tensors(files_[i], i, tensors_);
    const path config = files_.front().parent_path() / "config.json";
    found_ = find_tables(
        tensors_, std::filesystem::exists(config) ? read_model_config(ByteSource(config)) : ModelConfig{});
    // What cannot be opened is refused before a line says what was found: an index may name another file.
    for (const auto& table : {found_.words, found_.positions})
      if (table && has_names(*table)) open_table({files_[tensors_[*table].file], tensors_[*table].name});
  }

  FoundModel found() const {
    FoundModel out;
    for (const auto& [option, table] : {std::pair{"words", found_.words}, {"positions", found_.positions}})
      if (table) out.tables[option] = reference(*table);
    if (found_.skipped > 0)
      out.tables["rows"] =
          fmt::format("{}:{}", found_.skipped, table_shape(tensors_[*found_.positions].shape)->rows);
    if (found_.layers && files_.size() == 1 && (found_.heads || reads_metadata())) {
      out.layers["layers"] = files_.front().string();
      if (found_.heads) out.layers["heads"] = fmt::format("{}", *found_.heads);
    }
    out.says = says(!out.layers.empty());
    return out;
  }

 private:
  bool has_names(std::size_t table) const {
    const TableFormat format = table_format(ByteSource(files_[tensors_[table].file]));
    return format == TableFormat::safetensors || format == TableFormat::gguf ||
           format == TableFormat::safetensors_index;
  }
  /// A file of tensors needs the name; others have none.
  std::string reference(std::size_t table) const {
    const ModelTensor& tensor = tensors_[table];
    const std::string file = files_[tensor.file].string();
    return has_names(table) ? fmt::format("{}:{}", file, tensor.name) : file;
  }
  bool reads_metadata() const {
    if (!found_.layers->names->rotary || found_.positions) return false;
    const ByteSource source(files_.front());
    return is_gguf(source.beginning(8)) && read_gguf_header(source).text("general.architecture") == "llama";
  }

  std::string named(const char* what, std::size_t table) const {
    const ModelTensor& tensor = tensors_[table];
    const TableShape shape = *table_shape(tensor.shape);
    return fmt::format("{} {}{}", what,
                       on_one_line(has_names(table) ? tensor.name : files_[tensor.file].filename().string()),
                       shape.rows > 1 ? fmt::format(" ({} x {})", shape.rows, shape.cols) : "");
  }
  std::string says(bool with_layers) const {
    std::string text = found_.family.empty() ? "" : fmt::format("{}: ", found_.family);
    if (found_.words) text += named("words", *found_.words);
    if (found_.words && found_.positions) text += ", ";
    if (found_.positions) text += named("positions", *found_.positions);
    if (found_.skipped > 0)
      text += fmt::format(" without the first {}, {} no position", found_.skipped,
                          found_.skipped == 1 ? "which is" : "which are");
    if (with_layers)
      text += fmt::format(", {} layer{}", found_.layers->count, found_.layers->count == 1 ? "" : "s");
    if (found_.heads && with_layers) text += fmt::format(" of {} heads", *found_.heads);
    if (!found_.no_positions.empty()) text += fmt::format("; {}", found_.no_positions);
    return text + "; to take others: --words FILE:TENSOR --positions FILE:TENSOR (perp list FILE shows them)";
  }

  std::vector<path> files_;
  std::vector<ModelTensor> tensors_;
  ModelTables found_;
};

}  // namespace

std::vector<path> model_files(const path& folder) {
  std::vector<path> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.is_regular_file(failed)) all.push_back(entry.path());
  require(!failed, "{}: {}", in_quotes(folder), reason(failed.value()));
  std::ranges::sort(all);
  for (const char* ending : {".safetensors.index.json", ".safetensors", ".gguf", ".npy", ".txt", ".vec"}) {
    std::vector<path> found;
    for (const path& file : all)
      if (file.filename().string().ends_with(ending)) found.push_back(file);
    if (!found.empty()) return found;
  }
  refuse(
      "{}: no .safetensors, .gguf, .npy or .txt in it; expected a model's folder or its files (a PyTorch "
      "file: save it as safetensors first)",
      in_quotes(folder));
}

FoundModel find_model(const std::vector<std::string>& files) { return Search(files).found(); }

}  // namespace perp
