// A1: a position as large as the word ruins the word. In words: a1.toml.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/matrix_algebra.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/recovery.hpp"
#include "studies/capacity/a1_measure.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

constexpr std::size_t usual_width = 512, usual_words = 5000, usual_positions = 512;
constexpr double natural = std::numbers::sqrt2 / 2;  // the sinusoid as it is against words of variance 1

/// At the usual width, beside the exact share of unit words.
void add_found(const Frame& star, Out& out) {
  for (const Row& at : star.where("d", whole(usual_width))) {
    const double rho = at.number("rho");
    out(rho == natural ? "natural" : "found", {{"d", usual_width},
                                               {"rho", rho},
                                               {"word", *at.estimate("word")},
                                               {"line", theory::recovered(usual_width, usual_words, rho)},
                                               {"position", *at.estimate("position")},
                                               {"chance", 1.0 / usual_positions},
                                               {"n", at.whole("n")}});
  }
}

/// The sinusoid against embeddings of length 1, and against the same times √d, by width.
void add_scales(const Frame& star, Out& out) {
  std::vector<Frame> widths = star.by("d");
  std::ranges::sort(widths, {}, [](const Frame& of) { return of.front().whole("d"); });
  for (const Frame& of : widths) {
    const std::size_t d = of.front().whole("d");
    const double plain_rho = std::sqrt(d / 2.0);
    const Row plain = of.where("rho", plain_rho).at(0), scaled = of.where("rho", natural).at(0);
    out("scale", {{"d", d},
                  {"n", plain.whole("n")},
                  {"knee", theory::recovery_knee(d, usual_words)},
                  {"plain_rho", plain_rho},
                  {"plain", *plain.estimate("word")},
                  {"scaled", *scaled.estimate("word")},
                  {"scaled_position", *scaled.estimate("position")}});
  }
}

/// Finely, where the figure draws it; and at the word's size, where the claim is judged, whatever was measured.
void add_exact(Out& out) {
  constexpr std::size_t points = 80;
  constexpr double first = 0.05, last = 32;
  for (std::size_t i = 0; i <= points; ++i) {
    const double rho = first * std::pow(last / first, double(i) / points);
    out("line", {{"rho", rho}, {"recovered", theory::recovered(usual_width, usual_words, rho)}});
  }
  constexpr std::size_t many_words = 50'000;  // a model's own vocabulary, about
  for (const auto& [d, v] : {std::pair{std::size_t{16}, usual_words},
                             {16, many_words},
                             {24, usual_words},
                             {usual_width, usual_words},
                             {768, many_words}})
    out("exact", {{"d", d},
                  {"v", v},
                  {"found", theory::recovered(d, v, 1)},
                  {"half", d < usual_width ? NAN : theory::recovery_ratio(d, v, 0.5)}});
}

/// Released models, in the window where both are read with ease: from the sinusoid's size against words of variance 1 on, to
/// half of the knee of as many random words.
void add_released(const Frame& decoded, Out& out) {
  std::size_t outside = 0;
  for (const Row& at : decoded) {
    const std::size_t v = at.whole("v"), d = at.whole("d"), trials = at.whole("trials");
    const double rho = at.number("rho"), most = theory::recovery_knee(d, v) / 2;
    const char* place = rho < natural ? "below" : rho > most ? "above" : "inside";
    const auto share = [&](const char* found) {
      const std::size_t right = at.whole(found);
      return estimated(double(right) / double(trials), share_spread(right, trials));
    };
    outside += place != std::string_view("inside");
    out("released", {{"model", at.text("model")},
                     {"words", v},
                     {"d", d},
                     {"positions", at.whole("l")},
                     {"rho", rho},
                     {"least", natural},
                     {"most", most},
                     {"place", place},
                     {"word", share("word")},
                     {"line", theory::recovered(d, v, rho)},
                     {"position", share("position")},
                     {"n", trials}});
  }
  out("models", {{"models", decoded.size()}, {"outside", outside}});
}

void fold(const Frames& measured, Out& out) {
  add_found(measured["star"], out);
  add_scales(measured["star"], out);
  add_exact(out);
  if (measured.has("decoded")) add_released(measured["decoded"], out);
}

/// Models are asked for themselves, one of each lineage; without any their place stays.
void ask_models(const inspect::Models& models, Outcome& outcome) {
  for (Condition& line : outcome.rule)
    if (line.finding.starts_with("A1.released."))
      line.levels = levels_of(model_named(models, line.finding.substr(line.finding.rfind('.') + 1)));
  if (find(outcome.findings, "A1.released_models"))
    std::erase_if(outcome.rule, [](const Condition& line) { return line.finding.empty(); });
  keep_one_of_each_lineage(outcome.rule);
}

/// A cell's place; streams are named by all of it.
Coordinates place_of(Coordinates place, const Decoding& at) {
  const Coordinates more{{"d", whole(at.d)},
                         {"v", whole(at.v)},
                         {"l", whole(at.l)},
                         {"centred", 0},
                         {"noise", 0.0},
                         {"codebooks", whole(at.codebooks)},
                         {"trials", whole(at.trials)}};
  place.insert(place.end(), more.begin(), more.end());
  return place;
}

