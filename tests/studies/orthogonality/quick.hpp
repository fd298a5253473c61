#pragma once
// The quick preset of study `orthogonality`, measured once for all tests of this program.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/io/npy.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "studies/orthogonality/claims.hpp"
#include "tests/support/found.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// 600 x 64 words with a common mean and a steep spectrum, along axes sorted by variance as an SVD's are.
inline std::filesystem::path sorted_words(const Scratch& scratch) {
  Matrix<float> words = normal_matrix<float>(600, 64, stream(1, "tests", "sorted", 0, "words"));
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < 64; ++j)
      words(i, j) = words(i, j) * std::exp(-0.12f * static_cast<float>(j)) + (j == 0 ? 0.5f : 0.0f);
  write_npy(scratch / "sorted.npy", words);
  return scratch / "sorted.npy";
}

inline Options quick_options(const Scratch& scratch, std::size_t threads, bool with_words) {
  Options options;
  options.preset = Preset::quick;
  options.threads = threads;
  options.build = scratch.path();
  options.extra = with_words ? std::map<std::string, std::string>{{"words", sorted_words(scratch).string()}}
                             : std::map<std::string, std::string>{{"corpus", "none"}};
  return options;
}

/// With given words, two threads.
inline const Results& quick_results() {
  static const Results results = [] {
    const Scratch scratch;
    return measure(orthogonality::study(), quick_options(scratch, 2, true));
  }();
  return results;
}

}  // namespace perp::test
