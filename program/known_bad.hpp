#pragma once
// Libraries of which somebody has shown that they are wrong or crash: what perp doctor says of the one that is loaded
// before anything has run. perp blas-check finds out what is true here.

#include <string>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/kernels.hpp"

namespace perp::program {

/// One report, a row of known_bad.csv.
struct KnownBad {
  std::string library;
  std::string first, last;  ///< versions, both included; empty: not known
  std::string cores;        ///< core types, between blanks; empty: any
  bool amd_avx512;          ///< only on processors of AMD that show AVX-512
  std::string operation, what;
  std::string reported;  ///< the day
  std::string link;
};

/// Those that fit what is loaded, with the kernels that it runs, on this processor.
std::vector<KnownBad> known_bad(const BlasIdentity& blas, const Processor& processor);

}  // namespace perp::program
