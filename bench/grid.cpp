#include "bench/grid.hpp"

#include <cblas.h>
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <set>

#include "bench/reference.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

constexpr std::size_t alignment = 64, guard = 256;  // bytes
constexpr unsigned char pattern = 0xff;             // a NaN in either precision

int size(std::size_t n) { return static_cast<int>(n); }

// One name per routine for both types.
auto* gemm(float) { return cblas_sgemm; }
auto* gemm(double) { return cblas_dgemm; }
auto* syrk(float) { return cblas_ssyrk; }
auto* syrk(double) { return cblas_dsyrk; }
auto* trsm(float) { return cblas_strsm; }
auto* trsm(double) { return cblas_dtrsm; }
CBLAS_TRANSPOSE trans_of(char letter) { return letter == 'N' ? CblasNoTrans : CblasTrans; }
CBLAS_UPLO uplo_of(char letter) { return letter == 'U' ? CblasUpper : CblasLower; }
CBLAS_SIDE side_of(char letter) { return letter == 'L' ? CblasLeft : CblasRight; }

/// Which elements of a matrix a call may touch.
enum class Part { all, upper, lower };
bool holds(Part part, std::size_t i, std::size_t j) {
  return part == Part::all || (part == Part::upper ? i <= j : i >= j);
}

/// A matrix in columns among NaNs: before and behind it, below its columns, and in the triangle that is not its own.
template <class T>
class Operand {
 public:
  Operand(std::size_t rows, std::size_t cols, bool odd, Part part = Part::all)
      : rows_(rows),
        cols_(cols),
        ld_(rows + (odd ? 3 : 0)),
        at_(guard + (odd ? sizeof(T) : 0)),
        part_(part),
        bytes_(at_ + ld_ * cols * sizeof(T) + guard),
        place_(static_cast<unsigned char*>(::operator new (bytes_, std::align_val_t{alignment}))) {
    std::fill_n(place_.get(), bytes_, pattern);
  }
  /// The same with the elements of `from`, transposed where `turned`.
  Operand(const Matrix<T>& from, bool odd, Part part = Part::all, bool turned = false)
      : Operand(turned ? cols(from) : perp::rows(from), turned ? perp::rows(from) : cols(from), odd, part) {
    for (std::size_t j = 0; j < cols_; ++j)
      for (std::size_t i = 0; i < rows_; ++i)
        if (holds(part_, i, j)) data()[i + j * ld_] = turned ? from(j, i) : from(i, j);
  }

  T* data() { return reinterpret_cast<T*>(place_.get() + at_); }
  int ld() const { return size(ld_); }
  T at(std::size_t i, std::size_t j) const {
    T value;
    std::memcpy(&value, place_.get() + at_ + (i + j * ld_) * sizeof(T), sizeof(T));
    return value;
  }
  At<T> all() const {
    return [this](std::size_t i, std::size_t j) { return at(i, j); };
  }
  /// Zeros in place of what is not its own.
  At<T> triangle() const {
    return [this](std::size_t i, std::size_t j) { return holds(part_, i, j) ? at(i, j) : T{0}; };
  }
  At<T> symmetric() const {
    return [this](std::size_t i, std::size_t j) { return holds(part_, i, j) ? at(i, j) : at(j, i); };
  }

  /// Throws Error unless every byte around it, and of what is not its own, is as it was.
  void require_guards(const char* whose) const {
    std::vector<bool> own(bytes_, false);
    for (std::size_t j = 0; j < cols_; ++j)
      for (std::size_t i = 0; i < rows_; ++i)
        if (holds(part_, i, j))
          std::fill_n(own.begin() + static_cast<std::ptrdiff_t>(at_ + (i + j * ld_) * sizeof(T)), sizeof(T),
                      true);
    for (std::size_t b = 0; b < bytes_; ++b)
      if (!own[b] && place_.get()[b] != pattern) fail("{}: it wrote beside the operand", whose);
  }
  /// The same, and that its elements are those of `other`.
  void require_same(const Operand& other, const char* whose) const {
    if (std::memcmp(place_.get(), other.place_.get(), bytes_) != 0) fail("{}: it wrote into an input", whose);
  }

 private:
  struct Free {
    void operator()(unsigned char* place) const { ::operator delete (place, std::align_val_t{alignment}); }
  };
  std::size_t rows_, cols_, ld_, at_;
  Part part_;
  std::size_t bytes_;
  std::unique_ptr<unsigned char, Free> place_;
};

