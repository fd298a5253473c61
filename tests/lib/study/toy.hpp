#pragma once
// A study small enough to reason about: each cell draws a few normals and says their mean.

#include <atomic>
#include <memory>
#include <numeric>
#include <span>

#include "perp/base/error.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"

namespace perp::test {

struct Toy {
  std::size_t cells = 20;
  std::size_t fails_at = 1000;  ///< the cell that throws
  std::string unit = "1";
  std::string input = "input";
  std::shared_ptr<std::atomic<int>> runs = std::make_shared<std::atomic<int>>(0);

  Experiment experiment() const {
    Experiment toy{"O1", "A claim.", "[t]", {input}};
    for (std::size_t i = 0; i < cells; ++i)
      toy.cells.push_back({{{"i", whole(i)}}, static_cast<double>(1 + i * 7 % 5)});
    toy.run = [runs = runs, bad = fails_at](const Cell& cell, const Streams& streams) -> Records {
      ++*runs;
      require(at(cell.at, "i") != whole(bad), "cannot measure this one");
      std::vector<double> draws(5);
      fill_normal(streams("draws"), std::span<double>(draws));
      return {{"mean",
               {{"mean", std::accumulate(draws.begin(), draws.end(), 0.0) / 5}, {"text", std::string("a")}}}};
    };
    toy.summarise = [](const std::vector<CellRecords>& cells) {
      Outcome outcome;
      Table table{"toy.csv", {{"i", "1"}, {"mean", "1"}}, {}};
      double sum = 0;
      for (const auto& [cell, records] : cells) {
        const Value& mean = at(records.front().values, "mean");
        table.add({at(cell.at, "i"), mean});
        sum += to_number(mean);
      }
      outcome.findings = {
          finding("O1", "mean", {}, estimated(sum, known_spread(30)),
                  {.theory = 0.0, .n = cells.size(), .kind = Kind::sampled, .meaning = "A sum."})};
      outcome.tables = {table};
      outcome.rule = {{.finding = "O1.mean",
                       .is = Is::equal,
                       .bound = "theory",
                       .margin = 200,
                       .evidence = Evidence::simulation}};
      return outcome;
    };
    return toy;
  }

  Study study() const {
    return {"toy", "about", {"O1"}, {}, [toy = *this](const Options&) {
              return Prepared{{toy.experiment()}, {}, {}};
            }};
  }
};

/// Findings and tables as one text, for comparing runs byte for byte.
inline std::string bytes(const Results& results) {
  std::string text = to_json(results);
  for (const Table& table : results.tables) text += to_csv(table);
  return text;
}

}  // namespace perp::test
