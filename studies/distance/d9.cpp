// D9: the score of two sums in four terms, whose sizes follow from the lengths of words and positions.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/ratio.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/scores.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 256, vocabulary = 1024, rank = 64;
constexpr double ratios[] = {0.05, 0.1, 0.2, 0.3, 0.5, natural_ratio, 1, 1.5, 2, 3, 4, 6, 8, 12, 16};

struct Setting {
  std::string words, matrix;
  std::size_t d, l, v, draws;
};
PERP_ROW(Setting, words, matrix, d, l, v, draws)
struct Terms : Setting {
  double word_word, word_position, position_word, position_position, distance_only;
};
PERP_ROW_OF(Terms, Setting, word_word, word_position, position_word, position_position, distance_only)

std::vector<Setting> settings(const Options& options) {
  std::vector<Setting> settings;
  const auto add = [&](const char* words, const char* matrix, std::size_t d, std::size_t draws) {
    settings.push_back({words, matrix, d, length, vocabulary, draws});
  };
  if (options.preset == Preset::quick) {
    for (const char* matrix : {"gaussian", "heads"}) {
      add("gaussian", matrix, 64, 20);
      add("gaussian", matrix, 512, 4);
    }
    add("gaussian", "tied", 64, 20);
    add("anisotropic", "gaussian", 64, 20);
    return settings;
  }
  const std::size_t times = options.preset == Preset::long_ ? 10 : 1;
  add("gaussian", "gaussian", 64, 200 * times);
  add("gaussian", "gaussian", 128, 100 * times);
  for (const std::size_t d : {256, 512, 1024}) add("gaussian", "gaussian", d, 50 * times);
  for (const char* matrix : {"heads", "tied"}) {
    add("gaussian", matrix, 64, std::max(judged_draws, 200 * times));
    add("gaussian", matrix, 512, 50 * times);
  }
  add("anisotropic", "gaussian", 256, 50 * times);
  return settings;
}

Matrix<double> draw_matrix(const Setting& at, const Streams& streams, std::size_t draw) {
  const bool square = at.matrix == "gaussian";
  const Matrix<double> query = normal_matrix<double>(square ? at.d : rank, at.d, streams("query", draw));
  if (square) return query;
  if (at.matrix == "tied") return gram_columns(query);
  return product_tn(query, normal_matrix<double>(rank, at.d, streams("key", draw)));
}

/// The terms at word entries of variance 1; other ratios follow, because each term is homogeneous in the
/// words.
void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = sinusoidal<double>(at.l, at.d);
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const Matrix<float> drawn = draw_words(family_from(at.words), at.v, at.d, streams("words", draw));
    const Matrix<double> words = drawn;
    const FourTerms terms = four_terms(words, positions, draw_matrix(at, streams, draw));
    rows.add(Terms{at, terms.word_word, terms.word_position, terms.position_word, terms.position_position,
                   terms.distance_only});
  }
}

/// One setting's draws with words of another length: the terms' shares of the sum of their variances, each
/// summed over draws, and what to expect.
struct Mixture : Setting {
  double ratio, sigma;
  Estimate word_word, crossed, position_position, distance_only;
  theory::FourShares random, own;  ///< for random M, and for this kind of M
  double distance_only_line;
};

double to_noise(double share) { return share / (1 - share); }

Mixture mixture(const Group<Terms>& draws, double ratio) {
  const Setting& at = draws.front();
  // Of a word's entry; exactly 1 at the natural ratio, for the sake of tables.
  const double variance = ratio == natural_ratio ? 1 : 1 / (2 * ratio * ratio);
  const auto word_word = [=](const Terms& t) { return t.word_word * (variance * variance); };
  const auto crossed = [=](const Terms& t) { return (t.word_position + t.position_word) * variance; };
  const std::vector<double> sums =
      draws.values([=](const Terms& t) { return word_word(t) + crossed(t) + t.position_position; });
  const auto share = [&](const auto& part) {
    const PooledRatio pooled = pooled_ratio(draws.values(part), sums);
    return pooled.spread ? estimated(pooled.value, *pooled.spread) : Estimate{pooled.value};
  };
  const std::vector<double> kernel = sinusoid_kernel(at.l, at.d);
  const double power = variance * at.d, common = at.words == "anisotropic" ? anisotropic_mean_share : 0;
  const theory::FourShares random =
      theory::four_shares({power, common * power}, {kernel[0], theory::square_mean(kernel)});
  const bool tied = at.matrix == "tied";
  const theory::FourShares own = tied ? theory::tied_shares(at.d, at.v, variance, kernel, rank) : random;
  const theory::ExpectedScores scores =
      tied ? theory::expected_for_tied(kernel, rank) : theory::expected_for_random(kernel);
  return {at,
          ratio,
          std::sqrt(variance),
          share(word_word),
          share(crossed),
          share(&Terms::position_position),
          share(&Terms::distance_only),
          random,
          own,
          own.position_position * scores.share()};
}

/// A share as a finding.
auto found(Estimate Mixture::*share) {
  return [share](const Mixture& m) { return as_shown(m.*share, m.draws); };
}

const auto words = exact("words", "family of the word vectors", &Setting::words);
const auto weights =
    exact("matrix", "gaussian M; heads: QᵀK of rank 64; tied: QᵀQ of rank 64", &Setting::matrix);
const auto d = exact("d", "dimension", &Setting::d);

