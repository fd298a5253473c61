#include "studies/learning/text.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "perp/io/inputs.hpp"
#include "perp/io/text.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/corpus.hpp"
#include "studies/inputs/words.hpp"

namespace perp::learning {
namespace {

/// Bytes masked of ten.
constexpr std::uint32_t masked_of_ten = 3;

model::Batch draw_from(std::span<const std::int32_t> text, std::int32_t mask, bool causal,
                       std::size_t sequences, const Stream& stream) {
  const std::size_t tokens = sequences * text_length;
  // Integers below the last place to begin at: where sequences begin, then what is masked.
  const auto drawn = below(stream, sequences + tokens, std::uint32_t(text.size() - text_length));
  model::Batch batch{text_length, std::vector<std::int32_t>(tokens), std::vector<std::int32_t>(tokens)};
  for (std::size_t r = 0; r < tokens; ++r) {
    const std::size_t place = drawn[r / text_length] + r % text_length;
    const bool is_masked = drawn[sequences + r] % 10 < masked_of_ten;
    batch.tokens[r] = !causal && is_masked ? mask : text[place];
    batch.labels[r] = causal ? text[place + 1] : is_masked ? text[place] : model::ignored_target;
  }
  return batch;
}

}  // namespace

Text::Text(std::filesystem::path path)
    : path_(std::move(path)), input_{path_.filename().string(), input_sha256(path_)} {}

std::span<const std::int32_t> Text::Read::part(Part part) const {
  const std::size_t twentieth = bytes.size() / 20;
  const std::span<const std::int32_t> all(bytes);
  switch (part) {
    case Part::learned:
      return all.first(18 * twentieth);
    case Part::learned_by_pairs:
      return all.first(17 * twentieth);
    case Part::judged_on:
      return all.subspan(17 * twentieth, twentieth);
    case Part::chosen_on:
      return all.subspan(18 * twentieth, twentieth);
    case Part::tested:
      break;
  }
  return all.subspan(19 * twentieth);
}

const Text::Read& Text::read() const {
  std::call_once(once_, [this] {
    const std::string text = read_gzip_or_plain(path_, largest_text_bytes);
    constexpr std::size_t least = 40 * (text_length + 1);
    require(text.size() >= least, "{}: a text of {} bytes; expected {} or more", path_.filename().string(),
            text.size(), least);
    std::array<std::int32_t, 256> kinds{};
    for (const char byte : text) kinds[static_cast<unsigned char>(byte)] = 1;
    for (std::int32_t& kind : kinds)
      if (kind > 0) kind = std::int32_t(read_.kinds++);
    for (const char byte : text) read_.bytes.push_back(kinds[static_cast<unsigned char>(byte)]);
  });
  return read_;
}

Task Text::task(std::string_view name, Part test, Part learned) const {
  const std::size_t kinds = read().kinds;
  Task task{kinds + 1, kinds, text_length, 32, model::Activation::gelu, name == causal_text};
  const auto from = [this, causal = task.causal, mask = std::int32_t(kinds)](Part part) {
    return [=, this](std::size_t sequences, const Stream& stream) {
      return draw_from(read().part(part), mask, causal, sequences, stream);
    };
  };
  task.draw = from(learned);
  task.draw_test = from(test);
  return task;
}

double Text::unigram_bits(Part test, Part learned) const {
  std::vector<double> counts(read().kinds, 1.0);  // one each, so that nothing is impossible
  for (const std::int32_t kind : read().part(learned)) ++counts[kind];
  const double all = double(read().part(learned).size() + counts.size());
  double bits = 0;
  for (const std::int32_t kind : read().part(test)) bits -= std::log2(counts[kind] / all);
  return bits / read().part(test).size();
}

SharedText load_text(const Options& options) {
  const std::optional<std::string> corpus = options.text("corpus");
  if (corpus == "none") return {};
  const std::filesystem::path path = corpus.value_or(std::string(default_corpus));
  if (!std::filesystem::exists(path)) {
    require(!corpus, "--corpus {}: no such file", path.string());
    return {};
  }
  return std::make_shared<const Text>(path);
}

}  // namespace perp::learning
