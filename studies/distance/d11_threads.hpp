#pragma once
// D11 and D12: numbers that public threads give, and the same numbers here.

#include <string>
#include <vector>

namespace perp::distance {

struct ThreadNumber {
  std::string thread;  ///< its address
  std::string what;
  double claimed;     ///< NaN: the thread gives none
  double last_digit;  ///< one of the last digit that is claimed
  double here;
  std::string step;  ///< the step to blame

  /// Whether they differ by less than one of that digit; "" without a claim.
  std::string met() const;
};

/// D11's, on positions in short formats. `table_error`: the largest error of a score of RoPE whose sines and cosines are stored in bfloat16.
std::vector<ThreadNumber> thread_numbers(double table_error);

/// D12's, on RoPE's scaling, exponents, layouts and ALiBi's slopes; `step` is what they are about.
std::vector<ThreadNumber> rope_thread_numbers();

}  // namespace perp::distance
