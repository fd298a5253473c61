#pragma once
// One model under the study: its tables, measured once however many claims ask.

#include <mutex>

#include "perp/base/parallel.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/encoder_file.hpp"
#include "studies/inspect/layers.hpp"

namespace perp::inspect {

class ModelUnderTest {
 public:
  /// Opens the tables, and hashes their files. `threads` are those of all models together.
  ModelUnderTest(Model model, std::shared_ptr<SharedThreads> threads);

  std::string name;
  std::string kind;              ///< of what it reads, as declared: language, reactions …; empty otherwise
  std::string part, head, norm;  ///< as declared: encoder …; tied …; where the first LayerNorm stands
  std::string lineage;           ///< as declared, empty otherwise: models of one count once
  Tables tables;
  std::optional<GivenPositions> weights;
  std::optional<EncodedTexts> texts;  ///< with the encoder that reads them
  std::optional<Layers> layers;
  std::vector<Input> files;
  std::vector<std::string> hashes;  ///< what its cells depend on, but for the texts: these have their own
  Coordinates parameters;           ///< what was taken of the files: tensors, rows, ranks; never a folder

  /// The file that the positions came from, as conditions name it (positions.hpp); empty without positions.
  std::string positions_file() const;
  std::size_t dim() const { return tables.words ? tables.words->cols() : cols(*tables.positions); }

  /// Of the LayerNorm that the sum of words and positions enters first, d numbers; none where none is known.
  std::vector<double> gain() const;

  /// The given tables; measured at the first call.
  const Measurement& given() const;

 private:
  struct Given {
    std::once_flag once;
    std::optional<Measurement> measured;
  };
  void note_inputs(const Options& options);

  std::shared_ptr<SharedThreads> threads_;
  std::unique_ptr<Given> given_;
};

using Models = std::shared_ptr<const std::vector<ModelUnderTest>>;
/// Those that the options name, on the options' threads; none where claims are listed alone.
Models open_models(const Options& options);
const ModelUnderTest& model_named(const Models& models, std::string_view name);
/// What a condition on a model's number differs by: the evidence, the model, and its lineage where one was
/// declared.
Levels levels_of(const ModelUnderTest& model);
/// As declared, otherwise the model's own name: models of one lineage count once.
inline const std::string& lineage_of(const ModelUnderTest& model) {
  return model.lineage.empty() ? model.name : model.lineage;
}
/// One hash of all models' inputs.
std::vector<std::string> depends(const Models& models);

inline bool has_positions(const ModelUnderTest& model) { return model.tables.positions.has_value(); }
inline bool has_both(const ModelUnderTest& model) { return model.tables.words && model.tables.positions; }
inline bool has_texts(const ModelUnderTest& model) { return model.texts.has_value(); }
inline bool has_weights(const ModelUnderTest& model) { return model.weights && model.weights->weights; }

}  // namespace perp::inspect
