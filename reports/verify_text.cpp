#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/verify.hpp"

namespace perp::report {
namespace {

constexpr std::array<const char*, outcomes> heads = {"equal", "within", "listed", "skipped", "failed"};

std::size_t index(Outcome outcome) { return static_cast<std::size_t>(outcome); }

void add_lines(std::string& text, const Verification& verification, Outcome outcome, const char* title) {
  std::vector<const Moved*> lines;
  std::size_t widest = 0;
  for (const Moved& moved : verification.moved)
    if (moved.outcome == outcome) lines.push_back(&moved), widest = std::max(widest, moved.where.size());
  if (lines.empty()) return;
  text += fmt::format("\n{}\n", title);
  for (const Moved* moved : lines)
    text += fmt::format("  {:<{}}  {:>22}  {:>22}  {}\n", moved->where, widest, moved->published,
                        moved->fresh, moved->why);
}

}  // namespace

void Verification::count(const std::string& sort, Outcome outcome, std::size_t times) {
  tallies[sort][index(outcome)] += times;
}

void Verification::note(const std::string& sort, Moved item) {
  count(sort, item.outcome);
  if (item.outcome != Outcome::equal && item.outcome != Outcome::within) moved.push_back(std::move(item));
}

std::size_t Verification::counted(Outcome outcome) const {
  std::size_t sum = 0;
  for (const auto& [sort, tally] : tallies) sum += tally[index(outcome)];
  return sum;
}

std::string verification_text(const Verification& verification) {
  std::string text = fmt::format("{}\n", fmt::join(verification.headings, "\n"));
  add_lines(text, verification, Outcome::listed, "Listed, not judged (published, here)");
  add_lines(text, verification, Outcome::skipped, "Skipped (published, here)");
  add_lines(text, verification, Outcome::failed, "Moved beyond tolerance (published, here)");
  text += fmt::format("\n{:<14}{:>10}", "", "compared");
  for (const char* head : heads) text += fmt::format("{:>10}", head);
  for (const auto& [sort, tally] : verification.tallies) {
    std::size_t all = 0;
    for (const std::size_t times : tally) all += times;
    text += fmt::format("\n{:<14}{:>10}", sort, all);
    for (const std::size_t times : tally) text += fmt::format("{:>10}", times);
  }
  return text + fmt::format("\n\n{}\n", verification.passed() ? "verified" : "not verified");
}

}  // namespace perp::report
