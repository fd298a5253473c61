// A1: a position as large as the word ruins the word: words and positions found by decoders that know nothing of each
// other, and words by one that projects the positions' subspace out; sums of released tables. The size of a position is
// ρ = ‖p‖/‖x‖, root mean squares over positions and words. In words: a1.toml.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// V unit words and L positions of the sinusoid in R^d; trials of each codebook.
struct Decoding {
  std::size_t d, v, l, codebooks, trials;
};

using Indices = std::vector<std::uint32_t>;

/// As BERT's models read “Tom bit a dog.”: their first token marks the beginning, and the rest is in their
/// vocabulary as it stands. The seventh, which marks the end, is left out.
constexpr std::array<std::string_view, 6> sentence{"[CLS]", "tom", "bit", "a", "dog", "."};

/// Sizes at which every cell is read: the grid, √½ (sinusoid against words of variance 1 per dimension) and
/// √(d/2) (against words of length 1), ascending.
std::vector<double> sizes(std::size_t d) {
  std::vector<double> sizes{0.05, 0.1, 0.2, 0.35, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 11, 16};
  for (const double added : {std::numbers::sqrt2 / 2, std::sqrt(d / 2.0)})
    if (std::ranges::find(sizes, added) == sizes.end()) sizes.push_back(added);
  std::ranges::sort(sizes);
  return sizes;
}

/// Word and position of each trial.
struct Sent {
  Indices w, t;
};
Sent draw(const Decoding& at, const Streams& streams, std::size_t codebook) {
  return {below(streams("word", codebook), at.trials, static_cast<std::uint32_t>(at.v)),
          below(streams("position", codebook), at.trials, static_cast<std::uint32_t>(at.l))};
}

Matrix<float> rows_at(const Matrix<float>& table, const Indices& which) {
  return select_rows(table, std::vector<std::size_t>(which.begin(), which.end()));
}

/// A column more: `last` of each row.
template <class Last>
Matrix<float> with_column(const Matrix<float>& table, const Last& last) {
  const std::size_t d = cols(table);
  Matrix<float> wider = matrix<float>(rows(table), d + 1);
  for (std::size_t i = 0; i < rows(table); ++i) {
    std::ranges::copy(row(table, i), row(wider, i).begin());
    wider(i, d) = last(i);
  }
  return wider;
}

/// Sizes ρ at which the position nearest to first_i + ρ p_t(i) is p_t: it maximises first·p_s + ρ (p_t·p_s -
/// ‖p_s‖²/2), and the halved square goes into one more column.
std::vector<Range> positions_between(const Matrix<float>& first, const Matrix<float>& positions,
                                     const Indices& which) {
  const Matrix<float> asked = with_column(first, [](std::size_t) { return 0.0F; }),
                      known = with_column(positions, [](std::size_t) { return -1.0F; }),
                      table = with_column(positions, [&](std::size_t t) {
                        return static_cast<float>(sum_of_squares(row(positions, t)) / 2);
                      });
  return found_between(asked, known, which, table, which, Nearness::inner_product);
}

/// The rows that are asked for, each once, and where each query finds its own.
struct Used {
  Matrix<float> rows;
  Indices which;
};
Used used_rows(const Matrix<float>& table, const Indices& which) {
  std::vector<std::size_t> kept(which.begin(), which.end());
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  Used used{select_rows(table, kept), {}};
  for (const std::uint32_t s : which)
    used.which.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(kept, s) - kept.begin()));
  return used;
}

/// Orthonormal rows: the fewest principal directions (about the origin) that hold 99.9 % of the positions'
/// power.
Matrix<float> principal_directions(const Matrix<float>& positions) {
  const Eigen<double> eigen = symmetric_eigen(gram_columns(converted<double>(positions)));
  std::vector<double> descending(eigen.values.rbegin(), eigen.values.rend());
  for (double& x : descending) x = std::max(x, 0.0);
  return converted<float>(leading_directions(eigen, effective_dimension(descending).r999));
}

/// Positions L x d of the sinusoid with mean square length 1.
Matrix<float> unit_power_positions(std::size_t length, std::size_t d) {
  Matrix<double> table = sinusoidal<double>(length, d);
  double power = 0;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t t = 0; t < length; ++t) power += table(t, j) * table(t, j) / length;
  for (double& x : table) x /= std::sqrt(power);
  return converted<float>(table);
}

/// Of hits by codebook.
Estimate share_of(const std::vector<Hits>& codebooks) {
  Hits all;
  std::vector<double> shares;
  for (const Hits& hits : codebooks) {
    all.right += hits.right;
    all.n += hits.n;
    shares.push_back(hits.share());
  }
  return estimated(all.share(), share_spread(all.right, all.n, shares));
}

Hits hits_at(const std::vector<Range>& ranges, double size) {
  const auto holds = [size](const Range& range) { return range.holds(size); };
  return {std::uint64_t(std::ranges::count_if(ranges, holds)), ranges.size()};
}

