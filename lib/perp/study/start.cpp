#include "perp/study/start.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/freed_memory.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/provenance.hpp"

namespace perp {

int start(std::string_view name, char** argv, const std::function<int()>& body) {
  return run_program(name, [&] {
    settle_blas(argv);
    keep_freed_memory();
    ::setenv("LC_ALL", "C", 1);
    return body();
  });
}

void warn_of_kernels(std::string_view name) {
  if (const std::string& warning = kernel_settlement().warning; !warning.empty())
    talk("{}: {}\n", name, warning);
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
    const std::string help = app.help();
    print_data(help.ends_with('\n') ? help : help + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::ranges::replace(message, '\n', ' ');
    talk("{0}: {1} (see {0} --help)\n", app.get_name(), on_one_line(message));
    return static_cast<int>(Exit::unusable);
  }
}

}  // namespace perp
