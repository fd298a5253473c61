#include "studies/learning/study.hpp"

#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

Prepared prepare(const Options& options) {
  const SharedText text = load_text(options);
  Prepared prepared{{growing_words(options, text), kept_apart(options, text), who_learns(options, text)},
                    {},
                    {{rounding_parameter, std::string(rounding_grows)}}};
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
            "a UTF-8 text (plain or gzip) to learn the next word of, instead of Debian's "
            "dict-gcide; none: without"},
           {"rate", "R", "largest learning rate of Adam (default 0.01)"}},
          prepare};
}

}  // namespace perp::learning
