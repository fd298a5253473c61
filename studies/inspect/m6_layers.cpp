#include "studies/inspect/m6_layers.hpp"

#include <set>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/scores.hpp"
#include "perp/statistics/line.hpp"
#include "perp/statistics/order.hpp"
#include "studies/distance/heads.hpp"

namespace perp::inspect {
namespace {

/// Of the squared norm of a layer's queries, keys or values what two columns of each head have, over the
/// mean.
struct LayerPair : LayerOf {
  std::string which;
  std::size_t pair;  ///< columns 2 pair, 2 pair + 1
  double share;
};
PERP_ROW_OF(LayerPair, LayerOf, which, pair, share)

constexpr const char* tables_of_layer[] = {"query", "key", "value"};

bool adds_positions(const ModelUnderTest& model) { return has_layers(model) && has_positions(model); }
bool turns(const ModelUnderTest& model) { return has_layers(model) && model.layers->rotary(); }

// ---- one layer

/// Of each head, a draw after the other.
Matrix<double> turned(const GivenPositions& given, distance::Turned what, const Streams& streams,
                      std::size_t draws) {
  return transposed(distance::turned_r2(*given.positions, given, what, streams, draws, 1));
}

void add_positions_of(const GivenPositions& given, const std::optional<Matrix<double>>& sinusoid,
                      const Streams& streams, std::vector<LayerHead>& heads) {
  const std::size_t draws = heads.front().draws;
  const std::vector<double> r2 = distance::head_r2(*given.positions, given),
                            odd = distance::head_odd(*given.positions, given);
  const auto controls = distance::head_controls(*given.positions, given, streams, draws, 1);
  const Matrix<double> pairing = turned(given, distance::Turned::pairing, streams, draws),
                       alignment = turned(given, distance::Turned::alignment, streams, draws);
  const auto of = [](const Matrix<double>& r2, std::size_t head) {
    return std::vector<double>(row(r2, head).begin(), row(r2, head).end());
  };
  std::vector<double> wave;
  if (sinusoid && heads.front().layer == 0) wave = distance::head_r2(*sinusoid, given);
  const Matrix<double> entering = distance::normalised(*given.positions, given);
  const double plain = score_r2(entering, entering);
  for (LayerHead& head : heads) {
    if (std::isnan(r2[head.head])) continue;
    const distance::HeadControl& control = controls[head.head];
    head.r2 = r2[head.head];
    head.odd = odd[head.head];
    head.plain = plain;
    head.control = control.mean;
    head.control_sd = control.sd;
    head.control_q95 = quantile(control.draws, 0.95);
    if (!wave.empty()) head.sinusoid = wave[head.head];
    head.pairing = mean_of(of(pairing, head.head));
    head.pairing_q95 = quantile(of(pairing, head.head), 0.95);
    head.alignment = mean_of(of(alignment, head.head));
    head.alignment_q95 = quantile(of(alignment, head.head), 0.95);
  }
}

void add_pairs(const LayerOf& at, const std::string& which, const Matrix<double>& weights,
               const std::vector<double>& gain, std::size_t width, Rows& out) {
  const std::vector<double> squares = pair_squares(weights, gain, cols(weights) / width, width);
  const double mean = mean_of(squares);
  for (std::size_t pair = 0; pair < squares.size(); ++pair)
    out.add(LayerPair{at, which, pair, mean > 0 ? squares[pair] / mean : NAN});
}

void measure(const ModelUnderTest& model, const LayerOf& at, const Streams& streams, Rows& out) {
  const Layers& layers = *model.layers;
  const Layer layer = layers.read(at.layer);
  const std::vector<double> antisymmetric = antisymmetric_shares(layer, layers);
  std::vector<LayerHead> heads;
  for (std::size_t h = 0; h < layers.heads(); ++h) heads.push_back({at, h, antisymmetric[h]});
  if (model.tables.positions)
    add_positions_of(as_given(layer, layers, *model.tables.positions), sinusoid_like(model.tables), streams,
                     heads);
  // A dead head's scores of positions tell nothing, and it is not counted among those that do.
  for (const LayerHead& head : heads)
    if (!model.tables.positions || !std::isnan(head.r2)) out.add(head);
  if (layers.width() % 2 != 0) return;
  add_pairs(at, "query", layer.query, layer.gain, layers.width(), out);
  add_pairs(at, "key", layer.key, layer.gain, layers.width(), out);
  if (layer.value) add_pairs(at, "value", *layer.value, layer.gain, layers.width(), out);
}

// ---- what follows

const auto layer_number = exact("layer", "layer, from 0", &LayerOf::layer);

void add_tables(const std::vector<LayerHead>& heads, const std::vector<LayerPair>& pairs, Summary& summary) {
  const auto layers = group_by(heads, &LayerOf::model, &LayerOf::layer);
  const auto middle = [](double LayerHead::*value) {
    return [value](const Group<LayerHead>& layer) { return median(layer.values(value)); };
  };
  const auto over_heads = [](double HeadSpread::*part) {
    return [part](const Group<LayerHead>& layer) {
      return spread_over_heads(layer.values(&LayerHead::r2)).*part;
    };
  };
  const auto mean_over = [](double LayerHead::*value) {
    return [value](const Group<LayerHead>& layer) { return mean_of(layer.values(value)); };
  };
  const auto above = [](double LayerHead::*q95) {
    return [q95](const Group<LayerHead>& layer) {
      return count_if(layer, [q95](const LayerHead& head) { return head.r2 > head.*q95; });
    };
  };
  const auto with_positions = where(layers, [](const auto& layer) { return !std::isnan(layer.front().r2); });
  summary.table(
      "m6_by_layer.csv", with_positions,
      {model_name, layer_number, rows_in<LayerHead>("heads", "of the layer"),
       rounded("plain", "share that relative distance explains without weights, behind the LayerNorm",
               &LayerHead::plain),
       rounded("r2", "share that relative distance explains, median over heads", middle(&LayerHead::r2)),
       rounded("least", "the least of the heads", over_heads(&HeadSpread::least)),
       rounded("lower", "their lower quartile", over_heads(&HeadSpread::lower)),
       rounded("upper", "their upper quartile", over_heads(&HeadSpread::upper)),
       rounded("most", "the most of the heads", over_heads(&HeadSpread::most)),
       sampled("control", "through random weights, mean over heads and draws",
               mean_over(&LayerHead::control)),
       sampled("pairing", "head space rotated, likewise", mean_over(&LayerHead::pairing)),
       sampled("alignment", "input space rotated, likewise", mean_over(&LayerHead::alignment)),
       sampled("above_control", "heads above 95% of their random weights", above(&LayerHead::control_q95)),
       sampled("above_pairing", "heads above 95% of their rotated head space",
               above(&LayerHead::pairing_q95)),
       sampled("above_alignment", "heads above 95% of their rotated input space",
               above(&LayerHead::alignment_q95)),
       rounded("odd", "share of what relative distance explains that changes sign with it, median over heads",
               middle(&LayerHead::odd)),
       rounded("antisymmetric", "antisymmetric share of the weights, median over heads",
               middle(&LayerHead::antisymmetric))});
  summary.table(
      "m6_pairs.csv", pairs,
      {model_name, layer_number, exact("which", "query, key or value weights", &LayerPair::which),
       exact("pair", "columns 2i and 2i + 1 of each head, i from 0: of rotary positions the fastest first",
             &LayerPair::pair),
       rounded("share", "squared norm of these columns over that of the mean pair", &LayerPair::share)});
}

/// Pearson's correlation of the pairs' numbers and shares.
double trend(const Group<LayerPair>& pairs) {
  return pairs.size() < 2
             ? NAN
             : least_squares_line(pairs.values(&LayerPair::pair), pairs.values(&LayerPair::share))
                   .correlation;
}

struct Said : OfModel {
  std::string says;
};

/// The findings of one model, and a sentence of them.
class ModelLayers {
 public:
  ModelLayers(const ModelUnderTest& model, const Cells& cells, Summary& summary)
      : model_(model),
        heads_(of_model<LayerHead>(cells)),
        pairs_(of_model<LayerPair>(cells)),
        summary_(summary) {}

