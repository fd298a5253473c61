#pragma once
// Talk on standard error: how far, how long still. One line that rewrites itself on a terminal, a line now
// and then elsewhere. NO_COLOR is honoured (nothing here is coloured). scripts/report, which runs one study
// after the other, says in the environment where this one stands: PERP_STEP="1 of 3", and PERP_AFTER, the
// seconds that the others took last time.

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace perp {

class ProgressLine {
 public:
  /// `total` in the same unit as the costs told to `done`.
  ProgressLine(std::string title, double total);
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
