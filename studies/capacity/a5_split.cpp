// A5: concatenating needs a split chosen in advance: what the wrong one costs, and adding, which needs none.

#include "studies/capacity/a5_split.hpp"

#include <cmath>
#include <utility>

#include "perp/measures/information.hpp"
#include "perp/theory/information.hpp"
#include "studies/capacity/a7_information.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

std::vector<double> noises() { return {weak_noise, deciding_noise, region_noise, strong_noise}; }

std::size_t codebooks(Preset preset, std::size_t d) {
  return d == region_d ? pick<std::size_t>(preset, 6, 20, 40) : pick<std::size_t>(preset, 0, 8, 20);
}

std::vector<Cell> cells(const Options& options) {
  struct Setting {
    std::size_t d, words, length;
  };
  std::vector<Setting> settings{{region_d, region_words, region_length}};
  if (options.preset != Preset::quick) settings.push_back({64, 1024, 256});
  std::vector<Cell> cells;
  for (const Setting& s : settings)
    for (std::size_t book = 0; book < codebooks(options.preset, s.d); ++book) {
      const std::size_t samples =
          pick<std::size_t>(options.preset, 1024, s.d == region_d ? 4096 : 1024, 4096);
      cells.push_back({{{"d", whole(s.d)},
                        {"v", whole(s.words)},
                        {"l", whole(s.length)},
                        {"codebook", whole(book)},
                        {"samples", whole(samples)}},
                       2e-9 * static_cast<double>(samples * s.words) * static_cast<double>(300 + s.length)});
    }
  return cells;
}

double share(const std::vector<bool>& errors) {
  std::size_t count = 0;
  for (const bool error : errors) count += error;
  return static_cast<double>(count) / static_cast<double>(errors.size());
}
double either(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] || b[i];
  return static_cast<double>(count) / static_cast<double>(a.size());
}

/// Word or position alone: bits and errors at every noise.
struct Channel {
  std::vector<double> bits;
  std::vector<std::vector<bool>> errors;
};

Channel channel_of(const CodeProducts& products, std::size_t d, double scale) {
  Channel channel;
  for (const double noise : noises()) {
    const double n = noise_at(d, noise);
    SingleChannel single = single_channel(products, n, scale);
    channel.bits.push_back(
        channel_bits(single.negative_log_likelihoods, products.half_squared_norms.size()).value);
    channel.errors.push_back(std::move(single.errors));
  }
  return channel;
}

/// Words in the first d - d_p dimensions, d_p = d/16 … 15 d/16, and their products over all d.
struct WordChannels {
  std::vector<Channel> by_split;
  CodeProducts all;
};

WordChannels word_channels(const Matrix<float>& words, const Samples& samples) {
  const std::size_t d = cols(words), step = d / split_steps;
  WordChannels result;
  result.by_split.resize(split_steps - 1);
  result.all = code_products(columns(words, 0, step), columns(samples.noise, 0, step), samples.words);
  for (std::size_t width = step; width < d; width += step) {
    result.by_split[(d - width) / step - 1] = channel_of(result.all, d, word_scale(d, width));
    append_columns(result.all, code_products(columns(words, width, step), columns(samples.noise, width, step),
                                             samples.words));
  }
  return result;
}

Record split_record(Positions family, double noise, std::size_t width) {
  return {"split", {{"positions", name_of(family)}, {"noise", noise}, {"width", whole(width)}}};
}

/// One split, at every noise. With words without limit (white Gaussian ones, of which there are as many as a
/// long block holds) the word's bits are the channel's capacity.
void add_split(Positions family, std::size_t d, std::size_t width, const Channel& word,
               const Channel& position, Records& records) {
  for (std::size_t k = 0; k < noises().size(); ++k) {
    Record record = split_record(family, noises()[k], width);
    const double unlimited =
        theory::white_bits(static_cast<double>(d - width), word_power(d), noise_at(d, noises()[k]));
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
             {"bits", word.bits[k] + position.bits[k]},
             {"word", word.bits[k]},
             {"position", position.bits[k]},
             {"word_known", word.bits[k]},
             {"position_known", position.bits[k]},
             {"word_error", share(word.errors[k])},
             {"position_error", share(position.errors[k])},
             {"error", either(word.errors[k], position.errors[k])},
             {"unlimited", unlimited + position.bits[k]},
             {"unlimited_word", unlimited},
             {"unlimited_position", position.bits[k]}})
      record.values.emplace_back(name, value);
    records.push_back(std::move(record));
  }
}

/// Adding: both corners of its rate region. For words without limit, y - p is white Gaussian of variance
/// 1 + n² while the word is unknown, so the position's bits are those of a channel with that noise.
void add_sum(Positions family, const CodeProducts& words, const CodeProducts& positions,
             const CrossTable& cross, std::size_t d, Records& records) {
  for (const double noise : noises()) {
    const double n = noise_at(d, noise);
    const SharedBits bits = shared_bits(added_negative_log_likelihoods(words, positions, cross, n),
                                        words.half_squared_norms.size(), cols(cross.by_word));
    const AddedErrors errors = added_errors(words, positions, cross, n);
    const double capacity = theory::white_bits(static_cast<double>(d), word_power(d), n),
                 masked = channel_bits(single_negative_log_likelihoods(positions, std::hypot(1, n)),
                                       cols(cross.by_word))
                              .value,
                 known =
                     channel_bits(single_negative_log_likelihoods(positions, n), cols(cross.by_word)).value;
    Record record = split_record(family, noise, 0);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
             {"bits", bits.both.value},
             {"word", bits.word.value},
             {"position", bits.position.value},
             {"word_known", bits.word_given_position.value},
             {"position_known", bits.position_given_word.value},
             {"word_error", share(errors.word)},
             {"position_error", share(errors.position)},
             {"error", either(errors.word, errors.position)},
             {"unlimited", capacity + masked},
             {"unlimited_word", capacity + masked - known},
             {"unlimited_position", masked}})
      record.values.emplace_back(name, value);
    records.push_back(std::move(record));
  }
}

Records run(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), count = size_at(cell.at, "v"), length = size_at(cell.at, "l");
  const Matrix<float> words = word_table(count, d, streams("words"));
  const Samples samples =
      draw_samples(size_at(cell.at, "samples"), count, d, streams("sent"), streams("noise"));
  const WordChannels word = word_channels(words, samples);
  Records records;
  for (const Positions family : all_positions) {
    const Matrix<float> table = position_table(family, length, d, position_power(d), streams("positions"));
    add_sum(family, word.all,
            code_products(View<float>(table), View<float>(samples.noise), samples.positions(length)),
            cross_table(View<float>(words), View<float>(table)), d, records);
    for (std::size_t k = 0; k < word.by_split.size(); ++k) {
      const std::size_t width = (k + 1) * d / split_steps;
      const Matrix<float> narrow =
          position_table(family, length, width, position_power(d), streams("split positions", width));
      add_split(family, d, width, word.by_split[k],
                channel_of(code_products(View<float>(narrow), columns(samples.noise, d - width, width),
                                         samples.positions(length)),
                           d, 1),
                records);
    }
  }
  return records;
}

}  // namespace

Experiment choosing_a_split(const Options& options) {
  return {"A5",
          "Concatenating needs a split between word and position that is chosen in advance.",
          "[e, b]",
          {},
          cells(options),
          run,
          summarise_splits};
}

}  // namespace perp::capacity
