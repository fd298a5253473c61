#include "studies/learning/study.hpp"

#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

Prepared prepare(const Options& options) {
  Prepared prepared{{}, {choices_input()}, {{rounding_parameter, std::string(rounding_grows)}}};
  if (options.text("choose").value_or("no") == "yes") {
    prepared.experiments = {choose()};
    return prepared;
  }
  const SharedText text = load_text(options);
  prepared.experiments = {growing_words(options), kept_apart(options), who_learns(options, text)};
  if (text) {
    prepared.inputs.push_back(text->input());
    prepared.parameters.emplace_back("vocabulary", whole(text->vocabulary()));
  }
  return prepared;
}

}  // namespace

Study study() {
  return {"learning",
          "Small Transformers trained from nothing: positions added, concatenated, turned, or absent.",
          {"A8", "A9", "A10"},
          {{"corpus", "FILE",
            "preset long: a UTF-8 text (plain or gzip) to learn masked words of, instead of Debian's "
            "dict-gcide; none: without"},
           {"rate", "R", "learning rate of Adam for all arms, instead of each arm's own (choices.csv)"},
           {"choose", "yes", "run the models from which rates and sizes are chosen, and write choices.csv"}},
          prepare,
          {},
          [](const Options& options) { growing_words(options); }};  // its runs read --rate
}

}  // namespace perp::learning
