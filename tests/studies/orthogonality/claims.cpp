// The units of pairs that share a word, the study without words.

#include "studies/orthogonality/claims.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/studies/orthogonality/quick.hpp"
#include "tests/support/golden.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(orthogonality_claims)

namespace {

const Finding& finding(std::string_view id) { return test::finding(quick_results(), id); }

}  // namespace

BOOST_AUTO_TEST_CASE(simulations_meet_their_laws) {
  // Four half-widths of the 99 % interval are over ten standard errors.
  for (const char* id : {"O1.share_near.gaussian.d768", "O1.share_near.sphere.d768",
                         "O2.mean_square_turned.gaussian.d512.l2048", "O2.mean_square_turned.real",
                         "O4.largest_cosine.d512.k64.r128", "O4.overlap.d512.k64.r128"})
    check_theory(quick_results(), id, 4);
}

BOOST_AUTO_TEST_CASE(tiles_are_the_units_of_pairs_that_share_a_word) {
  // Ten words a hundred times each are not a thousand: the interval is the wider of the two, and words with a
  // common mean have the wider one by tiles.
  const auto half = [](const char* id) {
    const Finding& f = finding(id);
    BOOST_REQUIRE(f.spread.has_value());
    BOOST_TEST(f.spread->replicates == 40U);
    return (*f.high - *f.low) / 2;
  };
  const double pairs = 40 * 32 * 32;
  const auto wilson_half = [&](const char* id) {
    const double p = finding(id).value;
    return 2.5758 * std::sqrt(p * (1 - p) / pairs);
  };
  BOOST_TEST(half("O1.share_near.anisotropic.d1024") > 1.3 * wilson_half("O1.share_near.anisotropic.d1024"));
  BOOST_TEST(half("O1.share_near.gaussian.d512") < 1.5 * wilson_half("O1.share_near.gaussian.d512"));
}

BOOST_AUTO_TEST_CASE(without_words_the_rest_stands) {
  const Scratch scratch;
  Options options = quick_options(scratch, 2, false);
  options.only = {"O2", "O3"};
  const Results results = measure(orthogonality::study(), options);
  BOOST_TEST(results.inputs.empty());
  BOOST_TEST(!find(results.findings, "O2.mean_square_turned.real"));
  for (const Claim& claim : results.claims) {
    BOOST_TEST((claim.verdict() == Verdict::is_true), claim.id);
    BOOST_TEST(claim.judgement.unmeasured == (claim.id == "O2" ? 2U : 1U), claim.id);
    BOOST_TEST(claim.rule.size() == test::claim(quick_results(), claim.id).rule.size(), claim.id);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.
BOOST_AUTO_TEST_SUITE(orthogonality_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("orthogonality", quick_results()); }

BOOST_AUTO_TEST_SUITE_END()
