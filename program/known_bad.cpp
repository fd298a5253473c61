#include "program/known_bad.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

namespace perp::program {
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

const std::vector<KnownBad>& all_known_bad() {
  static const std::vector<KnownBad> all{
      {"OpenBLAS", "0.3.4", "0.3.5", "SkylakeX", false, "gemm", "wrong in float64 for some inputs",
       "2019-07-09", "https://github.com/OpenMathLib/OpenBLAS/issues/2182"},
      {"OpenBLAS", "0.3.6", "0.3.12", "SkylakeX", false, "potrf",
       "fails for a positive definite matrix of 1,107 rows, if built on an older processor", "2020-11-11",
       "https://github.com/OpenMathLib/OpenBLAS/issues/2986"},
      {"OpenBLAS", "0.3.11", "0.3.11", "SkylakeX Cooperlake", false, "gemm",
       "float32 products with an inner size of 0 hold what was there before", "2020-10-18",
       "https://github.com/OpenMathLib/OpenBLAS/issues/2914"},
      {"OpenBLAS", "0.3.20", "0.3.20", "Cooperlake", false, "symm", "wrong by some per cent in float64",
       "2026-07-29", "https://github.com/openmeeg/openmeeg/pull/872"},
      {"OpenBLAS", "0.3.20", "0.3.20", "Cooperlake", false, "gemm", "wrong where columns hold mostly zeros",
       "2025-05-21", "https://github.com/OpenMathLib/OpenBLAS/issues/5267"},
      {"OpenBLAS", "0.3.33", "0.3.33", "RISCV64_ZVL256B", false, "syrk",
       "upper and transposed, wrong in float64", "2026-05-14",
       "https://github.com/OpenMathLib/OpenBLAS/issues/5811"},
      {"OpenBLAS", "", "0.3.33", "VORTEXM4", false, "syrk", "wrong in float32, from 4 x 5 on", "2026-06-29",
       "https://github.com/OpenMathLib/OpenBLAS/issues/5873"},
      {"OpenBLAS", "0.3.34", "0.3.34", "Haswell Zen", true, "syrk, potrf, gemm",
       "may write over the stack and crash, at n = 55, k = 165 for one", "2026-09-05",
       "https://github.com/OpenMathLib/OpenBLAS/issues/6013"},
      {"OpenBLAS", "0.3.34", "0.3.34", "Haswell", false, "gemm",
       "float64 may write over the stack at large inner sizes", "2026-09-11",
       "https://github.com/OpenMathLib/OpenBLAS/issues/6026"},
      {"OpenBLAS", "", "", "NeoverseV2", false, "gemm",
       "reported wrong in float32 with several threads; a first mend was taken back, for the cause lay "
       "elsewhere",
       "2026-02-11", "https://github.com/OpenMathLib/OpenBLAS/pull/5643"},
      {"OpenBLAS", "", "0.3.34", "LA464", false, "syrk, potrf",
       "reported wrong in float64 at 80 x 16 for one; the maintainer could not reproduce it", "2026-07-24",
       "https://github.com/OpenMathLib/OpenBLAS/pull/5942"}};
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
