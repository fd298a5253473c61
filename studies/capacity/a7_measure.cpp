#include "studies/capacity/a7_measure.hpp"

#include <algorithm>
#include <array>

#include "perp/base/linalg.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/reader.hpp"
#include "perp/theory/reader.hpp"

namespace perp::capacity {
namespace {

using Settings = std::vector<Setting>;
constexpr const char* readers[] = {"linear", "joint", "separate"};
/// By reader.
using SumBits = std::array<double, std::size(readers)>;

Positions family_of(const ReaderPlace& at) {
  return *std::ranges::find(all_positions, at.positions, [](Positions family) { return name_of(family); });
}

/// Widths d/8 … d/2 times shares of the power; a sum may spread its position over all d, too.
Settings settings_of(const ReaderPlace& at, bool is_sum) {
  Settings settings;
  for (const std::size_t eighth : {1, 2, 3, 4, 8})
    if (eighth < 8 || is_sum)
      for (const double share : shares)
        settings.push_back({eighth < 8 ? eighth * at.d / 16 * 2 : at.d, share});
  return settings;
}

/// The table in the last of d coordinates.
Matrix<float> padded(const Matrix<float>& table, std::size_t d) {
  Matrix<float> wide = zeros<float>(rows(table), d);
  for (std::size_t i = 0; i < rows(table); ++i)
    std::ranges::copy(row(table, i), row(wide, i).end() - std::ptrdiff_t(cols(table)));
  return wide;
}

/// Words, samples and positions of one codebook.
class Codebook {
 public:
  Codebook(const ReaderPlace& at, const Streams& streams, std::size_t number, std::size_t samples)
      : at_(at),
        streams_(streams),
        number_(number),
        words_(word_table(at.v, at.d, streams("words", number))),
        sent_(draw_samples(samples, at.v, at.d, streams("sent", number), streams("noise", number))),
        places_(sent_.positions(at.l)) {}

  /// Bits of a concatenation.
  Values splits(const Settings& settings, double noise) const {
    Values bits;
    for_each_width(settings, [&](std::size_t width, const Values& at_width) {
      const Matrix<float> table = positions(width);
      const std::size_t rest = at_.d - width;
      const LinearReader word(columns(words_, 0, rest), sent_.words, columns(sent_.noise, 0, rest)),
          position(table, places_, columns(sent_.noise, rest, width));
      for (const double share : at_width)
        bits.push_back(word.bits(noise, {word_amplitude(at_.d, rest, share), 0}).value +
                       position.bits(noise, {position_amplitude(at_.d, share), 0}).value);
    });
    return bits;
  }
  /// Bits of a sum by reader; NaN for ideal ones that have too many pairs to weigh.
  std::vector<SumBits> sums(const Settings& settings, double noise) const {
    std::vector<SumBits> bits;
    for_each_width(settings, [&](std::size_t width, const Values& at_width) {
      const Matrix<float> table = positions(width), wide = padded(table, at_.d);
      const LinearReader word(words_, sent_.words, sent_.noise, wide, places_),
          position(wide, places_, sent_.noise, words_, sent_.words);
      for (const double share : at_width) {
        const double a = word_amplitude(at_.d, at_.d, share), b = position_amplitude(at_.d, share);
        bits.push_back({word.bits(noise, {a, b}).value + position.bits(noise, {b, a}).value, NAN, NAN});
      }
      if (has_ideal(at_)) add_ideal(table, at_width, noise, std::span(bits).last(at_width.size()));
    });
    return bits;
  }
  /// What the linear reader of a sum gets, by theory: of words by the law of random tables, of positions by
  /// their table alone, each through white noise as wide as interference makes it.
  double predicted(const Setting& setting, double noise) const {
    const double a = word_amplitude(at_.d, at_.d, setting.share),
                 b = position_amplitude(at_.d, setting.share);
    const Matrix<float> table = positions(setting.width), wide = padded(table, at_.d);
    const auto beside = [noise](const Matrix<float>& other, double scale, double variance) {
      std::vector<double> axes = symmetric_eigenvalues(covariance(other));
      for (double& axis : axes) axis *= scale * scale;
      return theory::noise_beside(noise, variance, axes);
    };
    const LinearReader alone(table, places_, columns(sent_.noise, at_.d - setting.width, setting.width));
    return theory::table_bits(double(at_.v), at_.d, a * a * double(at_.d), beside(wide, b, a * a)) +
           alone.bits(beside(words_, a, b * b / double(setting.width)), {b, 0}).value;
  }

 private:
  Matrix<float> positions(std::size_t width) const {
    return position_table(family_of(at_), at_.l, width, streams_("positions", number_ * 4096 + width));
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
  void add_ideal(const Matrix<float>& table, const Values& at_width, double noise,
                 std::span<SumBits> bits) const {
    const CodeProducts word = code_products(words_, sent_.noise, sent_.words),
                       position = position_products(table, sent_);
    const CrossTable cross = narrow_cross(words_, table);
    for (std::size_t s = 0; s < at_width.size(); ++s) {
      const Scales scales{word_amplitude(at_.d, at_.d, at_width[s]), position_amplitude(at_.d, at_width[s])};
      const SharedBits ideal = shared_bits(word, position, cross, noise, scales);
      bits[s][1] = ideal.both.value;
      bits[s][2] = ideal.word.value + ideal.position.value;
    }
  }

  ReaderPlace at_;
  Streams streams_;
  std::size_t number_;
  Matrix<float> words_;
  Samples sent_;
  Sizes places_;
};

/// The chooser codebooks of a cell, one in memory at a time.
class Choosing {
 public:
  Choosing(const ReaderPlace& at, const Streams& streams) : at_(at), streams_(streams) {}

