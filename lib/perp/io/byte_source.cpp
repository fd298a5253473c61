#include "perp/io/byte_source.hpp"

#include <algorithm>
#include <utility>

namespace perp {

ByteSource::ByteSource(const std::filesystem::path& path) : path_(path) {
  file_.emplace(path);
  size_ = file_->size();
}

ByteSource::ByteSource(std::filesystem::path name, InMemory memory)
    : path_(std::move(name)), memory_(std::move(memory)), size_(memory_.bytes.size()) {}

std::optional<std::string_view> ByteSource::memory() const noexcept {
  return file_ ? std::nullopt : std::optional(memory_.bytes);
}

void ByteSource::read(std::uint64_t from, char* to, std::size_t count) const {
  if (file_) return file_->read_at(from, to, count);
  if (from > size_ || count > size_ - from) refuse_early_end(path_, count);
  std::copy_n(memory_.bytes.data() + from, count, to);
}

std::string ByteSource::beginning(std::size_t count) const {
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, size_)), '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace perp
