#include "perp/base/work.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>

namespace perp {
namespace {

thread_local WorkCounters done;  // this thread's; cpu_s stays 0 and is asked for when read

/// Below this a product is shorter than some ten microseconds; decompositions are slower.
constexpr double short_call = 1e6;

double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double clock_of(CountedCall::Of of, double flops) noexcept {
  if (of == CountedCall::Of::decompositions || flops >= short_call) return thread_seconds();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

WorkCounters& WorkCounters::operator+=(const WorkCounters& other) {
  cpu_s += other.cpu_s;
  products_s += other.products_s;
  decompositions_s += other.decompositions_s;
  flops += other.flops;
  calls += other.calls;
  normals += other.normals;
  return *this;
}

WorkCounters operator-(WorkCounters a, const WorkCounters& b) {
  a.cpu_s -= b.cpu_s;
  a.products_s -= b.products_s;
  a.decompositions_s -= b.decompositions_s;
  a.flops -= b.flops;
  a.calls -= b.calls;
  a.normals -= b.normals;
  return a;
}

WorkCounters thread_work() noexcept {
  WorkCounters now = done;
  now.cpu_s = thread_seconds();
  return now;
}

CountedCall::CountedCall(Of of, double flops) noexcept
    : of_(of), flops_(flops), begin_(clock_of(of, flops)) {}

CountedCall::~CountedCall() {
  const double seconds = clock_of(of_, flops_) - begin_;
  (of_ == Of::products ? done.products_s : done.decompositions_s) += seconds;
  done.flops += flops_;
  ++done.calls;
}

void count_normals(double normals) noexcept { done.normals += normals; }

namespace flops {
namespace {
double real(std::size_t size) { return static_cast<double>(size); }
}  // namespace

double product(std::size_t m, std::size_t n, std::size_t k) noexcept {
  return 2 * real(m) * real(n) * real(k);
}
double gram(std::size_t n, std::size_t k) noexcept { return real(n) * real(n + 1) * real(k); }
double triangular_solve(std::size_t n, std::size_t m) noexcept { return real(n) * real(n) * real(m); }
double cholesky(std::size_t n) noexcept { return real(n) * real(n) * real(n) / 3; }

double orthonormal(std::size_t d, std::size_t k, std::size_t n) noexcept {
  const double rows = real(d), reflections = real(k), columns = real(n);
  const double reduce =
      2 * rows * reflections * reflections - 2 * reflections * reflections * reflections / 3;
  return reduce + 4 * rows * columns * reflections - 2 * (rows + columns) * reflections * reflections +
         4 * reflections * reflections * reflections / 3;
}

double singular_values(std::size_t m, std::size_t n) noexcept {
  const double most = real(std::max(m, n)), least = real(std::min(m, n));
  return std::min(4 * most * least * least - 4 * least * least * least / 3,
                  2 * most * least * least + 2 * least * least * least);
}

double singular_vectors(std::size_t m, std::size_t n) noexcept {
  const double most = real(std::max(m, n)), least = real(std::min(m, n));
  return std::min(14 * most * least * least + 8 * least * least * least,
                  6 * most * least * least + 20 * least * least * least);
}

double eigenvalues(std::size_t n) noexcept { return 4 * real(n) * real(n) * real(n) / 3; }
double eigenvectors(std::size_t n) noexcept { return 9 * real(n) * real(n) * real(n); }
}  // namespace flops

}  // namespace perp
