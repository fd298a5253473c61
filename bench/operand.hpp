#pragma once
// Matrices of bare calls, in columns as Fortran has them, among NaNs: before and behind, below the columns, and in the
// triangle that is not their own. A result would show what a call has read of them, and they have to be there afterwards.

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string_view>

#include "bench/reference.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {

/// As BLAS and LAPACK take it.
inline int size(std::size_t n) { return static_cast<int>(n); }

/// Which elements of a matrix a call may touch.
enum class Part { all, upper, lower };
inline Part part_of(char uplo) { return uplo == 'U' ? Part::upper : Part::lower; }

/// Copies are the same matrix.
template <class T>
class Operand {
 public:
  /// `odd`: at the second element of an aligned place, the leading dimension larger by three.
  Operand(std::size_t rows, std::size_t cols, bool odd, Part part = Part::all)
      : rows_(rows),
        cols_(cols),
        ld_(rows + (odd ? 3 : 0)),
        at_(guard + (odd ? sizeof(T) : 0)),
        part_(part),
        bytes_(at_ + ld_ * cols * sizeof(T) + guard),
        place_(static_cast<unsigned char*>(::operator new (bytes_, std::align_val_t{64})),
               [](unsigned char* place) { ::operator delete (place, std::align_val_t{64}); }) {
    std::fill_n(place_.get(), bytes_, pattern);
  }
  /// The same with the elements of `from`, transposed where `turned`.
  Operand(const Matrix<T>& from, bool odd, Part part = Part::all, bool turned = false)
      : Operand(turned ? cols(from) : rows(from), turned ? rows(from) : cols(from), odd, part) {
    for (std::size_t j = 0; j < cols_; ++j)
      for (std::size_t i = first_row(j); i < last_row(j); ++i)
        data()[i + j * ld_] = turned ? from(j, i) : from(i, j);
    digest_ = digest();
  }

  T* data() const { return reinterpret_cast<T*>(place_.get() + at_); }
  int ld() const { return static_cast<int>(ld_); }
  T& operator()(std::size_t i, std::size_t j) const { return data()[i + j * ld_]; }
  /// Takes over what another of the same sizes holds.
  void restore(const Operand& from) const { std::memcpy(data(), from.data(), ld_ * cols_ * sizeof(T)); }

  At all(bool turned = false) const {
    return [*this, turned](std::size_t i, std::size_t j) { return turned ? (*this)(j, i) : (*this)(i, j); };
  }
  /// Zeros in place of what is not its own.
  At triangle(bool turned = false) const {
    return [*this, turned](std::size_t i, std::size_t j) {
      if (turned) std::swap(i, j);
      return holds(i, j) ? (*this)(i, j) : T{0};
    };
  }
  At symmetric() const {
    return [*this](std::size_t i, std::size_t j) { return holds(i, j) ? (*this)(i, j) : (*this)(j, i); };
  }

  /// Throws Error unless every byte around it, and of what is not its own, is as it was.
  void require_guards(std::string_view whose) const {
    std::size_t seen = 0;  // bytes before it are looked at
    const auto look_up_to = [&](std::size_t end) {
      for (; seen < end; ++seen)
        if (place_.get()[seen] != pattern) fail("{}: it wrote beside the operand", whose);
    };
    for (std::size_t j = 0; j < cols_; ++j) {
      look_up_to(at_ + (first_row(j) + j * ld_) * sizeof(T));
      seen = at_ + (last_row(j) + j * ld_) * sizeof(T);
    }
    look_up_to(bytes_);
  }
  /// The same of an input, and that its elements are those that it was made with.
  void require_unchanged(std::string_view whose) const {
    if (digest() != digest_) fail("{}: it wrote into an input", whose);
  }

 private:
  static constexpr std::size_t guard = 256;       // bytes
  static constexpr unsigned char pattern = 0xff;  // a NaN in either precision

  std::size_t first_row(std::size_t j) const { return part_ == Part::lower ? std::min(j, rows_) : 0; }
  std::size_t last_row(std::size_t j) const { return part_ == Part::upper ? std::min(j + 1, rows_) : rows_; }
  bool holds(std::size_t i, std::size_t j) const { return first_row(j) <= i && i < last_row(j); }
  std::size_t digest() const {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(place_.get()), bytes_});
  }

  std::size_t rows_, cols_, ld_, at_;
  Part part_;
  std::size_t bytes_, digest_ = 0;
  std::shared_ptr<unsigned char> place_;
};

}  // namespace perp::bench