template <class T>
At<T> turned(const At<T>& a, bool yes) {
  if (!yes) return a;
  return [a](std::size_t i, std::size_t j) { return a(j, i); };
}

Part part_of(char uplo) { return uplo == 'U' ? Part::upper : Part::lower; }

void require_info(int info, std::string_view routine) {
  if (info != 0) fail("{}: info = {}", routine, info);
}

/// C = op(A) op(B); C holds NaNs before, which a factor of 0 has to overwrite.
template <class T>
Check check_gemm(const GridCase& c) {
  const auto& [m, n, k] = c.shape;
  const bool ta = c.variant[0] == 'T', tb = c.variant[1] == 'T';
  const Matrix<T> left = normal_matrix<T>(m, k, 21), right = normal_matrix<T>(k, n, 22);
  Operand<T> a(left, c.odd, Part::all, ta), b(right, c.odd, Part::all, tb), result(m, n, c.odd);
  gemm(T{})(CblasColMajor, trans_of(c.variant[0]), trans_of(c.variant[1]), size(m), size(n), size(k), 1,
            a.data(), a.ld(), b.data(), b.ld(), 0, result.data(), result.ld());
  a.require_same(Operand<T>(left, c.odd, Part::all, ta), "A");
  b.require_same(Operand<T>(right, c.odd, Part::all, tb), "B");
  result.require_guards("C");
  return check_product<T>(m, n, k, turned(a.all(), ta), turned(b.all(), tb), result.all());
}

/// A triangle of op(A) op(A)ᵀ, against the product that gemm has to give.
template <class T>
Check check_syrk(const GridCase& c) {
  const auto& [m, n, k] = c.shape;
  const bool t = c.variant[1] == 'T';
  const Matrix<T> input = normal_matrix<T>(n, k, 23);
  Operand<T> a(input, c.odd, Part::all, t), result(n, n, c.odd, part_of(c.variant[0]));
  syrk(T{})(CblasColMajor, uplo_of(c.variant[0]), trans_of(c.variant[1]), size(n), size(k), 1, a.data(),
            a.ld(), 0, result.data(), result.ld());
  a.require_same(Operand<T>(input, c.odd, Part::all, t), "A");
  result.require_guards("C");
  return check_product<T>(n, n, k, turned(a.all(), t), turned(a.all(), !t), result.symmetric());
}

/// op(A) X = B or X op(A) = B.
template <class T>
Check check_trsm(const GridCase& c) {
  const auto& [m, n, k] = c.shape;
  const bool left = c.variant[0] == 'L', t = c.variant[2] == 'T';
  const std::size_t order = left ? m : n;
  const Part part = part_of(c.variant[1]);
  const Matrix<T> factor = definite_matrix<T>(order, 24), right = normal_matrix<T>(m, n, 25);
  Operand<T> a(factor, c.odd, part), x(right, c.odd);
  trsm(T{})(CblasColMajor, side_of(c.variant[0]), uplo_of(c.variant[1]), trans_of(c.variant[2]), CblasNonUnit,
            size(m), size(n), 1, a.data(), a.ld(), x.data(), x.ld());
  a.require_same(Operand<T>(factor, c.odd, part), "A");
  x.require_guards("B");
  const At<T> op = turned(a.triangle(), t), b = [&](std::size_t i, std::size_t j) { return right(i, j); };
  return left ? check_product<T>(m, n, m, op, x.all(), b) : check_product<T>(m, n, n, x.all(), op, b);
}

/// A = Uᵀ U or L Lᵀ.
template <class T>
Check check_potrf(const GridCase& c) {
  const std::size_t n = c.shape.n;
  const bool upper = c.variant[0] == 'U';
  const Matrix<T> input = definite_matrix<T>(n, 26);
  Operand<T> a(input, c.odd, part_of(c.variant[0]));
  require_info(cxxlapack::potrf<int>(c.variant[0], size(n), a.data(), a.ld()), "potrf");
  a.require_guards("A");
  return check_product<T>(n, n, n, turned(a.triangle(), upper), turned(a.triangle(), !upper),
                          [&](std::size_t i, std::size_t j) { return input(i, j); });
}

