#include "reports/render/expand.hpp"

#include <algorithm>

#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 8;  // templates including templates

/// An error that says its template and line already.
struct PlacedError : Error {
  using Error::Error;
};

/// `run()`, its errors with "file:line: " in front; the innermost place wins.
template <class Run>
auto placed(std::string_view file, std::size_t line, const Run& run) {
  try {
    return run();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    throw PlacedError(fmt::format("{}:{}: {}", file, line, error.what()), error.exit());
  }
}

std::string without_empty_runs(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != '\n' || !out.ends_with("\n\n")) out += c;
  while (out.ends_with('\n')) out.pop_back();
  return out.erase(0, std::min(out.find_first_not_of('\n'), out.size())) + "\n";
}

/// What stands behind the "# " that the page begins with.
std::string heading_of(const fs::path& page) {
  const std::string text = read_file(page);
  require(text.starts_with("# "), "{}: expected a first line '# …', its heading", page.string());
  return text.substr(2, text.find('\n') - 2);
}

/// For the length of a scope: `slot` holds `value`.
template <class T>
class Holding {
 public:
  Holding(T& slot, T value) : slot_(slot), before_(slot) { slot_ = value; }
  ~Holding() { slot_ = before_; }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  T& slot_;
  T before_;
};

}  // namespace

Expander::Expander(const Facts& facts, const std::vector<Figure>& figures, Sources sources, Links links)
    : facts_(facts),
      figures_(figures),
      sources_(std::move(sources)),
      links_(std::move(links)),
      citations_(sources_.pages / "references.bib") {}

Expander::Expander(const Facts& facts, const std::vector<Figure>& figures, Sources sources)
    : Expander(facts, figures, std::move(sources), Links(facts)) {}

std::string Expander::file(const fs::path& path) {
  require(depth_ < deepest, "{}: templates include each other more than {} deep", path.string(), deepest);
  std::string page;
  {
    const Holding<int> deeper(depth_, depth_ + 1);
    page = without_empty_runs(text(read_file(path), path.string(), 1, Target::markdown));
  }
  return depth_ == 0 ? finished(page) : page;
}

std::string Expander::text(std::string_view text, std::string_view file, std::size_t line, Target target) {
  const Holding<Target> into(target_, target);
  const std::vector<Piece> pieces = scan(text, file, line);
  Cursor cursor{pieces, file};
  return sequence(cursor, nullptr, true);
}

std::string Expander::sequence(Cursor& cursor, const Piece* block_tag, bool live) {
  const std::string name = block_tag ? words_of(block_tag->text).front().substr(1) : "";
  std::string out;
  while (cursor.at < cursor.pieces.size()) {
    const Piece& piece = cursor.pieces[cursor.at];
    if (piece.is_tag && piece.text.front() == '/') {
      require(block_tag && piece.text == "/" + name, "{}:{}: '{{{{{}}}}}' closes no block that is open here",
              cursor.file, piece.line, piece.text);
      ++cursor.at;
      return out;
    }
    if (piece.is_tag && piece.text.front() == '#') {
      out += block(cursor, live);
      continue;
    }
    ++cursor.at;
    if (!live) continue;
    out += piece.is_tag ? placed(cursor.file, piece.line, [&] { return tag(piece.text); })
                        : literal(piece.text, cursor.file, piece.line);
  }
  if (block_tag)
    refuse("{}:{}: the block '{{{{{}}}}}' is never closed", cursor.file, block_tag->line, block_tag->text);
  return out;
}

std::string Expander::block(Cursor& cursor, bool live) {
  const Piece& opening = cursor.pieces[cursor.at++];
  const std::string kind = words_of(opening.text).front();
  if (kind == "#figure") return own_caption(cursor, opening, live);
  if (kind == "#answer") return answer(cursor, opening, live);
  Branch branch = Branch::left_out;
  if (live)
    branch = placed(cursor.file, opening.line, [&] {
      require(kind == "#when", "'{{{{{}}}}}' is no block; blocks are #when #figure #answer", kind);
      return guarded(opening, cursor.file);
    });
  if (branch == Branch::left_out) return sequence(cursor, &opening, false);
  if (branch == Branch::taken) return sequence(cursor, &opening, true);
  // Another outcome's prose: filled in and thrown away, so that its mistakes show today.
  const std::size_t labels = labels_.size(), citations = citations_.cited().size();
  const Holding<int> checking(checking_, checking_ + 1);
  sequence(cursor, &opening, true);
  labels_.resize(labels);
  citations_.forget_after(citations);
  return "";
}

