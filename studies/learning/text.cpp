#include "studies/learning/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perp/io/sha256.hpp"
#include "perp/io/text.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/corpus_cache.hpp"
#include "perp/vectors/corpus_text.hpp"
#include "studies/inputs/words.hpp"

namespace perp::learning {

struct Text::Read {
  std::vector<std::int32_t> learn, test;
};

Text::Text(std::filesystem::path path, std::size_t vocabulary, std::size_t bytes)
    : path_(std::move(path)),
      vocabulary_(vocabulary),
      bytes_(bytes),
      input_{path_.filename().string(), sha256_file(path_)} {}

const Text::Read& Text::read() const {
  std::call_once(once_, [this] {
    const std::string all = read_gzip_or_plain(path_, largest_text_bytes);
    const Corpus corpus = read_corpus(std::string_view(all).substr(0, bytes_), vocabulary_ - 1);
    require(corpus.words.size() == vocabulary_ - 1, "{}: {} different words; expected {} or more",
            path_.filename().string(), corpus.words.size(), vocabulary_ - 1);
    auto read = std::make_shared<Read>();
    const std::size_t learned = corpus.tokens.size() / 10 * 9;
    for (std::size_t i = 0; i < corpus.tokens.size(); ++i)
      (i < learned ? read->learn : read->test)
          .push_back(static_cast<std::int32_t>(std::min<std::size_t>(
              corpus.tokens[i], vocabulary_ - 1)));  // outside_vocabulary is the largest
    require(read->test.size() > task_length, "{}: {} words; expected ten times {} or more",
            path_.filename().string(), corpus.tokens.size(), task_length);
    read_ = std::move(read);
  });
  return *read_;
}

namespace {

/// One word in five is masked, and asked for.
constexpr std::uint32_t one_in = 5;

model::Batch draw_masked(const std::vector<std::int32_t>& text, std::int32_t mask, std::size_t sequences,
                         const Stream& stream) {
  // Integers below the last place to begin at: where sequences begin, then what is masked.
  const auto drawn = below(stream, sequences * (1 + task_length), std::uint32_t(text.size() - task_length));
  model::Batch batch{task_length, {}, {}};
  for (std::size_t i = 0; i < sequences; ++i)
    batch.tokens.insert(batch.tokens.end(), text.begin() + drawn[i], text.begin() + drawn[i] + task_length);
  batch.labels.assign(batch.tokens.size(), model::ignored_target);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r)
    if (drawn[sequences + r] % one_in == 0) batch.labels[r] = std::exchange(batch.tokens[r], mask);
  return batch;
}

}  // namespace

Task Text::task() const {
  const auto draw_from = [this](std::vector<std::int32_t> Read::*part) {
    return [this, part](std::size_t n, const Stream& stream) {
      return draw_masked(read().*part, std::int32_t(vocabulary_), n, stream);
    };
  };
  return {"text", vocabulary_ + 1, vocabulary_, task_length, draw_from(&Read::learn), draw_from(&Read::test)};
}

std::vector<std::string> Text::hashes() const {
  return {input_.sha256, fmt::format("vocabulary {} bytes {}", vocabulary_, bytes_)};
}

double Text::unigram_perplexity() const {
  std::vector<double> counts(vocabulary_, 1.0);  // one each, so that nothing is impossible
  for (const std::int32_t word : read().learn) ++counts[word];
  const double all = double(read().learn.size() + vocabulary_);
  double nats = 0;
  for (const std::int32_t word : read().test) nats -= std::log(counts[word] / all);
  return std::exp(nats / read().test.size());
}

SharedText load_text(const Options& options) {
  const std::optional<std::string> corpus = options.text("corpus");
  if (corpus == "none") return {};
  const std::filesystem::path path = corpus.value_or(std::string(default_corpus));
  if (!std::filesystem::exists(path)) {
    require(!corpus, "--corpus {}: no such file", path.string());
    return {};
  }
  if (options.preset != Preset::long_) return {};
  return std::make_shared<const Text>(path, 4000, largest_text_bytes);
}

}  // namespace perp::learning
