#pragma once
// The BLAS libraries of this machine: Debian's by their folders, others as name=folder.

#include <string>
#include <string_view>
#include <vector>

namespace perp::bench {

struct Backend {
  std::string name;           ///< "openblas-pthread", "blis-pthread alone", or the name given
  std::string blas_folder;    ///< holds libblas.so.3
  std::string lapack_folder;  ///< holds liblapack.so.3
  bool alone = false;         ///< with the reference LAPACK instead of what the backend ships
};

struct Backends {
  std::vector<Backend> found;
  std::vector<std::string> missing;  ///< Debian's names that are not installed, and by which package
};

/// Debian's: openblas-pthread, -openmp, -serial, blis-pthread, -openmp, atlas, reference. A library that
/// ships its own LAPACK appears twice: as shipped, and "alone" on the reference LAPACK where that is
/// installed.
Backends debian_backends();

/// "name=folder name=folder …". Throws Error{Exit::unusable} for an entry of another form, and for a folder
/// without libblas.so.3. LAPACK: the folder's own if it holds liblapack.so.3, else the reference one.
std::vector<Backend> given_backends(std::string_view text);

/// Only those whose name starts with one of the words in `names`; "" keeps all. Throws Error{Exit::unusable}
/// naming those there are for a word that fits none.
std::vector<Backend> only(const std::vector<Backend>& all, std::string_view names);

}  // namespace perp::bench
