#include "bench/operation.hpp"

#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/random/uniform.hpp"

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

// Kernels of ours. Sines, logarithms and comparisons are not counted: these rows are held against bytes, or
// against their products.
Cost positions(double m, double n, double) { return {0, m * n}; }
Cost normals(double m, double, double) { return {0, m}; }
Cost product_alone(double m, double n, double k) { return {2 * m * n * k, k * (m + n)}; }
Cost lags(double m, double, double k) { return {m * m * k, m * k}; }
/// Two Gram matrices, the cross product, whitening.
Cost angles(double m, double n, double k) {
  return {k * (m * m + n * n) + 2 * m * n * k + m * n * (m + n), k * (m + n)};
}

std::vector<Shape> squares(std::initializer_list<std::size_t> sizes) {
  std::vector<Shape> shapes;
  for (const std::size_t n : sizes) shapes.push_back({n, n, n});
  return shapes;
}

std::vector<Operation> make() {
  constexpr Through bare = Through::bare, own = Through::own;
  const std::vector<Type> both{Type::f32, Type::f64}, single{Type::f32}, twice{Type::f64};
  const std::vector<Shape> thin{{10'000, 8, 8}, {10'000, 16, 16}, {10'000, 32, 32}, {10'000, 64, 64}},
      thin_grams{{0, 8, 10'000}, {0, 32, 10'000}, {0, 64, 10'000}},
      orders{{0, 128, 0}, {0, 256, 0}, {0, 512, 0}, {0, 1024, 0}},
      tall{{512, 64, 0}, {512, 128, 0}, {1024, 512, 0}}, scores{{4096, 512, 512}, {16384, 2048, 512}};
  return {
      {"gemm", "gemm: square products", bare, squares({64, 128, 256, 512, 1024, 2048, 4096}), both, gemm},
      // Words times positions: C = W Pᵀ, the product behind every cosine of the studies.
      {"gemm_tall", "gemm: words times positions", bare, {{2048, 512, 512}, {16384, 512, 512}}, both, gemm},
      // What a call costs before it computes, and shapes for which most libraries have no kernel of their
      // own.
      {"gemm_small", "gemm: small squares", bare, squares({4, 8, 12, 16, 24, 32, 48, 64}), both, gemm},
      {"gemm_skinny", "gemm: tall and skinny", bare, thin, both, gemm},
      {"syrk_skinny", "syrk: tall and skinny", bare, thin_grams, both, syrk},
      {"syrk", "syrk: Gram matrices", bare, {{0, 256, 1024}, {0, 512, 4096}}, both, syrk},
      {"gemv", "gemv: matrix times vector", bare, {{512, 512, 0}, {2048, 2048, 0}}, both, gemv},
      {"ger", "ger: rank-one update", bare, {{512, 512, 0}, {2048, 2048, 0}}, both, ger},
      {"trsm", "trsm: triangular solve", bare, {{128, 512, 0}, {512, 1024, 0}}, both, trsm},
      {"potrf", "potrf: Cholesky", bare, {{0, 128, 0}, {0, 512, 0}, {0, 2048, 0}}, both, potrf},
      {"qr", "geqrf + orgqr: QR", bare, {{512, 64, 0}, {512, 128, 0}, {2048, 512, 0}}, both, qr},
      {"svd_values", "gesdd: singular values", bare, tall, both, svd_values},
      {"svd_thin", "gesdd: thin SVD", bare, tall, both, svd_thin},
      {"syevd", "syevd: symmetric eigenvectors", bare, orders, both, syevd},
      {"positions", "sinusoidal positions", own, {{4096, 512, 0}, {65536, 512, 0}}, both, positions},
      {"normals", "normal numbers", own, {{1u << 16, 0, 0}, {1u << 24, 0, 0}}, single, normals},
      {"cosine_histogram", "cosine histogram", own, scores, single, product_alone},
      {"angles", "principal angles", own, {{64, 128, 512}}, twice, angles},
      {"nearest_word", "nearest word", own, {{512, 5000, 256}, {1024, 50000, 256}}, single, product_alone},
      {"lag_statistics", "per-lag statistics", own, {{1024, 0, 512}, {8192, 0, 512}}, single, lags},
  };
}

// Random shapes: what a sweep of round sizes never asks.
constexpr std::size_t largest_small = 257, largest = 700, widest = 3000;

/// Three sizes: mostly up to 257 with every other forced odd, every fourth shape beyond.
Shape draw(const std::string& key, std::uint64_t i, std::uint64_t seed) {
  const std::vector<std::uint32_t> words = below(stream(seed, "bench", key, i, "shape"), 3, 1u << 20);
  const std::size_t limit = i % 4 == 3 ? largest : largest_small;
  const auto size = [&](std::size_t which) {
    const std::size_t n = 1 + words[which] % limit;
    return i % 2 == 0 ? std::min(n | 1, limit) : n;
  };
  return {size(0), size(1), size(2)};
}

/// The sizes as the operation reads them; see the list of operations.
Shape fitted(const Operation& o, Shape s) {
  const std::size_t thin_n = 1 + s.n % 64, thin_k = 1 + s.k % 64;
  if (o.name == "gemm_tall") return {std::min(8 * s.m, widest), s.n, s.k};
  if (o.name == "gemm_small") return {1 + s.m % 64, thin_n, thin_k};
  if (o.name == "gemm_skinny") return {std::min(8 * s.m, widest), thin_n, thin_k};
  if (o.name == "syrk_skinny") return {0, thin_n, std::min(8 * s.k, widest)};
  if (o.name == "syevd" || o.name == "potrf") s.n = std::min(s.n, std::size_t{400});
  if (o.name == "qr") s = {std::max(s.m, s.n), std::min(s.m, s.n), 0};
  if (o.name.starts_with("svd")) s = {std::max(s.m, s.n), std::min(s.m, s.n) / 2 + 1, 0};
  // Kernels of ours: dimensions as the studies have them, even, and subspaces that fit.
  const std::size_t d = 32 + s.k / 2 * 2;
  if (o.name == "angles") return {1 + s.m % (d / 3), 1 + s.n % (d / 3), d};
  if (o.through == Through::own) s = {16 + s.m, 16 + s.n, d};
  const Shape& has = o.shapes.front();
  return {has.m == 0 ? 0 : s.m, has.n == 0 ? 0 : s.n, has.k == 0 ? 0 : s.k};
}

}  // namespace

std::string Shape::text() const {
  std::string text;
  for (const std::size_t size : {m, n, k})
    if (size != 0) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
  return text;
}

std::string_view to_text(Type type) { return type == Type::f32 ? "f32" : "f64"; }
std::string_view to_text(Through through) { return through == Through::bare ? "bare" : "own"; }

bool is_lapack(std::string_view operation) {
  constexpr std::string_view all[] = {"potrf", "qr", "svd_values", "svd_thin", "syevd", "geqrf", "gesdd"};
  return std::ranges::find(all, operation) != std::end(all);
}

bool calls_blas(std::string_view operation) { return operation != "positions" && operation != "normals"; }

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
      for (std::size_t i = 0; i < count; ++i) rows.push_back({o.name, o.through, type, o.shapes[i]});
    }
  return rows;
}

std::vector<Row> random_rows(std::size_t count, std::uint64_t seed) {
  std::vector<Row> rows;
  for (const Operation& o : operations())
    for (const Type type : o.types) {
      if (!calls_blas(o.name)) continue;
      const std::string key = fmt::format("{}/{}/{}", o.name, to_text(o.through), to_text(type));
      for (std::size_t i = 0; i < count; ++i)
        rows.push_back({o.name, o.through, type, fitted(o, draw(key, i, seed))});
    }
  return rows;
}

}  // namespace perp::bench
