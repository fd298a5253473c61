// The template language, where the golden pages do not show it, and that every mistake names its file and
// line.

#include "reports/render/expand.hpp"

#include <algorithm>

#include "reports/render/data_table.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

struct Template : Workplace {
  Facts facts{options.results};
  std::vector<Figure> figures = read_figures(options.sources);
  Expander expander{facts, figures, options.sources};

  std::string filled(const std::string& text) { return expander.text(text, "t.md", 1, Target::markdown); }
  std::string filled_from(const Facts& other, const std::string& text) const {
    return Expander(other, figures, options.sources).text(text, "t.md", 1, Target::markdown);
  }
  void refuses(const std::string& text, const std::string& message) {
    BOOST_CHECK_EXCEPTION(filled(text), Error, saying(message));
  }
};

BOOST_FIXTURE_TEST_SUITE(templates, Template)

BOOST_AUTO_TEST_CASE(values_of_findings_and_parts_of_claims) {
  for (const auto& [text, expected] :
       {std::pair{"{{O1.share_near.d512}}", "0.9764"},
        {"{{O1.share_near.d512|.2%}} {{ O1.share_near.d512.theory | .5f }}", "97.64% 0.97646"},
        {"{{O1.share_near.d512.interval|.3f}} {{O1.share_near.d512.n}}", "[0.974, 0.979] 20,000"},
        {"{{O1.verdict}} {{O1.source}} {{O5.statement}}",
         "true \\[d\\] concatenation makes them exactly orthogonal"},
        {"{{parameter.orthogonality.near|.2f}} {{parameter.orthogonality.dim}}", "0.10 8..1024\\*2"},
        {"{{preset}} {{seed}}", "quick 1"}})
    BOOST_TEST(filled(text) == expected);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_an_error_with_file_and_line) {
  refuses("a\nb {{O1.share_nera.d512}}",
          "t.md:2: unknown 'O1.share_nera.d512'; the nearest finding is 'O1.share_near.d512'");
  refuses("{{O7.x}}", "t.md:1: unknown 'O7.x'");
  refuses("{{something}}", "t.md:1: unknown 'something'");
  refuses("{{O1.share_near.d512|.3q}}", "t.md:1: format '.3q' is not one of");
  refuses("{{O1.share_near.d512|}}", "t.md:1: 'O1.share_near.d512|' has a '|' and no format");
  refuses("{{O5.largest_cosine.interval}}", "t.md:1: finding 'O5.largest_cosine' has no interval");
  refuses("{{O1.verdict|.3f}}", "'O1.verdict' is a text and takes no format");
  refuses("{{O1.share_near.d512.width}}", "O1.share_near.d512.width");
  refuses("{{O1.width}}", "O1.width");
  refuses("{{O1.width|.3f}}", "t.md:1: unknown 'O1.width'");
  refuses("{{parameter.orthogonality.nothing}}", "no coordinate 'nothing'");
  refuses("{{parameter.distance.near}}", "expected parameter.<study>.<name>");
  refuses("{{figur x}}", "'figur x' is no value and none of: table, cell, ledger");
  refuses("{{figure x}}", "no figure 'x'");
  refuses("{{#figure x}}{{/figure}}", "no figure 'x'");
  refuses("{{command O9}}", "no results for a claim 'O9'");
  refuses("{{section O1}}", "a section stands in its study's template");
  refuses("{{study capacity}}", "study 'capacity' has no template");
}

BOOST_AUTO_TEST_CASE(an_unmeasured_value_is_an_error) {
  Results study = facts.studies().front();
  std::ranges::find(study.findings, "O5.largest_cosine", &Finding::id)->value = std::nan("");
  for (Claim& claim : study.claims) claim.judgement = judge(study.findings, claim.rule);
  const Facts lost(options.results, {study});
  BOOST_CHECK_EXCEPTION(filled_from(lost, "{{O5.largest_cosine}}"), Error,
                        saying("t.md:1: finding 'O5.largest_cosine' was not measured"));
  for (const char* prose :
       {"{{#when measured O5.largest_cosine}}a{{/when}}b", "{{#when measured O5}}a{{/when}}b"})
    BOOST_TEST(filled_from(lost, prose) == "b");
}

