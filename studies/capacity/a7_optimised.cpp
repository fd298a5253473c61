#include "studies/capacity/a7_optimised.hpp"

#include <algorithm>

#include "perp/measures/bilinear_optimum.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"

namespace perp::capacity {
namespace {

/// From [W; P], where only P may move and keeps its power.
BilinearOptimum optimum_of(const Descent& at, const Matrix<float>& words, const Matrix<float>& positions,
                           double scale, const Stream& targets) {
  Matrix<double> start = matrix<double>(at.v + at.l, at.d), free = zeros<double>(at.v + at.l, at.d);
  std::ranges::copy(words, start.begin());
  std::ranges::transform(positions, start.begin() + words.size(), [scale](double x) { return scale * x; });
  std::fill(free.begin() + words.size(), free.end(), 1.0);
  const Matrix<double> scores = normal_matrix<double>(at.v + at.l, at.v + at.l, targets);
  return bilinear_optimum(start, bilinear_targets(scores, at.v), free,
                          {.steps = at.steps, .keep_power = true, .enough = 5e-5});
}

Matrix<float> optimised_positions(const Descent& at, const BilinearOptimum& optimum, double scale) {
  Matrix<float> table = matrix<float>(at.l, at.d);
  std::transform(optimum.table.begin() + at.v * at.d, optimum.table.end(), table.begin(),
                 [scale](double x) { return float(x / scale); });
  return table;
}

}  // namespace

std::vector<Descent> descents(Preset preset) {
  std::vector<Descent> out;
  const std::size_t count = pick(preset, 2, 12, 24), samples = pick(preset, 512, 1024, 4096);
  for (const Book& book : books_of(shown_d, shown_words, shown_length, count, samples, "core"))
    out.push_back({book, pick<std::size_t>(preset, 10, 120, 120)});
  return out;
}

void measure_optimised(const Descent& at, const Streams& streams, Rows& rows) {
  const Matrix<float> words = word_table(at.v, at.d, streams("words")),
                      random = position_table(Positions::random, at.l, at.d, streams("positions"));
  const Samples samples = draw_samples(at.samples, at.v, at.d, streams("sent"), streams("noise"));
  // A word's mean square length is d, so this gives its position the share of both.
  const double scale = position_amplitude(at.d, plain_share) / word_amplitude(at.d, at.d, plain_share);
  const BilinearOptimum optimum = optimum_of(at, words, random, scale, streams("targets"));
  const Matrix<float> optimised = optimised_positions(at, optimum, scale);
  const CodeProducts word = code_products(View(words), View(samples.noise), samples.words);
  const auto bits = [&](const Matrix<float>& table, double noise) {
    const Scales scales{word_amplitude(at.d, at.d, plain_share), position_amplitude(at.d, plain_share)};
    return shared_bits(
               added_negative_log_likelihoods(word, position_products(table, samples),
                                              narrow_cross(words, table), noise_at(at.d, noise), scales),
               at.v, at.l)
        .both.value;
  };
  for (const double noise : noises_of(at.noises))
    rows.add(Optimised{at, noise, bits(random, noise), bits(optimised, noise), optimum.path.front(),
                       optimum.residual()});
}

void add_optimised(const Group<Optimised>& rows, Summary& summary) {
  const auto noise = exact("noise", "standard deviation of a coordinate, d = 32", &Optimised::noise);
  const auto gain = [](const Optimised& at) { return at.optimised - at.random; };
  summary.table(
      "a7_optimised.csv", rows,
      {exact("codebook", "the replicate; d = 32, V = 256, L = 64", &Optimised::codebook), noise,
       in_bits("random", "full sum with random positions, a third of the power", &Optimised::random),
       in_bits("optimised", "the same with positions optimised from these", &Optimised::optimised),
       sampled("begin",
               "share of the scores of random pairs that the best head leaves with random "
               "positions",
               &Optimised::begin),
       sampled("end", "the same with optimised ones", &Optimised::end)});
  using Books = Group<Optimised>;
  const auto mean = [](auto value) {
    return [value](const Books& books) { return over_codebooks(books.values(value)); };
  };
  summary.each(group_by(where(rows, [](const Optimised& at) { return at.noise >= 1; }), &Optimised::noise),
               {noise},
               {in_bits("optimised_gain",
                        "Bits of the full sum with positions optimised for the scores of random pairs, words "
                        "fixed, less those with the random positions that the descent set out from, a third "
                        "of the power, d = 32, V = 256, L = 64.",
                        mean(gain))
                    .chance(0)
                    .n(&Books::size)});
  const auto fit = [&](const char* measure, double Optimised::*value, const char* of) {
    const Books books = only(rows, &Optimised::noise, rows.front().noise);
    summary.number(
        measure, {}, over_codebooks(books.values(value)),
        {.n = books.size(),
         .kind = Kind::sampled,
         .meaning = fmt::format("Share of the scores of random pairs that the best head leaves with "
                                "{} positions, words fixed, d = 32, V = 256, L = 64.",
                                of)});
  };
  fit("left_random", &Optimised::begin, "random");
  fit("left_optimised", &Optimised::end, "optimised");
}

}  // namespace perp::capacity