/// Calls `routine` with a workspace as large as it asks for, or the least that is documented, whichever is more:
/// queries in float32 may be rounded down.
template <class T, class Routine>
void with_workspace(std::string_view name, std::size_t least, const Routine& routine) {
  std::vector<T> work(1);
  require_info(routine(work.data(), -1), name);
  work.resize(std::max(least, static_cast<std::size_t>(work[0]) + static_cast<std::size_t>(work[0]) / 8) +
              64);
  require_info(routine(work.data(), size(work.size())), name);
}

/// A = Q R; Q is made explicit by orgqr.
template <class T>
Check check_geqrf(const GridCase& c) {
  const std::size_t m = c.shape.m, n = c.shape.n;
  const Matrix<T> input = normal_matrix<T>(m, n, 27);
  Operand<T> a(input, c.odd);
  std::vector<T> tau(n);
  with_workspace<T>("geqrf", n, [&](T* work, int lwork) {
    return cxxlapack::geqrf<int>(size(m), size(n), a.data(), a.ld(), tau.data(), work, lwork);
  });
  a.require_guards("A");
  Matrix<T> r = zeros<T>(n, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i <= j; ++i) r(i, j) = a.at(i, j);
  with_workspace<T>("orgqr", n, [&](T* work, int lwork) {
    return cxxlapack::orgqr<int>(size(m), size(n), size(n), a.data(), a.ld(), tau.data(), work, lwork);
  });
  a.require_guards("A");
  return worse(check_factors<T>(
                   m, n, n, a.all(), [&](std::size_t i, std::size_t j) { return r(i, j); },
                   [&](std::size_t i, std::size_t j) { return input(i, j); }),
               check_orthonormal<T>(m, n, a.all()));
}

template <class T>
Check check_gesdd(const GridCase& c) {
  const std::size_t m = c.shape.m, n = c.shape.n;
  const std::size_t least = std::min(m, n);
  const bool vectors = c.variant[0] == 'S';
  const Matrix<T> input = normal_matrix<T>(m, n, 28);
  Operand<T> a(input, c.odd), u(m, least, c.odd), vt(least, n, c.odd);
  std::vector<T> values(least);
  std::vector<int> integers(8 * least);
  with_workspace<T>("gesdd", 4 * least * least + 7 * least + std::max(m, n), [&](T* work, int lwork) {
    return cxxlapack::gesdd<int>(c.variant[0], size(m), size(n), a.data(), a.ld(), values.data(), u.data(),
                                 u.ld(), vt.data(), vt.ld(), work, lwork, integers.data());
  });
  for (const auto& [operand, name] : {std::pair{&a, "A"}, {&u, "U"}, {&vt, "VT"}})
    operand->require_guards(name);
  const Check spectrum = check_singular_values<T>(input, values);
  if (!vectors) return spectrum;
  const At<T> scaled = [&](std::size_t i, std::size_t j) { return values[i] * vt.at(i, j); },
              v = [&](std::size_t i, std::size_t j) { return vt.at(j, i); };
  const Check residual = check_factors<T>(m, n, least, u.all(), scaled,
                                          [&](std::size_t i, std::size_t j) { return input(i, j); });
  return worse(worse(spectrum, residual),
               worse(check_orthonormal<T>(m, least, u.all()), check_orthonormal<T>(n, least, v)));
}

template <class T>
Check check_syevd(const GridCase& c) {
  const std::size_t n = c.shape.n;
  const Matrix<T> input = definite_matrix<T>(n, 29);
  Operand<T> a(n, n, c.odd);
  for (std::size_t j = 0; j < n; ++j)  // the other triangle holds NaNs before, and vectors afterwards
    for (std::size_t i = 0; i < n; ++i)
      if (holds(part_of(c.variant[0]), i, j))
        a.data()[i + j * static_cast<std::size_t>(a.ld())] = input(i, j);
  std::vector<T> values(n);
  std::vector<int> integers(5 * n + 3);
  with_workspace<T>("syevd", 1 + 6 * n + 2 * n * n, [&](T* work, int lwork) {
    return cxxlapack::syevd<int>('V', c.variant[0], size(n), a.data(), a.ld(), values.data(), work, lwork,
                                 integers.data(), lwork < 0 ? -1 : size(integers.size()));
  });
  a.require_guards("A");
  const Check residual = check_factors<T>(
      n, n, n, a.all(), [&](std::size_t i, std::size_t j) { return values[i] * a.at(j, i); },
      [&](std::size_t i, std::size_t j) { return input(i, j); });
  return worse(residual, check_orthonormal<T>(n, n, a.all()));
}

