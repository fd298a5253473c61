#pragma once
// SHA-256, for the hashes that say which input a result came from. Source: NIST FIPS 180-4 (2015),
// section 6.2.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace perp {

/// Takes the message piece by piece.
class Sha256 {
 public:
  void append(std::string_view bytes);

  /// The digest of everything appended so far, as 64 lower-case hexadecimal digits. More may be appended
  /// after.
  std::string hex() const;

 private:
  void compress(const unsigned char* block);

  // The first 32 bits of the fractional parts of the square roots of the first eight primes (section 5.3.3).
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::uint64_t bytes_ = 0;
};

/// The digest of `bytes`.
std::string sha256_hex(std::string_view bytes);

/// The digest of the file's bytes, whatever its size. Throws Error as InputFile does.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace perp
