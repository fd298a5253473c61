#pragma once
// D11: numbers on positions in short formats that public threads give, and the same numbers here.

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

/// `table_error`: the largest error of a score of RoPE whose sines and cosines are stored in bfloat16.
std::vector<ThreadNumber> thread_numbers(double table_error);

}  // namespace perp::distance
