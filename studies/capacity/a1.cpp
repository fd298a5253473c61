// A1: a position as large as the word ruins the word. The grid of sizes, its tables, findings and rule.

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

/// Where the star's axes cross, and the sizes of joint decoding, which compares all pairs.
constexpr std::size_t usual_width = 512, usual_words = 5000, usual_positions = 512, paired_words = 512;
constexpr std::size_t many_words = 50'000;  // a model's own vocabulary, about
/// Model widths at which multiplying embeddings by √d is measured.
constexpr std::size_t model_widths[] = {384, 512, 768, 1024};
constexpr double ruined = 0.5;                       // fewer words than this recovered: they are ruined
constexpr double natural = std::numbers::sqrt2 / 2;  // the sinusoid as it is against words of variance 1

bool is_star(const Star& s, std::string_view family, std::size_t d, std::size_t v) {
  return s.family == family && s.d == d && s.v == v && s.l == usual_positions && !s.centred && s.noise == 0;
}
bool is_centre(const Star& s) { return is_star(s, "sphere", usual_width, usual_words); }
bool is_width(const Star& s) { return is_star(s, "sphere", s.d, usual_words); }
bool is_learned(const Star& s) { return s.family == "learned" && !s.centred; }

/// The rows at these sizes.
template <class Row>
std::vector<Row> sized(const std::vector<Row>& rows, std::initializer_list<double> sizes) {
  return where(rows, [&](const Row& row) {
    return std::ranges::any_of(sizes, [&](double size) { return std::abs(row.rho - size) < 1e-12; });
  });
}

FoundAtSize at_size(const Group<FoundAtSize>& curve, double size) {
  return only(curve, &FoundAtSize::rho, size).at(0);
}

/// One star at the comparable size, and where half the words are found.
struct Knee : FoundAtSize {
  Thresholds of;
  Estimate small_position;
  Estimate half() const { return of.half; }
  double exact_half() const { return of.exact_half; }
};

/// The sinusoid against embeddings of length 1, and against the same times √d.
struct Scales : FoundAtSize {
  FoundAtSize scaled;
};

/// A vocabulary in closed form, with a position of this size.
struct Exact {
  std::size_t d, v;
  double rho = comparable;
};

std::uint64_t sums_decoded(const Decoding& s) { return s.codebooks * s.trials; }
double word_chance(const Decoding& s) { return 1.0 / s.v; }
double position_chance(const Decoding& s) { return 1.0 / s.l; }

const auto family = exact("family", "law of the words, or learned", &Star::family);
const auto d = exact("d", "dimension", &Decoding::d);
const auto v = exact("words", "V: how many words there are to choose from", &Decoding::v).unit("words");
const auto l =
    exact("positions", "L: how many positions there are to choose from", &Decoding::l).unit("positions");
const auto centred =
    exact("centred", "1: positions less their mean over positions; 0: as they are", &Decoding::centred);
const auto noise =
    exact("noise", "length of the noise (root mean square) in lengths of a word", &Decoding::noise);
const auto n = exact("n", "sums decoded", sums_decoded).unit("trials");
const auto knee = exact("knee", "size of a position at the knee, √(d/(2 ln V))",
                        [](const Decoding& s) { return theory::recovery_knee(s.d, s.v); });

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
        .theory(position_chance);
const auto rho = exact(
    "rho", "length of a position (root mean square) in lengths of a word; 0: the position taken off before",
    &FoundAtSize::rho);

void add_star(const std::vector<FoundAtSize>& found, Summary& summary) {
  summary.table(
      "a1_star.csv", found,
      {family, d, v, l, centred, noise, rho, n,
       rounded("line", "exact share for unit words of no preferred direction", &FoundAtSize::line), knee,
       exact("chance", "share of positions a guess finds, 1/L", position_chance), word, position});
  const auto centre = where(found, is_centre);
  summary.each(sized(centre, {1, 16}), {rho}, {word});
  summary.each(sized(centre, {0.1, 1}), {rho}, {position});
  summary.each(
      sized(centre, {natural}), {},
      {word.as("natural_word",
               "Share of words found with the sinusoid as it is against words of variance 1, size √½."),
       position.as(
           "natural_position",
           "Share of positions found with the sinusoid as it is against words of variance 1, size √½.")});
  const auto published = where(found, [](const Star& s) { return is_star(s, "sphere", 300, 1000); });
  summary.each(sized(published, {4, 5}), {d, v.as("v", "V"), rho}, {word});
  summary.each(sized(where(found, is_learned), {1}), {family, rho}, {word});
}