BOOST_AUTO_TEST_CASE(prose_depends_on_the_verdict) {
  BOOST_TEST(filled("{{#when verdict O1 true|depends}}yes{{/when}}{{#when verdict O1 false}}no{{/when}}") ==
             "yes");
  BOOST_TEST(filled("{{#when verdict O1 false | unmeasured}}no{{/when}}") == "");
  BOOST_TEST(filled("{{#when verdict O1 true}}a{{#when measured O5.largest_cosine}}b{{/when}}c{{/when}}") ==
             "abc");
  BOOST_TEST(filled("{{#when verdict O4 true}}{{O4.unknown}}{{/when}}") == "");  // no results: left out
}

BOOST_AUTO_TEST_CASE(a_passage_stands_where_its_guards_hold) {
  const auto shown = [&](const std::string& guards) {
    return filled("{{#when " + guards + "}}{{O1.share_near.d512|.2f}}{{/when}}") == "0.98";
  };
  // 0.9764, [0.974, 0.979] at 99%: a guard asks the interval at the level that judges.
  BOOST_TEST(shown("O1.share_near.d512 above 0.97"));
  BOOST_TEST(!shown("O1.share_near.d512 above 0.976"));
  BOOST_TEST(!shown("O1.share_near.d512 above 0.98"));
  BOOST_TEST(shown("O1.share_near.d512 below 0.99"));
  BOOST_TEST(!shown("O1.share_near.d512 below 0.977"));
  BOOST_TEST(shown("O1.share_near.d512 within 0.99"));
  BOOST_TEST(!shown("O1.share_near.d512 within 0.9"));
  BOOST_TEST(shown(
      "O1.share_near.d512 above 0.97, verdict O1 true|depends, preset quick, measured O1.share_near.d512"));
  BOOST_TEST(!shown("O1.share_near.d512 above 0.97, verdict O1 false"));
  BOOST_TEST(!shown("O1.share_near.d512 above 0.97, preset full"));
  BOOST_TEST(shown("preset full|quick"));
  BOOST_TEST(!shown("O1.share_near.d768 above 0.97"));
  BOOST_TEST(!shown("fails O1.share_near.d512"));
  BOOST_TEST(shown("holds O1.share_near.d512"));
  refuses("{{#when}}x{{/when}}", "t.md:1: expected: #when and what the passage takes for granted");
  refuses("a\n{{#when O1.share_near.d512 bellow 1}}x{{/when}}",
          "t.md:2: 'O1.share_near.d512 bellow 1': expected");
  refuses("{{#when O1.share_near.d512 below one}}x{{/when}}", "expected a number behind 'below'");
  refuses("{{#when preset quick,}}x{{/when}}",
          "t.md:1: '': expected 'ID below|above|within NUMBER' or one of");
  refuses("{{#when preset fast}}x{{/when}}", "preset 'fast' is none of");
  refuses("{{#when O77.share below 1}}x{{/when}}", "no results and no section have a claim 'O77'");
  // What was not measured has no numbers to fill in.
  BOOST_TEST(filled("{{#when O1.share_near.d512 above 0.99, O4.x above 0}}{{O4.x}}{{/when}}") == "");
  // What does not hold is filled in all the same, so that its mistakes show.
  refuses("{{#when O1.share_near.d512 below 0.1}}{{O1.nothing}}{{/when}}", "unknown 'O1.nothing'");
}

BOOST_AUTO_TEST_CASE(what_guards_left_out_is_said) {
  filled(
      "{{#when O1.share_near.d512 above 0.99, O1.share_near.d768 below 1}}x{{/when}}"
      "{{#when O1.share_near.d512 above 0.9}}y{{/when}}");
  BOOST_REQUIRE(expander.left_out().size() == 2u);
  BOOST_TEST(expander.left_out()[0].guard == "O1.share_near.d512 above 0.99");
  BOOST_TEST(expander.left_out()[0].why == "0.9764 [0.9736, 0.9792]");
  BOOST_TEST(expander.left_out()[1].why == "");
  BOOST_TEST(expander.left_out()[1].place == "t.md:1");
}