template <class T>
Check check_as(const GridCase& c) {
  using Checked = Check (*)(const GridCase&);
  for (const auto& [name, check] : {std::pair<std::string_view, Checked>{"gemm", check_gemm<T>},
                                    {"syrk", check_syrk<T>},
                                    {"trsm", check_trsm<T>},
                                    {"potrf", check_potrf<T>},
                                    {"geqrf", check_geqrf<T>},
                                    {"gesdd", check_gesdd<T>},
                                    {"syevd", check_syevd<T>}})
    if (name == c.operation) return check(c);
  fail("no such call: {}", c.name());
}

struct GridOperation {
  std::string_view name;
  std::vector<std::string_view> variants;
};
const std::vector<GridOperation>& grid_operations() {
  static const std::vector<GridOperation> all{
      {"gemm", {"NN", "NT", "TN", "TT"}},
      {"syrk", {"UN", "UT", "LN", "LT"}},
      {"trsm", {"LUN", "LUT", "LLN", "LLT", "RUN", "RUT", "RLN", "RLT"}},
      {"potrf", {"U", "L"}},
      {"geqrf", {"-"}},
      {"gesdd", {"N", "S"}},
      {"syevd", {"U", "L"}}};
  return all;
}

/// The operation at size n: square where operands are aligned, of three different sizes where they are not.
Shape shape_of(std::string_view operation, std::size_t n, bool odd) {
  if (operation == "potrf" || operation == "syevd") return {0, n, 0};
  if (operation == "syrk") return {0, n, odd ? 2 * n + 1 : n};
  if (operation == "gemm") return {n, odd ? n + 1 : n, odd ? 2 * n + 1 : n};
  return {odd ? n + 7 : n, n, 0};
}

/// Of public reports: a stack that overflows (OpenBLAS#6013), sums that are wrong at once (numpy#31776), products by
/// single rows and columns, and blocks that do not divide (OpenBLAS#5942).
struct Reported {
  std::string_view operation;
  Shape shape;
};
const std::vector<Reported>& reported() {
  static const std::vector<Reported> all{
      {"syrk", {0, 55, 165}},  {"syrk", {0, 4, 5}},   {"syrk", {0, 5, 4}},   {"syrk", {0, 80, 16}},
      {"syrk", {0, 300, 672}}, {"gemm", {4, 4, 5}},   {"gemm", {1, 300, 7}}, {"gemm", {300, 1, 7}},
      {"gemm", {7, 300, 1}},   {"potrf", {0, 194, 0}}};
  return all;
}

std::vector<std::size_t> sizes(bool all) {
  std::vector<std::size_t> list;
  for (std::size_t n = 1; n <= 300; ++n) {
    const bool about =
        (n >= 31 && n <= 33) || (n >= 63 && n <= 65) || (n >= 127 && n <= 129) || (n >= 255 && n <= 257);
    if (all || n <= 16 || about || n == 300) list.push_back(n);
  }
  return list;
}

}  // namespace

std::string GridCase::name() const {
  return fmt::format("{}/{}/{}/{}/{}", operation, variant, to_text(type), shape.text(),
                     odd ? "shifted" : "aligned");
}

bool GridCase::is_lapack() const { return operation != "gemm" && operation != "syrk" && operation != "trsm"; }

std::vector<GridCase> grid_cases(bool all) {
  std::vector<GridCase> cases;
  for (const GridOperation& o : grid_operations())
    for (const std::string_view variant : o.variants)
      for (const Type type : {Type::f32, Type::f64})
        for (const bool odd : {false, true}) {
          for (const std::size_t n : sizes(all))
            cases.push_back({o.name, variant, type, shape_of(o.name, n, odd), odd});
          for (const Reported& r : reported())
            if (r.operation == o.name) cases.push_back({o.name, variant, type, r.shape, odd});
        }
  // --all holds some of the reported shapes already.
  std::vector<GridCase> once;
  std::set<std::string> names;
  std::ranges::copy_if(cases, std::back_inserter(once),
                       [&](const GridCase& c) { return names.insert(c.name()).second; });
  return once;
}

Check check_case(const GridCase& c) { return c.type == Type::f32 ? check_as<float>(c) : check_as<double>(c); }

}  // namespace perp::bench
