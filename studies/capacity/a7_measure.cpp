#include "studies/capacity/a7_measure.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/reader.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/theory/reader.hpp"
#include "perp/vectors/words.hpp"

namespace perp::capacity {
namespace {

using Settings = std::vector<Setting>;
/// Bits of a sum that the two ideal readers get.
struct IdealBits {
  double joint = 0, separate = 0;
};

/// Widths d/8 … d/2 times shares of the power; a sum may spread its position over all d, too.
Settings settings_of(const ReaderPlace& at, bool is_sum) {
  Sizes widths;
  for (std::size_t eighth = 1; eighth <= 4; ++eighth) widths.push_back(eighth * at.d / 16 * 2);
  if (is_sum) widths.push_back(at.d);
  Settings settings;
  for (const std::size_t width : widths)
    for (const double share : shares) settings.push_back({width, share});
  return settings;
}

/// Columns of unequal variance, strongest first.
Matrix<float> shaped(View<float> table, double exponent) {
  std::vector<double> variances(table.cols);
  for (std::size_t j = 0; j < table.cols; ++j) variances[j] = std::pow(double(j + 1), -exponent);
  const double mean = std::accumulate(variances.begin(), variances.end(), 0.0) / double(table.cols);
  Matrix<float> out = matrix<float>(table.rows, table.cols);
  for (std::size_t i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < table.cols; ++j)
      out(i, j) = float(table(i, j) * std::sqrt(variances[j] / mean));
  return out;
}

/// Words, samples and positions of one codebook.
class Codebook {
 public:
  Codebook(const ReaderPlace& at, const Streams& streams, const Spectrum& spectrum, std::size_t number,
           std::size_t samples)
      : at_(at),
        streams_(streams),
        number_(number),
        exponent_(spectrum.exponent),
        words_(word_table(at.v, at.d, streams("words", number))),
        sent_(draw_samples(samples, at.v, at.d, streams("sent", number), streams("noise", number))),
        places_(sent_.positions(at.l)) {
    if (spectrum.is_zipf) {
      chances_ = zipf_chances(at.v);
      const std::vector<std::uint32_t> words = drawn_text(samples, chances_, streams("zipf", number));
      sent_.words.assign(words.begin(), words.end());
    }
    if (exponent_ == 0) return;
    uneven_ = shaped(words_, exponent_);
    if (spectrum.is_turned) uneven_ = product(uneven_, random_rotation(at.d, streams("turn", number)));
  }

  /// The words, to who reads positions.
  Interference interference() const { return Interference(added_words(), chances_); }