/// first + factor second, row by row.
Matrix<float> sums_of(Matrix<float> first, const Matrix<float>& second, double factor = 1) {
  for (std::size_t i = 0; i < first.size(); ++i) first.data()[i] += float(factor) * second.data()[i];
  return first;
}

/// Shares of words and of positions that are found with positions of size rho. Trials that share a codebook share their
/// competitors: intervals are the wider, on either side, of Wilson's over trials and Student's over codebooks.
struct FoundAtSize {
  double rho;
  Estimate word, position;
};
/// Found by decoders that know nothing of each other, at every size of the position. With rows y = x_w + ρ p_t, y·x_v is
/// linear in ρ: two products serve all sizes.
std::vector<FoundAtSize> found_by_size(const Decoding& at, const Streams& streams) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d);
  const std::vector<double> grid = sizes(at.d);
  std::vector<std::vector<Hits>> word(grid.size()), position(grid.size());
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c));
    const auto [w, t] = draw(at, streams, c);
    const Matrix<float> sent = rows_at(words, w);
    const Used used = used_rows(positions, t);
    const std::vector<Range> of_words = found_between(sent, used.rows, used.which, words, w),
                             of_positions = positions_between(sent, positions, t);
    for (std::size_t f = 0; f < grid.size(); ++f) {
      word[f].push_back(hits_at(of_words, grid[f]));
      position[f].push_back(hits_at(of_positions, grid[f]));
    }
  }
  std::vector<FoundAtSize> found;
  for (std::size_t f = 0; f < grid.size(); ++f)
    found.push_back({grid[f], share_of(word[f]), share_of(position[f])});
  return found;
}

/// Share of words found beside positions of size rho whose subspace is projected out.
Estimate found_projected(const Decoding& at, float rho, const Streams& streams) {
  const Matrix<float> positions = unit_power_positions(at.l, at.d), basis = principal_directions(positions);
  std::vector<Hits> found;
  for (std::size_t c = 0; c < at.codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, at.v, at.d, streams("words", c));
    const Sent sent = draw(at, streams, c);
    const Matrix<float> y = sums_of(rows_at(words, sent.w), rows_at(positions, sent.t), rho);
    found.push_back(count_hits(nearest_words(project_out(y, basis), project_out(words, basis)), sent.w));
  }
  return share_of(found);
}

/// A model's words (V x d) and positions (L x d) as they were released.
struct Released {
  Matrix<float> words, positions;

  /// Size of its positions; 0, infinity or NaN for a table of zeros.
  double rho() const { return std::sqrt(mean_square_length(positions) / mean_square_length(words)); }
};

/// Of sums of a word and a position, each row as likely as any other: how often each is found.
struct FoundReleased {
  std::size_t word, position;
};
FoundReleased found_released(const Released& tables, std::size_t trials, const Streams& streams) {
  const auto& [words, positions] = tables;
  const Indices w = below(streams("word"), trials, static_cast<std::uint32_t>(rows(words))),
                t = below(streams("position"), trials, static_cast<std::uint32_t>(rows(positions)));
  const Matrix<float> sent = rows_at(words, w), sums = sums_of(sent, rows_at(positions, t));
  return {hits_at(found_between(sent, positions, t, words, w), 1).right,
          count_hits(nearest_words(sums, positions), t).right};
}

/// Rows of the tokens of one sentence; none unless the model has them all.
std::vector<std::size_t> rows_of_sentence(const std::vector<std::string>& tokens) {
  std::vector<std::size_t> found;
  for (const std::string_view word : sentence) {
    const auto at = std::ranges::find(tokens, word);
    if (at == tokens.end()) return {};
    found.push_back(std::size_t(at - tokens.begin()));
  }
  return found;
}

/// The rows of the words that are nearest to x + p, with positions as they are and with those of size `longer`. The token
/// itself is the nearest up to the size `found_to`, NaN: at each.
struct TokenRead {
  std::size_t nearest, nearest_long;
  double found_to;
};
/// Of each of these words at the positions 0, 1, …; `longer` is a size.
std::vector<TokenRead> read_tokens(const Released& tables, const std::vector<std::size_t>& which,
                                   double longer) {
  const std::vector<std::size_t> places = first(which.size());
  const Matrix<float> x = select_rows(tables.words, which), p = select_rows(tables.positions, places);
  const double rho = tables.rho();
  const Indices own = nearest_words(sums_of(x, p), tables.words),
                far = nearest_words(sums_of(x, p, longer / rho), tables.words);
  const std::vector<Range> found = found_between(x, p, Indices(places.begin(), places.end()), tables.words,
                                                 Indices(which.begin(), which.end()));
  std::vector<TokenRead> read;
  for (const std::size_t i : places)
    read.push_back({own[i], far[i], std::isinf(found[i].to) ? NAN : rho * found[i].to});
  return read;
}

// ---- the claim

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
