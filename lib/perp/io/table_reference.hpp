#pragma once
// Tables as people name them on the command line, FILE or FILE:TENSOR, whatever format the file has.
// table_rows.hpp says which formats there are, and reads them.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "perp/io/table_reference_rows.hpp"

namespace perp {

struct TableReference {
  std::filesystem::path path;
  std::optional<std::string> tensor;  ///< which one, in a file of several
};

/// Splits FILE:TENSOR at the last ':', unless the whole names an existing file; if what stands before that is
/// no file, then at the last ':' behind a file, if any. Throws Error{Exit::unusable}
/// when one side of that ':' is empty; whether the file is there, reading will tell.
TableReference parse_table_reference(std::string_view text);

}  // namespace perp
