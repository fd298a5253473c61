// build/reports/verify: does a fresh run say what the published report says? It reads files and measures
// nothing; `make verify` measures afresh and then calls it.

#include "reports/verify.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/provenance.hpp"

namespace {

constexpr const char* about =
    "Compares a fresh run with the published one: byte for byte where program, processor, BLAS and seed are "
    "the\n"
    "same, otherwise each number by its kind (exact, count, rounded, sampled); see CONTRIBUTING.md.";

constexpr const char* examples =
    "Examples\n"
    "  verify --published reports/published --fresh build/verify/out\n"
    "  verify --studies \"distance order\"        these studies only\n"
    "  verify --pages build/verify/pages        the published pages, too, with those rendered again\n"
    "\nStandard output: what was listed, skipped, moved too far, then the counts.\n"
    "Exit codes: 0 nothing moved too far, 1 something did, 2 unusable input or options.";

int run(int argc, char** argv) {
  perp::report::VerifyOptions options;
  CLI::App app(about, "verify");
  app.footer(examples);
  app.set_version_flag("--version", fmt::format("verify {}", perp::version()));
  app.add_option("--published", options.published, "Folder of the published report")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--fresh", options.fresh, "Folder of the fresh run")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--studies", options.studies, "Studies to compare, in one word or several; else all")
      ->delimiter(' ');
  app.add_option("--preset", options.preset, "Refuse results of another preset")->type_name("PRESET");
  app.add_option("--pages", options.pages,
                 "The published results rendered again: its pages must be the published ones")
      ->type_name("DIR")
      ->check(perp::wrong_folder);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    perp::print_data(app.help());
    return 0;
  } catch (const CLI::CallForVersion& asked) {
    perp::print_data(fmt::format("{}\n", asked.what()));
    return 0;
  } catch (const CLI::ParseError& error) {
    perp::talk("verify: {}; verify --help explains\n", perp::on_one_line(error.what()));
    return 2;
  }
  const perp::report::Verification verification = perp::report::verify(options);
  perp::print_data(perp::report::verification_text(verification));
  return verification.passed() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return perp::run_program("verify", [&] { return run(argc, argv); });
}
