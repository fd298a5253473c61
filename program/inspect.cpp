// perp inspect: a model's own words and positions beside chance, at the terminal or into a folder.

#include <cstdlib>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/experiment.hpp"
#include "perp/study/start.hpp"
#include "program/folders.hpp"
#include "program/words.hpp"
#include "reports/render/render.hpp"
#include "studies/inspect/answer.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/inspect/model.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

WordUsage usage() {
  return {
      "perp inspect",
      "Holds a model's words and positions against chance: can both be read from their sums, do they "
      "overlap, do few coordinates hold the positions, do products of positions tell their distance?",
      "  perp inspect model.safetensors           finds the tables by their names and says which it took\n"
      "  perp inspect folder/                     a model's folder; its config.json gives heads and padding\n"
      "  perp inspect words.npy positions.npy --json\n"
      "  perp inspect --words M:wte.weight --positions M:wpe.weight --rows 0:512\n"
      "                                           tables by name (perp list M names those of a file)\n"
      "  perp inspect model.safetensors --out mine   the findings of M1 to M8 and A11 as results.json,\n"
      "                                           tables and figures\n"
      "  perp inspect --dim 768 --rows-words 30000 --rows-positions 512\n"
      "                                           what to expect by theory, before there are tables",
      "MODEL",
      "Files of one model, or its folder: .safetensors, index.json, .gguf, .npy, word2vec or GloVe text"};
}

std::vector<ExtraOption> options() {
  std::vector<ExtraOption> options = inspect::model_options();
  options.insert(
      options.end(),
      {{"json", "", "Print JSON"},
       {"out", "", "Folder that receives results.json, tables and figures, instead of the terminal"},
       {"preset", "", "How many draws --out compares with: quick, full, long"},
       {"kept", "DIR", "Folder that keeps finished cells (default: build in a checkout, or the cache)"},
       {"seed", "N", "Names all random streams"},
       {"threads", "N", "Results do not depend on it"}});
  return options;
}

/// Where temporary files go; said before anything is measured if there is no such place.
fs::path temporary() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const char* given = std::getenv("TMPDIR");
  require(!error, "TMPDIR={}: {}; expected a folder for temporary files", in_quotes(given ? given : ""),
          error.message());
  return folder;
}

/// A folder under its other name "inspect", where the renderer looks for a study's results; gone in the end.
class AsStudy {
 public:
  explicit AsStudy(const fs::path& folder) : own_(temporary()) {
    fs::create_directory_symlink(fs::absolute(folder), own_.path() / "inspect");
  }
  const fs::path& above() const { return own_.path(); }

 private:
  OwnFolder own_;
};

report::RenderOptions figures_in(const fs::path& folder) {
  report::RenderOptions rendering;
  rendering.sources = sources().texts;
  rendering.out = folder;
  rendering.only_figures = true;
  return rendering;
}

/// The study's figures, beside its tables; where gnuplot is missing a line says so.
void draw_figures(const fs::path& folder) {
  const AsStudy study(folder);
  report::RenderOptions rendering = figures_in(folder);
  rendering.results = study.above();
  try {
    report::render(rendering);
  } catch (const Error& error) {
    if (error.exit() != Exit::unusable) throw;
    print_message("perp inspect: no figures: {}\n", error.what());
  }
}

/// Before anything is said or measured.
void expect_place_for_model(const fs::path& folder) {
  expect_place_for_results(folder, "inspect");
  report::expect_place(figures_in(folder), {"inspect"});
  const OwnFolder can_be_made(temporary());
}

/// What was found stands in the run's command as if it had been typed.
void measure_into_folder(Options options) {
  options.build = given_folder(options, "kept", default_kept());
  options.extra.erase("kept");
  const fs::path out = options.out;
  std::vector<std::string> command{"perp inspect"};
  for (const auto& [name, value] : options.extra) command.insert(command.end(), {"--" + name, value});
  run_all({{inspect::study(), std::move(options), std::move(command)}});
  draw_figures(out);
}

}  // namespace

int inspect(int argc, char** argv) {
  const Parsed parsed = parse_word(usage(), options(), argc, argv);
  if (!parsed.options) return parsed.exit_code;
  trust_blas("perp inspect");
  require(!parsed.options->text("dim") || !parsed.options->typed.contains("out"),
          "--dim and --out: theory alone has no report");
  FoundModel found;
  if (!parsed.options->files.empty()) {
    require(!parsed.options->text("dim"), "--dim and {}: expected one of them",
            in_quotes(parsed.options->files.front()));
    found = find_model(parsed.options->files);
  }
  std::optional<Alone> alone;  // tables and figures of one model, and not of two
  if (parsed.options->typed.contains("out")) {
    alone.emplace("perp inspect", parsed.options->out);
    expect_place_for_model(parsed.options->out);
  }
  if (!found.says.empty()) print_message("perp inspect: {}\n", found.says);
  if (parsed.options->typed.contains("out"))
    measure_into_folder(inspect::with_found(*parsed.options, found));
  else
    print_data(inspect::answer_inspect(*parsed.options, found) + "\n");
  return 0;
}

}  // namespace perp::program
