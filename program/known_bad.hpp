#pragma once
// Libraries of which somebody has shown that they are wrong or crash: what perp doctor says of the one that is loaded
// before anything has run. perp blas-check finds out what is true here.

#include <string_view>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/kernels.hpp"

namespace perp::program {

/// One report.
struct KnownBad {
  std::string_view library;
  std::string_view first, last;  ///< versions, both included; empty: not known
  std::string_view cores;        ///< core types, between blanks; empty: any
  bool amd_avx512;               ///< only on processors of AMD that show AVX-512
  std::string_view operation, what;
  std::string_view reported;  ///< the day
  std::string_view link;
};

/// Those that fit what is loaded, with the kernels that it runs, on this processor.
std::vector<KnownBad> known_bad(const BlasIdentity& blas, const Processor& processor);

}  // namespace perp::program