std::string Expander::study(const std::string& name) {
  const Results* results = facts_.study(name);
  const fs::path path = sources_.chapter(name);
  require(fs::exists(path), "study '{}' has no template {}", name, path.string());
  if (!results) return "";
  const Holding<const Results*> inside(study_, results);
  return file(path);
}

fs::path Expander::section_of(const Results& study, std::string_view claim) const {
  return sources_.sections / study.study / fmt::format("{}.md", anchor(claim));
}

std::string Expander::section(const std::string& id) {
  require(study_ != nullptr, "a section stands in its study's template, not here");
  const fs::path path = section_of(*study_, id);
  require(fs::exists(path), "claim '{}' has no template {}", id, path.string());
  if (std::ranges::count(study_->claims, id, &Claim::id) == 0) return "";
  return fmt::format("<a id=\"{}\"></a>\n\n{}", anchor(id), file(path));
}

/// {{#figure name}} … {{/figure}}: another caption than the script's, and nothing at all where the figure
/// cannot be drawn.
std::string Expander::own_caption(Cursor& cursor, const Piece& opening, bool live) {
  const std::vector<std::string> words = words_of(opening.text);
  const Figure* figure = nullptr;
  if (live) {
    figure = placed(cursor.file, opening.line, [&] {
      require(words.size() == 2, "expected: #figure and a name");
      return &figure_named(words[1]);
    });
    live = checking_ > 0 || is_drawable(*figure, facts_);
  }
  const std::string caption = sequence(cursor, &opening, live);
  return live ? shown(*figure, std::string(trim(caption))) : "";
}

/// "what was found | whether it matters", its lines joined; bars that are escaped are none.
Said said_in(std::string_view block) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < block.size(); ++at)
    if (block[at] == '|' && (at == 0 || block[at - 1] != '\\'))
      parts.emplace_back();
    else
      parts.back() += block[at] == '\n' ? ' ' : block[at];
  require(parts.size() <= 2, "expected: what was found | what it means in practice; found {} parts",
          parts.size());
  parts.resize(2);
  return {std::string(trim(parts[0])), std::string(trim(parts[1]))};
}

/// {{#answer O1}}what was found | what it means in practice{{/answer}}, in the claim's section.
std::string Expander::answer(Cursor& cursor, const Piece& opening, bool live) {
  const std::vector<std::string> words = words_of(opening.text);
  const Claim* claim = nullptr;
  if (live)
    claim = placed(cursor.file, opening.line, [&] {
      require(words.size() == 2, "expected: #answer and a claim");
      return &claim_named(words[1]);
    });
  const bool measured = claim && claim->verdict() != Verdict::unmeasured;
  const std::string block = sequence(cursor, &opening, measured);
  if (!claim) return "";
  return placed(cursor.file, opening.line, [&] { return answer_text(facts_, *claim, said_in(block)); });
}

Said Expander::said(const Claim& claim, Target target) {
  const Results* study = facts_.study_of_claim(claim.id);
  const fs::path path = section_of(*study, claim.id);
  if (claim.verdict() == Verdict::unmeasured || !fs::exists(path)) return {};
  const std::string section = read_file(path), opening = fmt::format("{{{{#answer {}}}}}", claim.id);
  const std::size_t begin = section.find(opening);
  if (begin == section.npos) return {};
  const std::size_t from = begin + opening.size(), end = section.find("{{/answer}}", from);
  const Holding<const Results*> inside(study_, study);
  return said_in(text(std::string_view(section).substr(from, end - from), path.string(),
                      1 + lines_in(section.substr(0, from)), target));
}

