#include "perp/study/measuring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "perp/study/start.hpp"

namespace perp {
namespace {

/// The study that measures nothing but models.
constexpr std::string_view of_models = "inspect";

const Study* find(const std::vector<Study>& studies, const std::string& name) {
  const auto study = std::ranges::find(studies, name, &Study::name);
  return study == studies.end() ? nullptr : &*study;
}

bool measures(const Study& study, const std::string& claim) {
  return std::ranges::find(study.claims, claim) != study.claims.end();
}

std::vector<std::string> names_of(const std::vector<Study>& studies) {
  std::vector<std::string> names;
  for (const Study& study : studies) names.push_back(study.name);
  return names;
}

/// Throws unless one of the studies named measures the claim.
void check_claim(const std::vector<Study>& studies, const std::vector<std::string>& names,
                 const std::string& claim, bool has_model) {
  const auto owner =
      std::ranges::find_if(studies, [&](const Study& study) { return measures(study, claim); });
  if (owner == studies.end()) {
    std::vector<std::string> all;
    for (const Study& study : studies) all.insert(all.end(), study.claims.begin(), study.claims.end());
    refuse("--only {}: no study has this claim; there are: {}", in_quotes(claim), fmt::join(all, " "));
  }
  require(
      owner->name != of_models || has_model,
      "--only {} is measured of a model: expected --words FILE, --positions FILE or --models FILE with it",
      claim);
  require(std::ranges::find(names, owner->name) != names.end(),
          "--only {}: of the study {}, which is not in --studies \"{}\"", claim, owner->name,
          fmt::join(names, " "));
}

/// Whether a report gives the study an option of that name. Rows are of positions in a report: a study without positions,
/// which knows them as those of its words, does not get them.
bool has_option(const Study& study, std::string_view name) {
  const auto is = [&](std::string_view wanted) {
    return std::ranges::find(study.extra, wanted, &ExtraOption::name) != study.extra.end();
  };
  return is(name) && (name != "rows" || is("positions"));
}

/// Throws for an option that none of the chosen has.
void expect_used(const std::vector<Chosen>& chosen, const Given& given) {
  std::vector<std::string> names;
  for (const Chosen& one : chosen) names.push_back(one.study->name);
  for (const auto& option : given)
    require(
        std::ranges::any_of(chosen, [&](const Chosen& one) { return has_option(*one.study, option.first); }),
        "no study of {} has the option --{}", fmt::join(names, " "), option.first);
}

}  // namespace

std::vector<ExtraOption> options_of(const std::vector<Study>& studies) {
  std::vector<ExtraOption> options;
  for (const Study& study : studies)
    for (const ExtraOption& option : study.extra)
      if (has_option(study, option.name) &&
          std::ranges::find(options, option.name, &ExtraOption::name) == options.end())
        options.push_back(option);
  return options;
}

std::vector<Chosen> choose(const std::vector<Study>& studies, const std::vector<std::string>& names,
                           const std::vector<std::string>& claims, bool has_model) {
  std::vector<std::string> wanted = names;
  if (wanted.empty()) wanted = names_of(studies);
  if (names.empty() && !has_model) std::erase(wanted, of_models);
  for (const std::string& name : wanted)
    require(find(studies, name) != nullptr, "no study {}; there are: {}", in_quotes(name),
            fmt::join(names_of(studies), " "));
  for (const std::string& claim : claims) check_claim(studies, wanted, claim, has_model);
  std::vector<Chosen> chosen;
  for (const std::string& name : wanted) {
    Chosen one{find(studies, name), {}};
    for (const std::string& claim : claims)
      if (measures(*one.study, claim)) one.claims.push_back(claim);
    if (claims.empty() || !one.claims.empty()) chosen.push_back(std::move(one));
  }
  return chosen;
}

Given options_for(const Study& study, const Given& given) {
  Given own = given;
  std::erase_if(own, [&](const auto& option) { return !has_option(study, option.first); });
  return own;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t from = text.find_first_not_of(" ,"); from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,", from), text.size());
    names.emplace_back(text.substr(from, end - from));
    from = text.find_first_not_of(" ,", end);
  }
  return names;
}

std::vector<std::string> names_typed(const Options& options, const std::string& option) {
  const std::optional<std::string> text = options.text(option);
  std::vector<std::string> names;
  if (!text) return names;
  for (std::string& name : names_in(*text))
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  require(!names.empty(), "--{} {}: holds no name", option, in_quotes(*text));
  return names;
}

