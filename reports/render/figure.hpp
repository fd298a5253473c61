#pragma once
// A figure is a gnuplot script, studies/<study>/<claim>-<name>.gp, whose comment header says what it shows and needs:
//
//   #: claim: O1                            the figure is left out when the claim is; one called
//                                           report-<name> has none
//   #: finding: O4.z.real.k10               (optional) … and when this finding was not measured
//   #: needs: orthogonality/o1_spread.csv   (blank-separated) each becomes data_o1_spread, a path; ledger.csv
//                                           becomes $ledger, a row for each claim and kind of evidence
//   #: also: long/learning/a10.csv          (optional, blank-separated) the same where they are there, elsewhere '';
//                                           of the preset long's report data_long_a10
//   #: title: …  #: caption: …  #: alt: …   templates; a line "#: …" without a key continues the one before
//   #: number: knee = A1.knee.d512          (any number of times) a finding as a gnuplot number
//   #: text: label = … {{A1.knee.d512}}     (any number of times) a template as a gnuplot string
//   #: size: 760x430                        pixels; this is the default
//   #: phone: 340x520                       (optional) pixels of a second drawing for a phone, where `phone` is 1:
//                                           panels stand below one another, the title runs over several lines
//
// The text that comes from data reaches gnuplot in single-quoted strings only, and as numbers.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/facts.hpp"

namespace perp::report {

/// What a report is made of, beside results.
struct Sources {
  std::filesystem::path pages = "reports/pages";  ///< report.md, html/, references.bib, results/ …
  std::filesystem::path sections = "studies";     ///< <study>/chapter.md, <study>/o1.md, <study>/o1-spread.gp
  std::filesystem::path style = "reports/pages";  ///< style.gp, and figures that belong to no claim

  std::filesystem::path chapter(const std::string& study) const { return sections / study / "chapter.md"; }
};

struct HeaderText {
  std::string text;
  std::size_t line = 1;
};

struct Figure {
  std::string name;  ///< "orthogonality-o1-spread", of studies/orthogonality/o1-spread.gp
  std::filesystem::path script, style;
  std::string claim, finding;
  std::vector<std::string> needs, also;
  HeaderText title, caption, alt;
  std::vector<std::pair<std::string, HeaderText>> numbers, texts;
  int width = 760, height = 430;
  int phone_width = 0, phone_height = 0;  ///< 0: it has no form for a phone
  bool is_phone = false;

  bool has_phone() const { return phone_width > 0; }
};

/// Its form for a phone.
Figure on_phone(Figure figure);

/// All figures, by name. Throws Error with file and line for a header that is incomplete or
/// wrong.
std::vector<Figure> read_figures(const Sources& sources);
Figure figure_from(std::string_view script, const std::string& name, const std::filesystem::path& path);

/// What a script calls a table that its header names: "orthogonality/o1_spread.csv" is data_o1_spread,
/// "long/learning/a10_text.csv" data_long_a10_text.
std::string data_name(const std::string& table);

/// Whether it can be drawn: its claim is among the results, and so are its finding and its tables. Throws
/// Error when claim and finding are there and measured but a table is not.
bool is_drawable(const Figure& figure, const Facts& facts);

class Expander;

/// What gnuplot runs: terminal, data paths, texts and numbers, then style.gp, then the script.
std::string gnuplot_program(const Figure& figure, const Facts& facts, Expander& expander);

/// Throws Error{Exit::unusable} where gnuplot cannot be asked: it is not installed, or may take no time.
void expect_gnuplot();

/// Draws the figure and returns the SVG as gnuplot writes it, with a style sheet that gives the colours of
/// style.gp their dark ones where the reader's theme, or `color-scheme` of a page around it, is dark. Throws
/// Error when gnuplot is missing (exit 2), fails or warns.
std::string draw(const Figure& figure, const Facts& facts, Expander& expander);

}  // namespace perp::report
