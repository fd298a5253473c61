// A2: words and positions from a band of the dimensions of y = x + A p + noise, by nearest vector in the
// band.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "perp/measures/decoding.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a2_dimensions.hpp"

namespace perp::capacity {
namespace {

/// Factors A before positions, whose entries are then A/√2 of the words' on average: ρ = A/√2.
/// In the order in which shorter runs leave them out.
constexpr std::array<float, 5> factors{1, 4, 2, 6, 8};

/// Columns of a band; random ones are as many as a quarter has.
std::vector<std::uint32_t> columns_of(std::size_t band, const Stream& stream) {
  constexpr std::size_t quarter = band_width / quarters;
  std::vector<std::uint32_t> columns(band_width);
  std::iota(columns.begin(), columns.end(), 0U);
  if (band == quarters + 1) return columns;
  if (band == quarters) {
    columns = permutation(stream, band_width);
    columns.resize(quarter);
    return columns;
  }
  const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(band * quarter);
  return {begin, begin + quarter};
}

Matrix<float> restricted(const Matrix<float>& table, const std::vector<std::uint32_t>& columns) {
  Matrix<float> out = matrix<float>(rows(table), columns.size());
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) out(i, j) = table(i, columns[j]);
  return out;
}

Matrix<float> centred(const Matrix<float>& table) {
  Matrix<float> out = table;
  for (std::size_t j = 0; j < cols(table); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows(table); ++i) mean += table(i, j) / static_cast<double>(rows(table));
    for (std::size_t i = 0; i < rows(table); ++i) out(i, j) = static_cast<float>(table(i, j) - mean);
  }
  return out;
}

/// What was sent: word, position and noise of each trial.
struct Trials {
  std::vector<std::uint32_t> word, place;
  Matrix<float> noise;
};

Trials draw(std::size_t count, std::size_t words, const Streams& streams) {
  Trials trials{below(streams("word sent"), count, static_cast<std::uint32_t>(words)),
                below(streams("place sent"), count, band_positions), matrix<float>(count, band_width)};
  fill_normal(streams("noise"), std::span<float>(trials.noise.data(), trials.noise.size()));
  return trials;
}

/// A band's columns of everything.
struct BandView {
  const char* name;
  Matrix<float> words, positions, noise;
};

/// x + A p + noise in one band, trials x k.
Matrix<float> sums(const Trials& trials, const BandView& band, const Matrix<float>& positions, float factor,
                   float deviation) {
  Matrix<float> out = matrix<float>(trials.word.size(), cols(band.words));
  for (std::size_t i = 0; i < rows(out); ++i) {
    const std::span<const float> x = row(band.words, trials.word[i]), p = row(positions, trials.place[i]);
    const std::span<const float> e = row(band.noise, i);
    const std::span<float> y = row(out, i);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] = x[j] + factor * p[j] + deviation * e[j];
  }
  return out;
}

/// P(right word) for a squared disturbance s, read off a grid in √s: one integral takes milliseconds.
class WordLine {
 public:
  WordLine(std::size_t k, std::size_t words, double largest) : step_(std::sqrt(largest) / points) {
    for (std::size_t i = 0; i <= points; ++i)
      share_.push_back(theory::word_from_dimensions(k, words, std::pow(static_cast<double>(i) * step_, 2)));
  }
  double at(double s) const {
    const double x = std::sqrt(s) / step_;
    const std::size_t i = std::min(static_cast<std::size_t>(x), points - 1);
    return std::lerp(share_[i], share_[i + 1], x - static_cast<double>(i));
  }

 private:
  static constexpr std::size_t points = 120;
  double step_;
  std::vector<double> share_;
};

/// The line's mean over all positions, without noise.
double expected(const WordLine& line, const Matrix<float>& positions, double factor) {
  double sum = 0;
  for (std::size_t t = 0; t < rows(positions); ++t) {
    double square = 0;
    for (const float p : row(positions, t)) square += static_cast<double>(p) * p;
    sum += line.at(factor * factor * square);
  }
  return sum / static_cast<double>(rows(positions));
}

