#pragma once
// What a reader sees in place of an identifier: data files and findings keep "copy2", pages and figures say
// "copy two before".

#include <span>
#include <string>
#include <string_view>

namespace perp {

struct DisplayName {
  std::string_view column;      ///< the one column of tables in which it holds; "" for any but "model"
  std::string_view identifier;  ///< as a cell of a CSV file holds it, a code such as "0" too
  std::string_view shown;
};

/// All of them; of an identifier those of one column come before that of any.
std::span<const DisplayName> display_names();

/// What is shown for the identifier in that column; without an entry the identifier.
std::string display_name(std::string_view identifier, std::string_view column = "");

}  // namespace perp
