#include "perp/study/start.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/blas_trial.hpp"
#include "perp/study/nearest.hpp"
#include "perp/study/provenance.hpp"

namespace perp {
namespace {

/// What does not fit into 80 columns goes into lines below, to where the line's second part begins.
std::string wrapped(std::string line) {
  constexpr std::size_t width = 80;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t second = line.find_first_not_of(' ', line.find("  ", begin));
  const std::size_t indent = second == line.npos ? begin : second;
  std::string out;
  while (columns(line) > width) {
    const std::size_t cut = line.rfind(' ', width);
    if (cut == line.npos || cut <= indent) break;
    out += line.substr(0, cut) + "\n";
    line = std::string(indent, ' ') + line.substr(cut + 1);
  }
  return out + line + "\n";
}

/// "no option --onyl; did you mean --only?" for the first option that there is not; "" where only a stray word stands.
std::string unknown_option(const CLI::App& app) {
  for (const std::string& stray : app.remaining()) {
    const std::size_t begin = stray.find_first_not_of('-');
    if (begin == 0 || begin == stray.npos) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      if (!option->get_group().empty())
        names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    const std::string given = stray.substr(0, stray.find('=')), meant = nearest(given.substr(begin), names);
    return fmt::format("no option {}{}", given,
                       meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
  }
  return "";
}

}  // namespace

int start(std::string_view name, char** argv, const std::function<int()>& body) {
  return run_program(name, [&] {
    settle_blas(argv);
    if (const std::optional<int> tried = answer_trial()) return *tried;
    keep_freed_memory();
    ::setenv("LC_ALL", "C", 1);
    return body();
  });
}

void trust_blas(std::string_view name) {
  if (const BlasTrial tried = try_folder(""); !tried.fault.empty())
    fail("the BLAS here, {}: {}; perp doctor lists others", loaded_blas().path, tried.fault);
  warn_of_kernels(name);
}

void warn_of_kernels(std::string_view name) {
  if (const std::string& warning = kernel_settlement().warning; !warning.empty())
    print_message("{}: {}\n", name, warning);
}

std::string version_text(std::string_view name) {
  const BlasIdentity blas = loaded_blas();
  const KernelSettlement& kernels = kernel_settlement();
  const auto or_none = [](const std::string& text) { return text.empty() ? "-" : text; };
  return fmt::format("{} {}\nBLAS    {} {} {} ({})\nLAPACK  {}\nkernels picked {}, chosen {}: {}", name,
                     version(), blas.name, blas.version, blas.kernel, blas.path, blas.lapack_path,
                     or_none(kernels.picked), or_none(kernels.chosen), kernels.why);
}

std::optional<int> answered(CLI::App& app, int argc, char** argv) {
  app.set_version_flag("--version", version_text(app.get_name()));
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForVersion& asked) {
    print_data(fmt::format("{}\n", asked.what()));
    return 0;
  } catch (const CLI::Success&) {  // --help
    std::istringstream help(app.help());
    std::string text;
    for (std::string line; std::getline(help, line);) text += wrapped(line);
    print_data(text);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::ranges::replace(message, '\n', ' ');
    if (const std::string unknown = unknown_option(app); !unknown.empty()) message = unknown;
    print_message("{0}: {1} (see {0} --help)\n", app.get_name(), on_one_line(message));
    return static_cast<int>(Exit::unusable);
  }
}

}  // namespace perp
