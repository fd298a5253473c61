#include "studies/inspect/answer.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "studies/inspect/expected.hpp"
#include "studies/inspect/model.hpp"
#include "studies/inspect/readings.hpp"

namespace perp::inspect {
namespace {

/// {"key":value,…}, nothing undefined in it.
class JsonObject {
 public:
  JsonObject& number(const char* key, double value) {
    return raw(key, std::isfinite(value) ? shortest(value) : "null");
  }
  JsonObject& count(const char* key, std::size_t value) { return raw(key, shortest(value)); }
  JsonObject& raw(const char* key, const std::string& value) {
    out_ += fmt::format("{}\"{}\":{}", out_.empty() ? "" : ",", key, value);
    return *this;
  }
  std::string text() const { return fmt::format("{{{}}}", out_); }

 private:
  std::string out_;
};

JsonObject json_of(const TableNumbers& n) {
  JsonObject out;
  out.count("rows", n.rows).count("dim", n.dim).count("zero_rows", n.zero_rows);
  out.number("mean_norm", n.mean_norm).number("mean_cosine", n.mean_cosine);
  out.number("stable_rank", n.centred.stable_rank);
  out.number("participation_ratio", n.centred.participation_ratio);
  out.count("r90", n.centred.r90).count("r99", n.centred.r99).count("r999", n.centred.r999);
  out.count("r99_uncentred", n.r99_uncentred);
  return out;
}

std::string json_of(const Between& b) {
  std::string cosines;
  for (const double cosine : b.principal_cosines)
    cosines += fmt::format("{}{}", cosines.empty() ? "" : ",", shortest(cosine));
  JsonObject out;
  out.count("rank_words", b.rank_words).count("rank_positions", b.rank_positions);
  out.raw("principal_cosines", fmt::format("[{}]", cosines));
  out.number("largest_cosine", b.largest_cosine.value);
  out.number("mean_square_cosine", b.mean_square_cosine.value);
  out.number("max_abs_cosine", b.max_abs_cosine.value);
  out.number("word_energy_in_positions", b.energy.value);
  out.number("null_largest_cosine", b.largest_cosine.chance).number("null_word_energy", b.energy.chance);
  out.number("null_mean_square_cosine", b.mean_square_cosine.chance);
  out.number("null_mean_square_sd", b.mean_square_cosine.sd);
  return out.text();
}

std::string json_of(const Seen& seen) {
  JsonObject out;
  if (seen.words) out.raw("words", json_of(seen.words->numbers).text());
  if (seen.positions)
    out.raw("positions", json_of(seen.positions->numbers)
                             .number("toeplitz_defect", seen.positions->toeplitz_defect)
                             .number("toeplitz_r2", seen.positions->toeplitz_r2)
                             .number("null_toeplitz_r2", seen.positions->null_toeplitz_r2)
                             .text());
  if (seen.between) out.raw("between", json_of(*seen.between));
  return out.text();
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
  const Seen seen = look(open_tables(models.front()), 0, options.threads);
  return options.json ? json_of(seen) : readable(seen);
}

}  // namespace perp::inspect