const auto position_line = [](const Mixture& m) { return m.random.position_position; };
const auto own_line = [](const Mixture& m) { return m.own.position_position; };
const auto word_line = [](const Mixture& m) { return m.random.word_word; };
const auto crossed_line = [](const Mixture& m) { return m.random.word_position + m.random.position_word; };
const auto noise_line = [](const Mixture& m) { return to_noise(m.distance_only_line); };
/// A ratio of the lag to all else is not symmetric about its value: it keeps its interval and has no spread.
const auto signal_to_noise = [](const Mixture& m) {
  const Estimate& lag = m.distance_only;
  return Estimate{to_noise(lag.value), to_noise(end_or_nan(lag.low)), to_noise(end_or_nan(lag.high)),
                  shown_level};
};

const auto share = [](const std::string& name, const char* meaning, auto get) {
  return sampled(name, meaning, get)
      .interval(name + "_low", name + "_high", "its 99% interval by Student's t on the linearised ratio");
};
const auto noise = share("signal_to_noise",
                         "variance of the scores' mean per lag over that of all else in the score of two "
                         "sums, both summed over draws; theory: the ratio of their expectations",
                         signal_to_noise)
                       .theory("signal_to_noise_line", "to expect of this kind of M", noise_line)
                       .n(&Setting::draws);

void add_table(const std::vector<Mixture>& mixtures, Summary& summary) {
  summary.table(
      "d9_shares.csv", mixtures,
      {words, weights, d, exact("positions", "L", &Setting::l),
       exact("ratio", "rho = length of a position over that of a word, root mean squares", &Mixture::ratio),
       exact("sigma", "standard deviation of a word's entry", &Mixture::sigma),
       exact("draws", "draws of words and M", &Setting::draws),
       share("word_word", "share of the word-word term in the four variances, both summed over draws",
             &Mixture::word_word),
       share("crossed", "share of the two terms of a word and a position", &Mixture::crossed),
       share("position_position", "share of the position-position term", &Mixture::position_position),
       exact("word_word_line", "for random M", word_line),
       exact("crossed_line", "for random M", crossed_line),
       exact("position_position_line", "for random M", position_line),
       exact("own_line", "position-position share to expect of this kind of M", own_line), noise});
}

void add_findings(const std::vector<Mixture>& mixtures, Summary& summary) {
  const auto position =
      sampled(
          "position_share",
          "Share of the position-position term in the variance of the score of two sums, words with entries "
          "of variance 1 and the sinusoid as it is; theory: for random M, from lengths and means alone.",
          found(&Mixture::position_position))
          .n(&Setting::draws);
  const auto natural = [](const Mixture& m) { return m.ratio == natural_ratio; };
  const auto small = where(mixtures, [](const Mixture& m) { return m.d == 64 && m.words == "gaussian"; });
  for (const Mixture& m : small) {
    const std::vector<Mixture> one{m};
    if (natural(m))
      summary.each(one, {words, weights, d}, {position.theory(position_line), noise});
    else if (m.ratio == 16 || (m.ratio == 0.1 && m.matrix == "tied"))
      summary.each(one, {words, weights, d, exact("rho", "", &Mixture::ratio)}, {noise});
  }
  const auto judged = [&](const Mixture& m) {
    return natural(m) && m.matrix != "gaussian" && m.draws >= judged_draws;
  };
  summary.each(
      where(small, judged), {words, weights, d},
      {position.theory(own_line).as(
          "judged_share",
          "The position-position share beside its line, from at least 800 draws: what the rule reads.")});
}

/// The share that the claim is judged by, and how near to its line it has to be.
Condition beside_its_line(const char* matrix, double margin, const char* weights, const char* says) {
  Condition made =
      condition(Role::core, fmt::format("judged_share.gaussian.{}.d64", matrix), Is::equal, "theory",
                Evidence::simulation, {{"weights", weights}}, says, "at least 800 draws: preset full");
  made.margin = margin;
  return made;
}

/// At words whose entries have variance 1.
void add_draws(const std::vector<Terms>& draws, Summary& summary) {
  summary.table("d9_draws.csv", draws,
                {exact("words", "as in d9_shares.csv; entries of variance 1", &Terms::words),
                 exact("matrix", "as in d9_shares.csv", &Terms::matrix), exact("d", "dimension", &Terms::d),
                 sampled("word_word", "variance of the word-word term over all pairs", &Terms::word_word),
                 sampled("word_position", "of the word-position term", &Terms::word_position),
                 sampled("position_word", "of the position-word term", &Terms::position_word),
                 sampled("position_position", "of the position-position term", &Terms::position_position),
                 sampled("distance_only", "of its mean per lag", &Terms::distance_only)});
}

void conclude(const Cells& cells, Summary& summary) {
  add_draws(rows_of<Terms>(cells), summary);
  std::vector<Mixture> mixtures;
  for (const auto& draws : group_by(rows_of<Terms>(cells), &Terms::words, &Terms::matrix, &Terms::d))
    for (const double ratio : ratios) mixtures.push_back(mixture(draws, ratio));
  add_table(mixtures, summary);
  add_findings(mixtures, summary);
  summary.rule = {
      beside_its_line("heads", 0.005, "Q and K drawn independently",
                      "share of the position–position term in the variance of the score of two sums, random "
                      "Q and K of rank 64, d = 64, against theory from norms and means alone"),
      beside_its_line("tied", 0.01, "Q = K", "the same, Q = K of rank 64, against theory for tied weights")};
}

}  // namespace

Experiment scores_of_sums(const Options& options) {
  Experiment claim{"D9",
                   "The logit of two sums is a sum of four terms, whose sizes follow from the norms of words "
                   "and positions.",
                   "[a, d]"};
  const auto cost = [](const Setting& at) { return at.draws * (4e-10 * at.d * at.d * at.d + 3e-3); };
  claim.measure(settings(options), cost, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