/// pages/<name>.md, where it stands, which may be inside a sentence.
std::string Expander::included(const std::string& name) {
  static const Pattern form("[a-z]+");
  require(form.fits(name), "{} is not the name of a file beside report.md", in_quotes(name));
  std::string page = file(sources_.pages / (name + ".md"));
  if (page.ends_with('\n')) page.pop_back();
  return page;
}

/// A line of the list of chapters: the page's own heading leads there.
std::string Expander::chapter(const std::string& name) const {
  const fs::path path = sources_.chapter(name);
  require(fs::exists(path), "study '{}' has no template {}", name, path.string());
  if (!facts_.study(name)) return "";
  return fmt::format("* {}", links_.label(heading_of(path), fmt::format("chapters/{}.md", name)));
}

/// The same for a page about one result, which only a site has.
std::string Expander::result(const std::string& name) {
  const fs::path path = sources_.pages / "results" / (name + ".md");
  require(fs::exists(path), "no result page {}", path.string());
  if (links_.form() != Form::site || checking_ > 0) return "";
  results_.push_back(name);
  return fmt::format("* [{}]({}.html)", heading_of(path), name);
}

/// Where a page for a browser shows the instrument of that name (pages/html/instruments.html).
std::string Expander::instrument(const std::string& name) const {
  static const Pattern form("[a-z]+");
  require(form.fits(name), "{} is not the name of an instrument", in_quotes(name));
  return links_.form() == Form::github ? "" : fmt::format("<!-- instrument {} -->", name);
}

/// Text of the template itself: links lead where they lead from this page, [@key] becomes a number.
std::string Expander::literal(const std::string& text, std::string_view file, std::size_t line) {
  if (target_ != Target::markdown) return text;
  std::string out;
  std::size_t at = 0;
  for (std::size_t open; (open = text.find("[@", at)) != text.npos;) {
    const std::size_t close = std::min(text.find(']', open), text.size());
    out.append(text, at, open - at);
    out += placed(file, line + lines_in(text.substr(0, open)), [&] {
      require(close < text.size(), "a citation is opened here and never closed");
      return cited(std::string_view(text).substr(open + 1, close - open - 1));
    });
    at = close + 1;
  }
  return links_.in_text(out.append(text, at));
}

/// "@dai2019; @ke2021" as "\[[3](#ref-dai2019), [4](#ref-ke2021)\]".
std::string Expander::cited(std::string_view keys) {
  std::vector<std::string> numbers;
  for (const std::string& key : split(keys, ';')) {
    require(key.size() > 1 && key.front() == '@', "a citation is written [@key] or [@key; @key], not [{}]",
            keys);
    const std::string name = key.substr(1);
    numbers.push_back(fmt::format("[{}](#{})", citations_.number(name), links_.own_place("ref-" + name)));
  }
  return fmt::format("\\[{}\\]", fmt::join(numbers, ", "));
}

/// "Figure 3"
std::string Expander::label(const std::string& kind, const std::string& name) {
  for (const auto& [other, known] : labels_) require(known != name, "'{}' is on this page twice", name);
  labels_.emplace_back(kind, name);
  return fmt::format("{} {}", kind,
                     std::ranges::count(labels_, kind, &std::pair<std::string, std::string>::first));
}

std::string Expander::finished(std::string page) {
  const std::vector<std::string>& cited = citations_.cited();
  const std::size_t at = page.find(references_mark);
  require(at != page.npos || cited.empty(), "the page cites {} and has no {{{{references}}}}",
          cited.empty() ? "" : cited.front());
  if (at == page.npos) return page;
  require(page.find(references_mark, at + 1) == page.npos, "the page has {{{{references}}}} twice");
  const auto place = [&](const std::string& name) { return links_.own_place(name); };
  // A page that cites nothing, since its claims were left out, has no empty heading.
  return page.replace(at, 1, cited.empty() ? "" : "## References\n\n" + citations_.list(place));
}

}  // namespace perp::report
