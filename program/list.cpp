// perp list FILE: the tables of a file.

#include "perp/base/error.hpp"
#include "perp/io/model_tables.hpp"
#include "perp/io/program.hpp"
#include "program/words.hpp"
#include "studies/inspect/answer.hpp"

namespace perp::program {

int list(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp list", "Lists the tables of a file, a line each: rows x columns, type, name.",
       "  perp list model.safetensors          also .gguf, .npy, an index.json, word vectors as text\n"
       "  perp list model.gguf --json | jq .   the same as {\"tables\":[{\"tensor\",\"shape\",\"type\"},…]}",
       "FILE", "Files, told apart by what is in them, or a model's folder"},
      {{"json", "", "Print JSON"}}, argc, argv);
  if (!parsed.options) return parsed.exit_code;
  require(!parsed.options->files.empty(), "no file; expected perp list FILE, or a model's folder");
  std::vector<std::filesystem::path> files;
  for (const std::string& name : parsed.options->files)
    if (std::filesystem::is_directory(name))
      for (std::filesystem::path& file : model_files(name)) files.push_back(std::move(file));
    else
      files.emplace_back(name);
  for (const std::filesystem::path& file : files)
    print_data(inspect::list_of_tables(file, parsed.options->json) + "\n");
  return 0;
}

}  // namespace perp::program
