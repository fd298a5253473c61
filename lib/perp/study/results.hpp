#pragma once
// What a study found: tables, and all of it as a file.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/written.hpp"
#include "perp/study/finding.hpp"
#include "perp/study/judge.hpp"

namespace perp {

// A table of results: what a CSV file holds, with the definition of each column.

struct Column {
  std::string name;  ///< [a-z0-9_]+
  std::string unit;  ///< "1" for a pure number, "" for a text
  Kind kind = Kind::exact;
  std::string meaning;
  std::string low, high;  ///< names of the columns that hold this one's interval

  Column(std::string_view name, std::string_view unit, Kind kind = Kind::exact, std::string_view meaning = {},
         std::string_view low = {}, std::string_view high = {});
};

struct Table {
  std::string file;  ///< "<name>.csv"
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  std::string
      sha256;  ///< of the CSV file, as results.json has it; empty until written, and in files of older versions

  Table() = default;
  Table(std::string_view file, std::initializer_list<Column> columns,
        std::vector<std::vector<Value>> rows = {});
  Table(std::string_view file, std::vector<Column> columns, std::vector<std::vector<Value>> rows = {});

  /// Appends a row. Throws Error unless it has a value per column.
  void add(std::initializer_list<Value> row);
  void add(std::vector<Value> row);

  /// The value of a named column. Throws Error naming the columns there are.
  const Value& at(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const { return to_number(at(row, column)); }
};

/// The table as CSV text: header of column names, then rows; see csv.hpp for quoting.
std::string to_csv(const Table& table);

// results.json: everything a study says, and nothing that is measured in seconds or names a machine.
// Schema: docs/schema/results.schema.json.

/// A study that says this of itself as a parameter magnifies rounding without bound, as training does: run on
/// another processor or BLAS it goes another way, as with another seed.
inline constexpr const char *rounding_parameter = "rounding", *rounding_grows = "grows";

/// The version of the format, written first in the file.
inline constexpr std::uint64_t results_schema = 3;

struct Input {
  std::string name;    ///< base name, never a path
  std::string sha256;  ///< of the file's bytes
};

struct Claim {
  std::string id;         ///< "O1"
  std::string statement;  ///< the claim as people make it
  std::string source;     ///< which of the texts makes it
  /// The claim that this is evidence for; its own id for a claim; empty for a picture or table beside them.
  std::string of;
  Judgement judgement;                ///< by the study's own findings
  Rule rule;                          ///< how the verdict follows
  std::vector<std::string> findings;  ///< ids of all its findings

  Verdict verdict() const { return judgement.verdict; }
  bool is_claim() const { return of == id; }
};

struct Results {
  std::string study, preset;
  std::uint64_t seed = 0;
  Coordinates parameters;
  std::vector<Input> inputs;
  std::vector<Finding> findings;
  std::vector<Claim> claims;
  std::vector<Table> tables;  ///< only file and columns travel in results.json; rows are in the CSV
};

/// Pretty JSON with a fixed key order and shortest round-trip numbers; NaN and absent are null.
std::string to_json(const Results& results);

/// What earlier runs wrote into a study's folder, as results.json.sha256 lists it.
Written written_results(const std::filesystem::path& folder);

/// Throws Error{Exit::unusable}, one line, for a folder where a study would write over what is somebody else's, or
/// another study's.
void expect_place_for_results(const std::filesystem::path& folder, const std::string& study);

/// Writes tables, what is `beside` them and, last, results.json, which has the hash of each table: who meets tables of
/// another run beside it, after a kill between two files, can tell. A failure leaves all as it was. What an earlier run
/// wrote, and this one does not, is removed. Returns the bytes of results.json. Throws Error as Written::write does.
std::string write_results(const std::filesystem::path& folder, Results results, NamedBytes beside = {});

/// Throws Error{Exit::unusable}, one line, unless each table in the folder has the hash that its results.json says.
void expect_tables_of(const Results& results, const std::filesystem::path& folder);

/// Reads what `to_json` writes. Throws Error{Exit::unusable} naming `name` (usually the file) and the place:
/// not JSON, deeper than 32 levels, over 64 MiB, another schema, a missing or ill-typed field.
Results results_from_json(std::string_view text, std::string_view name);

}  // namespace perp