BOOST_AUTO_TEST_CASE(prose_depends_on_a_condition) {
  const std::string text =
      "{{#when holds O1.share_near.d512}}many{{/when}}{{#when fails O1.share_near.d512}}few{{/when}}"
      "{{#when open O1.share_near.d512}}who knows{{/when}}{{#when holds O4.x}}never{{/when}}";
  BOOST_TEST(filled(text) == "many");
  refuses("{{#when holds O1.spread.sphere.d512}}x{{/when}}",
          "no claim has a condition on 'O1.spread.sphere.d512'");
  refuses("{{#when fails O1.share_near.d512}}{{O1.nothing}}{{/when}}", "unknown 'O1.nothing'");
  // Another bound, another outcome, other prose.
  Results study = facts.studies().front();
  const auto with_bound = [&](double bound) {
    Claim& claim = study.claims.front();
    claim.rule[1].bound = bound;
    claim.judgement = judge(study.findings, claim.rule);
    return filled_from(Facts(root / "results", {study}),
                       text + " {{O1.verdict}}: {{#answer O1}}most{{/answer}}");
  };
  BOOST_TEST(with_bound(0.95).starts_with("many true: **Answer.** **True**. Most."));
  BOOST_TEST(with_bound(0.976).starts_with("who knows open: **Answer.** **Open**. Most."));
  BOOST_TEST(with_bound(0.99).starts_with("few depends: **Answer.** **Depends**. Most."));
}

BOOST_AUTO_TEST_CASE(the_other_outcomes_prose_is_checked_and_prints_nothing) {
  refuses("{{#when verdict O1 false}}\n{{O1.nothing}}{{/when}}", "t.md:2: unknown 'O1.nothing'");
  BOOST_TEST(filled("{{#when verdict O1 false}}{{O1.share_near.d512}}{{/when}}") == "");
}

BOOST_AUTO_TEST_CASE(broken_blocks_are_refused) {
  refuses("{{#when verdict O1 true}}", "t.md:1: the block '{{#when verdict O1 true}}' is never closed");
  refuses("{{#when verdict O1 true}}{{/figure}}", "t.md:1: '{{/figure}}' closes no block that is open here");
  refuses("{{/when}}", "closes no block");
  refuses("{{#when verdict O1 supported}}{{/when}}", "t.md:1: verdict 'supported' is not known");
  refuses("{{#when verdict O1}}{{/when}}", "expected: verdict O1 true|depends");
  refuses("{{#when verdict O77 true}}{{/when}}", "no results and no section have a claim 'O77'");
  refuses("{{#when measured O77.x}}{{/when}}", "have a claim 'O77'");
  refuses("{{#when measured o1}}{{/when}}", "'o1' is not the name of a claim");
  refuses("{{#measured O1}}{{/measured}}", "'{{#measured}}' is no block; blocks are #when #figure #answer");
  refuses("{{#whenever O1}}{{/when}}", "'{{#whenever}}' is no block");
}

BOOST_AUTO_TEST_CASE(tables_select_format_and_align) {
  BOOST_TEST(filled("{{table orthogonality/o1_spread.csv columns=family,d:d,spread_sqrt_d[]:.2f as "
                    "\"Words\",\"d\",\"a, b\"\n"
                    " where d=16.0 & family!=sphere & family != uniform}}") ==
             "| Words | d | a, b |\n| :--- | ---: | ---: |\n"
             "| Gaussian | 16 | 1.01 [0.99, 1.02] |\n| random signs | 16 | 1.00 [0.99, 1.01] |\n");
}

BOOST_AUTO_TEST_CASE(data_stand_beside_the_templates) {
  write("studies/orthogonality/known.csv", "what,published\n\"a, b\",2.05\nc,\n");
  BOOST_TEST(filled("{{table sections/orthogonality/known.csv columns=what,published:.2f}}") ==
             "| what | published |\n| :--- | ---: |\n| a, b | 2.05 |\n| c | – |\n");
  refuses("{{table sections/orthogonality/absent.csv columns=what}}", "absent.csv");
}

BOOST_AUTO_TEST_CASE(a_long_table_shows_twenty_rows_or_all) {
  for (std::size_t n = 1; n <= 22; ++n)
    append("results/orthogonality/o1_spread.csv", fmt::format("sphere,70,{},1,1,1,1\n", n));
  const std::string table = "{{table orthogonality/o1_spread.csv columns=n where d=70";
  const std::string twenty = filled(table + "}}"), whole = filled(table + " whole}}");
  BOOST_TEST(contains(twenty, "*20 of 22 rows, evenly spaced; all in "), twenty);
  BOOST_TEST((contains(twenty, "| 1 |\n") && contains(twenty, "| 22 |\n")), twenty);
  BOOST_TEST(whole.ends_with("| 21 |\n| 22 |\n"), whole);
  BOOST_TEST(std::ranges::count(whole, '\n') == 2 + 22, whole);
}

