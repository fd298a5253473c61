#include "perp/study/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "perp/io/message.hpp"
#include "perp/io/program.hpp"

namespace perp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string minutes(double seconds) {
  const long whole = static_cast<long>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

ProgressLine::ProgressLine(std::string title, double total, const Turn& turn)
    : title_(std::move(title)),
      total_(total),
      after_(turn.after_s),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {
  if (!turn.step.empty()) title_ += " (" + turn.step + ")";
}

ProgressLine::~ProgressLine() {
  if (terminal_ && width_ > 0) print_message("\r{:{}}\r", "", width_);
}

void ProgressLine::done(double cost, std::string_view what) {
  const std::lock_guard lock(mutex_);
  done_ += cost;
  const Clock::time_point now = Clock::now();
  if (seconds_between(last_, now) < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  show(what, seconds_between(start_, now));
}

void ProgressLine::show(std::string_view what, double seconds) {
  const double share = total_ > 0 ? std::min(done_ / total_, 1.0) : 1.0;
  const double left = share > 0 ? seconds * (1 - share) / share : 0;
  const std::string all = after_ > 0 ? fmt::format(" here, {} in all", minutes(left + after_)) : "";
  const std::string line =
      fmt::format("{}: {:3.0f}%, {} left{}, {}", title_, 100 * share, minutes(left), all, what);
  if (terminal_)
    print_message("\r{:<{}}", line, width_);
  else
    print_message("{}\n", line);
  width_ = std::max(width_, columns(line));
}

}  // namespace perp
