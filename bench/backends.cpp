#include "bench/backends.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "perp/base/error.hpp"
#include "perp/study/start.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

struct Known {
  std::string_view name, package;
};
constexpr Known debian[] = {{"openblas-pthread", "libopenblas0-pthread"},
                            {"openblas-openmp", "libopenblas0-openmp"},
                            {"openblas-serial", "libopenblas0-serial"},
                            {"blis-pthread", "libblis4-pthread"},
                            {"blis-openmp", "libblis4-openmp"},
                            {"atlas", "libatlas3-base"},
                            {"reference", "libblas3"}};

constexpr const char* usual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

bool holds(const fs::path& folder, const char* library) {
  std::error_code none;
  return fs::is_regular_file(folder / library, none);  // at a pipe the loader waits for ever
}

/// On the LAPACK that the folder holds, or the reference LAPACK, with which reference BLAS comes from one project.
Backend backend(const std::string& name, const fs::path& folder) {
  const fs::path reference = blas_root() / "lapack";
  for (const fs::path& lapack : {folder, reference})
    if (holds(lapack, "liblapack.so.3")) return {name, folder, lapack};
  return {name, folder, ""};
}

}  // namespace

std::string Backend::package() const {
  const auto known = std::ranges::find(debian, name, &Known::name);
  return std::string(known == std::end(debian) ? "a folder given" : known->package);
}

std::string Backend::shown() const {
  return kernels.core.empty() ? name : fmt::format("{}/{}", name, kernels.core);
}

std::string Backend::lapack() const {
  const bool ships = lapack_folder == blas_folder || name == "reference";
  return lapack_folder.empty() ? "none" : ships ? "as_shipped" : "alone";
}

std::string Backend::loader_path() const {
  if (lapack_folder.empty() || lapack_folder == blas_folder) return blas_folder;
  return fmt::format("{}:{}", lapack_folder, blas_folder);
}

Backends debian_backends() {
  Backends backends;
  const fs::path root = blas_root();
  for (const auto& [name, package] : debian) {
    const fs::path folder = root / (name == "reference" ? "blas" : name);
    if (holds(folder, "libblas.so.3"))
      backends.found.push_back(backend(std::string(name), folder));
    else
      backends.missing.push_back(fmt::format("{} (Debian's package {})", name, package));
  }
  return backends;
}

std::vector<Backend> given_backends(std::string_view text) {
  std::vector<Backend> list;
  for (const std::string& word : words(text)) {
    const std::size_t equals = word.find('=');
    require(equals != std::string::npos && equals > 0 && equals + 1 < word.size(),
            "--backends: '{}' is not name=folder", word);
    const std::string name = word.substr(0, equals), folder = word.substr(equals + 1);
    // Names reach tables, figures and file names; a colon would end an entry of LD_LIBRARY_PATH.
    require(name.find_first_not_of(usual) == std::string::npos, "--backends: '{}' holds more than {}", name,
            usual);
    require(folder.find(':') == std::string::npos, "--backends: '{}' holds a colon", folder);
    const auto same = [&](const auto& other) { return other.name == name; };
    require(std::ranges::none_of(debian, same) && std::ranges::none_of(list, same),
            "--backends: there is a '{}' already", name);
    require(!holds(folder, "libblas64.so.3"),
            "--backends: {} has 64-bit integers (libblas64.so.3), and calls here have 32; expected its twin "
            "of 32",
            folder);
    require(holds(folder, "libblas.so.3"), "--backends: {} holds no libblas.so.3", folder);
    list.push_back(backend(name, fs::absolute(folder)));
  }
  return list;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<Backend> named(const std::vector<Backend>& all, std::string_view names) {
  const std::vector<std::string> wanted = words(names);
  if (wanted.empty()) return all;
  std::vector<Backend> kept;
  for (const std::string& word : wanted) {
    const std::size_t before = kept.size();
    std::ranges::copy_if(all, std::back_inserter(kept), [&](const Backend& b) { return b.name == word; });
    std::string known;
    for (const Backend& b : all) known += fmt::format(" {}", b.name);
    require(kept.size() > before, "no backend '{}' here; there are:{}", word, known);
  }
  return kept;
}

}  // namespace perp::bench
