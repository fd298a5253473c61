// D5's findings on the two sentences and on distances.

#include <algorithm>
#include <map>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d5_index.hpp"

namespace perp::distance {

Finding over_draws(const std::string& measure, const std::string& encoding, const std::vector<double>& values,
                   std::optional<double> theory, std::string meaning) {
  MomentSums sums;
  for (const double value : values) sums.add(value);
  Estimate estimate{sums.moments().mean};
  if (values.size() > 1) estimate = estimated(sums.moments());
  return finding("D5", measure, {{"encoding", encoding}}, estimate,
                 {.theory = theory,
                  .n = values.size(),
                  .kind = is_drawn(encoding) ? Kind::sampled : Kind::rounded,
                  .meaning = std::move(meaning)});
}

void add_sentence_findings(const Table& sentences, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < sentences.rows.size(); ++i) {
    const std::string& name = std::get<std::string>(sentences.at(i, "encoding"));
    if (is_drawn(name)) continue;
    std::optional<double> theory;
    const double river = sentences.number(i, "river"), bank = sentences.number(i, "bank"),
                 last = sentences.number(i, "words") - 1;
    if (name == "sinusoidal") theory = theory::kernel_exact(index_dimension, usual_base, bank - river);
    if (name == "index") theory = river * bank;
    if (name == "normalised_index") theory = river * bank / (last * last);
    if (name == "alibi") {
      const EncodingSettings usual;
      theory = -alibi_slope(usual.head, usual.heads) * (bank - river);
    }
    findings.push_back(
        finding("D5", "river_bank", {{"encoding", name}, {"sentence", sentences.at(i, "sentence")}},
                {sentences.number(i, "score")},
                {.theory = theory,
                 .kind = Kind::rounded,
                 .meaning = "Product of the positions of river and bank in the sentence, or their bias."}));
  }
}

void add_distance_findings(const Table& distances, std::vector<Finding>& findings) {
  struct Draws {
    std::vector<double> equal, alike, closest, near;
    std::uint64_t distances = 0;
  };
  std::vector<std::string> names;
  std::map<std::string, Draws> by_name;
  for (std::size_t i = 0; i < distances.rows.size(); ++i) {
    const std::string& name = std::get<std::string>(distances.at(i, "encoding"));
    if (!by_name.contains(name)) names.push_back(name);
    Draws& draws = by_name[name];
    draws.equal.push_back(distances.number(i, "equal"));
    draws.alike.push_back(distances.number(i, "alike"));
    draws.closest.push_back(distances.number(i, "closest"));
    draws.near.push_back(distances.number(i, "near"));
    draws.distances = static_cast<std::uint64_t>(distances.number(i, "distances"));
  }
  for (const std::string& name : names) {
    const Draws& draws = by_name[name];
    const auto add = [&](Finding about) {
      about.n = draws.distances;
      findings.push_back(std::move(about));
    };
    const auto add_count = [&](const char* measure, const std::vector<double>& counts,
                               std::optional<double> theory, const char* meaning) {
      Finding about = over_draws(measure, name, counts, theory, meaning);
      if (!is_drawn(name)) about.kind = Kind::count;
      // Counts of nothing do not spread; what may still come up is for Poisson to say.
      if (about.high && *about.high == 0) {
        about.spread.reset();
        about.high = poisson_interval(0, shown_level).high / static_cast<double>(counts.size());
      }
      add(std::move(about));
    };
    // ALiBi's -k/16 and -k'/16 differ by 1 - k/k', a quarter short of all at least.
    std::optional<double> equal, closest, near;
    if (name == "alibi") equal = 0, closest = 1 - 1.0 / farther;
    if (name == "t5") {
      equal = static_cast<double>(distance_pairs(t5_last_bucket, draws.distances));
      closest = 0;
      near = t5_last_bucket;
    }
    add_count("distance_collisions", draws.equal, equal,
              "Pairs of distances, one at least four times the other, with one score, a mean over draws; "
              "theory: those of T5's last bucket; n distances.");
    add_count(
        "alike_float32", draws.alike, {},
        "Pairs of such distances whose scores differ by less than half a unit of float32, as a share of "
        "the larger, a mean over draws; n distances.");
    add(finding("D5", "closest_distances", {{"encoding", name}}, {std::ranges::min(draws.closest)},
                {.theory = closest,
                 .kind = is_drawn(name) ? Kind::sampled : Kind::rounded,
                 .meaning = "Smallest difference between scores at two such distances, as a share of the "
                            "larger, over all draws; n distances."}));
    if (std::ranges::all_of(draws.near, [](double k) { return k > 0; }))
      add(over_draws("first_collision", name, draws.near, near,
                     "Least distance whose score is that of one at least four times as large, a mean over "
                     "draws; theory: where T5's last bucket begins; n distances."));
  }
}

}  // namespace perp::distance