BOOST_AUTO_TEST_CASE(a_cell_is_one_number_and_count_says_how_many_rows) {
  const std::string cell = "{{cell orthogonality/o1_spread.csv ";
  BOOST_TEST(filled(cell + "spread_sqrt_d where family=gaussian & d=16|.2f}}") == "1.01");
  BOOST_TEST(filled(cell + "d where family=gaussian & d>512}}") == "1024");
  BOOST_TEST(filled(cell + "count where family=gaussian}}") == "8");
  BOOST_TEST(filled(cell + "count where d>1000000}}") == "0");
  refuses(cell + "spread_sqrt_d where family=gaussian}}", "8 rows of orthogonality/o1_spread.csv are where");
  refuses(cell + "q where d=16}}", "has no column 'q'");
  refuses(cell + "d}}", "expected: cell study/file.csv column where");
  refuses(cell + "d where family>gaussian}}", "'>' asks for a number");
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_printed) {
  refuses("{{table orthogonality/o1_spread.csv columns=q}}", "has no column 'q'; it has family, d, n,");
  refuses("{{table orthogonality/o1_spread.csv columns=d where q=1}}", "has no column 'q'");
  refuses("{{table orthogonality/o1_spread.csv columns=d where d=7}}",
          "no row of orthogonality/o1_spread.csv is left");
  refuses("{{table orthogonality/o1_spread.csv columns=d as \"a\",\"b\"}}", "1 columns have 2 heads");
  refuses("{{table orthogonality/o1_spread.csv columns=family:.3f}}",
          "'family' holds the text 'gaussian' where a number");
  refuses("{{table orthogonality/o1_spread.csv columns=d:.3z}}", "format '.3z'");
  refuses("{{table orthogonality/o1_spread.csv columns=d[]}}", "column 'd' has no interval");
  refuses("{{table orthogonality/o1_spread.csv}}", "expected: table study/file.csv columns=");
  refuses("{{table orthogonality/../x.csv columns=d}}", "is not named <study>/<table>.csv");
  refuses("{{table orthogonality/other.csv columns=d}}", "results.json defines no such table");
  refuses("{{table distance/o1.csv columns=d}}", "that study has no results here");
  exchange("results/orthogonality/o1_spread.csv", "family,d,", "family,dim,");
  refuses("{{table orthogonality/o1_spread.csv columns=n}}",
          "its columns are not those that results.json defines");
}

BOOST_AUTO_TEST_CASE(text_from_data_is_no_markup) {
  append("results/orthogonality/o1_spread.csv",
         "\"<b>|`x` [l](u) *$y$*\",4096,1,1,1,1,1\n'=1+1,8192,1,1,,,1\ncopy2,64,1,1,1,1,1\n");
  const std::string row = filled("{{table orthogonality/o1_spread.csv columns=family,d where d=4096}}");
  BOOST_TEST(row.ends_with("| &lt;b&gt;\\|\\`x\\` \\[l\\](u) \\*\\$y\\$\\* | 4096 |\n"));
  // An identifier is shown by its name.
  BOOST_TEST(filled("{{table orthogonality/o1_spread.csv columns=family,n where d=64 & n=1}}")
                 .ends_with("| copy two before | 1 |\n"));
  const std::string formula =
      filled("{{table orthogonality/o1_spread.csv columns=family,spread_sqrt_d[],low where d=8192}}");
  BOOST_TEST(formula.ends_with("| =1+1 | 1 | – |\n"));
}

BOOST_AUTO_TEST_CASE(findings_are_all_printed) {
  const std::string text = findings_table(facts, "O1");
  BOOST_TEST(text.starts_with("| finding | value [99% interval] |"));
  BOOST_TEST(contains(
      text, "| `O1.share_near.d512` | 0.9764 [0.9736, 0.9792] | 0.9765 | 20,000 | (2) Share of pairs"));
  BOOST_TEST(contains(text, "| (1) |\n"));  // said before
  // Of several levels the heading names none.
  exchange("results/orthogonality/results.json", "\"high\": 0.9792, \"level\": 0.99",
           "\"high\": 0.9792, \"level\": 0.95");
  BOOST_TEST(findings_table(Facts(options.results), "O1").starts_with("| finding | value [interval] |"));
}

