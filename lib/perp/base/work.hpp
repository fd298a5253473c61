#pragma once
// What a thread has spent on work that nobody can avoid: products, decompositions, numbers drawn. The
// difference of two readings says how lean what lies between them was; it goes to timings.json and into no
// result.

#include <cstddef>
#include <cstdint>

namespace perp {

/// What this thread did since it started, or between two readings.
struct WorkCounters {
  double cpu_s = 0;             ///< processor time of everything
  double products_s = 0;        ///< of it in BLAS
  double decompositions_s = 0;  ///< of it in LAPACK
  double flops = 0;             ///< operations of both, by the formulas below
  std::uint64_t calls = 0;      ///< of both
  double normals = 0;           ///< normal numbers drawn; one in double precision counts three

  WorkCounters& operator+=(const WorkCounters& other);
  friend WorkCounters operator-(WorkCounters a, const WorkCounters& b);
};

/// The calling thread's.
WorkCounters thread_work() noexcept;

/// Lives as long as one call of BLAS or LAPACK, and adds it to its thread's work: processor time, but for
/// short products elapsed time, which costs a tenth to ask for (and on a busy machine now and then counts
/// what others take).
class CountedCall {
 public:
  enum class Of { products, decompositions };
  CountedCall(Of of, double flops) noexcept;
  ~CountedCall();
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  Of of_;
  double flops_, begin_;
};

/// Adds to this thread's normals.
void count_normals(double normals) noexcept;

/// Operations of dense linear algebra in leading order. Golub and Van Loan, Matrix Computations (4th ed.,
/// 2013): §4.2 Cholesky, §5.2 QR, table 8.6.1 singular values; Anderson et al., LAPACK Users' Guide (1999),
/// for syevd.
namespace flops {
double product(std::size_t m, std::size_t n, std::size_t k) noexcept;  ///< (m x k)(k x n)
double gram(std::size_t n, std::size_t k) noexcept;                    ///< one triangle of n x n
double triangular_solve(std::size_t n, std::size_t m) noexcept;        ///< m right-hand sides
double cholesky(std::size_t n) noexcept;
double orthonormal(std::size_t d, std::size_t k, std::size_t n) noexcept;  ///< k reflections; n columns of Q
double singular_values(std::size_t m, std::size_t n) noexcept;
double singular_vectors(std::size_t m, std::size_t n) noexcept;  ///< thin factors and values
double eigenvalues(std::size_t n) noexcept;
double eigenvectors(std::size_t n) noexcept;  ///< and values
}  // namespace flops

}  // namespace perp