  Values mean_splits(const Settings& settings, double noise) const {
    Values total(settings.size(), 0.0);
    each([&](const Codebook& book) {
      const Values bits = book.splits(settings, noise);
      for (std::size_t s = 0; s < bits.size(); ++s) total[s] += bits[s] / double(at_.choosers);
    });
    return total;
  }
  std::vector<SumBits> mean_sums(const Settings& settings, double noise) const {
    std::vector<SumBits> total(settings.size(), SumBits{});
    each([&](const Codebook& book) {
      const std::vector<SumBits> bits = book.sums(settings, noise);
      for (std::size_t s = 0; s < bits.size(); ++s)
        for (std::size_t r = 0; r < std::size(readers); ++r) total[s][r] += bits[s][r] / double(at_.choosers);
    });
    return total;
  }
  /// Noise at which this concatenation carries the cell's share, by bisection between what white Gaussian
  /// power allows and an eighth of it; three digits.
  double noise_for(const Setting& setting) const {
    const double wanted = double(at_.carried) / 100 * std::log2(double(at_.v) * double(at_.l));
    const double capacity = std::expm1(wanted * 2 / double(at_.d) * std::log(2.0));
    double high = std::sqrt(total_power(at_.d) / double(at_.d) / capacity), low = high / 8;
    while (high / low > 1.001) {
      const double middle = std::sqrt(low * high);
      (mean_splits({setting}, middle).front() > wanted ? low : high) = middle;
    }
    const double digit = std::pow(10, std::floor(std::log10(low)) - 2);
    return std::round(low / digit) * digit;
  }

 private:
  template <class Use>
  void each(const Use& use) const {
    for (std::size_t book = 0; book < at_.choosers; ++book)
      use(Codebook(at_, streams_, book, at_.choosing_samples));
  }
  ReaderPlace at_;
  Streams streams_;
};

/// The first within `level_bits` of the best.
std::size_t best_of(const Values& means) {
  const double least = std::ranges::max(means) - level_bits;
  return std::size_t(std::ranges::find_if(means, [least](double m) { return m >= least; }) - means.begin());
}

struct Chosen {
  double noise;
  Setting split;
  std::array<Setting, std::size(readers)> sums;
};

Chosen chosen_of(const ReaderPlace& at, const Choosing& choosing) {
  const Settings splits = settings_of(at, false), sums = settings_of(at, true);
  // Chosen at the noise of a plain one, then at its own, until both are of one noise.
  Chosen chosen{choosing.noise_for({at.d / 8 * 3 / 2 * 2, shares[3]}), {}, {}};
  for (int round = 0; round < 4; ++round) {
    const Setting best = splits[best_of(choosing.mean_splits(splits, chosen.noise))];
    if (best.width == chosen.split.width && best.share == chosen.split.share) break;
    chosen.split = best;
    chosen.noise = choosing.noise_for(best);
  }
  const std::vector<SumBits> bits = choosing.mean_sums(sums, chosen.noise);
  for (std::size_t r = 0; r < std::size(readers); ++r) {
    Values means;
    for (const SumBits& of_setting : bits) means.push_back(of_setting[r]);
    chosen.sums[r] = std::isnan(means.front()) ? Setting{} : sums[best_of(means)];
  }
  return chosen;
}

}  // namespace

double reading_cost(const ReaderPlace& at) {
  const double choosing = double(at.choosers * at.choosing_samples),
               measuring = double(at.codebooks * at.samples), pairs = double(at.v) * double(at.d),
               ideal = has_ideal(at) ? 4e-8 * double(at.v) * (1 + at.l / 20.0) : 0;
  return 3e-11 * pairs * (choosing * 75 + measuring * 3) + ideal * (choosing * 25 + measuring * 2) +
         6e-11 * pairs * double(at.d) * double(at.choosers * 5 + at.codebooks * 3);
}

void measure_readers(const ReaderPlace& at, const Streams& streams, Rows& rows) {
  const Chosen chosen = chosen_of(at, Choosing(at, streams));
  for (std::size_t book = at.choosers; book < at.choosers + at.codebooks; ++book) {
    const Codebook codebook(at, streams, book, at.samples);
    const double split = codebook.splits({chosen.split}, chosen.noise).front();
    for (std::size_t r = 0; r < std::size(readers); ++r) {
      const Setting& sum = chosen.sums[r];
      if (sum.width == 0) continue;
      rows.add(ReaderBits{at, readers[r], book, chosen.noise, chosen.split.width, chosen.split.share, split,
                          sum.width, sum.share, codebook.sums({sum}, chosen.noise).front()[r],
                          r == 0 ? codebook.predicted(sum, chosen.noise) : NAN});
    }
  }
}

}  // namespace perp::capacity
