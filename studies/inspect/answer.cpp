#include "studies/inspect/answer.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "studies/inspect/description.hpp"

namespace perp::inspect {
namespace {

/// "key":value; a number that is not finite is null.
struct Field {
  std::string text;
  Field(const char* key, double value) : Field(key, std::isfinite(value) ? shortest(value) : "null") {}
  Field(const char* key, std::size_t value) : Field(key, shortest(value)) {}
  Field(const char* key, const std::string& value) : text(fmt::format("\"{}\":{}", key, value)) {}
};
using Fields = std::vector<Field>;

std::string object(const Fields& fields) {
  std::string text;
  for (const Field& field : fields) text += fmt::format("{}{}", text.empty() ? "" : ",", field.text);
  return fmt::format("{{{}}}", text);
}

Fields fields_of(const TableNumbers& n) {
  return {{"rows", n.rows},
          {"dim", n.dim},
          {"zero_rows", n.zero_rows},
          {"mean_norm", n.mean_norm},
          {"mean_cosine", n.mean_cosine},
          {"stable_rank", n.centred.stable_rank},
          {"participation_ratio", n.centred.participation_ratio},
          {"r90", n.centred.r90},
          {"r99", n.centred.r99},
          {"r999", n.centred.r999},
          {"r99_uncentred", n.r99_uncentred}};
}

Fields fields_of(const Positions& p) {
  Fields fields = fields_of(p.numbers);
  fields.emplace_back("toeplitz_defect", p.toeplitz_defect);
  fields.emplace_back("toeplitz_r2", p.toeplitz_r2);
  fields.emplace_back("null_toeplitz_r2", p.null_toeplitz_r2);
  return fields;
}

Fields fields_of(const Between& b) {
  std::vector<std::string> cosines;
  for (const double cosine : b.principal_cosines) cosines.push_back(shortest(cosine));
  return {{"rank_words", b.rank_words},
          {"rank_positions", b.rank_positions},
          {"principal_cosines", fmt::format("[{}]", fmt::join(cosines, ","))},
          {"largest_cosine", b.largest_cosine.value},
          {"mean_square_cosine", b.mean_square_cosine.value},
          {"max_abs_cosine", b.max_abs_cosine.value},
          {"word_energy_in_positions", b.energy.value},
          {"null_largest_cosine", b.largest_cosine.chance},
          {"null_word_energy", b.energy.chance},
          {"null_mean_square_cosine", b.mean_square_cosine.chance},
          {"null_mean_square_sd", b.mean_square_cosine.sd}};
}

std::string json_of(const Measurement& of) {
  Fields parts;
  if (of.words) parts.emplace_back("words", object(fields_of(of.words->numbers)));
  if (of.positions) parts.emplace_back("positions", object(fields_of(*of.positions)));
  if (of.between) parts.emplace_back("between", object(fields_of(*of.between)));
  return object(parts);
}

}  // namespace

std::string answer_inspect(const Options& options) {
  if (options.text("dim")) return expected_by_theory(options);
  for (const char* option : {"query", "key", "heads", "query-bias", "key-bias", "layernorm"})
    require(!options.text(option),
            "--{}: what weights do goes into a report; expected --out FOLDER beside it", option);
  const std::vector<Model> models = models_of(options);
  require(!models.empty(),
          "nothing to look at; expected --words FILE, --positions FILE, --models FILE or --dim D");
  require(models.size() == 1 && !options.text("models"),
          "several models go into a report; expected --out FOLDER beside --models");
  const Tables tables = open_tables(models.front());
  const Measurement measured = measure_tables(tables, tables.word_stream(), 0, options.threads);
  return options.json ? json_of(measured) : as_text(describe(measured));
}

}  // namespace perp::inspect