void add_knees(const std::vector<Knee>& knees, Summary& summary) {
  const auto half = share("half",
                          "size of a position at which half the words are found; theory: exact for unit "
                          "words of no preferred direction, with this noise and these lengths of positions",
                          &Knee::half)
                        .theory(&Knee::exact_half);
  summary.table(
      "a1_knee.csv", knees,
      {family, d, v, l, centred, noise, n.as("n", "sums decoded at each size"), knee,
       rounded("exact_half", "the next in theory; empty if the noise alone hides half", &Knee::exact_half),
       half, share("comparable", "share of words found at size 1", &Knee::word),
       share("comparable_position", "share of positions found at size 1", &Knee::position),
       share("small_position", "share of positions found at size .1", &Knee::small_position)});
  summary.each(where(knees, is_centre), {d}, {half});
  summary.each(where(knees, is_learned), {family}, {half});
  const auto unit = where(
      knees, [](const Knee& knee) { return knee.family == "sphere" && !std::isnan(knee.exact_half()); });
  add_overall(
      summary, "half_off", {},
      most(unit, [](const Knee& knee) { return std::abs(knee.half().value / knee.exact_half() - 1); }),
      total(unit, sums_decoded),
      "Largest relative departure of the size at which half the unit words are found from the exact one, "
      "noise and centred positions included.",
      0.0, Kind::sampled);
  summary.number(
      "over_knee", {}, {std::sqrt(std::log(usual_words))},
      {.meaning =
           "Size √(d/2) of the sinusoid against words of length 1, over the knee: √(ln V), at every width."});
}

void add_scales(const std::vector<Scales>& scales, Summary& summary) {
  const auto scaled = [](auto FoundAtSize::*field) {
    return [=](const Scales& s) { return s.scaled.*field; };
  };
  const auto plain =
      share("plain", "share of words found, embeddings of length 1 plus the sinusoid", &Scales::word)
          .theory(&Scales::line);
  const auto times = share("scaled", "share of words found, embeddings times sqrt(d)", scaled(&Scales::word))
                         .theory(scaled(&Scales::line));
  summary.table(
      "a1_scale.csv", scales,
      {d.as("d", "model width"), v.as("words", "V"), n.as("n", "sums decoded at each size"), knee,
       rho.as("plain_rho", "sqrt(d/2): the sinusoid against words of length 1"),
       rounded("plain_line", "exact share of words found there", &Scales::line),
       rounded("scaled_line", "exact share at sqrt(1/2): the sinusoid against the same words times sqrt(d)",
               scaled(&Scales::line)),
       plain, times,
       share("scaled_position", "share of positions found, likewise", scaled(&Scales::position))});
  summary.each(only(scales, &Scales::d, usual_width), {d}, {plain, knee});
}

void add_decoders(const std::vector<Decoded>& decoded, Summary& summary) {
  const auto rho = exact("rho", "length of a position in lengths of a word", &Decoded::rho);
  const auto nothing =
      share("nothing", "share of words found by the nearest word; theory: chance", &Decoded::nothing)
          .theory(word_chance);
  const auto projected =
      share("projected", "share of words found with the positions' subspace projected out; theory: chance",
            &Decoded::projected)
          .theory(word_chance);
  const auto joint =
      share("joint", "share of words found by joint maximum likelihood over all words and positions",
            &Decoded::joint);
  const auto joint_position =
      share("joint_position", "share of positions found by joint maximum likelihood; theory: chance",
            &Decoded::joint_position)
          .theory(position_chance);
  const auto removed =
      exact("removed", "dimensions projected out: those with 99.9% of positions' power", &Decoded::removed);
  summary.table("a1_decoders.csv", decoded,
                {d, v, l, centred, noise, rho, n, removed, nothing, projected, joint,
                 share("position", "share of positions found by the nearest position", &Decoded::position),
                 joint_position});
  const auto noisy = only(decoded, &Decoded::noise, 1.0);
  summary.each(sized(decoded, {16}), {noise, rho}, {projected});
  summary.each(sized(noisy, {16}), {noise, rho}, {nothing, joint});
  summary.each(sized(noisy, {small, comparable}), {noise, rho}, {joint_position});
  summary.number("removed", {}, {double(noisy.at(0).removed)},
                 {.unit = "dimensions",
                  .kind = Kind::count,
                  .meaning = "Dimensions projected out: those with 99.9% of positions' power."});
}