/// The usual width, and those of models.
void add_stars(Preset preset, Experiment& claim) {
  for (const std::size_t d : pick<std::vector<std::size_t>>(
           preset, {usual_width}, {usual_width, 384, 768, 1024}, {usual_width, 384, 768, 1024})) {
    const Decoding at{d, usual_words, usual_positions, pick<std::size_t>(preset, 4, 8, 16),
                      pick<std::size_t>(preset, 128, 512, 1024)};
    claim.cell(
        place_of({{"what", "star"}, {"family", "sphere"}}, at),
        2e-11 * double(at.codebooks) * double(at.v) * (2 * double(at.trials) + 100) * double(at.d) + 0.01,
        [=](const Streams& streams, Out& out) {
          for (const FoundAtSize& found : found_by_size(at, streams))
            out("star", {{"rho", found.rho},
                         {"n", at.codebooks * at.trials},
                         {"word", found.word},
                         {"position", found.position}});
        });
  }
}

void add_projected(Preset preset, Experiment& claim) {
  const Decoding at{usual_width, 512, usual_positions, pick<std::size_t>(preset, 2, 8, 8),
                    pick<std::size_t>(preset, 64, 256, 1024)};
  claim.cell(place_of({{"what", "decoders"}}, at), pick(preset, 0.1, 0.2, 0.5),
             [=](const Streams& streams, Out& out) {
               constexpr float rho = 16;  // of a sinusoid beside unit embeddings of 512 dimensions
               out("projected", {{"rho", double(rho)},
                                 {"word", found_projected(at, rho, streams)},
                                 {"chance", 1.0 / double(at.v)},
                                 {"n", at.codebooks * at.trials}});
             });
}

Released tables_of(const inspect::ModelUnderTest& model) {
  return {model.tables.words->all<float>(), converted<float>(*model.tables.positions)};
}

/// One sentence in a model whose file of tokens says what its rows stand for: what the nearest word to x + p is.
void read_sentence(const inspect::ModelUnderTest& model, const std::vector<std::size_t>& which, Out& out) {
  const Released tables = tables_of(model);
  // A sinusoid is √(d/2) long, a unit embedding 1.
  const double rho = tables.rho(), rho_long = std::sqrt(cols(tables.words) / 2.0);
  if (!(rho > 0) || std::isinf(rho)) return;  // a table of zeros
  const std::vector<std::string>& tokens = model.tables.tokens;
  std::size_t position = 0, found = 0, found_long = 0;
  for (const TokenRead& read : read_tokens(tables, which, rho_long)) {
    const std::size_t token = which[position];
    out("example", {{"position", position},
                    {"token", tokens[token]},
                    {"nearest", tokens[read.nearest]},
                    {"nearest_long", tokens[read.nearest_long]},
                    {"rho", rho},
                    {"rho_long", rho_long},
                    {"found_to", read.found_to}});
    found += read.nearest == token;
    found_long += read.nearest_long == token;
    ++position;
  }
  out("sentence", {{"found", found}, {"found_long", found_long}, {"size", rho_long}, {"tokens", position}});
}

/// Cells for each model that has words and positions; the others say nothing here.
void add_models(const inspect::Models& models, Preset preset, Experiment& claim) {
  const std::size_t trials = pick<std::size_t>(preset, 512, 4096, 16384);
  for (const inspect::ModelUnderTest& model : *models) {
    if (!has_both(model)) continue;
    claim.cell({{"what", "released"}, {"model", model.name}, {"trials", whole(trials)}}, 2.0,
               [=, name = model.name](const Streams& streams, Out& out) {
                 const Released tables = tables_of(model_named(models, name));
                 const FoundReleased found = found_released(tables, trials, streams);
                 out("decoded", {{"v", rows(tables.words)},
                                 {"d", cols(tables.words)},
                                 {"l", rows(tables.positions)},
                                 {"rho", tables.rho()},
                                 {"word", found.word},
                                 {"position", found.position}});
               });
    const std::vector<std::size_t> which = rows_of_sentence(model.tables.tokens);
    if (!which.empty() && which.size() <= rows(*model.tables.positions))
      claim.cell({{"what", "sentence"}, {"model", model.name}}, 0.1,
                 [=, name = model.name](const Streams&, Out& out) {
                   read_sentence(model_named(models, name), which, out);
                 });
  }
}

}  // namespace

Experiment size_of_positions(const Options& options, const inspect::Models& models) {
  Experiment claim("A1", toml_of("a1"), inspect::depends(models));
  add_stars(options.preset, claim);
  add_projected(options.preset, claim);
  add_models(models, options.preset, claim);
  claim.fold(fold);
  claim.also([models](Outcome& outcome) { ask_models(models, outcome); });
  return claim;
}

}  // namespace perp::capacity