  /// Bits of a concatenation.
  Values splits(const Settings& settings, double noise) const {
    Values bits;
    for_each_width(settings, [&](std::size_t width, const Values& at_width) {
      const Matrix<float> table = positions(width);
      const std::size_t rest = at_.d - width;
      const View<float> flat = columns(words_, 0, rest);
      const Matrix<float> uneven = exponent_ == 0 ? Matrix<float>() : shaped(flat, exponent_);
      const LinearReader word(exponent_ == 0 ? flat : View<float>(uneven), sent_.words,
                              columns(sent_.noise, 0, rest)),
          position(table, places_, columns(sent_.noise, rest, width));
      for (const double share : at_width)
        bits.push_back(word.bits(noise, {word_amplitude(at_.d, rest, share), 0}, chances_).value +
                       position.bits(noise, {position_amplitude(at_.d, share), 0}).value);
    });
    return bits;
  }
  /// Bits of a sum that the linear reader gets; words: their `interference`.
  Values sums(const Settings& settings, double noise, const Interference& words) const {
    Values bits;
    for_each_width(settings, [&](std::size_t width, const Values& at_width) {
      const Matrix<float> table = positions(width);
      const LinearReader word(added_words(), sent_.words, sent_.noise, Interference(table), places_),
          position(placed(table, at_.d - cols(table), at_.d), places_, sent_.noise, words, sent_.words);
      for (const double share : at_width) {
        const double a = word_amplitude(at_.d, at_.d, share), b = position_amplitude(at_.d, share);
        bits.push_back(word.bits(noise, {a, b}, chances_).value + position.bits(noise, {b, a}).value);
      }
    });
    return bits;
  }
  std::vector<IdealBits> ideal_sums(const Settings& settings, double noise) const {
    std::vector<IdealBits> bits;
    const CodeProducts word = code_products(words_, sent_.noise, sent_.words);
    for_each_width(settings, [&](std::size_t width, const Values& at_width) {
      const Matrix<float> table = positions(width);
      const CodeProducts position = position_products(table, sent_);
      const CrossTable cross = narrow_cross(words_, table);
      for (const double share : at_width) {
        const SharedBits ideal =
            shared_bits(word, position, cross, noise,
                        {word_amplitude(at_.d, at_.d, share), position_amplitude(at_.d, share)});
        bits.push_back({ideal.both.value, ideal.word.value + ideal.position.value});
      }
    });
    return bits;
  }
  /// What the linear reader of a sum gets, by theory: of words by the law of random tables, of positions by
  /// their table alone, each through white noise as wide as interference makes it.
  double predicted(const Setting& setting, double noise, const Interference& words) const {
    const double a = word_amplitude(at_.d, at_.d, setting.share),
                 b = position_amplitude(at_.d, setting.share);
    const Matrix<float> table = positions(setting.width);
    const auto beside = [&](const Interference& other, double scale, double variance) {
      std::vector<double> axes(at_.d, 0.0);
      std::ranges::transform(other.variances(), axes.begin(), [=](double v) { return v * scale * scale; });
      return theory::noise_beside(noise, variance, axes);
    };
    const LinearReader alone(table, places_, columns(sent_.noise, at_.d - setting.width, setting.width));
    return theory::table_bits(double(at_.v), at_.d, a * a * double(at_.d),
                              beside(Interference(table), b, a * a)) +
           alone.bits(beside(words, a, b * b / double(setting.width)), {b, 0}).value;
  }

 private:
  View<float> added_words() const { return exponent_ == 0 ? words_ : uneven_; }
  Matrix<float> positions(std::size_t width) const {
    return position_table(family_named(at_.positions), at_.l, width,
                          streams_("positions", number_ * 4096 + width));
  }
  /// Tables serve all shares of one width, which follow each other.
  template <class Use>
  static void for_each_width(const Settings& settings, const Use& use) {
    for (auto from = settings.begin(); from != settings.end();) {
      const auto to =
          std::find_if(from, settings.end(), [&](const Setting& s) { return s.width != from->width; });
      Values at_width;
      for (auto s = from; s != to; ++s) at_width.push_back(s->share);
      use(from->width, at_width);
      from = to;
    }
  }
  ReaderPlace at_;
  Streams streams_;
  std::size_t number_;
  double exponent_;
  Matrix<float> words_, uneven_;  ///< flat; of a sum of uneven ones
  Samples sent_;
  Sizes places_;
  Values chances_;  ///< of words that are not equally likely
};

/// The chooser codebooks of a cell, one in memory at a time.
class Choosing {
 public:
  Choosing(const ReaderPlace& at, const Streams& streams, const Spectrum& spectrum)
      : at_(at), streams_(streams), spectrum_(spectrum) {}

