#pragma once
// Progress on standard error: how far, how long still. One line that rewrites itself on a terminal, a line now
// and then elsewhere. NO_COLOR is honoured (nothing here is coloured).

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "perp/study/options.hpp"

namespace perp {

class ProgressLine {
 public:
  /// `total` in the same unit as the costs told to `done`.
  ProgressLine(std::string title, double total, const Turn& turn);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Thread-safe: work of that cost is finished.
  void done(double cost, std::string_view what);

 private:
  void show(std::string_view what, double seconds);
  std::string title_;
  double total_, done_ = 0, after_;
  bool terminal_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex mutex_;
};

}  // namespace perp