/// How positions were added.
struct Setting {
  float factor;
  bool centred, noisy;
};

Record words_read(const BandView& band, const Trials& trials, const Setting& setting, std::size_t right,
                  double line) {
  return {"word",
          {{"band", std::string(band.name)},
           {"factor", static_cast<std::int64_t>(setting.factor)},
           {"centred", std::string(setting.centred ? "centred" : "as_is")},
           {"noise", std::int64_t{setting.noisy}},
           {"right", whole(right)},
           {"sent", whole(trials.word.size())},
           {"line", line}}};
}

/// Words found as positions are and centred; with noise for the quarters that are compared.
void read_words(const BandView& band, const Trials& trials, const WordLine* line, float factor,
                Records& records) {
  const bool compared = band.name == std::string_view("first") || band.name == std::string_view("last");
  const Matrix<float> middle = centred(band.positions);
  for (const bool noisy : {false, true})
    for (const bool centre : {false, true}) {
      if (noisy && (!compared || factor != compared_factor)) continue;
      const Matrix<float>& added = centre ? middle : band.positions;
      const Matrix<float> y = sums(trials, band, added, factor, noisy ? 1 : 0);
      const Hits hits = count_hits(nearest_words(y, band.words), trials.word);
      records.push_back(words_read(band, trials, {factor, centre, noisy}, hits.right,
                                   line && !noisy ? expected(*line, added, factor) : std::nan("")));
    }
}

/// Positions found; the word, unknown, is noise. A shift of all positions changes nothing here.
void read_positions(const BandView& band, const Trials& trials, float factor, Records& records) {
  Matrix<float> places = band.positions;
  for (std::size_t i = 0; i < places.size(); ++i) places.data()[i] *= factor;
  const std::vector<std::uint32_t> place =
      nearest_words(sums(trials, band, band.positions, factor, 0), places);
  double off = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    off += std::abs(static_cast<double>(place[i]) - trials.place[i]);
  records.push_back({"position",
                     {{"band", std::string(band.name)},
                      {"factor", static_cast<std::int64_t>(factor)},
                      {"right", whole(count_hits(place, trials.place).right)},
                      {"sent", whole(trials.word.size())},
                      {"off", off}}});
}

}  // namespace

Records run_bands(const Cell& cell, const Streams& streams) {
  const std::size_t count = size_at(cell.at, "words"), codebook = size_at(cell.at, "codebook");
  const Matrix<float> words = draw_words(Family::gaussian, count, band_width, streams("words"));
  const Matrix<float> positions = sinusoidal<float>(band_positions, band_width);
  const Trials trials = draw(size_at(cell.at, "trials"), count, streams);
  const std::size_t factor_count = size_at(cell.at, "factors");
  // No entry of a position exceeds 1, so no squared disturbance exceeds this times the dimensions seen.
  const double largest = static_cast<double>(factors.back()) * factors.back();
  const auto line_of = [&](std::size_t k) { return WordLine(k, count, largest * static_cast<double>(k)); };
  const WordLine quarter = line_of(band_width / quarters);
  const std::optional<WordLine> whole_width =
      codebook == 0 ? std::optional(line_of(band_width)) : std::nullopt;
  // Each cell draws random columns of its own, with their line; the other lines are the same in every cell.
  const auto line_of_band = [&](std::size_t b) -> const WordLine* {
    if (b == quarters) return &quarter;
    if (codebook != 0) return nullptr;
    return b == quarters + 1 ? &*whole_width : &quarter;
  };
  Records records;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const std::vector<std::uint32_t> columns = columns_of(b, streams("columns"));
    const BandView band{bands[b], restricted(words, columns), restricted(positions, columns),
                        restricted(trials.noise, columns)};
    const WordLine* line = line_of_band(b);
    for (std::size_t f = 0; f < factor_count; ++f) {
      read_words(band, trials, line, factors[f], records);
      read_positions(band, trials, factors[f], records);
    }
  }
  return records;
}

}  // namespace perp::capacity
