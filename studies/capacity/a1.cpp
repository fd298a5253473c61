// A1: a position as large as the word ruins the word. The widths that are measured, tables, findings and rule.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "perp/theory/recovery.hpp"
#include "studies/capacity/a1_measure.hpp"
#include "studies/capacity/a1_released.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

constexpr std::size_t usual_width = 512, usual_words = 5000, usual_positions = 512;
constexpr std::size_t many_words = 50'000;           // a model's own vocabulary, about
constexpr double ruined = 0.5;                       // fewer words than this recovered: they are ruined
constexpr double natural = std::numbers::sqrt2 / 2;  // the sinusoid as it is against words of variance 1

/// The rows at these sizes.
Group<FoundAtSize> sized(const Group<FoundAtSize>& rows, std::initializer_list<double> sizes) {
  return where(rows, [&](const FoundAtSize& row) {
    return std::ranges::any_of(sizes, [&](double size) { return std::abs(row.rho - size) < 1e-12; });
  });
}

/// The sinusoid against embeddings of length 1, and against the same times √d.
struct Scales : FoundAtSize {
  FoundAtSize scaled;
};

/// A vocabulary in closed form, with a position of this size.
struct Exact {
  std::size_t d, v;
  double rho = 1;
};

std::uint64_t sums_decoded(const Decoding& s) { return s.codebooks * s.trials; }

const auto d = exact("d", "dimension", &Decoding::d);
const auto n = exact("n", "sums decoded", sums_decoded).unit("trials");
const auto knee = exact("knee", "size of a position at the knee, √(d/(2 ln V))",
                        [](const Decoding& s) { return theory::recovery_knee(s.d, s.v); });
const auto rho =
    exact("rho", "length of a position in lengths of a word, root mean squares", &FoundAtSize::rho);

template <class Get>
auto share(const std::string& name, const char* meaning, Get get) {
  return share_column(name, meaning, get, sums_decoded);
}
const auto word = share("word",
                        "share of words that are the nearest word to their sum with a position; theory: "
                        "exact for unit words of no preferred direction",
                        &FoundAtSize::word)
                      .theory(&FoundAtSize::line);
const auto position =
    share("position", "share of positions that are the nearest position to their sum; theory: chance",
          &FoundAtSize::position)
        .theory([](const Decoding& s) { return 1.0 / s.l; });

void add_star(const std::vector<FoundAtSize>& found, Summary& summary) {
  summary.table("a1_star.csv", found, {d, rho, n, word, position});
  const auto centre = group_by(found, &Star::d).front();
  summary.each(sized(centre, {1, 16}), {rho}, {word});
  summary.each(sized(centre, {0.1, 1}), {rho}, {position});
  summary.each(
      sized(centre, {natural}), {},
      {word.as("natural_word",
               "Share of words found with the sinusoid as it is against words of variance 1, size √½."),
       position.as(
           "natural_position",
           "Share of positions found with the sinusoid as it is against words of variance 1, size √½.")});
}

void add_scales(const std::vector<FoundAtSize>& found, Summary& summary) {
  std::vector<Scales> scales;
  for (const auto& of : group_by(found, &Star::d))
    scales.push_back({sized(of, {std::sqrt(of.front().d / 2.0)}).at(0), sized(of, {natural}).at(0)});
  std::ranges::sort(scales, {}, &Scales::d);
  const auto scaled = [](auto FoundAtSize::*field) {
    return [=](const Scales& s) { return s.scaled.*field; };
  };
  const auto plain =
      share("plain", "share of words found, embeddings of length 1 plus the sinusoid", &Scales::word)
          .theory(&Scales::line);
  summary.table("a1_scale.csv", scales,
                {d.as("d", "model width"), n.as("n", "sums decoded at each size"), knee,
                 rho.as("plain_rho", "sqrt(d/2): the sinusoid against words of length 1"), plain,
                 share("scaled", "share of words found, embeddings times sqrt(d)", scaled(&Scales::word)),
                 share("scaled_position", "share of positions found, likewise", scaled(&Scales::position))});
  summary.each(only(scales, &Scales::d, usual_width), {d}, {plain, knee});
}

double recovered(const Exact& e) { return theory::recovered(e.d, e.v, e.rho); }

