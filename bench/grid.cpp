#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "bench/call.hpp"

namespace perp::bench {
namespace {

struct GridOperation {
  std::string_view name;
  std::vector<std::string_view> letters;
};
const std::vector<GridOperation> grid_operations{
    {"gemm", {"NN", "NT", "TN", "TT"}},
    {"syrk", {"UN", "UT", "LN", "LT"}},
    {"trsm", {"LUN", "LUT", "LLN", "LLT", "RUN", "RUT", "RLN", "RLT"}},
    {"potrf", {"U", "L"}},
    {"geqrf", {"-"}},
    {"gesdd", {"N", "S"}},
    {"syevd", {"U", "L"}}};

/// The operation at size n: square where operands are aligned, of three different sizes where they are not.
Shape shape_of(std::string_view operation, std::size_t n, bool odd) {
  if (operation == "potrf" || operation == "syevd") return {0, n, 0};
  if (operation == "syrk") return {0, n, odd ? 2 * n + 1 : n};
  if (operation == "gemm") return {n, odd ? n + 1 : n, odd ? 2 * n + 1 : n};
  return {odd ? n + 7 : n, n, 0};
}

/// Of public reports: a stack that overflows (OpenBLAS#6013), sums that are wrong at once (numpy#31776), products by
/// single rows and columns, and blocks that do not divide (OpenBLAS#5942).
constexpr std::pair<std::string_view, Shape> reported[] = {
    {"syrk", {0, 55, 165}},  {"syrk", {0, 4, 5}},   {"syrk", {0, 5, 4}},   {"syrk", {0, 80, 16}},
    {"syrk", {0, 300, 672}}, {"gemm", {4, 4, 5}},   {"gemm", {1, 300, 7}}, {"gemm", {300, 1, 7}},
    {"gemm", {7, 300, 1}},   {"potrf", {0, 194, 0}}};

std::vector<std::size_t> sizes(bool all) {
  std::vector<std::size_t> list;
  const auto edge = [](std::size_t n) {
    return std::ranges::any_of(std::array{32U, 64U, 128U, 256U},
                               [&](std::size_t at) { return n + 1 >= at && n <= at + 1; });
  };
  for (std::size_t n = 1; n <= 300; ++n)
    if (all || n <= 16 || edge(n) || n == 300) list.push_back(n);
  return list;
}

}  // namespace

std::vector<BareCall> grid_calls(bool all) {
  std::vector<BareCall> calls;
  std::set<std::string> names;  // --all holds some of the reported shapes already
  const auto add = [&](const BareCall& call) {
    if (names.insert(call.name()).second) calls.push_back(call);
  };
  for (const GridOperation& o : grid_operations)
    for (const std::string_view letters : o.letters)
      for (const Type type : {Type::f32, Type::f64})
        for (const bool odd : {false, true}) {
          for (const std::size_t n : sizes(all)) add({o.name, letters, type, shape_of(o.name, n, odd), odd});
          for (const auto& [operation, shape] : reported)
            if (operation == o.name) add({o.name, letters, type, shape, odd});
        }
  return calls;
}

}  // namespace perp::bench
