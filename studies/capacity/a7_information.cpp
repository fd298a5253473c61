// A7: "smaller word and smaller PE, concatenated": the bits of word and position that survive noise, added
// and for every split.

#include "studies/capacity/a7_information.hpp"

#include <algorithm>
#include <numbers>

#include "perp/measures/information.hpp"
#include "perp/theory/information.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

using Sizes = std::vector<std::size_t>;

/// Steps of √2, from noise that hardly disturbs to noise that leaves a few bits; the small grid's first and
/// last are less extreme.
std::vector<double> noises(bool small) {
  std::vector<double> result;
  const int first = small ? -2 : -3, last = small ? 2 : 4;
  for (int step = first; step <= last; ++step) {
    const int whole_steps = step >= 0 ? step / 2 : (step - 1) / 2;
    result.push_back(std::exp2(whole_steps) * (step % 2 ? std::numbers::sqrt2 : 1));
  }
  return result;
}

/// Tables drawn anew. More where they are cheap, and where the numbers are printed.
std::size_t codebooks(Preset preset, std::size_t words) {
  if (preset == Preset::quick) return 20;
  const std::size_t count = words <= 256 ? 20 : words <= 1024 ? 8 : 5;
  return preset == Preset::long_ ? 2 * count : count;
}

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  for (const std::size_t d : pick<Sizes>(options.preset, {32}, {32, 64, 128, 256}, {32, 64, 128, 256}))
    for (const std::size_t words : pick<Sizes>(options.preset, {256}, {256, 1024, 4096}, {256, 1024, 4096}))
      for (std::size_t book = 0; book < codebooks(options.preset, words); ++book) {
        const double v = static_cast<double>(words), samples = pick(options.preset, 1024.0, 1024.0, 4096.0);
        cells.push_back({{{"d", whole(d)},
                          {"v", whole(words)},
                          {"codebook", whole(book)},
                          {"samples", static_cast<std::int64_t>(samples)},
                          {"grid", options.preset == Preset::quick ? "small" : "whole"}},
                         1e-9 * samples * v * (300 + static_cast<double>(d) / 2)});
      }
  return cells;
}

/// Bits [split][noise] of a word that has all but the last (k + 1) d/8 dimensions, and the products over all
/// d.
struct WordChannel {
  std::vector<std::vector<double>> bits;
  CodeProducts all;
};

WordChannel word_channel(const Matrix<float>& words, const Samples& samples,
                         const std::vector<double>& noises) {
  const std::size_t d = cols(words), eighth = d / 8;
  WordChannel channel;
  channel.bits.resize(split_count);
  channel.all = code_products(columns(words, 0, eighth), columns(samples.noise, 0, eighth), samples.words);
  for (std::size_t width = eighth; width < d; width += eighth) {
    std::vector<double>& bits = channel.bits[(d - width) / eighth - 1];
    for (const double noise : noises)
      bits.push_back(
          channel_bits(single_negative_log_likelihoods(channel.all, noise_at(d, noise), word_scale(d, width)),
                       rows(words))
              .value);
    append_columns(channel.all, code_products(columns(words, width, eighth),
                                              columns(samples.noise, width, eighth), samples.words));
  }
  return channel;
}

/// Bits [split][noise] of a position that has the last (k + 1) d/8 dimensions.
std::vector<std::vector<double>> position_channel(Positions family, std::size_t length, std::size_t d,
                                                  const Samples& samples, const Streams& streams,
                                                  const std::vector<double>& noises) {
  std::vector<std::vector<double>> bits;
  for (const std::size_t width : position_widths(d)) {
    const Matrix<float> table = position_table(family, length, width, position_power(d),
                                               streams("split positions", 8192 * length + width));
    const CodeProducts products = code_products(View<float>(table), columns(samples.noise, d - width, width),
                                                samples.positions(length));
    bits.emplace_back();
    for (const double noise : noises)
      bits.back().push_back(
          channel_bits(single_negative_log_likelihoods(products, noise_at(d, noise)), length).value);
  }
  return bits;
}

void add_records(Positions family, std::size_t length, const Matrix<float>& words, const WordChannel& word,
                 const Samples& samples, const Streams& streams, const std::vector<double>& noises,
                 bool with_ceiling, Records& records) {
  const std::size_t d = cols(words);
  const Matrix<float> table =
      position_table(family, length, d, position_power(d), streams("positions", length));
  const CodeProducts positions =
      code_products(View<float>(table), View<float>(samples.noise), samples.positions(length));
  const CrossTable cross = cross_table(View<float>(words), View<float>(table));
  const std::vector<std::vector<double>> split =
      position_channel(family, length, d, samples, streams, noises);
  // The ceiling hardly differs between codebooks, and its eigenvalues are dear.
  const std::vector<double> spectrum =
      with_ceiling ? covariance_eigenvalues(View<float>(words), View<float>(table)) : std::vector<double>{};
  for (std::size_t k = 0; k < noises.size(); ++k) {
    const double noise = noise_at(d, noises[k]);
    const SharedBits bits =
        shared_bits(added_negative_log_likelihoods(word.all, positions, cross, noise), rows(words), length);
    Record record{"bits",
                  {{"l", whole(length)},
                   {"positions", name_of(family)},
                   {"noise", noises[k]},
                   {"adding", bits.both.value},
                   {"adding_word", bits.word.value},
                   {"adding_position", bits.position.value},
                   {"gaussian", spectrum.empty() ? std::nan("") : theory::gaussian_bits(spectrum, noise)}}};
    for (std::size_t s = 0; s < split_count; ++s)
      record.values.emplace_back(split_name(s), word.bits[s][k] + split[s][k]);
    records.push_back(std::move(record));
  }
}

Records run(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), count = size_at(cell.at, "v"),
                    sent = size_at(cell.at, "samples");
  const bool small = text_at(cell.at, "grid") == "small";
  const std::vector<double> levels = noises(small);
  const Matrix<float> words = word_table(count, d, streams("words"));
  const Samples samples = draw_samples(sent, count, d, streams("sent"), streams("noise"));
  const WordChannel word = word_channel(words, samples, levels);
  Records records;
  for (const std::size_t length : small ? Sizes{shown_length} : Sizes{shown_length, 256})
    for (const Positions family : all_positions)
      add_records(family, length, words, word, samples, streams, levels, size_at(cell.at, "codebook") == 0,
                  records);
  return records;
}

}  // namespace

Experiment information_by_split(const Options& options) {
  return {"A7",
          "A smaller word and a smaller position, concatenated.",
          "[e asks]",
          {},
          cells(options),
          run,
          summarise_information};
}

}  // namespace perp::capacity