  std::string say() {
    const std::size_t layers = model_.layers->count();
    std::vector<std::string> parts{
        fmt::format("{} layer{} of {} heads", layers, layers == 1 ? "" : "s", model_.layers->heads())};
    if (!std::isnan(heads_.front().r2)) parts.push_back(positions());
    if (!pairs_.empty()) parts.push_back(pairs());
    parts.push_back(fmt::format("{:.2f} of the weights' squared norm antisymmetric (median)",
                                median_of(&LayerHead::antisymmetric)));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

 private:
  void number(const std::string& measure, double value, double theory, std::uint64_t n, const char* meaning,
              Kind kind = Kind::rounded) {
    if (!std::isfinite(value)) return;
    add_overall(summary_, measure, {{"model", model_.name}}, value, n, meaning, theory, kind);
  }
  template <class Row>
  Group<Row> of_model(const Cells& cells) const {
    const std::vector<Row> rows = rows_of<Row>(cells);
    return only(Group<Row>(rows.begin(), rows.end()), &OfModel::model, model_.name);
  }
  double median_of(double LayerHead::*value) const { return median(heads_.values(value)); }
  double mean_over(double LayerHead::*value) const { return mean_of(heads_.values(value)); }
  std::uint64_t above(double LayerHead::*q95) const {
    return count_if(heads_, [q95](const LayerHead& head) { return head.r2 > head.*q95; });
  }

  std::string positions() {
    const double r2 = median_of(&LayerHead::r2), random = mean_over(&LayerHead::control),
                 alignment = mean_over(&LayerHead::alignment);
    const std::uint64_t n = heads_.size();
    number("all_layers", r2, random, n,
           "Share of the variance of position scores that relative distance explains, median over the heads "
           "of all layers, the positions going to each as they stand in the table; beside it random weights.",
           Kind::sampled);
    number("all_layers_alignment", alignment, NAN, n,
           "The same with input space rotated at random, mean over heads and draws.", Kind::sampled);
    return fmt::format(
        "relative distance explains {:.0f}% (median; {}; random weights {:.0f}%, head space rotated {:.0f}%, "
        "input space rotated {:.0f}%; above 95% of the draws {}, {} and {} of {} heads), of which {:.0f}% "
        "tells before from after",
        100 * r2, in_words(spread_over_heads(heads_.values(&LayerHead::r2))), 100 * random,
        100 * mean_over(&LayerHead::pairing), 100 * alignment, above(&LayerHead::control_q95),
        above(&LayerHead::pairing_q95), above(&LayerHead::alignment_q95), n,
        100 * median_of(&LayerHead::odd));
  }

  std::string pairs() {
    std::vector<std::string> parts;
    for (const std::string which : tables_of_layer) {
      std::vector<double> first, last, trends;
      for (const auto& layer : group_by(only(pairs_, &LayerPair::which, which), &LayerOf::layer)) {
        first.push_back(layer.front().share);
        last.push_back(layer.back().share);
        trends.push_back(trend(layer));
      }
      if (first.empty()) continue;
      const double from = mean_of(first);
      if (which == "query")
        number("first_pair_query", from, 1, first.size(),
               "Squared norm of the first pair of dimensions of each head (of rotary positions the fastest), "
               "over the mean pair's; mean over layers.");
      parts.push_back(fmt::format("{} {:.2f} to {:.2f} (correlation {:+.2f})", which, from, mean_of(last),
                                  mean_of(trends)));
    }
    return fmt::format("squared norm of {} pair over the mean: {}",
                       model_.layers->rotary() ? "the fastest and the slowest" : "the first and the last",
                       fmt::join(parts, ", "));
  }

  const ModelUnderTest& model_;
  Group<LayerHead> heads_;
  Group<LayerPair> pairs_;
  Summary& summary_;
};

}  // namespace

HeadSpread spread_over_heads(const std::vector<double>& heads) {
  const auto at = [&](double p) { return quantile(heads, p); };
  return {at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

std::string in_words(const HeadSpread& shares) {
  return fmt::format("quartiles {:.0f} and {:.0f}%, from {:.0f} to {:.0f}%", 100 * shares.lower,
                     100 * shares.upper, 100 * shares.least, 100 * shares.most);
}

void measure_layers(const Models& models, const Options& options, Experiment& claim) {
  std::vector<LayerOf> cells;
  for (const OfModel& of : cells_of(models, has_layers))
    for (const std::size_t layer : first(model_named(models, of.model).layers->count()))
      cells.push_back({of, layer, pick<std::size_t>(options.preset, 20, 200, 1000)});
  claim.measure(
      cells, [=](const LayerOf& at) { return has_positions(model_named(models, at.model)) ? 20.0 : 0.2; },
      [=](const LayerOf& at, const Streams& streams, Rows& rows) {
        measure(model_named(models, at.model), at, streams, rows);
      });
}

void conclude_layers(const Models& models, const Cells& cells, Summary& summary) {
  const std::vector<OfModel> all = cells_of(models, has_layers);
  if (all.empty()) return;
  add_tables(rows_of<LayerHead>(cells), rows_of<LayerPair>(cells), summary);
  std::vector<Said> said;
  for (const OfModel& of : all)
    said.push_back({of, ModelLayers(model_named(models, of.model), cells, summary).say()});
  summary.table("m6_layers.csv", said,
                {model_name, sampled("says", "what its layers show, in a sentence", &Said::says)});
  const auto counted = [&](const char* measure, Wanted wanted, const char* meaning) {
    std::set<std::string> lineages;
    for (const OfModel& of : cells_of(models, wanted))
      lineages.insert(lineage_of(model_named(models, of.model)));
    if (!lineages.empty())
      summary.number(measure, {}, {double(lineages.size())}, {.unit = "model families", .meaning = meaning});
  };
  counted("layers", has_layers, "Families of models whose layers were read.");
  counted("layers_with_positions", adds_positions, "Of these with models that add a table of positions.");
  counted("layers_rotary", turns, "Of these with rotary positions.");
}

}  // namespace perp::inspect
