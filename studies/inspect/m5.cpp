// M5: nearby positions of a model are similar (D2, for given models).

#include <algorithm>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

/// Mean of p_t p_{t+k} over t, over that of lag 0; in the given tables' cell also of the sinusoid of its
/// shape, NaN for an odd dimension.
struct Product : Drawn {
  std::size_t lag;
  double value, sinusoid;
};
PERP_ROW_OF(Product, Drawn, lag, value, sinusoid)

/// What the claim asks of a given table, at every lag.
struct Reach : OfModel {
  double one, ten, half;  ///< at lags 1, 10 and L/2 rounded down
  double rest, rest_lag;  ///< the largest at any from 2 on
};
PERP_ROW_OF(Reach, OfModel, one, ten, half, rest, rest_lag)

/// Lags that are drawn, 0 … L-1: every one up to 64, then at even steps of the logarithm.
std::vector<std::size_t> thinned(std::size_t length) {
  std::vector<std::size_t> out;
  for (double k = 0; k < double(length); k = k < 64 ? k + 1 : k * 1.03) out.push_back(std::size_t(k));
  return out;
}

void add_kernel(const ModelUnderTest& model, const Measurement& measured, const Drawn& at, Rows& rows) {
  if (!measured.portrait) return;
  const std::vector<double>& kernel = measured.portrait->kernel;
  std::vector<double> sinusoid(kernel.size(), NAN);
  if (const auto wave = at.is_given() ? sinusoid_like(model.tables) : std::nullopt)
    sinusoid = distance::portrait(*wave).kernel;
  for (const std::size_t k : thinned(kernel.size())) rows.add(Product{at, k, kernel[k], sinusoid[k]});
  if (!at.is_given()) return;
  const auto rest = std::max_element(kernel.begin() + 2, kernel.end());
  rows.add(Reach{at, kernel[1], kernel.size() > 10 ? kernel[10] : NAN, kernel[kernel.size() / 2], *rest,
                 double(rest - kernel.begin())});
}

/// Over Gaussian tables: the mean, and three standard deviations of one such table around it.
Estimate gaussian(const Group<Product>& lag) {
  const std::vector<double> draws = only(lag, &Product::table, "gaussian").values(&Product::value);
  const double mean = mean_of(draws), away = departs * sd_of(draws);
  return {mean, mean - away, mean + away};
}

void add_kernel_table(const std::vector<Product>& products, Summary& summary) {
  const auto lags = where(group_by(products, &Product::model, &Product::lag),
                          [](const Group<Product>& lag) { return lag.front().is_given(); });
  summary.table(
      "m5_kernel.csv", lags,
      {model_name, exact("lag", "k", &Product::lag).unit("positions"),
       rounded("given", "mean of p_t p_{t+k} over t, over that of lag 0", &Product::value),
       rounded("sinusoid", "of the sinusoid of its shape, T = 10000; empty for odd d", &Product::sinusoid),
       sampled("gaussian", "of Gaussian tables of its shape, mean", gaussian)
           .interval("gaussian_low", "gaussian_high", "three standard deviations of one such table below",
                     "three standard deviations above")});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto reaches = rows_of<Reach>(cells);
  add_kernel_table(rows_of<Product>(cells), summary);
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const Number* beside = model.find("positions.neighbours");
    if (!beside) continue;
    const Reach of = only(reaches, &Reach::model, model.model).front();
    const double half = std::floor(model.value("positions.rows") / 2);
    said.begin(model.model, model.count("positions.rows"));
    said.number("neighbours", {beside->given.value}, {.theory = beside->given.chance},
                "Share of the positions whose most similar other one lies right beside them; beside it that "
                "of rows in random order.");
    said.number("kernel_1", {of.one}, {.theory = 0},
                "Mean product of neighbours, over that of a position with itself.");
    said.number("kernel_rest", {of.rest}, {.theory = 0},
                "The largest of those two and more positions apart, at any distance.");
    said.require_that(Role::limit, "kernel_1", {Is::above, fmt::format("kernel_rest.{}", model.model)},
                      {{"measure", "lag 1"}},
                      "mean product of neighbours, beside the largest at any other distance");
    said.require_that(Role::limit, "neighbours", {Is::above, 0.5}, {{"measure", "neighbours"}},
                      "share of the positions that are most similar to a neighbour");
    said.add_sentence(
        fmt::format("the nearest row is a neighbour for {:.0f}% of the positions (Gaussian: {:.1f}%, {}); "
                    "the mean product is {:.2f} at distance 1, {:.2f} at 10 and {:.2f} at {:.0f}; "
                    "beyond 1 the largest is {:.2f}, at {:.0f}",
                    100 * beside->given.value, 100 * beside->gaussian_mean(), in_words(beside->departure()),
                    of.one, of.ten, of.half, half, of.rest, of.rest_lag));
  }
  said.finish("m5_models.csv",
              "a model with at least three positions, all different from 0 (perp inspect --positions FILE)");
}

}  // namespace

Experiment nearby(const Models& models) {
  Experiment claim{"M5",
                   "A model's nearby positions are similar: the most similar other position is a neighbour.",
                   "[c, d]", depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_positions), add_kernel);
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D2", std::move(claim));
}

}  // namespace perp::inspect
