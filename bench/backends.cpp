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

}  // namespace

Backends debian_backends() {
  Backends backends;
  const fs::path root = library_root();
  const std::string lapack = reference_lapack();
  for (const Known& known : debian) {
    const std::string name = known.name;
    const fs::path folder = root / (name == "reference" ? "blas" : name);
    if (!holds(folder, "libblas.so.3")) {
      backends.missing.push_back(fmt::format("{} (Debian's package {})", name, known.package));
      continue;
    }
    const bool ships = holds(folder, "liblapack.so.3");
    if (ships) backends.found.push_back({name, folder.string(), folder.string(), false});
    if (!lapack.empty()) {
      const bool bare = ships || name != "reference";
      backends.found.push_back({name, folder.string(), lapack, bare});
    }
  }
  return backends;
}

std::vector<Backend> given_backends(std::string_view text) {
  std::vector<Backend> list;
  for (const std::string& word : words(text)) {
    const std::size_t equals = word.find('=');
    require(equals != std::string::npos && equals > 0 && equals + 1 < word.size(),
            "BACKENDS: '{}' is not name=folder", word);
    const fs::path folder = word.substr(equals + 1);
    require(holds(folder, "libblas.so.3"), "BACKENDS: {} holds no libblas.so.3", folder.string());
    const bool ships = holds(folder, "liblapack.so.3");
    list.push_back(
        {word.substr(0, equals), folder.string(), ships ? folder.string() : reference_lapack(), !ships});
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
      for (const Backend& b : all) known += fmt::format(" {}", b.name);
      refuse("no backend '{}' here; there are:{}", word, known);
    }
  }
  return kept;
}

}  // namespace perp::bench
