#include "reports/expand.hpp"

#include <algorithm>

#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/claims.hpp"
#include "reports/pattern.hpp"

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
std::string placed(std::string_view file, std::size_t line, const Run& run) {
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

Expander::Expander(const Facts& facts, const std::vector<Figure>& figures, fs::path templates,
                   std::string link_base, Form form)
    : facts_(facts),
      figures_(figures),
      templates_(std::move(templates)),
      link_base_(std::move(link_base)),
      form_(form) {}

std::string Expander::file(const fs::path& path) {
  require(depth_ < deepest, "{}: templates include each other more than {} deep", path.string(), deepest);
  const Holding<int> deeper(depth_, depth_ + 1);
  return without_empty_runs(text(read_file(path), path.string(), 1, Target::markdown));
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
    out += piece.is_tag ? placed(cursor.file, piece.line, [&] { return tag(piece.text); }) : piece.text;
  }
  if (block_tag)
    refuse("{}:{}: the block '{{{{{}}}}}' is never closed", cursor.file, block_tag->line, block_tag->text);
  return out;
}

std::string Expander::block(Cursor& cursor, bool live) {
  const Piece& opening = cursor.pieces[cursor.at++];
  Branch branch = Branch::left_out;
  const auto decided = [&] { return branch = decide(words_of(opening.text)), std::string(); };
  if (live) placed(cursor.file, opening.line, decided);
  if (branch == Branch::left_out) return sequence(cursor, &opening, false);
  if (branch == Branch::taken) return sequence(cursor, &opening, true);
  // Another outcome's prose: filled in and thrown away, so that its mistakes show today.
  const auto printed = printed_;
  const Holding<int> checking(checking_, checking_ + 1);
  sequence(cursor, &opening, true);
  printed_ = printed;
  return "";
}

std::string Expander::study(const std::string& name) {
  const Results* results = facts_.study(name);
  const fs::path path = templates_ / (name + ".md");
  require(fs::exists(path), "study '{}' has no template {}", name, path.string());
  if (!results) return "";
  const Holding<const Results*> inside(study_, results);
  return file(path);
}

std::string Expander::section(const std::string& id) {
  require(study_ != nullptr, "a section stands in its study's template, not here");
  const fs::path path = templates_ / study_->study / (id + ".md");
  require(fs::exists(path), "claim '{}' has no template {}", id, path.string());
  const auto& claims = study_->claims;
  if (std::none_of(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.id == id; }))
    return "";
  return fmt::format("<a id=\"{}\"></a>\n\n{}", anchor(id), file(path));
}

/// <study>/<name>.md of every study that has one, one behind the other.
std::string Expander::each(const std::string& name) {
  static const Pattern form("[a-z]+");
  require(form.fits(name), "{} is not the name of a file that studies have", in_quotes(name));
  bool known = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(templates_))
    known = known || fs::exists(entry.path() / (name + ".md"));
  require(known, "no study has a template {}.md", name);
  std::string out;
  for (const Results& results : facts_.studies()) {
    const fs::path path = templates_ / results.study / (name + ".md");
    if (!fs::exists(path)) continue;
    const Holding<const Results*> inside(study_, &results);
    out += file(path) + "\n";
  }
  return out;
}

}  // namespace perp::report
