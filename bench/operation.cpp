#include "bench/operation.hpp"

#include <algorithm>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

// Counts of LAPACK Working Note 41 (Blackford, Dongarra 1999, "Installation guide for LAPACK", appendix C)
// for the factorisations, of Golub & Van Loan 2013, "Matrix Computations", for the spectra, whose exact
// number depends on the data.
Cost gemm(double m, double n, double k) { return {2 * m * n * k, m * k + k * n + 2 * m * n}; }
Cost syrk(double, double n, double k) { return {k * n * (n + 1), k * n + n * n}; }
Cost gemv(double m, double n, double) { return {2 * m * n, m * n + m + n}; }
Cost ger(double m, double n, double) { return {2 * m * n, 2 * m * n + m + n}; }
Cost trsm(double m, double n, double) { return {m * m * n, m * m / 2 + 2 * m * n}; }
Cost potrf(double, double n, double) { return {n * n * n / 3, n * n}; }
/// geqrf, then orgqr.
Cost qr(double m, double n, double) { return {2 * (2 * m * n * n - 2 * n * n * n / 3), 4 * m * n}; }
Cost svd_values(double rows, double cols, double) {
  const double m = std::max(rows, cols), n = std::min(rows, cols);
  return {4 * m * n * n - 4 * n * n * n / 3, m * n};
}
Cost svd_thin(double rows, double cols, double) {
  const double m = std::max(rows, cols), n = std::min(rows, cols);
  return {6 * m * n * n + 20 * n * n * n, 2 * m * n + n * n};
}
Cost syevd(double, double n, double) { return {9 * n * n * n, 2 * n * n}; }

std::vector<Shape> squares(std::initializer_list<std::size_t> sizes) {
  std::vector<Shape> shapes;
  for (const std::size_t n : sizes) shapes.push_back({n, n, n});
  return shapes;
}

std::vector<Operation> make() {
  const std::vector<Type> both{Type::f32, Type::f64};
  const std::vector<Shape> thin{{10'000, 8, 8}, {10'000, 16, 16}, {10'000, 32, 32}, {10'000, 64, 64}},
      thin_grams{{0, 8, 10'000}, {0, 32, 10'000}, {0, 64, 10'000}},
      orders{{0, 128, 0}, {0, 256, 0}, {0, 512, 0}, {0, 1024, 0}},
      tall{{512, 64, 0}, {512, 128, 0}, {1024, 512, 0}};
  return {
      {"gemm", "gemm: square products", squares({64, 128, 256, 512, 1024, 2048, 4096}), both, gemm},
      // Words times positions: C = W Pᵀ, the product behind every cosine of the studies.
      {"gemm_tall", "gemm: words times positions", {{2048, 512, 512}, {16384, 512, 512}}, both, gemm},
      // What a call costs before it computes, and shapes for which most libraries have no kernel of their
      // own.
      {"gemm_small", "gemm: small squares", squares({4, 8, 12, 16, 24, 32, 48, 64}), both, gemm},
      {"gemm_skinny", "gemm: tall and skinny", thin, both, gemm},
      {"syrk_skinny", "syrk: tall and skinny", thin_grams, both, syrk},
      {"syrk", "syrk: Gram matrices", {{0, 256, 1024}, {0, 512, 4096}}, both, syrk},
      {"gemv", "gemv: matrix times vector", {{512, 512, 0}, {2048, 2048, 0}}, both, gemv},
      {"ger", "ger: rank-one update", {{512, 512, 0}, {2048, 2048, 0}}, both, ger},
      {"trsm", "trsm: triangular solve", {{128, 512, 0}, {512, 1024, 0}}, both, trsm},
      {"potrf", "potrf: Cholesky", {{0, 128, 0}, {0, 512, 0}, {0, 2048, 0}}, both, potrf},
      {"qr", "geqrf + orgqr: QR", {{512, 64, 0}, {512, 128, 0}, {2048, 512, 0}}, both, qr},
      {"svd_values", "gesdd: singular values", tall, both, svd_values},
      {"svd_thin", "gesdd: thin SVD", tall, both, svd_thin},
      {"syevd", "syevd: symmetric eigenvectors", orders, both, syevd},
  };
}

}  // namespace

std::string Shape::text() const {
  std::string text;
  for (const std::size_t size : {m, n, k})
    if (size != 0) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
  return text;
}

std::string_view to_text(Type type) { return type == Type::f32 ? "f32" : "f64"; }

bool is_lapack(std::string_view operation) {
  constexpr std::string_view all[] = {"potrf", "qr", "svd_values", "svd_thin", "syevd", "geqrf", "gesdd"};
  return std::ranges::find(all, operation) != std::end(all);
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = make();
  return all;
}

const Operation& operation(std::string_view name) {
  const auto it = std::ranges::find(operations(), name, &Operation::name);
  require(it != operations().end(), "no operation {}", name);
  return *it;
}

std::string Row::name() const { return fmt::format("{}/bare/{}/{}", operation, to_text(type), shape.text()); }
Cost Row::cost() const {
  const auto real = [](std::size_t size) { return static_cast<double>(size); };
  const auto [operations, elements] =
      bench::operation(operation).cost(real(shape.m), real(shape.n), real(shape.k));
  return {operations, elements * (type == Type::f32 ? 4 : 8)};
}

std::vector<Row> all_rows(bool quick) {
  std::vector<Row> rows;
  for (const Operation& o : operations())
    for (const Type type : o.types) {
      const std::size_t count = quick ? (o.shapes.size() + 1) / 2 : o.shapes.size();
      for (std::size_t i = 0; i < count; ++i) rows.push_back({o.name, type, o.shapes[i]});
    }
  return rows;
}

}  // namespace perp::bench
