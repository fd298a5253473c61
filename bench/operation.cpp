#include "bench/operation.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

double real(std::size_t count) { return static_cast<double>(count); }

// Counts of LAPACK Working Note 41 (Blackford, Dongarra 1999, "Installation guide for LAPACK", appendix C)
// for the factorisations, of Golub & Van Loan 2013, "Matrix Computations", for the spectra, whose exact
// number depends on the data.
Cost gemm(const Shape& s, double b) {
  return {2 * real(s.m) * real(s.n) * real(s.k),
          b * (real(s.m) * real(s.k) + real(s.k) * real(s.n) + 2 * real(s.m) * real(s.n))};
}
Cost syrk(const Shape& s, double b) {
  return {real(s.k) * real(s.n) * (real(s.n) + 1), b * (real(s.k) * real(s.n) + real(s.n) * real(s.n))};
}
Cost gemv(const Shape& s, double b) {
  return {2 * real(s.m) * real(s.n), b * (real(s.m) * real(s.n) + real(s.m) + real(s.n))};
}
Cost ger(const Shape& s, double b) {
  return {2 * real(s.m) * real(s.n), b * (2 * real(s.m) * real(s.n) + real(s.m) + real(s.n))};
}
Cost trsm(const Shape& s, double b) {
  return {real(s.m) * real(s.m) * real(s.n), b * (real(s.m) * real(s.m) / 2 + 2 * real(s.m) * real(s.n))};
}
Cost potrf(const Shape& s, double b) { return {std::pow(real(s.n), 3) / 3, b * real(s.n) * real(s.n)}; }
Cost qr(const Shape& s, double b) {  // geqrf, then orgqr
  const double m = real(s.m), n = real(s.n);
  return {2 * (2 * m * n * n - 2 * n * n * n / 3), b * 4 * m * n};
}
Cost svd_values(const Shape& s, double b) {
  const double m = real(std::max(s.m, s.n)), n = real(std::min(s.m, s.n));
  return {4 * m * n * n - 4 * n * n * n / 3, b * m * n};
}
Cost svd_thin(const Shape& s, double b) {
  const double m = real(std::max(s.m, s.n)), n = real(std::min(s.m, s.n));
  return {6 * m * n * n + 20 * n * n * n, b * (2 * m * n + n * n)};
}
Cost syevd(const Shape& s, double b) { return {9 * std::pow(real(s.n), 3), b * 2 * real(s.n) * real(s.n)}; }

// Kernels of ours. Sines, logarithms and comparisons are not counted: these rows are held against bytes, or
// against their products.
Cost positions(const Shape& s, double b) { return {0, b * real(s.m) * real(s.n)}; }
Cost normals(const Shape& s, double b) { return {0, b * real(s.m)}; }
Cost product_alone(const Shape& s, double b) {
  return {2 * real(s.m) * real(s.n) * real(s.k), b * real(s.k) * (real(s.m) + real(s.n))};
}
Cost lags(const Shape& s, double b) { return {real(s.m) * real(s.m) * real(s.k), b * real(s.m) * real(s.k)}; }
Cost angles(const Shape& s, double b) {  // two Gram matrices, the cross product, whitening
  const double m = real(s.m), n = real(s.n), k = real(s.k);
  return {k * (m * m + n * n) + 2 * m * n * k + m * n * (m + n), b * k * (m + n)};
}

std::vector<Shape> squares(std::initializer_list<std::size_t> sizes) {
  std::vector<Shape> shapes;
  for (const std::size_t n : sizes) shapes.push_back({n, n, n});
  return shapes;
}
std::vector<Shape> orders(std::initializer_list<std::size_t> sizes) {
  std::vector<Shape> shapes;
  for (const std::size_t n : sizes) shapes.push_back({0, n, 0});
  return shapes;
}

