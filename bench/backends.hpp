#pragma once
// The BLAS libraries of this machine: Debian's by their folders, others as name=folder.

#include <string>
#include <string_view>
#include <vector>

#include "perp/base/blas.hpp"

namespace perp::bench {

struct Backend {
  std::string name;           ///< "openblas-pthread", or the name given
  std::string blas_folder;    ///< holds libblas.so.3
  std::string lapack_folder;  ///< holds liblapack.so.3; "" where there is none to name
  /// What to ask the library for; empty: what it picks by itself.
  KernelSetting kernels = {};

  std::string shown() const;    ///< "openblas-pthread/SkylakeX": the name and the core type asked for
  std::string package() const;  ///< Debian's package that brings it, or "a folder given"
  std::string lapack() const;   ///< "as_shipped", "alone" (the reference LAPACK) or "none"
  /// What LD_LIBRARY_PATH must begin with. The folder of another LAPACK comes first: that of a BLAS may hold
  /// one as well.
  std::string loader_path() const;
};

struct Backends {
  std::vector<Backend> found;
  std::vector<std::string> missing;  ///< Debian's names that are not installed, and by which package
};

/// Debian's, each on the LAPACK that it ships, or else on the reference LAPACK where that is installed.
Backends debian_backends();

/// "name=folder name=folder …". Throws Error{Exit::unusable} for an entry of another form, and for a folder
/// without libblas.so.3. LAPACK as with Debian's.
std::vector<Backend> given_backends(std::string_view text);

/// Of a text with blanks between them.
std::vector<std::string> words(std::string_view text);

/// Only those with one of these names; "" keeps all. Throws Error{Exit::unusable} naming those there are.
std::vector<Backend> named(const std::vector<Backend>& all, std::string_view names);

}  // namespace perp::bench