void add_read_outs(const std::vector<ReadOut>& read_outs, Summary& summary) {
  const auto rows_tested = [](const ReadingOut& r) { return r.rows / 4 * r.codebooks; };
  const auto law = [](const ReadOut& r) {
    return theory::eigenfunction_r2(r.eigenvalue, r.sigma * r.sigma, r.noise * r.noise);
  };
  const auto i = exact("i", "eigenfunction of position, from the strongest", &ReadOut::i);
  const auto r2 =
      share_column("r2", "R2 of the linear probe on rows it has not seen", &ReadOut::r2, rows_tested);
  summary.table(
      "a1_readout.csv", read_outs,
      {exact("d", "dimension, and number of positions", &ReadOut::d),
       exact("sigma", "standard deviation of words per dimension", &ReadOut::sigma),
       exact("noise", "standard deviation of the noise per dimension", &ReadOut::noise), i,
       rounded("eigenvalue", "its eigenvalue: variance of positions along that axis", &ReadOut::eigenvalue),
       exact("n", "rows tested", rows_tested).unit("rows"),
       rounded("line", "eigenvalue/(eigenvalue + sigma^2 + noise^2)", law), r2});
  const auto told =
      where(read_outs, [](const ReadOut& r) { return r.noise == 0 && (r.i == 0 || r.i == 20); });
  summary.each(
      told, {i},
      {r2.as("read_out",
             "R² of a linear probe of that eigenfunction of position; theory: λ/(λ + σ²) in the population.")
           .theory(law)});
}

double recovered(const Exact& e) { return theory::recovered(e.d, e.v, e.rho); }