  Values mean_splits(const Settings& settings, double noise) const {
    return mean(at_.choosing_samples, settings.size(),
                [&](const Codebook& book) { return book.splits(settings, noise); });
  }
  Values mean_sums(const Settings& settings, double noise) const {
    return mean(at_.choosing_samples, settings.size(),
                [&](const Codebook& book) { return book.sums(settings, noise, book.interference()); });
  }
  /// Of the joint reader, behind them those of the separate one.
  Values mean_ideal_sums(const Settings& settings, double noise) const {
    return mean(at_.ideal_choosing_samples, 2 * settings.size(), [&](const Codebook& book) {
      const std::vector<IdealBits> ideal = book.ideal_sums(settings, noise);
      Values bits;
      for (const IdealBits& at : ideal) bits.push_back(at.joint);
      for (const IdealBits& at : ideal) bits.push_back(at.separate);
      return bits;
    });
  }
  /// Noise at which this concatenation carries the cell's share, three digits.
  double noise_for(const Setting& setting, double guess) const {
    const double wanted = double(at_.carried) / 100 * std::log2(double(at_.v) * double(at_.l));
    std::uintmax_t steps = 60;
    const auto [low, high] = boost::math::tools::bracket_and_solve_root(
        [&](double noise) { return mean_splits({setting}, noise).front() - wanted; }, guess, 1.15, false,
        [](double a, double b) { return b < (1 + 1e-7) * a; }, steps);
    const double noise = (low + high) / 2, digit = std::pow(10, std::floor(std::log10(noise)) - 2);
    return std::round(noise / digit) * digit;
  }
  /// Where white Gaussian power would carry twice what log2(VL) asks for.
  double first_guess() const {
    const double bits = 2 * std::log2(double(at_.v) * double(at_.l));
    return std::sqrt(total_power(at_.d) / double(at_.d) /
                     std::expm1(2 * bits / double(at_.d) * std::log(2.0)));
  }