BOOST_AUTO_TEST_CASE(a_number_for_a_browser_says_what_it_is) {
  exchange("results/orthogonality/results.json", "Share of pairs whose cosine lies within the bound",
           "The same of |cosine| < <b>");
  const Facts found(options.results);
  Expander page(found, figures, options.sources, Links(found, {Form::site, {}, ""}));
  const auto shown = [&](const char* text, Target target) { return page.text(text, "t.md", 1, target); };
  // What leans on the finding above has it in front; nothing of it is markup or ends a cell.
  const std::string title =
      "title=\"0.9764 [0.9736, 0.9792] (99%), theory or chance 0.9765, n = 20,000. Spread of the cosine of a "
      "random pair, times the root of the dimension The same of &#124;cosine&#124; &lt; &lt;b&gt; of nearly "
      "orthogonal\"";
  BOOST_TEST(shown("{{O1.share_near.d512|.1%}}", Target::markdown) ==
             fmt::format("<data value=\"0.97641\" {}>97.6%</data>", title));
  BOOST_TEST(shown("{{O1.share_near.d512.interval|.2f}}", Target::markdown) ==
             fmt::format("<data value=\"0.97641\" {}>[0.97, 0.98]</data>", title));
  BOOST_TEST(shown("{{O1.share_near.d512.theory|.2f}}", Target::markdown) ==
             fmt::format("<data value=\"0.97646\" {}>0.98</data>", title));
  BOOST_TEST(shown("{{O5.largest_cosine}}", Target::markdown) ==
             "<data value=\"3.1e-17\" title=\"3.1·10⁻¹⁷, theory or chance 0, n = 1,000,000. Largest cosine "
             "between a word and a position, side by side in one vector\">3.1·10⁻¹⁷</data>");
  BOOST_TEST(shown("{{O1.share_near.d512.n}}", Target::markdown) == "20,000");
  BOOST_TEST(shown("{{O1.share_near.d512|.1%}}", Target::plain) == "97.6%");
}

BOOST_AUTO_TEST_CASE(a_figure_with_a_caption_of_the_page_vanishes_with_its_claim) {
  const std::string text =
      "{{#figure orthogonality-o1-spread}}\nSpread {{O1.spread.gaussian.d512|.3f}}.\n{{/figure}}";
  BOOST_TEST(contains(filled(text), "\">\n\n**Figure 1.** *Spread 1.009.* Data: "));
  Results study = facts.studies().front();
  std::erase_if(study.claims, [](const Claim& claim) { return claim.id == "O1"; });
  BOOST_TEST(filled_from(Facts(root / "results", {study}), text) == "");
}

BOOST_AUTO_TEST_CASE(any_of_several_names) {
  BOOST_TEST(
      filled("{{#when measured O4|O5.largest_cosine}}a{{/when}}{{#when measured O4.x|O4.y}}b{{/when}}") ==
      "a");
  refuses("{{#when measured O1|O99}}{{/when}}", "have a claim 'O99'");
  refuses("{{#when measured O1|o9.x}}{{/when}}", "'o9' is not the name of a claim");
}

/// A page of its own, so that references and numbers are filled in.
struct WholePage : Template {
  std::string page(const std::string& text) {
    write("pages/page.md", text);
    return Expander(facts, figures, options.sources).file(root / "pages/page.md");
  }
  void page_refuses(const std::string& text, const std::string& message) {
    BOOST_CHECK_EXCEPTION(page(text), Error, saying(message));
  }
};

BOOST_FIXTURE_TEST_CASE(figures_and_tables_are_numbered, WholePage) {
  const std::string text = page(
      "**{{label Table one}}**\n\n{{figure orthogonality-o1-spread}}\n\n"
      "{{#when verdict O1 false}}{{label Table never}}{{/when}}**{{label Table two}}**\n");
  BOOST_TEST(text.starts_with("**Table 1**\n"));
  BOOST_TEST(contains(text, "**Figure 1.** "));
  BOOST_TEST(text.ends_with("\n**Table 2**\n"));
  page_refuses("{{label Table one}}{{label Table one}}", "page.md:1: 'one' is on this page twice");
}