/// Finely, where figures draw it.
void add_line(Summary& summary) {
  constexpr std::size_t points = 80;
  constexpr double first = 0.05, last = 32;
  std::vector<Exact> line;
  for (const std::size_t words : {paired_words, usual_words})
    for (std::size_t i = 0; i <= points; ++i)
      line.push_back({usual_width, words, first * std::pow(last / first, double(i) / points)});
  summary.table("a1_line.csv", line,
                {exact("d", "dimension", &Exact::d), exact("words", "V", &Exact::v).unit("words"),
                 exact("rho", "length of a position in lengths of a word", &Exact::rho),
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
  const auto thresholds = rows_of<Thresholds>(cells);  // a cell's, in the order of the curves
  std::vector<Knee> knees;
  std::vector<Scales> scales;
  for (const auto& curve :
       group_by(found, &Star::family, &Star::d, &Star::v, &Star::l, &Star::centred, &Star::noise)) {
    knees.push_back(
        {at_size(curve, comparable), thresholds.at(knees.size()), at_size(curve, small).position});
    if (is_width(curve[0]) && std::ranges::count(model_widths, curve[0].d))
      scales.push_back({at_size(curve, std::sqrt(curve[0].d / 2.0)), at_size(curve, natural)});
  }
  std::ranges::sort(scales, {}, &Scales::d);
  add_star(found, summary);
  add_scales(scales, summary);
  add_knees(knees, summary);
  add_decoders(rows_of<Decoded>(cells), summary);
  add_read_outs(rows_of<ReadOut>(cells), summary);
  add_line(summary);
  add_exact(summary);
  add_example(cells, models, summary);
  summary.rule = rule(add_released(cells, models, ruined, summary));
}

std::vector<Star> stars(Preset preset, const WordInputs& inputs) {
  using Sizes = std::vector<std::size_t>;
  const auto by_preset = std::bind_front(pick<std::size_t>, preset);
  const std::size_t codebooks = by_preset(4, 8, 16), trials = by_preset(128, 512, 1024),
                    few = by_preset(64, 128, 256);
  std::vector<Star> stars;
  const auto add = [&](const char* family, std::size_t d, std::size_t v, std::size_t l, bool centred,
                       double noise) {
    stars.push_back({{"star", d, v, l, centred, noise, codebooks, v > 10000 ? few : trials}, family});
  };
  add("sphere", usual_width, usual_words, usual_positions, false, 0);
  // The published pair of sizes: enough trials to tell the line's third digit.
  stars.push_back({{"star", 300, 1000, usual_positions, false, 0, 32, 512}, "sphere"});
  for (const std::size_t d :
       pick<Sizes>(preset, {64}, {64, 128, 256, 384, 768, 1024}, {32, 64, 128, 256, 384, 768, 1024, 2048}))
    add("sphere", d, usual_words, usual_positions, false, 0);
  for (const std::size_t v : pick<Sizes>(preset, {1000}, {1000, 2000, 10000, 20000, 50000},
                                         {1000, 2000, 10000, 20000, 50000, 100000}))
    add("sphere", usual_width, v, usual_positions, false, 0);
  for (const std::size_t l : pick<Sizes>(preset, {32}, {32, 128, 2048}, {32, 128, 2048, 8192}))
    add("sphere", usual_width, usual_words, l, false, 0);
  for (const char* family : {"gaussian", "uniform", "rademacher", "anisotropic"})
    if (preset != Preset::quick || std::string_view(family) == "gaussian")
      add(family, usual_width, usual_words, usual_positions, false, 0);
  for (const double noise : pick<std::vector<double>>(preset, {}, {0.5, 1, 2}, {0.5, 1, 2, 4}))
    add("sphere", usual_width, usual_words, usual_positions, false, noise);
  for (const std::size_t l : pick<Sizes>(preset, {32}, {32, 512}, {32, 512}))
    add("sphere", usual_width, usual_words, l, true, 0);
  if (!inputs.words) return stars;
  // One table, as it is: its trials are independent draws of a word and a position.
  const std::size_t v = rows(inputs.words->unit), d = cols(inputs.words->unit),
                    draws = by_preset(512, 4096, 16384);
  for (const bool centred : {false, true})
    stars.push_back({{"star", d, v, usual_positions, centred, 0, 1, draws}, "learned"});
  // Their control, unless random words of that size stand in the star already.
  if (std::ranges::none_of(stars, [&](const Star& star) { return is_star(star, "sphere", d, v); }))
    stars.push_back({{"star", d, v, usual_positions, false, 0, codebooks, few}, "sphere"});
  return stars;
}

double star_cost(const Star& at) {
  const double products = double(at.codebooks) * double(at.v) * (2 * double(at.trials) + 100) * double(at.d);
  return 2e-11 * products + 0.01 + (at.noise > 0 ? 0.4 : 0.0);
}

std::vector<ReadingOut> regressions(bool quick) {
  const std::size_t codebooks = quick ? 2 : 8, rows = quick ? 16 : 64;
  std::vector<ReadingOut> regressions;
  constexpr std::size_t d = 256;
  for (const double noise : {0.0, 0.5})
    regressions.push_back({"readout", d, d, 0.5, noise, codebooks, d * rows});
  return regressions;
}

}  // namespace

Experiment size_of_positions(const Options& options, const SharedWords& words,
                             const inspect::Models& models) {
  std::vector<std::string> hashes = words->hashes, of_models = inspect::depends(models);
  hashes.insert(hashes.end(), of_models.begin(), of_models.end());
  Experiment claim{"A1",
                   "A position as large as the word ruins the word; a factor A much below 1 would be safer.",
                   "[a]", hashes};
  const bool quick = options.preset == Preset::quick;
  claim.measure(stars(options.preset, *words), star_cost,
                [words](const Star& at, const Streams& streams, Rows& rows) {
                  measure_star(at, *words, streams, rows);
                });
  const std::vector noise = quick ? std::vector{1.0} : std::vector{0.0, 1.0};
  const std::size_t codebooks = quick ? 2 : 8, trials = pick<std::size_t>(options.preset, 64, 256, 1024);
  claim.measure(
      grid<Decoding>("decoders", usual_width, paired_words, usual_positions, false, noise, codebooks, trials),
      pick(options.preset, 0.1, 1.0, 4.0), measure_decoders);
  claim.measure(regressions(quick), quick ? 0.1 : 1.0, measure_read_out);
  measure_released(claim, models, options.preset);
  measure_example(claim, models);
  claim.conclude([words, models](const Cells& cells, Summary& summary) { conclude(cells, models, summary); });
  return claim;
}

}  // namespace perp::capacity
