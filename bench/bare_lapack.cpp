// LAPACK called bare. Workspaces are asked for once, outside the timed call; the input is copied inside, since LAPACK
// overwrites it.

// One name per routine for both types.
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

#include "bench/operand.hpp"

namespace perp::bench {
namespace {

int size(std::size_t n) { return static_cast<int>(n); }

void require_info(int info, std::string_view routine) {
  if (info != 0) fail("{}: info = {}", routine, info);
}

/// As large as `routine` asks for, or the least that is documented, whichever is more: queries in float32 may be
/// rounded down (OpenBLAS before 0.3.25), hence an eighth more.
template <class T, class Routine>
std::vector<T> workspace(std::size_t least, const Routine& routine) {
  T query{};
  require_info(routine(&query, -1), "workspace");
  const auto asked = static_cast<std::size_t>(query);
  return std::vector<T>(std::max(least, asked + asked / 8) + 64);
}

template <class T>
class Factorisation : public Call {
 protected:
  Factorisation(const Matrix<T>& input, bool odd, Part read = Part::all, Part written = Part::all)
      : input_(input, odd, read), a_(rows(input), cols(input), odd, written) {}
  Operand<T> input_, a_;
};

/// A = Uᵀ U or L Lᵀ.
template <class T>
class Potrf final : public Factorisation<T> {
 public:
  explicit Potrf(const BareCall& c)
      : Factorisation<T>(definite_matrix<T>(c.shape.n, 31), c.odd, part_of(c.letters[0]),
                         part_of(c.letters[0])),
        n_(c.shape.n),
        uplo_(c.letters[0]) {}
  void run() override {
    this->a_.restore(this->input_);
    require_info(cxxlapack::potrf<int>(uplo_, size(n_), this->a_.data(), this->a_.ld()), "potrf");
  }
  Check check() override {
    this->a_.require_guards("A");
    const bool upper = uplo_ == 'U';
    return check_product<T>(n_, n_, n_, this->a_.triangle(upper), this->a_.triangle(!upper),
                            this->input_.symmetric());
  }

 private:
  std::size_t n_;
  char uplo_;
};

/// A = Q R by geqrf, Q made explicit by orgqr.
template <class T>
class Geqrf final : public Factorisation<T> {
 public:
  explicit Geqrf(const BareCall& c)
      : Factorisation<T>(normal_matrix<T>(c.shape.m, c.shape.n, 32), c.odd),
        m_(c.shape.m),
        n_(c.shape.n),
        r_(zeros<T>(n_, n_)),
        tau_(n_),
        work_(workspace<T>(n_, [&](T* work, int lwork) { return geqrf(work, lwork); })) {
    auto other = workspace<T>(n_, [&](T* work, int lwork) { return orgqr(work, lwork); });
    if (other.size() > work_.size()) work_ = std::move(other);
  }
  void run() override {
    this->a_.restore(this->input_);
    require_info(geqrf(work_.data(), size(work_.size())), "geqrf");
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i <= j; ++i) r_(i, j) = this->a_(i, j);
    require_info(orgqr(work_.data(), size(work_.size())), "orgqr");
  }
  Check check() override {
    this->a_.require_guards("A");
    const At<T> q = this->a_.all(), r = [&](std::size_t i, std::size_t j) { return r_(i, j); };
    return worse(check_factors<T>(m_, n_, n_, q, r, this->input_.all()), check_orthonormal<T>(m_, n_, q));
  }

