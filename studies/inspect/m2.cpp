// M2: words fill a smaller subspace (O3, for given models): 99 % of their variance in less than half of the
// dimensions.

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

struct Filled : OfModel {
  std::size_t words, d, r99;
  double share() const { return double(r99) / double(d); }
};
PERP_ROW_OF(Filled, OfModel, words, d, r99)

bool has_words(const ModelUnderTest& model) { return model.tables.words.has_value(); }

/// None of equal rows.
void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  const TableNumbers& words = model.given().words->numbers;
  if (words.centred.r99 > 0) rows.add(Filled{at, words.rows, words.dim, words.centred.r99});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = rows_of<Filled>(cells);
  summary.each(all, {model_name},
               {counted("words_share", "Share of the dimensions that hold 99% of the variance of the words.",
                        &Filled::share)
                    .n(&Filled::words)});
  for (const Filled& of : all)
    ask(summary, model_named(models, of.model),
        {"words_share",
         Is::below,
         0.5,
         0,
         Role::core,
         {{"table", "words"}},
         "share of the dimensions that hold 99% of the words, centred"});
  finish(summary, all.size(), "a model with words (perp inspect MODEL)");
}

}  // namespace

Experiment dimensions(const Models& models) {
  Experiment claim{"M2",
                   "A model's words fill a smaller subspace: 99% of their variance lies in less than half of "
                   "the dimensions.",
                   "[d]", depends(models)};
  claim.measure(cells_of_lineages(models, has_words), 2, [=](const OfModel& at, const Streams&, Rows& rows) {
    measure(model_named(models, at.model), at, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("O3", std::move(claim));
}

}  // namespace perp::inspect
