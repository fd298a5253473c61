// What the figures draw.

#include <algorithm>

#include "bench/best.hpp"
#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

Value text(std::string_view v) { return std::string(v); }

/// Place of a name in a list that grows.
std::size_t place(std::vector<std::string>& list, const std::string& name) {
  const auto it = std::find(list.begin(), list.end(), name);
  if (it != list.end()) return static_cast<std::size_t>(it - list.begin());
  list.push_back(name);
  return list.size() - 1;
}

std::size_t most_threads(const std::vector<ComparisonRow>& lines) {
  std::size_t most = 0;
  for (const ComparisonRow& l : lines) most = std::max(most, l.threads());
  return most;
}

}  // namespace

Table heat_table(const std::vector<ComparisonRow>& lines) {
  Table table{"heat.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"all", "1", Kind::exact, "1 for the most threads, else 0"},
               {"row", "1", Kind::exact, "place of the operation in the picture, from 1"},
               {"column", "1", Kind::exact, "place of the backend in the picture, from 1"},
               {"ratio", "1", Kind::sampled, "geometric mean of time over that of the fastest"}},
              {}};
  std::vector<std::string> backends, operations;
  const std::size_t most = most_threads(lines);
  for (const ComparisonRow& l : lines) place(backends, l.backend());
  for (const Group& g : groups(lines)) {
    const std::size_t y = place(operations, std::string(g.operation));
    for (const auto& [ratio, c] : ranking(g))
      table.add({text(g.operation), c->backend.shown(), whole(g.threads), whole(g.threads == most),
                 whole(1 + y), whole(1 + place(backends, c->backend.shown())), ratio});
  }
  return table;
}

Table curve_table(const std::vector<ComparisonRow>& lines, const Roof& roof) {
  Table table{"curve.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"place", "1", Kind::exact, "its place in the picture, from 1"},
               {"type", "", Kind::exact, "f32 or f64"},
               {"threads", "1", Kind::exact, "threads"},
               {"all", "1", Kind::exact, "1 for the most threads, else 0"},
               {"n", "1", Kind::exact, "square gemm of this size"},
               {"gflops", "1e9/s", Kind::sampled, "billions of operations a second"},
               {"fma", "1e9/s", Kind::sampled, "the machine's own rate of fused multiply-adds"}},
              {}};
  std::vector<std::string> names;
  const std::size_t most = most_threads(lines);
  for (const ComparisonRow& l : lines)
    if (timed(l) && l.row.operation == "gemm" && l.row.through == Through::bare)
      table.add({text(l.backend()), whole(1 + place(names, l.backend())), text(l.type()), whole(l.threads()),
                 whole(l.threads() == most), whole(l.row.shape.n), l.rate / 1e9,
                 roof.best_fma(l.type(), l.threads()) / 1e9});
  return table;
}

Table small_table(const std::vector<ComparisonRow>& lines) {
  Table table{"small.csv",
              {{"operation", "", Kind::exact, "gemm_small (n x n x n) or gemm_skinny (10,000 x n x n)"},
               {"backend", "", Kind::exact, "backend"},
               {"place", "1", Kind::exact, "its place in the picture, from 1"},
               {"type", "", Kind::exact, "f32 or f64"},
               {"threads", "1", Kind::exact, "threads"},
               {"all", "1", Kind::exact, "1 for the most threads, else 0"},
               {"n", "1", Kind::exact, "size"},
               {"seconds", "s", Kind::sampled, "a call, median over rounds"},
               {"gflops", "1e9/s", Kind::sampled, "billions of operations a second"}},
              {}};
  std::vector<std::string> names;
  const std::size_t most = most_threads(lines);
  for (const ComparisonRow& l : lines)
    if (timed(l) && (l.row.operation == "gemm_small" || l.row.operation == "gemm_skinny"))
      table.add({text(l.row.operation), text(l.backend()), whole(1 + place(names, l.backend())),
                 text(l.type()), whole(l.threads()), whole(l.threads() == most), whole(l.row.shape.n),
                 l.seconds, l.rate / 1e9});
  return table;
}

Table roof_table(const Roof& roof) {
  Table table{"roof.csv",
              {{"limit", "", Kind::exact, "fma, copy, read or write"},
               {"type", "", Kind::exact, "type of the lanes"},
               {"bits", "1", Kind::exact, "bits of a vector"},
               {"threads", "1", Kind::exact, "threads"},
               {"rate", "1/s", Kind::sampled, "operations or bytes a second, best of five"},
               {"giga", "1e9/s", Kind::sampled, "the same in billions"}},
              {}};
  for (const FmaRate& f : roof.fma)
    table.add({text("fma"), f.type, whole(8 * f.width), whole(f.threads), f.rate, f.rate / 1e9});
  for (const Bandwidth& b : roof.bandwidth)
    table.add({b.kind, text(""), whole(0), whole(b.threads), b.rate, b.rate / 1e9});
  return table;
}

}  // namespace perp::bench
