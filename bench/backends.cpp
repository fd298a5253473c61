#include "bench/backends.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char *name, *package;
};
constexpr std::array<Known, 7> debian{{{"openblas-pthread", "libopenblas0-pthread"},
                                       {"openblas-openmp", "libopenblas0-openmp"},
                                       {"openblas-serial", "libopenblas0-serial"},
                                       {"blis-pthread", "libblis4-pthread"},
                                       {"blis-openmp", "libblis4-openmp"},
                                       {"atlas", "libatlas3-base"},
                                       {"reference", "libblas3"}}};

constexpr const char* usual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

/// /usr/lib/<multiarch>, where Debian keeps one folder for each alternative.
fs::path library_root() {
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib"))
    if (entry.is_directory() && fs::exists(entry.path() / "libc.so.6")) return entry.path();
  return "/usr/lib";
}

bool holds(const fs::path& folder, const char* library) { return fs::exists(folder / library); }

std::string reference_lapack() {
  const fs::path folder = library_root() / "lapack";
  return holds(folder, "liblapack.so.3") ? folder.string() : "";
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

/// One file that answers for both, such as MKL's: no other LAPACK can come before it.
bool is_one_library(const fs::path& folder) {
  std::error_code error;
  return fs::equivalent(folder / "libblas.so.3", folder / "liblapack.so.3", error);
}

/// As shipped if the folder holds a LAPACK, and alone on the reference LAPACK if that is installed.
void add(std::vector<Backend>& list, const std::string& name, const fs::path& folder) {
  const bool ships = holds(folder, "liblapack.so.3");
  const std::string lapack = reference_lapack();
  if (ships) list.push_back({name, folder.string(), folder.string(), false, false});
  if (is_one_library(folder)) return;
  // Reference BLAS and LAPACK come from one project: together they are as shipped.
  if (!lapack.empty()) list.push_back({name, folder.string(), lapack, name != "reference", ships});
  if (!ships && lapack.empty()) list.push_back({name, folder.string(), "", false, false});
}

}  // namespace

std::string Backend::package() const {
  const auto it =
      std::find_if(debian.begin(), debian.end(), [&](const Known& known) { return known.name == name; });
  return it == debian.end() ? "a folder given" : it->package;
}

std::string Backend::label() const { return core.empty() ? name : fmt::format("{}/{}", name, core); }
std::string Backend::shown() const { return repeats ? fmt::format("{} alone", label()) : label(); }

std::string_view Backend::lapack() const {
  return lapack_folder.empty() ? "none" : alone ? "alone" : "as_shipped";
}

std::string Backend::loader_path() const {
  if (lapack_folder.empty() || lapack_folder == blas_folder) return blas_folder;
  return fmt::format("{}:{}", lapack_folder, blas_folder);
}

Backends debian_backends() {
  Backends backends;
  const fs::path root = library_root();
  for (const Known& known : debian) {
    const std::string name = known.name;
    const fs::path folder = root / (name == "reference" ? "blas" : name);
    if (holds(folder, "libblas.so.3"))
      add(backends.found, name, folder);
    else
      backends.missing.push_back(fmt::format("{} (Debian's package {})", name, known.package));
  }
  return backends;
}

std::vector<Backend> given_backends(std::string_view text) {
  std::vector<Backend> list;
  for (const std::string& word : words(text)) {
    const std::size_t equals = word.find('=');
    require(equals != std::string::npos && equals > 0 && equals + 1 < word.size(),
            "BACKENDS: '{}' is not name=folder", word);
    const std::string name = word.substr(0, equals), folder = word.substr(equals + 1);
    // Names reach tables, figures and file names; a colon would end an entry of LD_LIBRARY_PATH.
    require(name.find_first_not_of(usual) == std::string::npos, "BACKENDS: '{}' holds more than {}", name,
            usual);
    require(folder.find(':') == std::string::npos, "BACKENDS: '{}' holds a colon", folder);
    const auto same = [&](const auto& other) { return other.name == name; };
    require(std::none_of(debian.begin(), debian.end(), same) && std::none_of(list.begin(), list.end(), same),
            "BACKENDS: there is a '{}' already", name);
    require(holds(folder, "libblas.so.3"), "BACKENDS: {} holds no libblas.so.3", folder);
    add(list, name, fs::absolute(folder));
  }
  return list;
}

std::vector<Backend> only(const std::vector<Backend>& all, std::string_view names) {
  const std::vector<std::string> wanted = words(names);
  if (wanted.empty()) return all;
  std::vector<Backend> kept;
  for (const std::string& word : wanted) {
    const std::size_t before = kept.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept),
                 [&](const Backend& b) { return b.name == word; });
    if (kept.size() == before) {
      std::string known;
      for (const Backend& b : all)
        if (!b.repeats) known += fmt::format(" {}", b.name);
      refuse("no backend '{}' here; there are:{}", word, known);
    }
  }
  return kept;
}

}  // namespace perp::bench