namespace {

namespace fs = std::filesystem;

/// Seconds that the study took last time, here or as published; 0 where nobody knows.
double expected_seconds(const std::string& study, Preset preset, const Measuring& measuring) {
  const fs::path& published = measuring.published;
  for (const fs::path& folder : {measuring.out, preset == Preset::long_ ? published / "long" : published}) {
    std::ifstream results(folder / study / "results.json");
    const std::string wanted = fmt::format("\"preset\": \"{}\"", to_text(preset));
    bool same = false;
    // Its first lines say how it was measured.
    for (std::string line; !same && line.find('[') == line.npos && std::getline(results, line);)
      same = line.find(wanted) != line.npos;
    if (!same) continue;
    std::ifstream timings(folder / study / "timings.json");
    const nlohmann::json read = nlohmann::json::parse(timings, nullptr, false);
    if (read.is_object() && read.contains("total_s") && read["total_s"].is_number())
      return read["total_s"].get<double>();
  }
  return 0;
}

void add(std::vector<std::string>& words, const std::string& name, const std::string& value) {
  if (value.starts_with('-')) return words.push_back(fmt::format("--{}={}", name, value));
  words.push_back("--" + name);
  words.push_back(value);
}

/// The word's options as a command line gives them.
std::vector<std::string> arguments_of(const Options& options) {
  std::vector<std::string> words;
  Given all = options.extra;
  all["preset"] = to_text(options.preset);
  all["seed"] = fmt::format("{}", options.seed);
  all["threads"] = fmt::format("{}", options.threads);
  all["out"] = options.out.string();
  for (const auto& [name, value] : all)
    if (name == "fresh" && value == "yes")
      words.push_back("--fresh");
    else
      add(words, name, value);
  return words;
}

/// The word's options as the study gets them.
Options of_study(const Chosen& one, const Options& options, const Given& given) {
  Options own = options;
  own.extra = options_for(*one.study, given);
  own.only = one.claims;
  return own;
}

}  // namespace

std::vector<ExtraOption> measuring_options(const std::vector<Study>& studies) {
  std::vector<ExtraOption> options = {
      {"preset", "", "Size of the grids: quick (a minute), full (the report), long (overnight)"},
      {"studies", "NAMES", "Studies to measure; without it all, and inspect when a model is given"},
      {"only", "CLAIMS", "Claims to measure, for example O4 or \"O1 O4\""},
      {"seed", "", "Names all random streams"},
      {"threads", "", "Cells run side by side; results do not depend on it"},
      {"blas", "NAME", "BLAS to load, for example blis-pthread, or name=folder of a libblas.so.3"},
      {"kept", "DIR",
       "Folder that keeps finished cells and learned words between runs (default: build in a "
       "checkout, else the user's cache); parts on several machines share it"}};
  for (ExtraOption& option : options_of(studies)) options.push_back(std::move(option));
  return options;
}

Measuring measuring_of(const std::vector<Study>& studies, const Options& options) {
  Measuring measuring;
  for (const ExtraOption& own : options_of(studies))
    if (const std::optional<std::string> value = options.text(own.name)) measuring.given[own.name] = *value;
  const bool has_model =
      options.text("words") || options.text("positions") || options.text("models") || options.text("layers");
  measuring.chosen =
      choose(studies, names_typed(options, "studies"), names_typed(options, "only"), has_model);
  expect_used(measuring.chosen, measuring.given);
  for (const Chosen& one : measuring.chosen)
    if (one.study->check) one.study->check(of_study(one, options, measuring.given));
  return measuring;
}

std::vector<StudyRun> runs_of(const Options& options, const Measuring& measuring) {
  std::vector<StudyRun> runs;
  const std::vector<Chosen>& chosen = measuring.chosen;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Study& study = *chosen[i].study;
    Options own = of_study(chosen[i], options, measuring.given);
    own.out = measuring.out / study.name;
    own.build = measuring.kept;
    own.fresh = options.text("fresh") == "yes";
    if (chosen.size() > 1) own.turn.step = fmt::format("{} of {}", i + 1, chosen.size());
    for (std::size_t later = i + 1; later < chosen.size(); ++later)
      own.turn.after_s += expected_seconds(chosen[later].study->name, options.preset, measuring);
    // The command that measures this study alone.
    Options as_typed = own;
    as_typed.out = measuring.out;
    if (!own.only.empty()) as_typed.extra["only"] = fmt::format("{}", fmt::join(own.only, " "));
    std::vector<std::string> command = {"perp", "report", "--studies", study.name};
    for (std::string& word : arguments_of(as_typed)) command.push_back(std::move(word));
    runs.push_back({study, std::move(own), std::move(command)});
  }
  return runs;
}

void load_blas(const Options& options, int argc, char** argv) {
  const std::optional<std::string> blas = options.text("blas");
  if (!blas) return;
  const std::string_view name = argv[0];
  std::string program = "perp", word(name.substr(name.find(' ') + 1));
  std::vector<char*> whole = {program.data(), word.data()};
  whole.insert(whole.end(), argv + 1, argv + argc);
  whole.push_back(nullptr);
  const std::string folder = blas_folder(*blas);
  load_first_from(folder, whole.data(), [&] {
    const BlasTrial tried = try_folder(folder);
    require(tried.fault.empty(), "--blas {}: {}", *blas, tried.fault);
  });
}

std::string blas_folder(const std::string& name) {
  const std::size_t equals = name.find('=');
  require(equals == name.npos || (equals > 0 && equals + 1 < name.size()),
          "--blas {}: expected NAME, or NAME=FOLDER", in_quotes(name));
  const std::string folder = equals == name.npos ? (blas_root() / name).string() : name.substr(equals + 1);
  std::error_code none;
  // What the loader does not find there it takes from elsewhere, without a word; at a pipe it waits for ever.
  require(fs::is_regular_file(folder + "/libblas.so.3", none),
          "--blas {}: no libblas.so.3 in {}; perp doctor lists what is here", name, folder);
  require(folder.find_first_of(":;") == folder.npos,
          "--blas {}: the loader takes ':' and ';' in {} for the end of its name", name, folder);
  return folder;
}

}  // namespace perp
