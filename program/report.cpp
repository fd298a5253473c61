// `perp report`: the studies one after the other, then the pages. Killed at any moment, the same command goes on.

#include <fmt/format.h>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/measuring.hpp"
#include "perp/study/start.hpp"
#include "program/folders.hpp"
#include "program/words.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/distance/claims.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/learning/claims.hpp"
#include "studies/order/claims.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view about =
    "Measures what the claims say, study by study, and writes the report: REPORT.md with its chapters, "
    "figures, tables, and site/ for a browser.";

constexpr std::string_view examples =
    "  perp report --preset quick                  all studies in a minute\n"
    "  perp report --only O4                       one claim, and its pages\n"
    "  perp report --words my.npy                  your word vectors instead of learned ones\n"
    "  perp report --models models.txt --studies inspect\n"
    "                                              models of yours beside chance\n"
    "  perp report --part 3/16 --kept DIR          one part, wherever DIR is seen\n"
    "A killed run loses only the cells under way: the same command goes on. A file that no earlier "
    "run wrote, or that you have changed since, is never replaced: perp stops with one line that names it.";

std::vector<ExtraOption> options() {
  std::vector<ExtraOption> options = measuring_options(all_studies());
  options.push_back(part_option());
  options.push_back(
      {"out", "", "Folder that receives the report (default: reports/out in a checkout, else perp-report)"});
  options.push_back({"fresh", "", "Measure every cell again and ignore kept ones"});
  options.push_back({"pages", "no", "no: measure and write no pages"});
  options.push_back(
      {"templates", "DIR", "Folder of the pages' templates, instead of the program's own (reports/pages)"});
  options.push_back({"sections", "DIR",
                     "Folder of each study's sections and figures, instead of the program's own (studies)"});
  return options;
}

Measuring measuring(const Options& options) {
  Measuring measuring = measuring_of(all_studies(), options);
  measuring.out = options.out.empty() ? default_out() : options.out;
  measuring.kept = kept_of(options);
  measuring.published = sources().published;
  return measuring;
}

int measure_and_render(const Options& options, int argc, char** argv) {
  const std::string name = argv[0];
  const std::string pages = options.text("pages").value_or("yes");
  require(pages == "yes" || pages == "no", "--pages {}: expected no or yes", pages);
  if (pages == "no") options.expect_none_of({"templates", "sections"}, "pages no");
  const Measuring asked = measuring(options);
  load_blas(options, argc, argv);
  trust_blas(name);
  if (options.part) {
    options.expect_none_of({"pages", "templates", "sections"}, "part");
    run_all(runs_of(options, asked));
    say_part(name, *options.part, asked.kept);
    return 0;
  }
  expect_unpublished(asked.out);
  perp::report::RenderOptions rendering;
  rendering.results = rendering.out = asked.out;
  rendering.sources = sources_of(options);
  perp::report::expect_no_source(rendering);
  if (pages == "yes") perp::report::expect_means(rendering);
  const Alone alone(name, asked.out);
  if (pages == "yes") {
    say_other_templates(name, options);
    std::vector<std::string> studies;
    for (const Chosen& one : asked.chosen) studies.push_back(one.study->name);
    perp::report::expect_place(rendering, studies);
  }
  run_all(runs_of(options, asked));
  if (pages == "yes") render_and_say(name, rendering);
  return 0;
}

}  // namespace

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies = {orthogonality::study(), distance::study(), capacity::study(),
                                             order::study(),         learning::study(), anatomy::study(),
                                             inspect::study()};
  return studies;
}

int report(int argc, char** argv) {
  Parsed parsed =
      parse_word({argv[0], std::string(about), std::string(examples), "", ""}, options(), argc, argv);
  if (!parsed.options) return parsed.exit_code;
  read_part(*parsed.options);
  return measure_and_render(*parsed.options, argc, argv);
}

}  // namespace perp::program
