
#include "studies/learning/a10_text.hpp"
#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

Prepared prepare(const Options& options) {
  Prepared prepared{
      {}, {choices_input(), text_choices_input()}, {{rounding_parameter, std::string(rounding_grows)}}};
  const SharedText text = load_text(options);
  if (const auto wanted = options.text("choose")) {
    prepared.experiments = {*wanted == "tasks" ? choose() : choose_on_text(*wanted, text)};
    return prepared;
  }
  if (const auto made = options.text("text-runs")) {
    prepared.experiments = {pairs_on_text(*made, text, options.threads)};
    return prepared;
  }
  // What nothing is trained on is no input.
  const bool is_read = options.preset != Preset::quick && !text_choices().empty();
  const SharedText trained_on = is_read ? text : SharedText{};
  prepared.experiments = {growing_words(options), kept_apart(options), who_learns(options, trained_on),
                          learned_with_their_reader(options)};
  if (trained_on) prepared.inputs.push_back(trained_on->input());
  if (trained_on && options.preset == Preset::long_ && !text_runs().empty())
    prepared.inputs.push_back(text_runs_input());
  return prepared;
}

}  // namespace

Study study() {
  return {
      "learning",
      "What training makes of positions that are added, concatenated, turned, or absent.",
      {"A8", "A9", "A10", "A12"},
      {{"corpus", "FILE",
        "a text (plain or gzip) whose bytes are learned, instead of Debian's dict-gcide; none: without"},
       {"rate", "R", "learning rate of Adam for all arms, instead of each arm's own (choices.csv)"},
       {"arms", "NAMES", "of the text only these arms of A10, for example \"sum.centred concat.centred\""},
       {"choose", "WHAT",
        "choose rates and sizes instead: 'tasks' writes choices.csv; 'text', or a text_choices.csv to go on "
        "around the best of, writes text_choices.csv"},
       {"text-runs", "FILE",
        "make of A10's pairs on a text the next few runs instead that follow from those of a text_runs.csv, "
        "or of "
        "'none', and write them to text_runs.csv, too (scripts/text-pairs)"}},
      prepare,
      [](const Options& options) { growing_words(options); }};  // its runs read --rate
}

}  // namespace perp::learning