 private:
  int geqrf(T* work, int lwork) {
    return cxxlapack::geqrf<int>(size(m_), size(n_), this->a_.data(), this->a_.ld(), tau_.data(), work,
                                 lwork);
  }
  int orgqr(T* work, int lwork) {
    return cxxlapack::orgqr<int>(size(m_), size(n_), size(n_), this->a_.data(), this->a_.ld(), tau_.data(),
                                 work, lwork);
  }
  std::size_t m_, n_;
  Matrix<T> r_;
  std::vector<T> tau_, work_;
};

/// Singular values, with thin U and Vᵀ ("S") or alone ("N").
template <class T>
class Gesdd final : public Factorisation<T> {
 public:
  explicit Gesdd(const BareCall& c)
      : Factorisation<T>(normal_matrix<T>(c.shape.m, c.shape.n, 33), c.odd),
        m_(c.shape.m),
        n_(c.shape.n),
        least_(std::min(m_, n_)),
        job_(c.letters[0]),
        u_(m_, least_, c.odd),
        vt_(least_, n_, c.odd),
        values_(least_),
        integers_(8 * least_),
        work_(workspace<T>(4 * least_ * least_ + 7 * least_ + std::max(m_, n_),
                           [&](T* work, int lwork) { return gesdd(work, lwork); })) {}
  void run() override {
    this->a_.restore(this->input_);
    require_info(gesdd(work_.data(), size(work_.size())), "gesdd");
  }
  Check check() override {
    for (const auto& [operand, name] : {std::pair{&this->a_, "A"}, {&u_, "U"}, {&vt_, "VT"}})
      operand->require_guards(name);
    const Check spectrum = check_singular_values<T>(m_, n_, this->input_.all(), values_);
    if (job_ == 'N') return spectrum;
    const At<T> scaled = [&](std::size_t i, std::size_t j) { return values_[i] * vt_(i, j); };
    return worse(
        worse(spectrum, check_factors<T>(m_, n_, least_, u_.all(), scaled, this->input_.all())),
        worse(check_orthonormal<T>(m_, least_, u_.all()), check_orthonormal<T>(n_, least_, vt_.all(true))));
  }

 private:
  int gesdd(T* work, int lwork) {
    return cxxlapack::gesdd<int>(job_, size(m_), size(n_), this->a_.data(), this->a_.ld(), values_.data(),
                                 u_.data(), u_.ld(), vt_.data(), vt_.ld(), work, lwork, integers_.data());
  }
  std::size_t m_, n_, least_;
  char job_;
  Operand<T> u_, vt_;
  std::vector<T> values_;
  std::vector<int> integers_;
  std::vector<T> work_;
};

/// Eigenvalues and eigenvectors of a symmetric matrix; vectors take the place of the other triangle, too.
template <class T>
class Syevd final : public Factorisation<T> {
 public:
  explicit Syevd(const BareCall& c)
      : Factorisation<T>(definite_matrix<T>(c.shape.n, 34), c.odd, part_of(c.letters[0])),
        n_(c.shape.n),
        uplo_(c.letters[0]),
        values_(n_),
        integers_(5 * n_ + 3),
        work_(
            workspace<T>(1 + 6 * n_ + 2 * n_ * n_, [&](T* work, int lwork) { return syevd(work, lwork); })) {}
  void run() override {
    this->a_.restore(this->input_);
    require_info(syevd(work_.data(), size(work_.size())), "syevd");
  }
  Check check() override {
    this->a_.require_guards("A");
    const At<T> scaled = [&](std::size_t i, std::size_t j) { return values_[i] * this->a_(j, i); };
    return worse(check_factors<T>(n_, n_, n_, this->a_.all(), scaled, this->input_.symmetric()),
                 check_orthonormal<T>(n_, n_, this->a_.all()));
  }

 private:
  int syevd(T* work, int lwork) {
    return cxxlapack::syevd<int>('V', uplo_, size(n_), this->a_.data(), this->a_.ld(), values_.data(), work,
                                 lwork, integers_.data(), lwork < 0 ? -1 : size(integers_.size()));
  }
  std::size_t n_;
  char uplo_;
  std::vector<T> values_;
  std::vector<int> integers_;
  std::vector<T> work_;
};

template <class T>
std::unique_ptr<Call> make(const BareCall& c) {
  if (c.operation == "potrf") return std::make_unique<Potrf<T>>(c);
  if (c.operation == "geqrf") return std::make_unique<Geqrf<T>>(c);
  if (c.operation == "gesdd") return std::make_unique<Gesdd<T>>(c);
  if (c.operation == "syevd") return std::make_unique<Syevd<T>>(c);
  return nullptr;
}

}  // namespace

std::unique_ptr<Call> make_lapack(const BareCall& c) {
  return c.type == Type::f32 ? make<float>(c) : make<double>(c);
}

}  // namespace perp::bench
