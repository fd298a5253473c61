// `perp verify`: does a fresh run say what the published report says?

#include "reports/render/verify.hpp"

#include <fmt/format.h>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "perp/study/measuring.hpp"
#include "perp/study/start.hpp"
#include "program/folders.hpp"
#include "program/words.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/render.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view about =
    "Compares a fresh run with the published one: byte for byte where the study's libraries, processor, BLAS "
    "and seed are the same, otherwise each number by its kind (exact, count, rounded, sampled); see "
    "docs/internals.md. Without --fresh everything is measured afresh, nothing kept, and the published pages "
    "are rendered again and compared, too.";

constexpr std::string_view examples =
    "  perp verify                                  measure, render, compare: as long as a report takes\n"
    "  perp verify --studies \"distance order\"       these studies only\n"
    "  perp verify --seed 2                         other draws: by intervals\n"
    "  perp verify --fresh DIR                      compare what is there already; nothing is measured\n"
    "  perp verify --fresh DIR --pages PAGES        the published pages, too, with those rendered again\n"
    "\nStandard output: what was listed, skipped, moved too far, then the counts. Exit code 1: something "
    "moved too far.";

std::vector<ExtraOption> options() {
  std::vector<ExtraOption> options = measuring_options(all_studies());
  options.push_back({"published", "DIR", "Folder of the published report"});
  options.push_back({"fresh", "DIR", "Folder of a fresh run; nothing is measured then"});
  options.push_back({"pages", "DIR", "With --fresh: the published results rendered again"});
  return options;
}

fs::path published_of(const Options& options) {
  const fs::path published = sources().published;
  return given_folder(options, "published", options.preset == Preset::long_ ? published / "long" : published);
}

int compare(const report::VerifyOptions& options) {
  const report::Verification verification = report::verify(options);
  print_data(report::verification_text(verification));
  return verification.passed() ? 0 : 1;
}

/// Where it is measured afresh.
fs::path workplace(const Options& options) { return kept_of(options) / "verify"; }

Measuring measuring(const Options& options) {
  Measuring measuring = measuring_of(all_studies(), options);
  measuring.out = workplace(options) / "out";
  measuring.published = sources().published;
  return measuring;
}

/// Throws Error{Exit::unusable} unless each study was published with the preset that is to be measured.
void check_published(const report::VerifyOptions& options) {
  for (const std::string& study : options.studies) {
    const fs::path results = options.published / study / "results.json";
    require(fs::exists(results), "{} has no study {}; --studies chooses, make publish adds",
            options.published.string(), study);
    const std::string preset = report::read_results(options.published / study).preset;
    require(preset == options.preset, "{} is of preset {}, not {}; runs of one preset compare",
            (options.published / study).string(), preset, options.preset);
  }
}

int measure_and_compare(const Options& options, int argc, char** argv) {
  require(!options.text("only"), "--only: whole studies are compared; --studies chooses");
  require(!options.text("pages"),
          "--pages: expected --fresh with it; the published pages are rendered here otherwise");
  const fs::path folder = workplace(options);
  Measuring asked = measuring(options);
  report::VerifyOptions comparing;
  comparing.published = published_of(options);
  comparing.fresh = asked.out;
  comparing.pages = folder / "pages";
  comparing.preset = to_text(options.preset);
  std::vector<std::string> places{"verify/out/", "verify/pages/"};
  for (const Chosen& one : asked.chosen) {
    comparing.studies.push_back(one.study->name);
    places.push_back(fmt::format("verify/out/{}/", one.study->name));
  }
  check_published(comparing);
  Written(kept_of(options), "verify").expect(places);  // none of them behind a link
  load_blas(options, argc, argv);
  trust_blas(argv[0]);
  const Alone alone(argv[0], folder);
  watch_interrupts();
  const OwnFolder cells(folder);  // found nowhere, so that everything is measured
  asked.kept = cells.path();
  report::RenderOptions rendering;
  rendering.results = rendering.at = comparing.published;
  rendering.out = comparing.pages;
  rendering.sources = sources().texts;
  report::render(rendering);
  run_all(runs_of(options, asked));
  return compare(comparing);
}

int compare_fresh(const Options& options) {
  options.expect_alone("fresh", {"published", "pages", "studies", "preset"});
  report::VerifyOptions comparing;
  comparing.published = published_of(options);
  comparing.fresh = given_folder(options, "fresh", "");
  comparing.pages = given_folder(options, "pages", "");
  comparing.studies = names_typed(options, "studies");
  if (options.typed.contains("preset")) comparing.preset = to_text(options.preset);
  return compare(comparing);
}

}  // namespace

int verify(int argc, char** argv) {
  const Parsed parsed =
      parse_word({argv[0], std::string(about), std::string(examples), "", ""}, options(), argc, argv);
  if (!parsed.options) return parsed.exit_code;
  return parsed.options->text("fresh") ? compare_fresh(*parsed.options)
                                       : measure_and_compare(*parsed.options, argc, argv);
}

}  // namespace perp::program