std::vector<Operation> make() {
  constexpr Through bare = Through::bare, own = Through::own;
  const std::vector<Type> both{Type::f32, Type::f64}, single{Type::f32}, twice{Type::f64};
  return {
      {"gemm", "gemm: square products", bare, squares({64, 128, 256, 512, 1024, 2048, 4096}), both, gemm},
      // Words times positions: C = W Pᵀ, the product behind every cosine of the studies.
      {"gemm_tall", "gemm: words times positions", bare, {{2048, 512, 512}, {16384, 512, 512}}, both, gemm},
      // What a call costs before it computes, and shapes for which most libraries have no kernel of their
      // own.
      {"gemm_small", "gemm: small squares", bare, squares({4, 8, 12, 16, 24, 32, 48, 64}), both, gemm},
      {"gemm_skinny",
       "gemm: tall and skinny",
       bare,
       {{10'000, 8, 8}, {10'000, 16, 16}, {10'000, 32, 32}, {10'000, 64, 64}},
       both,
       gemm},
      {"syrk_skinny",
       "syrk: tall and skinny",
       bare,
       {{0, 8, 10'000}, {0, 32, 10'000}, {0, 64, 10'000}},
       both,
       syrk},
      {"syrk", "syrk: Gram matrices", bare, {{0, 256, 1024}, {0, 512, 4096}}, both, syrk},
      {"gemv", "gemv: matrix times vector", bare, {{512, 512, 0}, {2048, 2048, 0}}, both, gemv},
      {"ger", "ger: rank-one update", bare, {{512, 512, 0}, {2048, 2048, 0}}, both, ger},
      {"trsm", "trsm: triangular solve", bare, {{128, 512, 0}, {512, 1024, 0}}, both, trsm},
      {"potrf", "potrf: Cholesky", bare, orders({128, 512, 2048}), both, potrf},
      {"qr", "geqrf + orgqr: QR", bare, {{512, 64, 0}, {512, 128, 0}, {2048, 512, 0}}, both, qr},
      {"svd_values",
       "gesdd: singular values",
       bare,
       {{512, 64, 0}, {512, 128, 0}, {1024, 512, 0}},
       both,
       svd_values},
      {"svd_thin", "gesdd: thin SVD", bare, {{512, 64, 0}, {512, 128, 0}, {1024, 512, 0}}, both, svd_thin},
      {"syevd", "syevd: symmetric eigenvectors", bare, orders({128, 256, 512, 1024}), both, syevd},
      {"positions", "sinusoidal positions", own, {{4096, 512, 0}, {65536, 512, 0}}, both, positions},
      {"normals", "normal numbers", own, {{1u << 16, 0, 0}, {1u << 24, 0, 0}}, single, normals},
      {"cosine_histogram",
       "cosine histogram",
       own,
       {{4096, 512, 512}, {16384, 2048, 512}},
       single,
       product_alone},
      {"angles", "principal angles", own, {{64, 128, 512}}, twice, angles},
      {"nearest_word", "nearest word", own, {{512, 5000, 256}, {1024, 50000, 256}}, single, product_alone},
      {"lag_statistics", "per-lag statistics", own, {{1024, 0, 512}, {8192, 0, 512}}, single, lags},
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
std::size_t bytes_of(Type type) { return type == Type::f32 ? 4 : 8; }
std::string_view to_text(Through through) { return through == Through::bare ? "bare" : "own"; }

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

std::string Row::name() const {
  return fmt::format("{}/{}/{}/{}", operation, to_text(through), to_text(type), shape.text());
}
Cost Row::cost() const {
  return bench::operation(operation).cost(shape, static_cast<double>(bytes_of(type)));
}

std::vector<Row> all_rows(bool quick) {
  std::vector<Row> rows;
  for (const Operation& o : operations())
    for (const Type type : o.types) {
      const std::size_t count = quick ? (o.shapes.size() + 1) / 2 : o.shapes.size();
      for (std::size_t i = 0; i < count; ++i) rows.push_back({o.name, o.through, type, o.shapes[i]});
    }
  return rows;
}

}  // namespace perp::bench
