// The same operations through the library's one door to BLAS and LAPACK, which checks shapes, finiteness and
// info, allocates its result and mirrors triangles: what that costs is a row of its own.

#include "bench/call.hpp"
#include "bench/reference.hpp"
#include "perp/base/linalg.hpp"

namespace perp::bench {
namespace {

template <class T>
class Checked final : public Call {
 public:
  explicit Checked(const Row& row) : name_(row.operation) {
    const Shape& s = row.shape;
    if (name_ == "gemm") {
      a_ = normal_matrix<T>(s.m, s.k, 1);
      b_ = normal_matrix<T>(s.n, s.k, 2);
    } else if (name_ == "syrk") {
      a_ = normal_matrix<T>(s.k, s.n, 3);
    } else if (name_ == "potrf" || name_ == "syevd") {
      a_ = definite_matrix<T>(s.n, 11);
    } else {
      a_ = normal_matrix<T>(s.n, s.m, 12);
    }
  }

  void run() override {
    if (name_ == "gemm")
      out_ = product_nt(a_, b_);
    else if (name_ == "syrk")
      out_ = gram_columns(a_);
    else if (name_ == "potrf")
      out_ = cholesky(a_);
    else if (name_ == "qr")
      out_ = orthonormal_rows(a_);
    else if (name_ == "svd_values")
      values_ = singular_values(a_);
    else {
      Eigen<T> eigen = symmetric_eigen(a_);
      values_ = std::move(eigen.values);
      out_ = std::move(eigen.vectors);
    }
  }

  Check check() override {
    const At<T> a = [&](std::size_t i, std::size_t j) { return a_(i, j); };
    const At<T> a_turned = [&](std::size_t i, std::size_t j) { return a_(j, i); };
    const At<T> out = [&](std::size_t i, std::size_t j) { return out_(i, j); };
    const At<T> out_turned = [&](std::size_t i, std::size_t j) { return out_(j, i); };
    if (name_ == "gemm")
      return check_product<T>(
          rows(a_), rows(b_), cols(a_), a, [&](std::size_t i, std::size_t j) { return b_(j, i); }, out);
    if (name_ == "syrk") return check_product<T>(cols(a_), cols(a_), rows(a_), a_turned, a, out);
    if (name_ == "potrf") return check_product<T>(rows(a_), rows(a_), rows(a_), out, out_turned, a);
    if (name_ == "qr") return worse(check_orthonormal<T>(cols(out_), rows(out_), out_turned), check_span());
    if (name_ == "svd_values") return check_singular_values<T>(a_, values_);
    return worse(check_factors<T>(
                     rows(a_), rows(a_), rows(a_), out_turned,
                     [&](std::size_t i, std::size_t j) { return values_[i] * out_(i, j); }, a),
                 check_orthonormal<T>(rows(a_), rows(a_), out_turned));
  }

 private:
  /// The rows of A are combinations of those of Q: A = (A Qᵀ) Q.
  Check check_span() const {
    Matrix<T> turned = zeros<T>(rows(a_), rows(out_));
    for (std::size_t i = 0; i < rows(a_); ++i)
      for (std::size_t j = 0; j < rows(out_); ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < cols(a_); ++l)
          sum += static_cast<double>(a_(i, l)) * static_cast<double>(out_(j, l));
        turned(i, j) = static_cast<T>(sum);
      }
    return check_factors<T>(
        cols(a_), rows(a_), rows(out_), [&](std::size_t i, std::size_t j) { return out_(j, i); },
        [&](std::size_t i, std::size_t j) { return turned(j, i); },
        [&](std::size_t i, std::size_t j) { return a_(j, i); });
  }

  std::string_view name_;
  Matrix<T> a_, b_, out_;
  std::vector<T> values_;
};

}  // namespace

std::unique_ptr<Call> make_checked(const Row& row) {
  if (row.type == Type::f32) return std::make_unique<Checked<float>>(row);
  return std::make_unique<Checked<double>>(row);
}

}  // namespace perp::bench
