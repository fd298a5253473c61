// A5: concatenating needs a split chosen in advance: what a choice made in strong noise loses in weak noise,
// of splits and of sums, whose positions have a width and a share of the power as well. In words: a5.toml.

#include <algorithm>
#include <cmath>

#include "perp/study/experiment.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

/// A choice is made at the second noise and used at the first.
constexpr double weak_noise = joined_noises[0], strong_noise = joined_noises[1];

/// A split's position has a quarter of the dimensions or more: an eighth of 32 holds two frequencies.
std::vector<Arm> usual(std::vector<Arm> splits) {
  std::erase_if(splits, [](const Arm& arm) { return 4 * arm.width < arm.d; });
  return splits;
}

/// What is chosen in strong noise, used in weak noise, beside what is chosen there.
void add_moved(const Frame& setting, const char* joined, const std::vector<Arm>& quiet,
               const std::vector<Arm>& loud, Out& out) {
  const Choice best = choose(quiet, quiet, Choosers::group_before),
               moved = choose(quiet, loud, Choosers::group_before);
  out("moved", setting,
      {{"words", setting.front().whole("v")},
       {"length", setting.front().whole("l")},
       {"joined", joined},
       {"codebooks", best.bits.size()},
       {"strong_width", moved.overall.width},
       {"strong_share", moved.overall.share},
       {"weak_width", best.overall.width},
       {"weak_share", best.overall.share},
       {"bits", over_codebooks(best.bits)},
       {"loss", over_groups(difference(best.bits, moved.bits))}});
}

/// Each width of a side in weak noise, its share of power chosen there on other codebooks.
void add_widths(const Frame& setting, const std::vector<Arm>& side, Out& out) {
  const Values best = choose(side).bits;
  for (Sizes seen; const Arm& arm : side) {
    if (std::ranges::count(seen, arm.width)) continue;
    seen.push_back(arm.width);
    std::vector<Arm> of_width = side;
    std::erase_if(of_width, [&](const Arm& other) { return other.width != arm.width; });
    const Choice choice = choose(of_width);
    const Estimate loss = over_codebooks(difference(best, choice.bits));
    out("widths", setting,
        {{"joined", arm.joined},
         {"width", arm.width},
         {"part", double(arm.width) / double(arm.d)},
         {"share", choice.overall.share},
         {"loss", loss}});
    if (arm.d == shown_d && arm.joined == "split" && arm.width == arm.d / 8)
      out("eighth", setting, {{"loss", loss}, {"codebooks", best.size()}});
  }
}

void fold(const Frames& measured, Out& out) {
  const auto settings = measured["joined"].by("d v l positions");
  for (const Frame& setting : settings) {
    const std::vector<Arm> quiet = arms_of(setting.where("noise", weak_noise)),
                           loud = arms_of(setting.where("noise", strong_noise));
    add_moved(setting, "split", usual(splits_of(quiet)), usual(splits_of(loud)), out);
    add_moved(setting, "sum", sums_of(quiet), sums_of(loud), out);
    for (const std::vector<Arm>& side : {splits_of(quiet), sums_of(quiet)}) add_widths(setting, side, out);
  }
}

/// Widths 32 (256 words, 64 positions) and 64 (1,024 and 256).
std::vector<Book> joined_books(Preset preset) {
  const std::size_t samples = pick<std::size_t>(preset, 512, 1024, 4096);
  std::vector<Book> books;
  for (const std::size_t codebook : first(pick(preset, 8, 24, 48)))
    books.push_back({shown_d, shown_words, shown_length, codebook, samples});
  for (const std::size_t codebook : first(pick(preset, 0, 16, 24)))
    books.push_back({64, 1024, 256, codebook, samples});
  return books;
}

}  // namespace

Experiment choosing_a_split(const Options& options) {
  Experiment claim("A5", toml_of("a5"));
  for (const Book& at : joined_books(options.preset))
    claim.cell(at.place(), joined_cost(at), [=](const Streams& streams, Out& out) {
      for (const Joined& one : measure_joined(at, streams))
        out("joined", {{"positions", one.positions},
                       {"noise", one.noise},
                       {"joined", one.joined},
                       {"width", one.width},
                       {"share", one.share},
                       {"bits", one.bits}});
    });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
