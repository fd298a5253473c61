#include "program/known_bad.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

#include "perp/io/csv.hpp"

namespace perp::program {

extern const char* const known_bad_csv;

namespace {

/// "0.3.21" as {0, 3, 21}; what is no number ends it ("0.3.21.dev").
std::vector<int> numbers(std::string_view version) {
  std::vector<int> list;
  std::istringstream parts{std::string(version)};
  for (std::string part; std::getline(parts, part, '.');) {
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc()) break;
    list.push_back(number);
  }
  return list;
}

bool has_core(std::string_view cores, std::string_view kernel) {
  std::istringstream words{std::string(cores)};
  for (std::string word; words >> word;)
    if (same_core(word, kernel)) return true;
  return cores.empty();
}

/// known_bad.csv, built in.
const std::vector<KnownBad>& all_known_bad() {
  static const std::vector<KnownBad> all = [] {
    std::vector<KnownBad> read;
    for (const std::vector<std::string>& row : parse_csv(known_bad_csv, "known_bad.csv").rows)
      read.push_back({row[0], row[1], row[2], row[3], row[4] == "yes", row[5], row[6], row[7], row[8]});
    return read;
  }();
  return all;
}

}  // namespace

std::vector<KnownBad> known_bad(const BlasIdentity& blas, const Processor& processor) {
  std::vector<KnownBad> fitting;
  const std::vector<int> version = numbers(blas.version);
  std::ranges::copy_if(all_known_bad(), std::back_inserter(fitting), [&](const KnownBad& bad) {
    return blas.name == bad.library && !version.empty() &&
           (bad.first.empty() || numbers(bad.first) <= version) &&
           (bad.last.empty() || version <= numbers(bad.last)) && has_core(bad.cores, blas.kernel) &&
           (!bad.amd_avx512 || (processor.amd && processor.has == Instructions::avx512));
  });
  return fitting;
}

}  // namespace perp::program