/// Finely, where the figure draws it.
void add_line(Summary& summary) {
  constexpr std::size_t points = 80;
  constexpr double first = 0.05, last = 32;
  std::vector<Exact> line;
  for (std::size_t i = 0; i <= points; ++i)
    line.push_back({usual_width, usual_words, first * std::pow(last / first, double(i) / points)});
  summary.table("a1_line.csv", line,
                {exact("rho", "length of a position in lengths of a word; d = 512, 5,000 words", &Exact::rho),
                 rounded("recovered", "exact share for unit words of no preferred direction", recovered)});
}

/// At the word's size, where the claim is judged, whatever was measured.
void add_exact(Summary& summary) {
  const std::vector<Exact> judged{
      {16, usual_words}, {16, many_words}, {24, usual_words}, {usual_width, usual_words}, {768, many_words}};
  const auto d = exact("d", "", &Exact::d), v = exact("v", "", &Exact::v);
  summary.each(judged, {d, v},
               {rounded("exact",
                        "exact share of v unit words of no preferred direction found with a position of the "
                        "word's size, no noise",
                        recovered)});
  summary.each(where(judged, [](const Exact& e) { return e.d >= usual_width; }), {d, v},
               {rounded("exact_half", "Size of a position at which half of such words are found, exact.",
                        [](const Exact& e) { return theory::recovery_ratio(e.d, e.v, 0.5); })});
}

/// What the claim says at sizes of models, and where words are few dimensions among many others.
Rule rule(const Rule& released) {
  const auto exact = [](Role role, std::size_t d, std::size_t words) {
    const std::string size = fmt::format("d = {}, V = {},000", d, words / 1000);
    return condition(role, fmt::format("exact.d{}.v{}", d, words), Is::below, ruined, Evidence::closed_form,
                     {{"evidence", "random words"}, {"size", size}});
  };
  Rule rule{exact(Role::core, usual_width, usual_words), exact(Role::core, 768, many_words),
            exact(Role::limit, 16, usual_words), exact(Role::limit, 16, many_words),
            exact(Role::limit, 24, usual_words)};
  rule.insert(rule.begin() + 2, released.begin(), released.end());
  return rule;
}

void conclude(const Cells& cells, const inspect::Models& models, Summary& summary) {
  const auto found = rows_of<FoundAtSize>(cells);
  add_star(found, summary);
  add_scales(found, summary);
  summary.each(rows_of<Projected>(cells),
               {exact("noise", "", &Decoding::noise), exact("rho", "", &Projected::rho)},
               {share("projected",
                      "share of 512 words found with the positions' subspace projected out; theory: chance",
                      &Projected::word)
                    .theory([](const Decoding& s) { return 1.0 / s.v; })});
  add_line(summary);
  add_exact(summary);
  add_example(cells, models, summary);
  summary.rule = rule(add_released(cells, models, ruined, summary));
}

/// The usual width, and those of models.
std::vector<Star> stars(Preset preset) {
  using Sizes = std::vector<std::size_t>;
  const std::size_t codebooks = pick<std::size_t>(preset, 4, 8, 16),
                    trials = pick<std::size_t>(preset, 128, 512, 1024);
  std::vector<Star> stars;
  for (const std::size_t d :
       pick<Sizes>(preset, {usual_width}, {usual_width, 384, 768, 1024}, {usual_width, 384, 768, 1024}))
    stars.push_back({{"star", d, usual_words, usual_positions, false, 0, codebooks, trials}, "sphere"});
  return stars;
}

double star_cost(const Star& at) {
  return 2e-11 * double(at.codebooks) * double(at.v) * (2 * double(at.trials) + 100) * double(at.d) + 0.01;
}

}  // namespace

Experiment size_of_positions(const Options& options, const inspect::Models& models) {
  Experiment claim{"A1",
                   "A position as large as the word ruins the word; a factor A much below 1 would be safer.",
                   "[a]", inspect::depends(models)};
  claim.measure(stars(options.preset), star_cost, measure_star);
  constexpr std::size_t paired_words = 512;
  claim.measure(grid<Decoding>("decoders", usual_width, paired_words, usual_positions, false, 0.0,
                               pick<std::size_t>(options.preset, 2, 8, 8),
                               pick<std::size_t>(options.preset, 64, 256, 1024)),
                pick(options.preset, 0.1, 0.2, 0.5), measure_projected);
  measure_released(claim, models, options.preset);
  measure_example(claim, models);
  claim.conclude([models](const Cells& cells, Summary& summary) { conclude(cells, models, summary); });
  return claim;
}

}  // namespace perp::capacity