 private:
  template <class Measure>
  Values mean(std::size_t samples, std::size_t count, const Measure& measure) const {
    Values total(count, 0.0);
    for (std::size_t number = 0; number < at_.choosers; ++number) {
      expect_no_interrupt();
      const Values bits = measure(Codebook(at_, streams_, spectrum_, number, samples));
      for (std::size_t s = 0; s < count; ++s) total[s] += bits[s] / double(at_.choosers);
    }
    return total;
  }
  ReaderPlace at_;
  Streams streams_;
  Spectrum spectrum_;
};

}  // namespace

Chosen chosen_of(const ReaderPlace& at, const Streams& streams, const Spectrum& spectrum) {
  const Choosing choosing(at, streams, spectrum);
  const Settings splits = settings_of(at, false), sums = settings_of(at, true);
  // Chosen at the noise of a plain one, then at its own, until both are of one noise.
  Chosen chosen{.noise = choosing.noise_for({at.d * 3 / 16 * 2, shares[3]}, choosing.first_guess())};
  for (int round = 0; round < 4; ++round) {
    const Setting best = splits[first_of_best(choosing.mean_splits(splits, chosen.noise))];
    if (best.width == chosen.split.width && best.share == chosen.split.share) break;
    chosen.split = best;
    chosen.noise = choosing.noise_for(best, chosen.noise);
  }
  chosen.linear = sums[first_of_best(choosing.mean_sums(sums, chosen.noise))];
  if (at.ideal_samples > 0) {
    const Values ideal = choosing.mean_ideal_sums(sums, chosen.noise);
    chosen.joint = sums[first_of_best(std::span(ideal).first(sums.size()))];
    chosen.separate = sums[first_of_best(std::span(ideal).last(sums.size()))];
  }
  return chosen;
}

double reading_cost(const ReaderPlace& at) {
  const double choosing = double(at.choosers * at.choosing_samples),
               measuring = double(at.codebooks * at.samples), pairs = double(at.v) * double(at.d),
               ideal =
                   double(at.choosers * at.ideal_choosing_samples * 25 + at.codebooks * at.ideal_samples * 2);
  return 4e-11 * pairs * (choosing * 60 + measuring * 3) +
         1e-9 * double(at.v) * (4 + double(at.l) / 10) * ideal + 1e-8 * pairs * double(at.choosers * 20) +
         6e-11 * pairs * double(at.d) * double(at.choosers * 3 + at.codebooks * 3);
}

std::vector<ReaderBits> measure_readers(const ReaderPlace& at, const Streams& streams,
                                        const Spectrum& spectrum) {
  std::vector<ReaderBits> rows;
  const Chosen chosen = chosen_of(at, streams, {spectrum.exponent, spectrum.is_turned});
  const Setting &split = chosen.split, &joint = chosen.joint, &separate = chosen.separate;
  for (std::size_t number = at.choosers; number < at.choosers + at.codebooks; ++number) {
    expect_no_interrupt();
    const auto add = [&](const char* reader, double split_bits, const Setting& sum, double bits,
                         double predicted) {
      rows.push_back({at, reader, number, chosen.noise, split.width, split.share, split_bits, sum.width,
                      sum.share, bits, predicted});
    };
    {
      const Codebook book(at, streams, spectrum, number, at.samples);
      const Interference words = book.interference();
      add("linear", book.splits({split}, chosen.noise).front(), chosen.linear,
          book.sums({chosen.linear}, chosen.noise, words).front(),
          book.predicted(chosen.linear, chosen.noise, words));
    }
    if (at.ideal_samples == 0) continue;
    const Codebook book(at, streams, spectrum, number, at.ideal_samples);
    const double split_bits = book.splits({split}, chosen.noise).front();
    add("joint", split_bits, joint, book.ideal_sums({joint}, chosen.noise).front().joint, NAN);
    add("separate", split_bits, separate, book.ideal_sums({separate}, chosen.noise).front().separate, NAN);
  }
  return rows;
}

namespace {

constexpr double carried = 0.9;
constexpr std::size_t rotations = 8;

/// Nats of both tables, sample by sample.
Values heard(const LinearReader& words, const LinearReader& positions, double noise) {
  const auto of_words = words.read(noise), of_positions = positions.read(noise);
  Values nats;
  for (std::size_t i = 0; i < of_words.size(); ++i) nats.push_back(of_words[i].nats + of_positions[i].nats);
  return nats;
}

}  // namespace

std::vector<ReleasedBits> measure_reading(std::size_t samples, const Matrix<float>& words,
                                          const Matrix<float>& positions, const Streams& streams) {
  const std::size_t v = rows(words), l = rows(positions), d = cols(words);
  const Samples sent = draw_samples(samples, v, d, streams("sent"), streams("noise"));
  const Sizes places = sent.positions(l);
  const LinearReader word(words, sent.words, sent.noise), position(positions, places, sent.noise);
  const auto beyond = [&](double log_noise) {
    const double n = std::exp(log_noise);
    return word.bits(n).value + position.bits(n).value - carried * std::log2(double(v) * double(l));
  };
  const double size = std::log(mean_square_length(words) / double(d)) / 2, least = size - 6, most = size + 4;
  if (!(beyond(least) > 0 && beyond(most) < 0)) return {};
  std::uintmax_t steps = 40;
  const auto [low, high] = boost::math::tools::toms748_solve(
      beyond, least, most, [](double a, double b) { return b - a < 1e-6; }, steps);
  const double n = std::exp((low + high) / 2);

  const Values alone = heard(word, position, n);
  std::vector<ReleasedBits> found;
  const auto add = [&](const char* standing, std::size_t rotation, const Values& nats) {
    MomentSums sums;
    for (std::size_t i = 0; i < samples; ++i) sums.add((nats[i] - alone[i]) / std::numbers::ln2);
    const Moments lost = sums.moments();
    found.push_back(
        {standing, rotation, lost.mean, standard_error(lost), word.bits(n).value + position.bits(n).value});
  };
  const Interference of_words{View<float>(words)};
  const auto beside = [&](const Matrix<float>& table, const Matrix<float>& noise) {
    return heard(LinearReader(words, sent.words, sent.noise, Interference(table), places),
                 LinearReader(table, places, noise, of_words, sent.words), n);
  };
  // Noise turns with the positions: alone they are read as before, and what changes is the words' doing.
  const auto turned = [&](const Matrix<float>& rotation) {
    return beside(product(positions, rotation), product(sent.noise, rotation));
  };
  add("as_released", 0, beside(positions, sent.noise));
  for (std::size_t r = 0; r < rotations; ++r)
    add("random", r, turned(random_rotation(d, streams("rotation", r))));
  return found;
}

}  // namespace perp::capacity
