#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzzer.hpp"
#include "perp/io/table_rows.hpp"

// Text from memory; what is compressed by gzip from a file that lies in memory, through zlib.
void perp::test::fuzz(std::string_view bytes) {
  try_table(bytes);
  if (!bytes.starts_with("\x1f\x8b")) return;
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0) return;
  hold(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no room");
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  refused([&] {
    const TableRows table = open_table(TableReference{name, std::nullopt}, {.limit = 1000});
    hold(table.all<float>().size() == table.rows() * table.cols(), "another size");
  });
  ::close(file);
}
