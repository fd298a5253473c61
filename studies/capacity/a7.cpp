// A7: "smaller word and smaller PE, concatenated": bits that the best concatenation carries more than the best
// flat sum, by who reads the sum and by width, at the noise where the best concatenation carries a given share. In words:
// a7.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/reader.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/reader.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a7_measure.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Where the rule asks: the best concatenation carries 90 %.
constexpr std::size_t judged_carried = 90;

struct Size {
  std::size_t d, v, l;
};
constexpr Size small{32, 256, 64}, minilm{384, 30522, 512}, gpt2{768, 50257, 1024}, llama{2048, 32000, 2048};
/// As many bits a dimension as 256 words at 64 positions have at d = 128.
constexpr Size few{64, 16, 8}, many{219, 1U << 14U, 1U << 10U};

/// Sizes that nobody chose, to hold the law against: drawn evenly by their logarithms, once, whatever the seed.
std::vector<Size> drawn_sizes() {
  constexpr std::size_t sizes = 6;
  std::vector<double> drawn(3 * sizes);
  fill_uniform(Streams{1, "A7", "sizes"}("drawn"), std::span<double>(drawn), 0.0, 1.0);
  std::vector<Size> all;
  for (std::size_t i = 0; i < sizes; ++i) {
    const auto between = [&](double low, double high, std::size_t part) {
      return std::size_t(std::lround(low * std::pow(high / low, drawn[3 * i + part])));
    };
    all.push_back({8 * between(5, 32, 0), between(128, 1024, 1), between(64, 256, 2)});
  }
  return all;
}

double ceiling(const Row& at) { return std::log2(double(at.whole("v")) * double(at.whole("l"))); }
bool is_linear(const Row& at) { return at.text("reader") == "linear"; }

/// Few code words let a reader remove the other table's directions; the law holds above.
double law(const Row& at) {
  const std::size_t v = at.whole("v"), l = at.whole("l");
  const bool holds = is_linear(at) && at.whole("carried") == judged_carried && v >= 64 && l >= 64;
  return holds ? theory::law_of_adding(at.whole("d"), v, l) : NAN;
}

/// What the rule or the page asks for; the other readers' other widths stand in the table.
bool is_found(const Row& at) {
  return (is_linear(at) || at.whole("d") == small.d || at.whole("v") == gpt2.v) &&
         (is_linear(at) || at.whole("carried") == judged_carried);
}

/// Of a released model: of one standing over samples, or the mean over rotations.
void add_released(const Frame& group, Out& out) {
  const Row& one = group.front();
  std::vector<double> shares;
  for (const Row& at : group) shares.push_back(at.number("lost") / ceiling(at));
  const bool is_turned = group.size() > 1;
  const std::size_t samples = one.whole("samples");
  const MeanSpread spread{one.number("lost_error") / ceiling(one), double(samples - 1)};
  out("released_lost", group,
      {{"lost", is_turned ? estimated(shares) : estimated(shares.front(), {spread, {}, samples})},
       {"n", is_turned ? group.size() : samples}});
}

void fold(const Frames& measured, Out& out) {
  std::vector<double> ratios;
  for (const Frame& books : measured["codebooks"].by("reader d v l positions carried grid")) {
    const Row& at = books.front();
    const auto share = [&](const char* less) {
      return over_codebooks(books.numbers(
          [=](const Row& book) { return (book.number("split") - book.number(less)) / ceiling(book); }));
    };
    const Estimate gain = share("sum");
    // Of the linear reader: what the concatenation carries less what one table alone predicts of the sum.
    const double predicted = is_linear(at) ? share("predicted").value : NAN;
    out("readers", books,
        {{"noise", at.number("noise")},
         {"split_width", at.whole("split_width")},
         {"split_share", at.number("split_share")},
         {"sum_width", at.whole("sum_width")},
         {"sum_share", at.number("sum_share")},
         {"gain_share", gain},
         {"law", law(at)},
         {"codebooks", books.size()}});
    if (is_found(at))
      out("found", books, {{"gain_share", gain}, {"predicted", predicted}, {"codebooks", books.size()}});
    if (!std::isnan(law(at))) ratios.push_back(gain.value / law(at));
  }
  if (ratios.size() >= fewest_replicates)
    out("law", {{"ratio", median(ratios)},
                {"near", std::ranges::count_if(ratios, [](double r) { return 0.8 < r && r < 1.25; })},
                {"sizes", ratios.size()}});
  for (const Frame& books : measured["uneven"].by("spectrum d"))
    out("spectrum", books,
        {{"gain_share", over_codebooks(books.numbers([](const Row& book) {
            return (book.number("split") - book.number("sum")) / book.number("ceiling");
          }))},
         {"codebooks", books.size()}});
  for (const Frame& books : measured["prior"].by("prior d"))
    out("rare", books,
        {{"loss", over_codebooks(books.numbers([](const Row& book) {
            return (book.number("split") - book.number("sum")) / book.number("sent");
          }))},
         {"codebooks", books.size()}});
  if (measured.has("released"))
    for (const Frame& group : measured["released"].by("model standing")) add_released(group, out);
}

