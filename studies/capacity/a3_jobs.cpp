// A3: "QᵀK must do four jobs; in high dimension no trade-off": one matrix fitted to four independent tables.

#include "studies/capacity/a3_jobs.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/angles.hpp"
#include "perp/theory/bilinear.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

using Sizes = std::vector<std::size_t>;

double cost_of(double rows, double d, double fits) {
  return 1e-9 * fits * (8 * rows * d * d + 4 * rows * rows * d);
}

void add_load_cells(const Options& options, std::vector<Cell>& cells) {
  using Loads = std::vector<double>;
  const Loads loads = pick<Loads>(options.preset, {.5, 1, 2}, {.25, .5, .75, .9, 1, 1.25, 1.5, 2, 3, 4},
                                  {.25, .5, .75, .9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4});
  const Sizes ratios = pick<Sizes>(options.preset, {1, 8}, {1, 8, 32}, {1, 2, 4, 8, 16, 32});
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 32);
  const std::size_t step = pick<std::size_t>(options.preset, 16, 2, 2);
  for (const double load : loads)
    for (const std::size_t ratio : ratios) {
      const double rows = load * static_cast<double>(drawn_width);
      const auto positions = static_cast<std::size_t>(std::lround(rows / static_cast<double>(ratio + 1)));
      if (positions < 2) continue;
      for (std::size_t r = 0; r < replicates; ++r)
        cells.push_back(
            {{{"what", std::string("load")},
              {"load", load},
              {"ratio", whole(ratio)},
              {"v", static_cast<std::int64_t>(std::lround(rows)) - static_cast<std::int64_t>(positions)},
              {"l", whole(positions)},
              {"step", whole(step)},
              {"replicate", whole(r)}},
             cost_of(rows, drawn_width, 200.0 / static_cast<double>(step))});
    }
}

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  add_load_cells(options, cells);
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 32);
  for (std::size_t r = 0; r < replicates; ++r) {
    cells.push_back({{{"what", std::string("known")},
                      {"v", whole(known_words)},
                      {"l", whole(known_positions)},
                      {"step", whole(pick<std::size_t>(options.preset, 16, 2, 2))},
                      {"replicate", whole(r)}},
                     cost_of(332, 64, pick(options.preset, 40.0, 250.0, 250.0))});
    for (const double load : {1.0, 2.0})
      cells.push_back({{{"what", std::string("heads")}, {"load", load}, {"replicate", whole(r)}},
                       cost_of(load * 64, 64, 2)});
  }
  for (const std::size_t d : pick<Sizes>(options.preset, {16, 64}, {16, 64, 256}, {16, 64, 256, 512}))
    for (const std::size_t ratio : {1U, 7U})
      cells.push_back({{{"what", std::string("boundary")}, {"d", whole(d)}, {"ratio", whole(ratio)}},
                       cost_of(static_cast<double>(d), static_cast<double>(d), 40)});
  for (const double load : {.25, .5, .625, .75, .8125, .875, .9375})
    cells.push_back({{{"what", std::string("gain")},
                      {"d", whole(pick<std::size_t>(options.preset, 128, 256, 512))},
                      {"load", load},
                      {"replicates", whole(pick<std::size_t>(options.preset, 2, 8, 16))}},
                     cost_of(256, 256, 8)});
  return cells;
}

Record residual_record(const char* positions, const char* table, std::size_t width, double cutoff,
                       const BilinearFit& fit) {
  return {"residual",
          {{"positions", std::string(positions)},
           {"table", std::string(table)},
           {"width", whole(width)},
           {"cutoff", cutoff},
           {"rank", whole(fit.rank)},
           {"least", fit.least},
           {"residual", fit.residual},
           {"expected", fit.expected},
           {"gain", fit.noise_gain},
           {"error", fit.error},
           {"ww", fit.by_job[word_word]},
           {"wp", (fit.by_job[word_position] + fit.by_job[position_word]) / 2},
           {"pp", fit.by_job[position_position]},
           {"ww_expected", fit.expected_by_job[word_word]},
           {"wp_expected", fit.expected_by_job[word_position]},
           {"pp_expected", fit.expected_by_job[position_position]}}};
}

/// Adding and the best split, for one cutoff.
void compare(const Draw& draw, const BilinearTargets& targets, const Compared& what, double cutoff,
             std::size_t step, bool split, Records& records) {
  records.push_back(
      residual_record(what.name, "adding", draw.d, cutoff,
                      bilinear_fit(added_table(draw, what.positions, what.power), targets, cutoff)));
  if (!split) return;
  std::vector<std::size_t> widths = even_widths(draw.d, step);
  // A dimension per position is the split to beat, odd or even; sinusoids come in pairs.
  if (what.positions == Positions::random && draw.positions < draw.d) widths.push_back(draw.positions);
  const BestSplit best = best_split_of(draw, targets, what.positions, what.power, widths, cutoff);
  records.push_back(residual_record(
      what.name, "split", best.width, cutoff,
      bilinear_fit(split_table(draw, what.positions, best.width, what.power), targets, cutoff)));
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& what = text_at(cell.at, "what");
  return what == "load"       ? run_load(cell, streams)
         : what == "known"    ? run_known(cell, streams)
         : what == "boundary" ? run_boundary(cell, streams)
         : what == "gain"     ? run_gain(cell, streams)
                              : run_heads(cell, streams);
}

}  // namespace

