// perp base, dot, heads and list: the words of one question each, which a study answers.

#include "studies/distance/answers.hpp"

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/model_tables.hpp"
#include "perp/io/program.hpp"
#include "program/words.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/answer.hpp"

namespace perp::program {

int base(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp base",
       "Prints the rotary bases (RoPE) that are good for a context of L positions: with which the sum of "
       "cosines over a head's frequencies, the score of equal contents, is at 0 or above at every distance.",
       "  perp base --context 4096 --dim 128          least base, safe base, every stretch of good ones\n"
       "  perp base --context 131072 --json           of heads of 128 dimensions, as JSON",
       "", ""},
      {{"context", "L", "Positions, 16 to 1048576; above 16384 bases are tried on a grid"},
       {"dim", "D", "Dimension of a head, even, 2 to 1024 (default 128)"},
       {"json", "", "Print {\"base_for\", \"dim\", \"least\", \"safe\", \"intervals\", \"exact\"}"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  print_data(distance::answer_base(*parsed.options) + "\n");
  return 0;
}

int dot(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp dot", "Prints the dot products of the sinusoidal encodings of pairs of positions, as JSON.",
       "  perp dot --dim 16 --pairs 105:106,5:6,5:10   7.4852, 7.4852 and 6.1370: the distance decides\n"
       "  perp dot --dim 128 --base 500000 --pairs 0:4096",
       "", ""},
      {{"pairs", "T:S,…", "Pairs of positions, whole numbers from 0"},
       {"dim", "D", "Dimension of the encoding, even (default 512)"},
       {"base", "T", "Base of its wavelengths (default 10000)"},
       {"json", "", "Print JSON, as without it"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  print_data(distance::answer_pairs(*parsed.options) + "\n");
  return 0;
}

int heads(int argc, char** argv) {
  std::vector<ExtraOption> options = position_options();
  options.front().help = "A table of positions, one per row";
  options.insert(options.end(), {{"json", "", "Print {\"heads\":[{\"head\",\"r2\",…},…],\"null\"}"},
                                 {"seed", "N", "Names the random weights' stream"},
                                 {"threads", "N", "Draws of random weights run side by side"}});
  const Parsed parsed = parse_word(
      {"perp heads",
       "Says for each head of an attention layer which share of the variance of its position scores the "
       "distance alone explains, beside random weights of its size.",
       "  perp heads --positions wpe.npy --query wq.npy --key wk.npy --heads 12\n"
       "  perp heads --positions M:wpe --query M:wq --key M:wk --heads 12 --json\n"
       "where M is a file of several tables, such as model.safetensors (perp list M names them).",
       "", ""},
      options, argc, argv);
  if (!parsed.options) return parsed.exit_code;
  print_data(distance::answer_heads(*parsed.options) + "\n");
  return 0;
}

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
  for (const std::filesystem::path& file : files) {
    if (files.size() > 1 && !parsed.options->json) print_data(in_quotes(file) + ":\n");
    std::string tables = inspect::list_of_tables(file, parsed.options->json);
    if (files.size() > 1 && parsed.options->json)
      tables.insert(1, fmt::format("\"file\":{},", in_json(file.string())));
    print_data(tables + "\n");
  }
  return 0;
}

}  // namespace perp::program
