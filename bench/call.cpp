#include "bench/call.hpp"

#include <numeric>
#include <set>
#include <utility>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

/// The studies' tables are in rows: what a row of the bench times is the call that row-major BLAS makes of it.
BareCall bare_call(const Row& row) {
  const auto& [m, n, k] = row.shape;
  const auto call = [&](std::string_view operation, std::string_view letters, Shape shape) {
    return BareCall{operation, letters, row.type, shape, false};
  };
  if (row.operation.starts_with("gemm")) return call("gemm", "TN", {n, m, k});  // C = A Bᵀ, rows with rows
  if (row.operation.starts_with("syrk")) return call("syrk", "UN", row.shape);  // the lower triangle of AᵀA
  if (row.operation == "gemv") return call("gemv", "T", row.shape);
  if (row.operation == "ger") return call("ger", "-", {n, m, 0});
  if (row.operation == "trsm") return call("trsm", "RUN", {n, m, 0});  // L X = B
  if (row.operation == "qr") return call("geqrf", "-", row.shape);
  if (row.operation == "svd_values") return call("gesdd", "N", row.shape);
  if (row.operation == "svd_thin") return call("gesdd", "S", row.shape);
  return call(row.operation, "U", row.shape);  // potrf, syevd
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size(); at += parts.back().size() + 1)
    parts.push_back(text.substr(at, text.find(separator, at) - at));
  return parts;
}

Type type_from(std::string_view text) { return text == "f32" ? Type::f32 : Type::f64; }

/// The sizes of "55x165", in those places that `like` has.
Shape shape_from(std::string_view text, Shape like) {
  const std::vector<std::string_view> sizes = parts_of(text, 'x');
  auto next = sizes.begin();
  for (std::size_t* size : {&like.m, &like.n, &like.k})
    if (*size != 0 && next != sizes.end())
      *size = static_cast<std::size_t>(std::stoull(std::string(*next++)));
  return like;
}

const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> grid_operations{
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
  std::vector<std::size_t> list(all ? 300 : 16);
  std::iota(list.begin(), list.end(), std::size_t{1});
  if (!all) list.insert(list.end(), {31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300});
  return list;
}

}  // namespace

std::string Check::said() const { return fmt::format("error {:.3g}, bound {:.3g}", error, bound); }

std::string BareCall::name() const {
  return fmt::format("{}/{}/{}/{}/{}", operation, letters, to_text(type), shape.text(),
                     odd ? "shifted" : "aligned");
}

std::optional<Row> row_of(std::string_view name) {
  const std::vector<std::string_view> parts = parts_of(name, '/');
  if (parts.size() == 5) return {};
  require(parts.size() == 4, "'{}' is no row", name);
  const Operation& o = operation(parts[0]);
  return Row{o.name, type_from(parts[2]), shape_from(parts[3], o.shapes.front())};
}

Call make_call(std::string_view name) {
  const std::optional<Row> row = row_of(name);
  const std::vector<std::string_view> parts = parts_of(name, '/');
  const BareCall bare =
      row ? bare_call(*row)
          : BareCall{parts[0], parts[1], type_from(parts[2]),
                     shape_from(parts[3], shape_of(parts[0], 1, false)), parts[4] == "shifted"};
  return is_lapack(bare.operation) ? make_lapack(bare) : make_blas(bare);
}

std::vector<BareCall> grid_calls(bool all) {
  std::vector<BareCall> calls;
  std::set<std::string> names;  // --all holds some of the reported shapes already
  const auto add = [&](const BareCall& call) {
    if (names.insert(call.name()).second) calls.push_back(call);
  };
  for (const auto& [operation, all_letters] : grid_operations)
    for (const std::string_view letters : all_letters)
      for (const Type type : {Type::f32, Type::f64})
        for (const bool odd : {false, true}) {
          for (const std::size_t n : sizes(all))
            add({operation, letters, type, shape_of(operation, n, odd), odd});
          for (const auto& [of, shape] : reported)
            if (of == operation) add({operation, letters, type, shape, odd});
        }
  return calls;
}

}  // namespace perp::bench
