#pragma once
// Learned words kept on disk, so that a text is learned from once.

#include <filesystem>
#include <string>

#include "perp/vectors/corpus.hpp"

namespace perp {

struct CachedWords {
  LearnedWords learned;
  std::string text_sha256;  ///< of the text after decompression
  bool from_cache = false;
};

/// Learns from the file at `text_path` (plain or gzip, dictd's .dz included), or takes what was learned
/// before from the same text with the same options. Creates `folder`; an entry is
///   <key>.npy  the vectors, V x d float32
///   <key>.txt  counts, singular values, words, and the SHA-256 of both files
/// key = SHA-256 of describe(options) and the text's SHA-256. An entry that is incomplete or does not match
/// its checksums is learned again and replaced. Throws Error as `read_gzip_or_plain`, `learn_words`,
/// `write_whole`.
CachedWords learn_words_cached(const std::filesystem::path& text_path, const CorpusOptions& options,
                               const std::filesystem::path& folder, std::size_t threads,
                               const Progress& progress = {});

/// The two files of the entry for a text of that SHA-256.
struct CacheEntry {
  std::filesystem::path vectors, words;
};
CacheEntry cache_entry(const std::filesystem::path& folder, const CorpusOptions& options,
                       const std::string& text_sha256);

/// Longest text read, 4 GiB after decompression: what a broken or hostile .gz may take of memory.
inline constexpr std::size_t largest_text_bytes = std::size_t{4} << 30;

}  // namespace perp