std::vector<ReaderPlace> places(Preset preset) {
  std::vector<ReaderPlace> all;
  const bool is_long = preset == Preset::long_;
  const auto add = [&](const Size& size, Positions family, std::size_t at) {
    const bool is_wide = size.v > 1024;
    const std::size_t choosing = is_wide ? 256 : pick<std::size_t>(preset, 128, 512, 512),
                      samples = is_wide && !is_long ? 1024 : pick<std::size_t>(preset, 512, 1024, 4096);
    // In few dimensions settings come out nearly alike: eight tables chose a worse sum for the sinusoid at d = 32.
    const std::size_t choosers = is_wide                                  ? (is_long ? 8 : 1)
                                 : preset == Preset::quick || size.d > 64 ? 8
                                                                          : 24;
    // Where few words and positions make codebooks differ, more of them.
    const std::size_t books = is_wide                   ? (is_long ? 8 : 3)
                              : preset == Preset::quick ? 8
                              : size.v == few.v         ? 96
                                                        : 24;
    // The ideal readers weigh all pairs: at both ends of what is cheap, and at one wide size.
    std::size_t ideal = 0;
    if (at == judged_carried && (size.d == small.d || size.d == 256)) ideal = samples;
    if (is_long && size.v == gpt2.v) ideal = 512;
    all.push_back({size.d, size.v, size.l, name_of(family), at, "coarse", choosers, choosing, books, samples,
                   ideal / (is_wide ? 32 : 8), ideal});
  };
  for (const Positions family : all_positions) {
    add(small, family, judged_carried);
    if (preset == Preset::quick) continue;
    for (const std::size_t d : {64, 128, 256}) add({d, 256, 64}, family, judged_carried);
    for (const std::size_t at : {50, 98}) add(small, family, at);
    if (is_long) add(gpt2, family, judged_carried);
  }
  if (preset == Preset::quick) return all;
  add(few, Positions::random, judged_carried);
  add({64, 1024, 256}, Positions::random, judged_carried);
  for (const Size& size : drawn_sizes()) add(size, Positions::random, judged_carried);
  if (is_long)
    for (const Size& size : {many, minilm, llama}) add(size, Positions::random, judged_carried);
  else
    add(gpt2, Positions::random, judged_carried);
  return all;
}

/// Words that are not equally likely, beside the same sent evenly: the same tables and, chosen for these, the same setting.
void add_prior_cell(const ReaderPlace& at, Experiment& claim) {
  claim.cell({{"what", "prior"}, {"d", whole(at.d)}}, 2 * reading_cost(at),
             [at](const Streams& streams, Out& out) {
               const double of_words = entropy_bits(zipf_chances(at.v)), even = std::log2(double(at.v));
               for (const bool is_zipf : {false, true})
                 for (const ReaderBits& of : measure_readers(at, streams, {.is_zipf = is_zipf}))
                   out("prior", {{"prior", is_zipf ? "zipf" : "even"},
                                 {"split", of.split},
                                 {"sum", of.sum},
                                 {"sent", (is_zipf ? of_words : even) + std::log2(double(at.l))}});
             });
}

