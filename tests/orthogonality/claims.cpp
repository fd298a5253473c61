// What the study must find whatever the machine: theorems, each with the chance that the test fails by bad
// luck.

#include <algorithm>
#include <cmath>

#include "tests/orthogonality/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const Finding& finding(std::string_view id) { return test::finding(quick_results(), id); }

/// The theory within `widths` half-widths of the 99 % interval: four are over ten standard errors.
void check_theory(const std::string& id, double widths = 4) {
  const Finding& f = finding(id);
  BOOST_REQUIRE(f.theory.has_value());
  BOOST_REQUIRE(f.low.has_value());
  const double half = (*f.high - *f.low) / 2;
  BOOST_TEST(half > 0);
  BOOST_TEST(std::abs(f.value - *f.theory) < widths * half,
             id << ": " << f.value << " against " << *f.theory);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orthogonality_claims)

BOOST_AUTO_TEST_CASE(random_pairs_follow_their_law) {
  for (const char* family : {"gaussian", "sphere"})
    check_theory(fmt::format("O1.share_near.{}.d768", family));
  BOOST_TEST(finding("O1.spread.anisotropic.d512").value > 2);  // a common mean does not shrink with d
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

BOOST_AUTO_TEST_CASE(over_random_rotations_the_mean_is_chance) {
  for (const std::string pair : {"gaussian.d512.l2048", "real"}) {
    const Finding& turned = finding("O2.mean_square_turned." + pair);
    BOOST_TEST(turned.n == 40U);
    BOOST_REQUIRE(turned.spread.has_value());
    BOOST_TEST(turned.spread->replicates == 40U);
    BOOST_TEST(*turned.theory == 1, boost::test_tools::tolerance(1e-5));
    check_theory("O2.mean_square_turned." + pair, 2);
  }
}

BOOST_AUTO_TEST_CASE(subspaces_meet_as_chance_says) {
  for (const char* id : {"O4.largest_cosine.d512.k64.r128", "O4.overlap.d512.k64.r128"}) check_theory(id);
}

BOOST_AUTO_TEST_CASE(concatenation_is_exact) {
  BOOST_TEST(finding("O5.largest_pair").value == 0);
  BOOST_TEST(finding("O5.largest_principal").value < 1e-12);
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

BOOST_AUTO_TEST_CASE(files_that_are_not_there) {
  const Scratch scratch;
  Options options = quick_options(scratch, 1, false);
  for (const char* option : {"corpus", "words"}) {
    options.extra = {{option, (scratch / "absent").string()}};
    const std::optional<Error> error = error_of([&] { measure(orthogonality::study(), options); });
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST((error->exit() == Exit::unusable));
    BOOST_TEST(std::string(error->what()).find("absent") != std::string::npos);
  }
  options.extra = {{"corpus", "a"}, {"words", "b"}};
  BOOST_TEST(error_of([&] { measure(orthogonality::study(), options); }).has_value());
}

BOOST_AUTO_TEST_CASE(same_bytes_for_any_number_of_threads) {
  for (const std::size_t threads : {1, 7}) {
    const Scratch scratch;
    BOOST_TEST(bytes(measure(orthogonality::study(), quick_options(scratch, threads, true))) ==
                   bytes(quick_results()),
               "another result with " << threads << " threads than with 2");
  }
}

BOOST_AUTO_TEST_SUITE_END()