Records run_load(const Cell& cell, const Streams& streams) {
  const Draw one = draw(size_at(cell.at, "v"), size_at(cell.at, "l"), drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  Records records;
  for (const Compared& what : compared) {
    if (what.power != sinusoid_power) continue;
    compare(one, targets, what, usual_cutoff, size_at(cell.at, "step"), true, records);
    if (what.positions != Positions::random)
      compare(one, targets, what, fine_cutoff, size_at(cell.at, "step"), false, records);
  }
  return records;
}

Records run_known(const Cell& cell, const Streams& streams) {
  const Draw one = draw(size_at(cell.at, "v"), size_at(cell.at, "l"), drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  Records records;
  for (const Compared& what : compared)
    for (const double cutoff : {usual_cutoff, fine_cutoff}) {
      if (cutoff == fine_cutoff && what.positions == Positions::random) continue;
      compare(one, targets, what, cutoff, size_at(cell.at, "step"), true, records);
    }
  return records;
}

Records run_boundary(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), ratio = size_at(cell.at, "ratio");
  Records records;
  for (std::size_t n = d - 1; n <= d + 3; ++n) {
    const std::size_t positions = n / (ratio + 1), words = n - positions;
    const Draw one = draw(words, positions, d, streams, n);
    const Matrix<double> table = added_table(one, Positions::random, 1);
    Matrix<double> centred = table;
    for (const bool side : {false, true}) {
      const std::size_t first = side ? words : 0, last = side ? n : words;
      for (std::size_t j = 0; j < d; ++j) {
        double mean = 0;
        for (std::size_t i = first; i < last; ++i) mean += table(i, j) / static_cast<double>(last - first);
        for (std::size_t i = first; i < last; ++i) centred(i, j) -= mean;
      }
    }
    const BilinearTargets sums = bilinear_targets(one.targets, words);
    const BilinearFit added = bilinear_fit(table, sums, fine_cutoff),
                      parts = bilinear_fit(table, bilinear_targets(one.targets, words, ScoreOf::parts),
                                           fine_cutoff),
                      contrasts = bilinear_fit(centred, sums, fine_cutoff);
    const double jobs = *std::max_element(contrasts.by_job.begin(), contrasts.by_job.end());
    const auto add = [&](const char* match, theory::Match kind, double error, std::size_t rank) {
      records.push_back({"boundary",
                         {{"n", whole(n)},
                          {"v", whole(words)},
                          {"l", whole(positions)},
                          {"match", std::string(match)},
                          {"needs", whole(theory::exact_dimension(words, positions, kind))},
                          {"rank", whole(rank)},
                          {"error", error}}});
    };
    add("sums", theory::Match::sums, added.error, added.rank);
    add("parts", theory::Match::parts, parts.error, parts.rank);
    add("contrasts", theory::Match::contrasts, std::sqrt(jobs), contrasts.rank);
  }
  return records;
}

Records run_gain(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d");
  const auto rows_of =
      static_cast<std::size_t>(std::lround(number_at(cell.at, "load") * static_cast<double>(d)));
  const std::size_t positions = rows_of / 4, words = rows_of - positions;
  Records records;
  for (std::size_t r = 0; r < size_at(cell.at, "replicates"); ++r) {
    const Matrix<double> w = orthonormal_rows(normal_table(words, d, streams("words", r))),
                         p = orthonormal_rows(normal_table(positions, d, streams("positions", r)));
    Matrix<double> both = matrix<double>(words + positions, d);
    std::copy(w.data(), w.data() + w.size(), both.data());
    std::copy(p.data(), p.data() + p.size(), both.data() + w.size());
    records.push_back({"gain",
                       {{"v", whole(words)},
                        {"l", whole(positions)},
                        {"least", singular_values(both).back()},
                        {"cosine", principal_cosines(w, p).front()}}});
  }
  return records;
}

Records run_heads(const Cell& cell, const Streams& streams) {
  const double load = number_at(cell.at, "load");
  const auto half = static_cast<std::size_t>(std::lround(load * static_cast<double>(drawn_width) / 2));
  const Draw one = draw(half, half, drawn_width, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, half);
  Records records;
  for (const Compared& what : compared) {
    if (what.power != sinusoid_power) continue;
    const BilinearFit fit = bilinear_fit(added_table(one, what.positions, what.power), targets);
    for (std::size_t r = 8; r <= drawn_width; r += 8)
      records.push_back({"head",
                         {{"positions", std::string(what.name)},
                          {"head", whole(r)},
                          {"residual", fit.residual_of_rank(r)},
                          {"line", 1 - (1 - fit.expected) * theory::largest_singular_share(std::min(
                                                                1.0, static_cast<double>(r) /
                                                                         static_cast<double>(fit.rank)))}}});
  }
  return records;
}

Experiment four_jobs(const Options& options) {
  return {"A3",           "One matrix QᵀK must do four jobs; in high dimension there is no trade-off.",
          "[d]",          {},
          cells(options), run,
          summarise_jobs};
}

}  // namespace perp::capacity