/// Words as uneven as trained ones, turned at random or out of the position's way; and words as often as in texts.
void add_uneven_cells(const std::vector<ReaderPlace>& places, Experiment& claim) {
  for (ReaderPlace at : places) {
    if (at.positions != name_of(Positions::random) || at.carried != judged_carried || at.v != small.v ||
        at.l != small.l || (at.d != small.d && at.d != 128))
      continue;
    at.ideal_samples = at.ideal_choosing_samples = 0;
    if (at.d == small.d) add_prior_cell(at, claim);
    for (const auto& [name, spectrum] : {std::pair{"root", Spectrum{0.5, true}},
                                         {"inverse", Spectrum{1, true}},
                                         {"inverse_apart", Spectrum{1, false}}})
      claim.cell({{"what", "spectrum"}, {"d", whole(at.d)}, {"spectrum", name}}, reading_cost(at),
                 [at, spectrum = spectrum](const Streams& streams, Out& out) {
                   for (const ReaderBits& of : measure_readers(at, streams, spectrum))
                     out("uneven", {{"split", of.split}, {"sum", of.sum}, {"ceiling", of.ceiling()}});
                 });
  }
}

/// What deeper layers may hold: more of what a word means, all of it added. Closed form, of no random stream.
void add_stream_cells(Experiment& claim) {
  for (const std::size_t features : {1, 4, 16, 32})
    claim.cell({{"what", "stream"}, {"features", whole(features)}}, 1.0, [=](const Streams&, Out& out) {
      const theory::Superposition stream{768, features, 4096, 1024};
      const theory::CostOfStream cost = theory::cost_of_stream(stream, 0.01 * judged_carried);
      out("stream", {{"d", stream.d},
                     {"bits", std::lround(stream.bits())},
                     {"tables", features + 1},
                     {"all_added", cost.all},
                     {"law", cost.law},
                     {"position_added", cost.position}});
    });
}

/// A cell for each model that has words and positions; the others say nothing here.
void add_released_cells(const inspect::Models& models, std::size_t samples, Experiment& claim) {
  for (const inspect::ModelUnderTest& model : *models) {
    if (!has_both(model)) continue;
    claim.cell({{"what", "read"}, {"model", model.name}, {"samples", whole(samples)}},
               1.2e-9 * double(model.tables.words->rows() * model.dim() * samples),
               [models, samples, name = model.name](const Streams& streams, Out& out) {
                 const inspect::Tables& tables = model_named(models, name).tables;
                 const Matrix<float> words = tables.words->all<float>(),
                                     positions = converted<float>(*tables.positions);
                 for (const ReleasedBits& of : measure_reading(samples, words, positions, streams))
                   out("released", {{"standing", of.standing},
                                    {"rotation", of.rotation},
                                    {"v", rows(words)},
                                    {"l", rows(positions)},
                                    {"lost", of.lost},
                                    {"lost_error", of.lost_error}});
               });
  }
}

}  // namespace

Experiment information_by_split(const Options& options, const inspect::Models& models) {
  Experiment claim("A7", toml_of("a7"), inspect::depends(models));
  for (const ReaderPlace& at : places(options.preset))
    claim.cell({{"d", whole(at.d)},
                {"v", whole(at.v)},
                {"l", whole(at.l)},
                {"positions", at.positions},
                {"carried", whole(at.carried)},
                {"grid", at.grid},
                {"choosers", whole(at.choosers)},
                {"choosing_samples", whole(at.choosing_samples)},
                {"codebooks", whole(at.codebooks)},
                {"samples", whole(at.samples)},
                {"ideal_choosing_samples", whole(at.ideal_choosing_samples)},
                {"ideal_samples", whole(at.ideal_samples)}},
               reading_cost(at), [=](const Streams& streams, Out& out) {
                 for (const ReaderBits& of : measure_readers(at, streams))
                   out("codebooks", {{"reader", of.reader},
                                     {"codebook", of.codebook},
                                     {"noise", of.noise},
                                     {"split_width", of.split_width},
                                     {"split_share", of.split_share},
                                     {"sum_width", of.sum_width},
                                     {"sum_share", of.sum_share},
                                     {"split", of.split},
                                     {"sum", of.sum},
                                     {"predicted", of.predicted}});
               });
  add_uneven_cells(places(options.preset), claim);
  add_stream_cells(claim);
  add_released_cells(models, pick<std::size_t>(options.preset, 256, 1024, 4096), claim);
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