BOOST_FIXTURE_TEST_CASE(texts_beside_the_report_stand_where_they_are_included, WholePage) {
  write("pages/beside.md", "at {{seed}}");
  BOOST_TEST(page("{{include beside}} and {{preset}}") == "at 1 and quick\n");
  for (const std::string other : {"../beside", "results/beside"})
    page_refuses(fmt::format("{{{{include {}}}}}", other),
                 fmt::format("page.md:1: '{}' is not the name of a file beside report.md", other));
}

BOOST_FIXTURE_TEST_CASE(citations_are_numbered_in_order_and_listed, WholePage) {
  write("pages/references.bib", R"(% three
@article{cai2013,
  author = {Cai, Tony and Fan, Jianqing and Jiang, Tiefeng},
  title = {Angles {on} spheres},
  journal = {JMLR},
  volume = {14},
  year = {2013},
  eprint = {1306.0256}
}

@misc{source-d,
  author = {pappypapaya},
  title = {A comment?},
  year = {n.d.},
  url = {https://example.org/x},
}
@book{four,
  author = {A, Ärno and B, Bo and C, Ce and D, De},
  title = {T},
  publisher = {P_q},
  year = {1999}
}
)");
  BOOST_TEST(page("As [@four; @cai2013] and [@four] say.\n\n{{references}}\n") ==
             "As \\[[1](#ref-four), [2](#ref-cai2013)\\] and \\[[1](#ref-four)\\] say.\n\n"
             "## References\n\n"
             "1. <a id=\"ref-four\"></a>Ä. A et al. T. *P\\_q*, 1999.\n"
             "1. <a id=\"ref-cai2013\"></a>T. Cai, J. Fan and T. Jiang. Angles on spheres. *JMLR* 14, 2013. "
             "[arXiv:1306.0256](https://arxiv.org/abs/1306.0256).\n");
  BOOST_TEST(page("{{#when verdict O1 false}}[@four]{{/when}}[@source-d]\n\n{{references}}\n") ==
             "\\[[1](#ref-source-d)\\]\n\n## References\n\n1. <a id=\"ref-source-d\"></a>\\[d\\] "
             "pappypapaya. A comment? n.d. <https://example.org/x>.\n");
  BOOST_TEST(!contains(page("Nothing.\n\n{{references}}\n"), "References"));
  BOOST_TEST(contains(page("{{ledger}}\n\n{{references}}\n"), " \\[[d](#ref-source-d)\\] |"));
  page_refuses("a\n\n[@none]\n\n{{references}}", "page.md:3: no entry 'none' in ");
  page_refuses("a\n[@four; cai2013]", "page.md:2: a citation is written [@key] or [@key; @key]");
  page_refuses("[@four", "page.md:1: a citation is opened here and never closed");
  page_refuses("[@four]", "the page cites four and has no {{references}}");
  page_refuses("{{references}}{{references}}", "the page has {{references}} twice");
  const std::string entry = "@book{four,\nauthor = {A},\ntitle = {T},\n";
  for (const auto& [text, message] : std::initializer_list<std::pair<std::string, const char*>>{
           {entry + "}\n", "4: the entry that ends here has no year"},
           {entry + "year = {1}\n}\n@misc{four,\n}", "6: the key 'four' is given twice"},
           {entry + "title = {U},\n}", "4: title is given twice"},
           {entry + "year = { }\n}", "4: year is empty"},
           {entry + "year = 1\n}", "4: expected 'name = {value},' or '}', found 'year = 1'"},
           {entry + "year = {1}, volume = {2}\n}", "4: expected 'name = {value},' or '}'"},
           {entry + "year = {1\n}", "4: expected 'name = {value},' or '}'"},
           {entry + "@misc{five,\n}", "4: expected 'name = {value},' or '}'"},
           {entry + "year = {1}", "4: the last entry is never closed"},
           {"book{four,\n", "1: expected '@kind{key,', found 'book{four,'"}}) {
    write("pages/references.bib", text);
    page_refuses("[@four]\n\n{{references}}", std::string("references.bib:") + message);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
