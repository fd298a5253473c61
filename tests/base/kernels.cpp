// The table of kernels, on processors and libraries made up for it.

#include "perp/base/kernels.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "perp/base/error.hpp"

using namespace perp;

namespace {

KernelOffer openblas(const std::string& picked, const std::string& version = "0.3.21") {
  return {"OpenBLAS", version, picked, true, {}, {}};
}
KernelOffer blis(const std::string& picked, const std::string& version = "0.9.0") {
  return {"BLIS", version,
          picked, true,
          {},     [](const std::string& core) {
            return core == "skx" ? "0" : core == "haswell" ? "3" : ""; }};
}
constexpr Processor xeon{Instructions::avx512, false, true};
constexpr Processor zen4{Instructions::avx512, true, true};
constexpr Processor zen2{Instructions::avx2, true, false};
constexpr Processor haswell{Instructions::avx2, false, false};

std::string best(const KernelOffer& offer, const Processor& processor) {
  return choose_kernels(offer, processor, "best", "").core;
}

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(an_unknown_processor_gets_what_it_can_run) {
  BOOST_TEST(best(openblas("Prescott"), xeon) == "SkylakeX");
  BOOST_TEST(best(openblas("Prescott"), haswell) == "Haswell");
  BOOST_TEST(best(openblas("Prescott"), zen2) == "Zen");
  BOOST_TEST(best(openblas("Prescott"), Processor{Instructions::avx, false, false}) == "Sandybridge");
  BOOST_TEST(best(openblas("Prescott"), Processor{Instructions::sse42, true, false}) == "Nehalem");
  BOOST_TEST(best(openblas("Prescott"), Processor{}) == "");
}

BOOST_AUTO_TEST_CASE(a_pick_that_is_not_below_stays) {
  BOOST_TEST(best(openblas("SkylakeX"), xeon) == "");
  BOOST_TEST(best(openblas("Zen"), zen2) == "");
  BOOST_TEST(best(openblas("Haswell"), zen2) == "");
  BOOST_TEST(best(openblas("Excavator"), zen2) == "");
  BOOST_TEST(best(openblas("Haswell"), zen4) == "SkylakeX");
}

BOOST_AUTO_TEST_CASE(a_pick_that_the_table_does_not_know_stays) {
  BOOST_TEST(best(openblas("Zen9"), xeon) == "");
  BOOST_TEST(best(blis("zen9"), zen4) == "");
  BOOST_TEST(!choose_kernels(blis("zen9", "9.0"), zen4, "", "").slower);
}

// Bulldozer's to Excavator's kernels use FMA4, which AMD dropped with Zen: asked for there, they would end
// the process.
BOOST_AUTO_TEST_CASE(kernels_with_fma4_are_for_processors_that_have_it) {
  Processor steamroller{Instructions::avx, true, false, true};
  BOOST_TEST(choose_kernels(openblas("Sandybridge"), steamroller, "Bulldozer", "").core == "Bulldozer");
  for (const char* core : {"Bulldozer", "Excavator"})
    BOOST_CHECK_THROW(choose_kernels(openblas("Haswell"), zen4, core, ""), Error);
  BOOST_CHECK_THROW(choose_kernels(blis("haswell"), zen2, "excavator", ""), Error);
}

BOOST_AUTO_TEST_CASE(usable_cores_are_those_that_run_and_are_held) {
  const auto text = [](const KernelOffer& offer, const Processor& processor) {
    std::string names;
    for (const std::string& core : usable_cores(offer, processor)) names += core + ' ';
    return names;
  };
  BOOST_TEST(text(openblas("Prescott"), haswell) == "Haswell Zen ");
  BOOST_TEST(text(openblas("Prescott"), xeon) == "Haswell Zen SkylakeX Cooperlake SapphireRapids ");
  BOOST_TEST(text(blis("generic"), zen2) == "haswell zen zen2 zen3 ");
  BOOST_TEST(text(openblas("Prescott"), Processor{Instructions::avx, false, false}) == "Sandybridge ");
  KernelOffer few = openblas("Prescott");
  few.has = [](const std::string& core) { return core != "Zen"; };
  BOOST_TEST(text(few, haswell) == "Haswell ");
  few.dynamic = false;
  BOOST_TEST(text(few, haswell) == "");
  BOOST_TEST(text({"MKL", "2025", "", true, {}, {}}, xeon) == "");
}

BOOST_AUTO_TEST_CASE(blis_has_a_table_of_its_own) {
  for (const char* picked : {"generic", "penryn", "sandybridge", "haswell"})
    BOOST_TEST(best(blis(picked), xeon) == "skx");
  for (const char* picked : {"generic", "penryn", "sandybridge"}) {
    BOOST_TEST(best(blis(picked), haswell) == "haswell");
    BOOST_TEST(best(blis(picked), zen2) == "zen");
    BOOST_TEST(best(blis(picked), zen4) == "zen");
    BOOST_TEST(best(blis(picked), Processor{Instructions::avx, false, false}) == "");
  }
  for (const char* picked : {"haswell", "zen", "zen2", "zen3", "skx", "zen4"}) {
    BOOST_TEST(best(blis(picked), zen2) == "");
    BOOST_TEST(best(blis(picked), zen4) == "");
  }
  for (const char* picked : {"skx", "knl"}) BOOST_TEST(best(blis(picked), xeon) == "");
  // A Xeon Phi has neither AVX-512 BW nor VL.
  BOOST_TEST(best(blis("knl"), haswell) == "");
}

BOOST_AUTO_TEST_CASE(blis_is_told_by_number) {
  BOOST_TEST(choose_kernels(blis("zen3"), zen4, "HASWELL", "").core == "haswell");
  BOOST_TEST(choose_kernels(blis("zen3"), zen4, "haswell", "3").core == "haswell");
  BOOST_CHECK_THROW(choose_kernels(blis("zen3"), zen4, "haswell", "0"), Error);
  BOOST_CHECK_THROW(choose_kernels(blis("zen3"), zen4, "SkylakeX", ""), Error);
  for (const char* core : {"zen3", "knl", "bulldozer"})
    BOOST_CHECK_THROW(choose_kernels(blis("haswell"), xeon, core, ""), Error);
  BOOST_TEST(choose_kernels(blis("haswell"), xeon, "", "3").why == "BLIS_ARCH_TYPE=3 was set");
  BOOST_TEST(choose_kernels(blis("haswell", "0.9.1"), xeon, "", "").slower);
  BOOST_TEST(best(blis("haswell", "0.9.1"), xeon) == "");
  KernelOffer built_without_skx = blis("generic");
  built_without_skx.has = [](const std::string& core) { return core != "skx"; };
  BOOST_TEST(best(built_without_skx, xeon) == "haswell");
}

BOOST_AUTO_TEST_CASE(kernels_that_add_bfloat16_alone_are_below_skylakex) {
  for (const char* picked : {"Cooperlake", "SapphireRapids"}) {
    BOOST_TEST(best(openblas(picked, "0.3.29"), xeon) == "SkylakeX");
    BOOST_TEST(best(openblas(picked, "0.3.29"), zen4) == "SkylakeX");
  }
}

BOOST_AUTO_TEST_CASE(only_what_the_library_holds) {
  KernelOffer offer = openblas("Prescott");
  offer.has = [](const std::string& core) { return core != "SkylakeX" && core != "Zen"; };
  BOOST_TEST(best(offer, xeon) == "Haswell");
  BOOST_TEST(best(offer, zen2) == "Sandybridge");
  offer.has = [](const std::string&) { return false; };
  BOOST_TEST(best(offer, xeon) == "");
}

BOOST_AUTO_TEST_CASE(other_versions_and_libraries_are_left_alone) {
  const KernelChoice unchecked = choose_kernels(openblas("Prescott", "0.3.20"), xeon, "", "");
  BOOST_TEST(unchecked.core == "");
  BOOST_TEST(unchecked.slower);
  BOOST_TEST(unchecked.why.find("PERP_KERNELS=SkylakeX") != std::string::npos);
  KernelOffer offer = openblas("Prescott");
  offer.dynamic = false;
  BOOST_TEST(best(offer, xeon) == "");
  for (const char* library : {"MKL", "ATLAS", "reference", "unknown"}) {
    offer = openblas("zen3");
    offer.library = library;
    BOOST_TEST(best(offer, xeon) == "");
  }
}

BOOST_AUTO_TEST_CASE(what_the_user_says_stands) {
  BOOST_TEST(choose_kernels(openblas("Prescott"), xeon, "", "Haswell").core == "");
  BOOST_TEST(choose_kernels(openblas("Prescott"), xeon, "as-picked", "").core == "");
  BOOST_TEST(choose_kernels(openblas("Prescott"), xeon, "zen", "").core == "Zen");
  BOOST_TEST(choose_kernels(openblas("Prescott", "0.3.20"), xeon, "SkylakeX", "").core == "SkylakeX");
  BOOST_TEST(choose_kernels(openblas("Prescott"), xeon, "Haswell", "HASWELL").core == "Haswell");
  BOOST_CHECK_THROW(choose_kernels(openblas("Prescott"), xeon, "Haswell", "Zen"), Error);
}

BOOST_AUTO_TEST_CASE(never_what_the_processor_cannot_run) {
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids"})
    BOOST_CHECK_THROW(choose_kernels(openblas("Prescott"), haswell, core, ""), Error);
  BOOST_CHECK_THROW(choose_kernels(openblas("Prescott"), xeon, "Bulldozer", ""), Error);  // FMA4 is AMD's
  BOOST_CHECK_THROW(
      choose_kernels(openblas("Prescott"), Processor{Instructions::avx512, false, false}, "Cooperlake", ""),
      Error);
  BOOST_CHECK_THROW(choose_kernels(openblas("Prescott"), xeon, "Pentium", ""), Error);
}

BOOST_AUTO_TEST_CASE(this_processor_runs_what_the_table_takes_for_it) {
  // The instruction sets come in order; a program compiled for this machine has those it was compiled for.
  [[maybe_unused]] const Processor here = this_processor();
#if defined(__AVX512F__) && defined(__AVX512VL__)
  BOOST_TEST((here.has == Instructions::avx512));
#elif defined(__AVX2__) && defined(__FMA__)
  BOOST_TEST((here.has >= Instructions::avx2));
#endif
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
