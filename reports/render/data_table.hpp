#pragma once
// Markdown tables: a part of a CSV table, the findings of a claim, the ledger of all claims.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/display.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/links.hpp"

namespace perp::report {

/// Longer tables are for programs: a page shows this many rows and links the file.
inline constexpr std::size_t most_rows = 20;

/// A cell: Markdown, or a formatted number.
struct MarkdownCell {
  std::string markdown;
  bool is_number = false;

  MarkdownCell(std::string text, bool number = false) : markdown(std::move(text)), is_number(number) {}
};

using MarkdownRows = std::vector<std::vector<MarkdownCell>>;

/// Columns in which every cell is a number are right-aligned.
std::string markdown_table(const std::vector<std::string>& heads, const MarkdownRows& rows);

/// What {{table …}} prints; `arguments` is what follows the word:
///   study/file.csv columns=a,b:.3f,c[]:.2f as "Head A","Head B","Head C" where family=gaussian & d!=512 & n>8
/// c[] prints the column with its interval. sections/study/file.csv is data beside the sections. Of more than `most_rows` rows as many are shown, evenly spaced,
/// with a link to the file; with `whole` at the end, all of them: where rows are things that have names. Throws
/// Error for whatever is not there, and when no row is left.
std::string data_table(const Facts& facts, std::string_view arguments, const Links& links,
                       const std::filesystem::path& sections = {});

/// What {{cell …}} prints: the number in one column of the one row that its conditions leave, or how many rows they leave:
///   study/file.csv column where family=gaussian & d=512|.2f
///   study/file.csv count where end>2.5
/// Throws Error for whatever is not there, a cell without a number, and where not exactly one row is left.
std::string data_cell(const Facts& facts, std::string_view arguments);

/// How many draws can be alike behind a mean of shares: those of 0 and ±1. Between these a mean without
/// spread is of strata that differ, and of a larger number n can be what each draw counts.
Draws draws_of(const Finding& finding);

/// What stands behind a number, as plain text: "0.98 [0.97, 0.99] (99%), theory or chance 0.98, n = 1,000.
/// Share of …".
std::string finding_text(const Facts& facts, const Finding& finding);

/// All findings of the claim as a table.
std::string findings_table(const Facts& facts, std::string_view claim);

}  // namespace perp::report
